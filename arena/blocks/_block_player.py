"""Play blocks: the referee of a worker, with the processes that it keeps for the next block.

A process plays many games, but no deal twice: a bot has a separate process for each game of a
block. So no bot can know in one game what it saw in another of the same deal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from types import TracebackType

from arena.blocks._unchanged import Unchanged
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Venue
from arena.machine.calls import short_of_memory
from arena.records.times import BlockTimes
from arena.referee.attempts import Attempts
from arena.referee.faults import HostStalled
from arena.referee.game_record import logged, timed
from arena.referee.match import play_game
from arena.referee.roster import Roster
from arena.referee.table import Played

KEPT = 256
"""How many processes a worker keeps; those that were not used for longest are ended first."""
KEPT_ANYWAY = 48
"""How many it keeps if the host is short of memory."""
FILES = 4096
"""The limit of open files of a worker, which has several for each process."""


@dataclass
class _BlockUnderWay:
    """A block, the attempts at it, and its games in the attempt that is under way."""

    block: Block
    attempts: Attempts = field(default_factory=Attempts)
    games: list[Played] = field(default_factory=list)

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
            tuple(logged(played) for played in self.games),
            BlockTimes(
                first_game=self.block.first_game,
                games=tuple(timed(played) for played in self.games),
                attempts=tuple(self.attempts.broken_off),
            ),
        )


class BlockPlayer:
    """Plays blocks on one core."""

    def __init__(self, venue: Venue, core: int | None) -> None:
        self._venue = venue
        self._order = {digest: at for at, digest in enumerate(venue.bots)}
        self._unchanged = Unchanged(venue.bots)
        self._roster = Roster(
            list(venue.bots.values()),
            venue.terms,
            core=core,
            rotations=max(venue.terms.game.players),
        )
        self._used: OrderedDict[int, None] = OrderedDict()
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
        self._roster.close()

    def play(self, blocks: Sequence[Block]) -> list[BlockResult]:
        """Play the games of some blocks; raise `BotChanged` if a bot no longer has its digest.

        The first game of each block comes first, then the second of each, and so on. So the next
        game is often played by processes that have just played, whose memory is still in the
        core's caches.
        """
        under_way = [_BlockUnderWay(block) for block in blocks]
        for game in range(max(block.games for block in blocks)):
            for each in under_way:
                if each.next_game == game and not each.done:
                    self._play_next(each)
        for each in under_way:
            while not each.done:  # it was broken off, and begins again
                self._play_next(each)
        return [each.result for each in under_way]

    def _play_next(self, under_way: _BlockUnderWay) -> None:
        """Play the next game of a block, or break off this attempt at it if the host stalls."""
        block, game = under_way.block, under_way.next_game
        attempts = under_way.attempts
        self.playing = block.number
        seated = block.seated(game)
        number = block.first_game + game
        deal = block.deal(game, attempts.number)
        processes = self._processes([contestant.digest for contestant in seated], game)
        try:
            played = play_game(number, self._roster, deal, processes, attempts.tolerated(seated))
        except HostStalled as stall:
            self._roster.dismiss_all()
            attempts.break_off(stall, game, seated)
            under_way.games.clear()
            return
        self._check_started()
        under_way.games.append(played)

    def _check_started(self) -> None:
        """Raise `BotChanged` if a bot that was started since the last game has other files now."""
        digests = list(self._venue.bots)
        for bot in self._roster.take_started():
            self._unchanged.check(digests[bot])

    def _processes(self, digests: Sequence[str], game: int) -> list[int]:
        """Return the indices in the roster of the bots' processes; end others to make room."""
        numbers = self._roster.processes([self._order[digest] for digest in digests], game)
        more = any(number not in self._used for number in numbers)
        for number in numbers:
            self._used[number] = None
            self._used.move_to_end(number)
        kept = KEPT_ANYWAY if more and short_of_memory() else KEPT
        while len(self._used) > kept:
            oldest, _ = self._used.popitem(last=False)
            self._roster.dismiss(oldest)
        return numbers


def allow_many_files() -> None:
    """Raise the limit of open files to what the kept processes need, as far as the host allows."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (max(soft, min(FILES, hard)), hard))
