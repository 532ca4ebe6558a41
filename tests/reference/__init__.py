"""The rules a second time, slow and word for word, to check the fast engines against.

A game is told here as a script, a generator that reads like the rules from the first card to
the last and asks where somebody has to decide. `Scripted` runs such a script. A copy is made
by playing the same answers again, so a shuffler must give the same labels the same shuffle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from .deal import Shuffler

Action: TypeAlias = tuple[Any, ...]
Script: TypeAlias = "Generator[Ask, Action, None]"


class Ask(NamedTuple):
    """A question of a script: who decides, what kind of decision it is, and what is legal."""

    seat: int
    kind: str
    options: Callable[[], list[Action]]


class Scripted(ABC):
    """One game in progress: a script that has been played up to a choice of two or more."""

    def __init__(
        self,
        seats: int,
        rules: Mapping[str, Any],
        shuffler: Shuffler,
        past: Sequence[Action] = (),
    ) -> None:
        """`past` is what was decided already, forced actions included; see `copy`."""
        self.seats = seats
        self.rules = rules
        self.shuffler = shuffler
        self._past: list[Action] = []
        self._script = self.script()
        self._asked: Ask | None = next(self._script, None)
        for action in past:
            self._answer(action)
        self._options = self._legal()
        self._carry_out_what_is_forced()

    @abstractmethod
    def script(self) -> Script:
        """The whole game."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Points by seat."""

    @abstractmethod
    def cards(self) -> dict[str, list[int]]:
        """Where every card of the pack is."""

    @property
    def turn(self) -> int:
        """The seat that has to decide, -1 once the game is over."""
        return -1 if self._asked is None else self._asked.seat

    @property
    def kind(self) -> str:
        """The kind of decision, "" once the game is over."""
        return "" if self._asked is None else self._asked.kind

    def actions(self) -> list[Action]:
        """All legal actions in canonical order."""
        return list(self._options)

    def apply(self, action: Action) -> None:
        """Carry out a legal action, and all that is forced after it."""
        if action not in self._options:
            message = f"{self.kind} of seat {self.turn}: {action!r} is not legal"
            raise ValueError(message)
        self._answer(action)
        self._options = self._legal()
        self._carry_out_what_is_forced()

    def copy(self) -> Self:
        """An independent copy: the same game, played again."""
        return type(self)(self.seats, self.rules, self.shuffler, self._past)

    def clockwise_from(self, seat: int) -> list[int]:
        """All seats, in turn order, the given one first."""
        return [(seat + step) % self.seats for step in range(self.seats)]

    def _answer(self, action: Action) -> None:
        self._past.append(action)
        try:
            self._asked = self._script.send(action)
        except StopIteration:
            self._asked = None

    def _legal(self) -> list[Action]:
        if self._asked is None:
            return []
        options = self._asked.options()
        assert options, f"{self.kind} of seat {self.turn}: nothing is legal"
        return options

    def _carry_out_what_is_forced(self) -> None:
        while len(self._options) == 1:
            self._answer(self._options[0])
            self._options = self._legal()


class Playable(Protocol):
    """What `perft` needs of a game, slow or fast."""

    @property
    def turn(self) -> int:
        """The seat that has to decide, -1 once the game is over."""

    def actions(self) -> list[Action]:
        """All legal actions."""

    def apply(self, action: Action) -> None:
        """Carry out a legal action."""

    def copy(self) -> Playable:
        """An independent copy."""


def perft(state: Playable, depth: int) -> int:
    """The number of action sequences of exactly `depth` decisions, or ended before.

    A finished game counts as one sequence. The last decision is counted without being
    carried out: whatever follows an action, it ends one sequence.
    """
    if depth == 0 or state.turn < 0:
        return 1
    if depth == 1:
        return len(state.actions())
    count = 0
    for action in state.actions():
        after = state.copy()
        after.apply(action)
        count += perft(after, depth - 1)
    return count
