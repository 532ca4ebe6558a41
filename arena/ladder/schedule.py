"""The schedule: which contestants sit at which table, block by block, in seats that rotate.

A block is one deal, played once per rotation of its seats, so that within a block everybody
sits once in every seat and plays every hand. Blocks come in rounds of balanced designs; the
next round is always at the table size at which the fewest seats were played.

The schedule depends only on the ladder's name, its table sizes, and who took part from which
block on. Contestants that enter later play first, against those whom they have met least,
until nobody is more than a block behind; then the designs start again for all.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.games.deal import DealStream
from arena.ladder.designs import Round, rounds
from arena.records.game_record import rotated
from arena.records.ledger import Field

SEATING = "seating"
"""What seats are drawn from, with the ladder's name and the block; they are public."""


@dataclass(frozen=True)
class Pairing:
    """A scheduled block: its contestants by seat in its first game."""

    block: int
    first_game: int
    contestants: Sequence[int]
    balanced: bool
    """Whether a ladder can end after this block with everybody treated alike."""

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


class Schedule:
    """An endless sequence of blocks, for contestants that may change between two blocks."""

    def __init__(self, ladder: str, sizes: Sequence[int], fields: Sequence[Field]) -> None:
        self._ladder = ladder
        self._sizes = {size: _Size(size) for size in sorted(set(sizes))}
        self._fields = deque(fields)
        self._waiting: deque[Sequence[int]] = deque()
        self.blocks = 0
        """The number of blocks scheduled so far."""
        self.games = 0
        """The number of games scheduled so far."""
        self.contestants: Sequence[int] = ()

    def enter_next(self, field: Field) -> None:
        """Let these contestants play from their block on, which is not scheduled yet."""
        self._fields.append(field)

    def next(self) -> Pairing:
        """Return the next block."""
        while self._fields and self._fields[0].block == self.blocks:
            self._enter(self._fields.popleft().contestants)
        if not self._waiting:
            self._waiting.extend(self._least_played().groups())
        group = list(self._waiting.popleft())
        self._sizes[len(group)].play(group)
        DealStream.of(SEATING, self._ladder, self.blocks).shuffle(group)
        settled = not self._waiting and all(size.balanced for size in self._sizes.values())
        pairing = Pairing(self.blocks, self.games, tuple(group), settled)
        self.blocks += 1
        self.games += len(group)
        return pairing

    def _enter(self, contestants: Sequence[int]) -> None:
        for size in self._sizes.values():
            if size.size > len(contestants):
                raise ValueError(
                    f"tables of {size.size} need {size.size} contestants, got {len(contestants)}"
                )
            size.enter(contestants)
        self.contestants = contestants
        self._waiting.clear()

    def _least_played(self) -> _Size:
        return min(self._sizes.values(), key=lambda size: (size.seats, size.size))


class _Size:
    """What is scheduled at tables of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.seats = 0
        """Seats taken in games since the contestants last changed."""
        self.balanced = False
        self._contestants: Sequence[int] = ()
        self._blocks: Counter[int] = Counter()
        self._met: Counter[frozenset[int]] = Counter()
        self._goal = 0
        self._rounds: Iterator[Round] = iter(())

    def enter(self, contestants: Sequence[int]) -> None:
        self._contestants = contestants
        self._goal = max(self._blocks[each] for each in contestants)
        self._rounds = rounds(len(contestants), self.size)
        self.seats = 0
        self.balanced = False

    def groups(self) -> Sequence[Sequence[int]]:
        """Return the groups to play next: a round, or one group with those that lag behind."""
        if self._level:
            found = next(self._rounds)
            self.balanced = found.balanced
            return [[self._contestants[point] for point in group] for group in found.groups]
        return [self._catching_up()]

    def play(self, group: Sequence[int]) -> None:
        self.seats += len(group) ** 2
        self._blocks.update(group)
        self._met.update(map(frozenset, combinations(group, 2)))

    @property
    def _level(self) -> bool:
        """Whether all have played equally many blocks, as far as tables of this size allow."""
        blocks = [self._blocks[each] for each in self._contestants]
        if len(blocks) == self.size:
            return min(blocks) >= self._goal
        return max(blocks) - min(blocks) <= 1

    def _catching_up(self) -> list[int]:
        """Return a group of who has played least and those who have met its members least."""
        first = min(self._contestants, key=lambda each: self._blocks[each])
        group = [first]
        while len(group) < self.size:
            group.append(
                min(
                    (each for each in self._contestants if each not in group),
                    key=lambda each: (
                        sum(self._met[frozenset((each, other))] for other in group),
                        self._blocks[each],
                    ),
                )
            )
        return group
