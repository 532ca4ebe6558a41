"""Which machine plays which block, and which result counts. Pure: it knows no network and no clock.

A block is played until one machine has a sound result, so it does not matter how often it is
handed out. Some are handed to two machines from the start, which do not know it, and their
results are compared before either counts.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from arena.blocks.block import Block, BlockResult

LATE = 10.0
"""Seconds after which a block may be given to a second machine that has nothing else to do."""
SLOWER = 3.0
"""Or, if that is more, so many times what a block takes elsewhere."""


@dataclass
class UnderWay:
    """A block that has no result that counts."""

    block: Block
    wanted: int = 1
    """How many machines are to play it."""
    held: dict[str, float] = field(default_factory=dict)
    """Who plays it, since when."""
    results: dict[str, BlockResult] = field(default_factory=dict)
    disputed: bool = False
    """Whether the host plays it, as results differ."""

    @property
    def short(self) -> bool:
        """Whether more machines are to play it."""
        return not self.disputed and len(self.held) + len(self.results) < self.wanted


@dataclass(frozen=True)
class Settled:
    """A result that counts, who it is of, and who else has the same."""

    result: BlockResult
    machine: str
    same: tuple[str, ...] = ()


@dataclass(frozen=True)
class Disputed:
    """Results of a block that differ, by machine."""

    block: Block
    results: dict[str, BlockResult]


class Dispatch:
    """Hands out the blocks of a run."""

    def __init__(
        self, blocks: Iterator[Block], window: int, doubled: Callable[[Block], bool]
    ) -> None:
        """`doubled` says which blocks two machines play."""
        self._blocks = blocks
        self.window = window
        """How many blocks may be under way or done from the oldest unfinished one on."""
        self._doubled = doubled
        self._next: int | None = None
        """The number of the next block, once there was one."""
        self._more = True
        self._again: list[int] = []
        """Blocks that are to be handed out once more: a heap, with the oldest first."""
        self.under_way: OrderedDict[int, UnderWay] = OrderedDict()
        """The oldest first."""
        self._machines: set[str] = set()
        self._holds: defaultdict[str, set[int]] = defaultdict(set)
        """What each machine plays."""
        self._paired: set[int] = set()
        """Blocks that two machines are to play."""
        self._expected = 0

    @property
    def done(self) -> bool:
        """Whether there is nothing more to play."""
        return not self._more and not self.under_way

    @property
    def _alone(self) -> bool:
        """Whether there is no second machine, and none is expected."""
        return max(len(self._machines), self._expected) < 2

    def join(self, machine: str) -> None:
        """Let a machine be given blocks."""
        self._machines.add(machine)

    @property
    def has_some(self) -> bool:
        """Whether there may be blocks for a machine that asks for them."""
        return bool(self._again) or (self._more and self._is_open)

    @property
    def _is_open(self) -> bool:
        """Whether the next block may be taken, as it is not too far from the oldest one."""
        oldest = next(iter(self.under_way), None)
        return oldest is None or self._next is None or self._next < oldest + self.window

    def take(self, machine: str, most: int, now: float) -> list[Block]:
        """Return blocks for a machine, `most` at most."""
        if machine not in self._machines:
            return []
        found: list[Block] = []
        kept: list[int] = []
        while self._again and len(found) < most:
            each = self.under_way.get(heappop(self._again))
            if each is None or not each.short:
                continue
            if machine in each.held or machine in each.results:
                kept.append(each.block.number)
                continue
            found.append(self._hand_over(each, machine, now))
            if each.short:
                kept.append(each.block.number)
        for number in kept:
            heappush(self._again, number)
        while self._more and len(found) < most and self._is_open:
            block = next(self._blocks, None)
            if block is None:
                self._more = False
                break
            self._next = block.number + 1
            each = UnderWay(block)
            self.under_way[block.number] = each
            if not self._alone and self._doubled(block):
                each.wanted = 2
                self._paired.add(block.number)
                heappush(self._again, block.number)
            found.append(self._hand_over(each, machine, now))
        return found

    def late(self, now: float, usual: float) -> list[int]:
        """Return the numbers of blocks that take too long; `usual` is what one takes, in seconds.

        Each may be taken over by a second machine that has nothing else to do.
        """
        limit = now - max(LATE, SLOWER * usual)
        return [
            number
            for number, each in self.under_way.items()
            if each.held and not each.disputed and all(t < limit for t in each.held.values())
        ]

    def take_over(self, number: int, machine: str, now: float) -> list[Block]:
        """Return a block that is late, unless this machine cannot be of use."""
        each = self.under_way.get(number)
        if each is None or machine not in self._machines:
            return []
        if machine in each.held or machine in each.results:
            return []
        return [self._hand_over(each, machine, now)]

    def _hand_over(self, each: UnderWay, machine: str, now: float) -> Block:
        each.held[machine] = now
        self._holds[machine].add(each.block.number)
        return each.block

    def leave(self, machine: str) -> list[Settled | Disputed]:
        """A machine has gone: others play what it had. Return what does not wait for it any more.

        What it has played counts like any other result.
        """
        self._machines.discard(machine)
        for number in self._holds.pop(machine, ()):
            each = self.under_way[number]
            del each.held[machine]
            if each.short:
                heappush(self._again, number)
        return self._settled_alone()

    def expect(self, machines: int) -> list[Settled | Disputed]:
        """Say how many machines there are or will be soon; return what waits for none of them.

        While a second one is expected, blocks wait for it that two are to play.
        """
        self._expected = machines
        return self._settled_alone()

    def refuse(self, machine: str) -> list[Settled | Disputed]:
        """A machine's results count no more; what it has played is played again."""
        for each in self.under_way.values():
            if each.results.pop(machine, None) is not None and each.short:
                heappush(self._again, each.block.number)
        return self.leave(machine)

    def arrived(self, machine: str, result: BlockResult) -> Settled | Disputed | None:
        """Take a sound result; return what follows from it, if anything does already."""
        each = self.under_way.get(result.number)
        if each is None or machine not in self._machines:
            return None  # it came twice, or from a machine that was set aside
        if each.held.pop(machine, None) is not None:
            self._holds[machine].discard(result.number)
        each.results[machine] = result
        if each.disputed or len(each.results) < each.wanted:
            return None
        first, *others = each.results.values()
        # Another attempt has other cards: who says that it stalled is believed no more than others.
        if any((other.attempt, other.games) != (first.attempt, first.games) for other in others):
            each.disputed = True
            return Disputed(each.block, dict(each.results))
        return self._settled(each)

    def settle(self, number: int, result: BlockResult) -> None:
        """A block that was disputed counts as this."""
        self._forget(number)

    def _forget(self, number: int) -> None:
        """Take a block out, which has a result."""
        self._paired.discard(number)
        for machine in self.under_way.pop(number).held:
            self._holds[machine].discard(number)

    def _settled_alone(self) -> list[Settled | Disputed]:
        """Let one result be enough if there is only one machine."""
        found: list[Settled | Disputed] = []
        for number in sorted(self._paired) if self._alone else ():
            self._paired.discard(number)
            each = self.under_way[number]
            each.wanted = 1
            if each.results and not each.disputed:
                found.append(self._settled(each))
        return found

    def _settled(self, each: UnderWay) -> Settled:
        (machine, result), *others = each.results.items()
        self._forget(each.block.number)
        return Settled(result, machine, tuple(name for name, _ in others))
