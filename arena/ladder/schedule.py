"""The schedule: which contestants sit at which table, block by block, in seats that rotate.

A block is one deal, played once per rotation of its seats, so that within a block everybody
sits once in every seat and plays every hand. While the field stands as it was at the first
block, blocks come in rounds of balanced designs; the next round is always at the table size at
which the fewest seats were played. When somebody has entered or left, every table follows from
counts: see `meetings`.

The schedule depends only on the ladder's name, its table sizes, who took part from which block
on, and the budget if that names games for each table size. It never depends on results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.games.deal import DealStream
from arena.ladder.designs import Rounds, RoundsState
from arena.ladder.looks import Looks, LooksState
from arena.ladder.meetings import Meetings, MeetingsState
from arena.records.entries import Form
from arena.records.game_record import rotated

SEATING = "seating"
"""What seats are drawn from, with the ladder's name and the block; they are public."""


@dataclass(frozen=True)
class Pairing:
    """A scheduled block: its contestants by seat in its first game."""

    block: int
    first_game: int
    contestants: Sequence[int]
    balanced: bool
    """Whether a ladder can end after this block with everybody treated as alike as can be."""
    look: int
    """The number of the look (test of certainty) that is due after it, or 0."""
    measured: bool
    """Whether the widths of intervals are looked at after it."""

    @property
    def games(self) -> int:
        """The number of its games: one per rotation."""
        return len(self.contestants)

    @property
    def games_so_far(self) -> int:
        """The number of games played when it is done."""
        return self.first_game + self.games

    def seating(self, rotation: int) -> list[int]:
        """Return the contestants by seat in the game of this rotation."""
        return rotated(self.contestants, rotation)


class SizeState(Form, frozen=True, kw_only=True):
    """Where the rounds at tables of one size stand."""

    size: int
    seats: int
    balanced: bool
    rounds: RoundsState


class ScheduleState(Form, frozen=True, kw_only=True):
    """All of a schedule, so that it can be saved and a resume need not go through it again."""

    blocks: int
    games: int
    changed: bool
    waiting: Sequence[Sequence[int]]
    sizes: Sequence[SizeState]
    meetings: MeetingsState
    looks: LooksState
    last: tuple[bool, int, bool]
    """Of the last block: whether it was balanced, its look, and whether widths were due."""


class Schedule:
    """An endless sequence of blocks, for contestants that may change between two blocks.

    Blocks are taken from it by `next`, or, where they are known already, counted by `follow`.
    """

    def __init__(self, ladder: str, sizes: Sequence[int]) -> None:
        self._ladder = ladder
        self._tables = tuple(sorted(set(sizes)))
        self._quota: Mapping[int, int] | None = None
        self._sizes: dict[int, _Size] = {}
        self._waiting: deque[Sequence[int]] = deque()
        self.meetings = Meetings(self._tables)
        self._looks = Looks()
        self.changed = False
        """Whether somebody has entered or left since the first block."""
        self.blocks = 0
        """The number of blocks scheduled so far."""
        self.games = 0
        """The number of games scheduled so far."""
        self._entering: Sequence[int] | None = None
        self.last: Pairing | None = None
        """The last block, if there was one; after a restart its contestants are not known."""

    @property
    def contestants(self) -> Sequence[int]:
        """Those who play now, by number."""
        return self.meetings.playing

    def enter(self, contestants: Sequence[int]) -> None:
        """Let these play from the next block on, and nobody else.

        What counts is who has entered when that block comes, not on which ways.
        """
        for size in self._tables:
            if size > len(contestants):
                raise ValueError(
                    f"tables of {size} need {size} contestants, got {len(contestants)}"
                )
        self._entering = tuple(contestants)

    def settle(self) -> None:
        """Let those who have entered play now, as the next block does."""
        contestants, self._entering = self._entering, None
        if contestants is None or contestants == self.contestants:
            return
        self.meetings.enter(contestants)
        self._looks.enter(len(contestants), self.blocks)
        self._waiting.clear()
        self.changed = self.blocks > 0
        players = len(contestants)
        self._sizes = {} if self.changed else {size: _Size(size, players) for size in self._tables}

    def change(self, quota: Mapping[int, int] | None) -> None:
        """Follow a new budget: the games of each contestant at tables of each size, if it has any.

        Sizes are then played in these proportions, else all equally often.
        """
        self._quota = dict(quota) if quota else None

    def next(self) -> Pairing:
        """Return the next block."""
        self.settle()
        group, balanced = self._group()
        DealStream.of(SEATING, self._ladder, self.blocks).shuffle(group)
        return self._count(group, balanced=balanced)

    def skip(self) -> Pairing:
        """Go past the next block; its contestants are right, but nobody has his seat."""
        self.settle()
        group, balanced = self._group()
        return self._count(group, balanced=balanced)

    def follow(self, contestants: Sequence[int]) -> Pairing:
        """Count a block that was played by these; its seats are theirs."""
        self.settle()
        balanced = True if self.changed else self._group()[1]
        return self._count(contestants, balanced=balanced)

    def _group(self) -> tuple[list[int], bool]:
        """Return who plays next, and whether all are treated as alike as can be after that."""
        if self.changed:
            return self.meetings.table(self._quota), True
        if not self._waiting:
            size = min(self._sizes.values(), key=self._share)
            self._waiting.extend(size.groups())
        group = [self.contestants[point] for point in self._waiting.popleft()]
        self._sizes[len(group)].seats += len(group) ** 2
        settled = not self._waiting and all(size.balanced for size in self._sizes.values())
        return group, settled

    def _share(self, size: _Size) -> tuple[float, int]:
        """A sort key: the size comes first of which the smallest part is played."""
        return (size.seats / (self._quota[size.size] if self._quota else 1), size.size)

    def _count(self, group: Sequence[int], *, balanced: bool) -> Pairing:
        self.meetings.play(group)
        look, measured = self._looks.passed(self.blocks, balanced=balanced)
        pairing = Pairing(self.blocks, self.games, tuple(group), balanced, look, measured)
        self.blocks += 1
        self.games += len(group)
        self.last = pairing
        return pairing

    def state(self) -> ScheduleState:
        """Return all state; `restored` gives it back exactly, even through JSON.

        Who has entered since the last block, and the budget, have to be said again.
        """
        last = self.last
        return ScheduleState(
            blocks=self.blocks,
            games=self.games,
            changed=self.changed,
            waiting=tuple(tuple(group) for group in self._waiting),
            sizes=[size.state() for size in self._sizes.values()],
            meetings=self.meetings.state(),
            looks=self._looks.state(),
            last=(False, 0, False) if last is None else (last.balanced, last.look, last.measured),
        )

    @classmethod
    def restored(cls, ladder: str, sizes: Sequence[int], state: ScheduleState) -> Schedule:
        """Return the schedule that gave this state."""
        found = cls(ladder, sizes)
        found.blocks = state.blocks
        found.games = state.games
        found.changed = state.changed
        found._waiting = deque(state.waiting)
        found.meetings = Meetings.restored(found._tables, state.meetings)
        found._looks = Looks.restored(state.looks)
        players = len(found.contestants)
        found._sizes = {each.size: _Size(each.size, players, each) for each in state.sizes}
        if state.blocks:
            found.last = Pairing(state.blocks - 1, state.games, (), *state.last)
        return found

    def copy(self) -> Schedule:
        """Return a schedule that goes on from here by itself."""
        found = self.restored(self._ladder, self._tables, self.state())
        found.change(self._quota)
        found._entering = self._entering
        return found


class _Size:
    """The rounds at tables of one size."""

    def __init__(self, size: int, players: int, state: SizeState | None = None) -> None:
        self.size = size
        self.seats = 0 if state is None else state.seats
        """Seats taken in games."""
        self.balanced = state is not None and state.balanced
        self._rounds = Rounds(players, size, None if state is None else state.rounds)

    def groups(self) -> Sequence[Sequence[int]]:
        """Return the groups of the next round, as places among those who play."""
        found = self._rounds.next()
        self.balanced = found.balanced
        return found.groups

    def state(self) -> SizeState:
        """Return where the rounds stand."""
        return SizeState(
            size=self.size, seats=self.seats, balanced=self.balanced, rounds=self._rounds.state()
        )
