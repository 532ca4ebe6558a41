"""How many blocks each machine is given at a time, and how many may be under way. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from arena.blocks.local_runner import FEW, SHARED, SHARED_EACH
from arena.cluster._messages import AHEAD

BATCH = 16
"""Blocks that a machine is given at a time for each referee, at most."""
BATCH_SECONDS = 0.5
"""How long they should take; more, where very many referees are to be served."""
SHARED_SECONDS = 20.0
"""How long the blocks should take whose games the referees of a machine share."""
SERVED = 100
"""How many batches a second the host should have to see to, at most."""
LEAST_WINDOW = 64


@dataclass
class _Machine:
    """What is known of a machine."""

    referees: int
    seconds: float = 0.0
    """What a block has taken a referee of it, lately; 0 before the first."""
    most: int = 1
    """How many blocks it is given at a time."""


class Pacing:
    """Follows how quick the machines of a run are."""

    def __init__(self, bots: int, seats: int) -> None:
        """`seats` are those of the largest table."""
        self._bots = bots
        self._is_large = bots * seats > FEW
        """Whether the field is so large that the referees of a machine share the games."""
        self._machines: dict[str, _Machine] = {}
        self._referees = 0
        self._ahead = 0
        """How many blocks all of them are given at a time."""

    @property
    def window(self) -> int:
        """How many blocks may be under way or done from the oldest unfinished one on."""
        return max(LEAST_WINDOW, 4 * self._ahead)

    @property
    def usual(self) -> float:
        """How long a machine usually has what it is given at a time, in seconds; 0 if unknown."""
        machines = self._machines.values()
        found = sorted(each.seconds * each.most for each in machines if each.seconds)
        return found[len(found) // 2] if found else 0.0

    def join(self, machine: str, referees: int) -> int:
        """Follow a machine; return how many questions it is asked at a time."""
        self.leave(machine)
        each = self._machines[machine] = _Machine(referees)
        self._referees += referees
        each.most = self._most(each)
        self._ahead += each.most * self._questions(each)
        return self._questions(each)

    def leave(self, machine: str) -> None:
        """Forget a machine."""
        each = self._machines.pop(machine, None)
        if each is not None:
            self._referees -= each.referees
            self._ahead -= each.most * self._questions(each)

    def took(self, machine: str, seconds: float) -> None:
        """Count that a block has taken a referee of this machine so long."""
        each = self._machines.get(machine)
        if each is None:
            return
        each.seconds = 0.7 * each.seconds + 0.3 * seconds if each.seconds else seconds
        self._ahead -= each.most * self._questions(each)
        each.most = self._most(each)
        self._ahead += each.most * self._questions(each)

    def most(self, machine: str) -> int:
        """Return how many blocks a machine is given at a time."""
        return self._machines[machine].most

    def _is_shared(self, each: _Machine) -> bool:
        return self._is_large and each.referees > 1

    def _questions(self, each: _Machine) -> int:
        return AHEAD if self._is_shared(each) else AHEAD * each.referees

    def _most(self, each: _Machine) -> int:
        shared = self._is_shared(each)
        if not each.seconds:
            return BATCH * each.referees if shared else 1
        most, seconds = BATCH, max(BATCH_SECONDS, self._referees / SERVED)
        if shared:
            most = min(SHARED, SHARED_EACH * self._bots)
            seconds = SHARED_SECONDS * each.referees
        return max(1, min(most, int(seconds / each.seconds)))
