"""The schedule: which contestants sit at which table, block by block, in seats that rotate.

A block is one deal, played once per rotation of its seats, so that within a block everybody
sits once in every seat and plays every hand. While the field stands as it was at the first
block, blocks come in rounds of balanced designs; the next round is always at the table size at
which the fewest seats were played. When somebody has entered or left, every table follows from
counts: see `meetings`.

A stage begins anew: with rounds of its own for the field that it has, and no counts before it.
Blocks that are annulled come again, with the same contestants while the field stands.

The schedule depends only on the ladder's name, its table sizes, who took part from which block
on, what was annulled, and the budget. It never depends on results: what follows from these, such
as who plays in the next stage, are entries of the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.games.deal import DealStream
from arena.ladder.checkpoints import LEAST, Checkpoints, CheckpointsState
from arena.ladder.designs import Rounds, RoundsState
from arena.ladder.looks import Looks, LooksState
from arena.ladder.meetings import Meetings, MeetingsState
from arena.records.entries import Budget, Form, SetAside
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
    checkpoint: bool = False
    """Whether all up to it is stored, and what follows is decided, before the next is played."""

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
    last: tuple[bool, int, bool, bool]
    """Of the last block: whether it was balanced, its look, whether widths were due, and whether
    it was a checkpoint."""
    tables: tuple[int, ...]
    """The tables of the stage."""
    began: int
    """The games before the stage."""
    annulled: int
    """The games of the stage that do not count."""
    checkpoints: CheckpointsState


class Schedule:
    """An endless sequence of blocks, for contestants that may change between two blocks.

    Blocks are taken from it by `next`, or, where they are known already, counted by `follow`.
    """

    def __init__(self, ladder: str, sizes: Sequence[int]) -> None:
        self._ladder = ladder
        self._tables = tuple(sorted(set(sizes)))
        self._budget = Budget()
        self.staged = False
        """Whether there are stages, which end at checkpoints."""
        self._last_games = 0
        """How many last games of each are looked at for those who fail; 0 if they are not."""
        self._checkpoints = Checkpoints()
        self._began = 0
        """The games before the stage."""
        self._annulled = 0
        """The games of the stage that do not count."""
        self._beginning: tuple[int, ...] = ()
        """The tables of the stage that begins with the next block, if one does."""
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

    @property
    def coming(self) -> bool:
        """Whether somebody plays from the next block on who does not play now."""
        return self._entering is not None and not set(self._entering) <= set(self.contestants)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that are played: those of the stage for which enough play."""
        return tuple(size for size in self._tables if size <= len(self.contestants))

    @property
    def counted(self) -> int:
        """The games of the stage that count, or of the ladder if it has no stages."""
        return self.games - self._began - self._annulled

    @property
    def playable(self) -> bool:
        """Whether there is a table to play: enough play for one, and the last stage is not over."""
        return bool(self.sizes) and not (self.staged and self._budget == Budget())

    @property
    def stage_played(self) -> bool:
        """Whether the games of the stage that is on are played; never, without stages."""
        return self.staged and self.has_played(self._budget)

    def has_played(self, budget: Budget) -> bool:
        """Whether the games of this budget are played."""
        quota = budget.quota
        return (
            (budget.games is not None and self.counted >= budget.games)
            or (budget.each is not None and self.meetings.least() >= budget.each)
            or (
                quota is not None and self.meetings.have({size: quota[size] for size in self.sizes})
            )
        )

    def enter(self, contestants: Sequence[int]) -> None:
        """Let these play from the next block on, and nobody else.

        What counts is who has entered when that block comes, not on which ways.
        """
        self._entering = tuple(contestants)

    def begin(self, tables: Sequence[int]) -> None:
        """Begin a stage with the next block, at these tables, for those who enter then."""
        self._beginning = tuple(sorted(set(tables)))

    def settle(self) -> None:
        """Let those who have entered play now, as the next block does."""
        contestants, self._entering = self._entering, None
        if self._beginning:
            contestants = self.contestants if contestants is None else contestants
            self._tables, self._beginning = self._beginning, ()
            self.meetings, self._looks = Meetings(self._tables), Looks()
            self._checkpoints.begin(self.blocks)
            self._began, self._annulled = self.games, 0
        elif contestants is None or contestants == self.contestants:
            return
        first = self.games == self._began
        self.meetings.enter(contestants)
        self._looks.enter(len(contestants), self.blocks)
        self._waiting.clear()
        self.changed = not first
        players = len(contestants)
        self._sizes = {size: _Size(size, players) for size in self.sizes} if first else {}

    def change(self, budget: Budget) -> None:
        """Follow a new budget, which is that of the stage if there are stages.

        With games at tables of each size, sizes are played in these proportions, else all equally
        often.
        """
        self._budget = budget

    def decide(self, *, staged: bool, set_aside: SetAside | None) -> None:
        """Have checkpoints where a stage may end, and where somebody may be set aside."""
        self.staged = staged
        self._last_games = 0 if set_aside is None else set_aside.games

    def annul(self, groups: Iterable[Sequence[int]]) -> None:
        """Do not count these blocks of the stage any more.

        While the field stands they are played again first, so that rounds become whole.
        """
        again = []
        for group in groups:
            if len(group) not in self._tables:
                continue  # in a forged log
            self.meetings.take_back(group)
            self._annulled += len(group)
            again.append(tuple(group))
        if not self.changed:
            for group in again:
                self._sizes[len(group)].seats -= len(group) ** 2
            places = {number: at for at, number in enumerate(self.contestants)}
            self._waiting.extendleft(
                [places[number] for number in group] for group in reversed(again)
            )

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
            return self.meetings.table(self._budget.quota, self.sizes), True
        if not self._waiting:
            size = min(self._sizes.values(), key=self._share)
            self._waiting.extend(size.groups())
        group = [self.contestants[point] for point in self._waiting.popleft()]
        self._sizes[len(group)].seats += len(group) ** 2
        settled = not self._waiting and all(size.balanced for size in self._sizes.values())
        return group, settled

    def _share(self, size: _Size) -> tuple[float, int]:
        """A sort key: the size comes first of which the smallest part is played."""
        quota = self._budget.quota
        return (size.seats / (quota[size.size] if quota else 1), size.size)

    def _count(self, group: Sequence[int], *, balanced: bool) -> Pairing:
        self.meetings.play(group)
        block, first_game = self.blocks, self.games
        self.blocks += 1
        self.games += len(group)
        apart = LEAST if self.staged else 1
        look, measured = self._looks.passed(block, balanced=balanced, apart=apart)
        checkpoint = self._last_games > 0 and self._checkpoints.passed(
            block, self._last_games, len(self.contestants), self.sizes
        )
        if self.staged and balanced:
            checkpoint = checkpoint or self._may_end(look, measured=measured)
        self.last = Pairing(
            block, first_game, tuple(group), balanced, look, measured, bool(checkpoint)
        )
        return self.last

    def _may_end(self, look: int, *, measured: bool) -> bool:
        """Whether the stage may end after the block that is counted now."""
        budget = self._budget
        certain = budget.certain is not None and look > 0
        narrow = budget.width is not None and measured
        return certain or narrow or self.stage_played

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
            last=(False, 0, False, False)
            if last is None
            else (last.balanced, last.look, last.measured, last.checkpoint),
            tables=self._tables,
            began=self._began,
            annulled=self._annulled,
            checkpoints=self._checkpoints.state(),
        )

    @classmethod
    def restored(cls, ladder: str, sizes: Sequence[int], state: ScheduleState) -> Schedule:
        """Return the schedule that gave this state."""
        found = cls(ladder, sizes)
        found._tables = state.tables
        found._began = state.began
        found._annulled = state.annulled
        found._checkpoints = Checkpoints.restored(state.checkpoints)
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
        found._budget, found.staged = self._budget, self.staged
        found._last_games = self._last_games
        found._entering, found._beginning = self._entering, self._beginning
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
