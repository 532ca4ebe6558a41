"""Play blocks: the referee of a worker, with the processes that it keeps for the next block.

A process plays many games, but no deal twice: a bot has a separate process for each game of a
block. So no bot can know in one game what it saw in another of the same deal.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType

from arena.blocks._open_files import allow_many_files
from arena.blocks._unchanged import Unchanged
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Venue
from arena.machine.calls import short_of_room
from arena.process.nursery import Nursery
from arena.programs.spec import BotSpec
from arena.records.entries import Game
from arena.records.times import BlockTimes, GameTimes
from arena.referee.attempts import Attempts
from arena.referee.faults import HostStalled
from arena.referee.game_record import logged, timed
from arena.referee.match import play_game
from arena.referee.roster import Roster

KEPT_ANYWAY = 48
"""How many processes a worker keeps, even if the host is short of memory or of tasks."""


@dataclass(frozen=True)
class Part:
    """The games of a block that one worker has played, while others play the rest of it."""

    number: int
    """The number of the block."""
    games: Mapping[int, tuple[Game, GameTimes]]
    """By rotation."""
    attempts: Attempts
    """With a stall of the host, if one has broken this attempt off."""


@dataclass
class _BlockUnderWay:
    """A block, the attempts at it, and its games in the attempt that is under way."""

    block: Block
    attempts: Attempts = field(default_factory=Attempts)
    games: list[tuple[Game, GameTimes]] = field(default_factory=list)

    @property
    def next_game(self) -> int:
        """The game that is played next."""
        return len(self.games)

    @property
    def done(self) -> bool:
        """Whether all its games are played."""
        return len(self.games) == self.block.games

    @property
    def result(self) -> BlockResult:
        """What is kept of a block that is done."""
        return BlockResult(
            self.block.number,
            self.attempts.number,
            tuple(game for game, _ in self.games),
            BlockTimes(
                first_game=self.block.first_game,
                games=tuple(times for _, times in self.games),
                attempts=tuple(self.attempts.broken_off),
            ),
        )


class BlockPlayer:
    """Plays blocks on one core."""

    def __init__(self, venue: Venue, core: int | None) -> None:
        self._bots = dict(venue.bots)
        self._order = {digest: at for at, digest in enumerate(self._bots)}
        self._digests = list(self._bots)
        """The bots by their index in the roster."""
        self._free: list[int] = []
        """Indices of bots that are gone, for those who come."""
        self._unchanged = Unchanged(self._bots)
        self._rotations = max(venue.terms.game.players)
        self._nursery = Nursery()
        self._roster = Roster(
            list(self._bots.values()),
            venue.terms,
            core=core,
            rotations=self._rotations,
            keepers=self._nursery,
        )
        self._used: OrderedDict[int, None] = OrderedDict()
        """The processes that run, those that have waited longest first."""
        self._wanted: Counter[int] = Counter()
        """How often each process is still wanted for what is being played."""
        self._most = min(allow_many_files(), venue.terms.sandbox.most_programs)
        self.playing: int | None = None
        """The number of the block of the current game; None before the first."""

    def __enter__(self) -> BlockPlayer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._roster.close()
        finally:
            self._nursery.close()

    @property
    def starts(self) -> int:
        """How many processes were started so far."""
        return self._roster.starts

    def change_field(self, come: Mapping[str, BotSpec], gone: Iterable[str]) -> None:
        """Have other bots from now on; the processes of those that are gone are ended."""
        for digest in gone:
            bot = self._order.pop(digest)
            del self._bots[digest]
            for rotation in range(self._rotations):
                [number] = self._roster.processes([bot], rotation)
                self._used.pop(number, None)
                self._roster.dismiss(number)
            self._unchanged.forget(digest)
            self._free.append(bot)
        for digest, spec in come.items():
            self._bots[digest] = spec
            bot = self._roster.enlist(spec, self._free.pop() if self._free else None)
            self._order[digest] = bot
            self._digests[bot:] = [digest, *self._digests[bot + 1 :]]

    def play(
        self, blocks: Sequence[Block], attempts: Mapping[int, Attempts] | None = None
    ) -> list[BlockResult]:
        """Play the games of some blocks; raise `BotChanged` if a bot no longer has its digest.

        `attempts` has those that were broken off before, by block.

        The first game of each block comes first, then the second of each, and so on. So the next
        game is often played by processes that have just played, whose memory is still in the
        core's caches.
        """
        before = attempts or {}
        under_way = [_BlockUnderWay(each, before.get(each.number, Attempts())) for each in blocks]
        for game in range(max(block.games for block in blocks)):
            for each in under_way:
                if each.next_game == game and not each.done:
                    self._play_next(each)
        for each in under_way:
            while not each.done:  # it was broken off, and begins again
                self._play_next(each)
        return [each.result for each in under_way]

    def play_parts(self, wanted: Sequence[tuple[Block, Sequence[int]]]) -> list[Part]:
        """Play some games of each block, given by rotation; others play the rest of it.

        One game of each block is played, then another one of each, and so on, each time by other
        processes. The games come first for which most processes run already, and processes that
        no later game wants are ended first. A game that the host stalls is not played again here:
        all games of its block are then played anew, by one worker.
        """
        turns: dict[int, list[tuple[Block, int]]] = {}
        self._wanted.clear()
        for block, rotations in wanted:
            for turn, rotation in enumerate(rotations):
                turns.setdefault(turn, []).append((block, rotation))
                self._wanted.update(self._numbers(block, rotation, turn))
        games: dict[int, dict[int, tuple[Game, GameTimes]]] = {}
        attempts = {block.number: Attempts() for block, _ in wanted}
        while turns:
            turn = min(turns, key=lambda each: self._missing(turns[each], each))
            for block, rotation in turns.pop(turn):
                tried = attempts[block.number]
                if tried.broken_off:
                    self._wanted.subtract(self._numbers(block, rotation, turn))
                    continue
                played = self._play_game(block, rotation, tried, turn)
                if played is not None:
                    games.setdefault(block.number, {})[rotation] = played
        self._wanted.clear()
        return [
            Part(block.number, games.get(block.number, {}), attempts[block.number])
            for block, _ in wanted
        ]

    def _missing(self, games: Sequence[tuple[Block, int]], turn: int) -> tuple[int, int]:
        """Return how many processes have to be started for these games."""
        numbers = {number for block, game in games for number in self._numbers(block, game, turn)}
        return sum(number not in self._used for number in numbers), turn

    def _play_next(self, under_way: _BlockUnderWay) -> None:
        """Play the next game of a block, or break off this attempt at it if the host stalls."""
        game = under_way.next_game
        played = self._play_game(under_way.block, game, under_way.attempts, game)
        if played is None:
            under_way.games.clear()
        else:
            under_way.games.append(played)

    def _play_game(
        self, block: Block, game: int, attempts: Attempts, turn: int
    ) -> tuple[Game, GameTimes] | None:
        """Play a game of a block; return None if the host stalls, which breaks off the attempt.

        `turn` says which processes play it; those of no other game of this deal may do so.
        """
        self.playing = block.number
        seated = block.seated(game)
        deal = block.deal(game, attempts.number)
        processes = self._numbers(block, game, turn)
        self._make_room(processes)
        tolerated = attempts.tolerated(seated)
        try:
            played = play_game(block.first_game + game, self._roster, deal, processes, tolerated)
        except HostStalled as stall:
            self._roster.dismiss_all()
            attempts.break_off(stall, game, seated)
            return None
        self._check_started()
        return logged(played), timed(played)

    def _check_started(self) -> None:
        """Raise `BotChanged` if a bot that was started since the last game has other files now."""
        for bot in self._roster.take_started():
            self._unchanged.check(self._digests[bot])

    def _numbers(self, block: Block, game: int, turn: int) -> list[int]:
        """Return the numbers of the processes that play a game of a block at this turn, by seat."""
        seated = (self._order[contestant.digest] for contestant in block.seated(game))
        return self._roster.processes(seated, turn)

    def _make_room(self, numbers: Sequence[int]) -> None:
        """Let these processes be used, and end others where the host has no room for all."""
        more = any(number not in self._used for number in numbers)
        for number in numbers:
            self._used[number] = None
            self._used.move_to_end(number)
        self._wanted.subtract(number for number in numbers if self._wanted[number])
        if not more:
            return
        most = KEPT_ANYWAY if len(self._used) > KEPT_ANYWAY and short_of_room() else self._most
        # Where room is short, it is made for those who come; what runs already stays.
        excess = min(len(self._used) - most, len(numbers))
        while excess > 0 and len(self._used) > len(numbers):
            self._end_one(numbers)
            excess -= 1

    def _end_one(self, numbers: Sequence[int]) -> None:
        """End the process that has waited longest, if possible one that is not wanted."""
        idle = (number for number in self._used if not self._wanted[number])
        oldest = next((number for number in idle if number not in numbers), None)
        if oldest is None:
            oldest = next(number for number in self._used if number not in numbers)
        del self._used[oldest]
        self._roster.dismiss(oldest)
