"""Play blocks: the referee of a worker, with the processes that it keeps for the next block.

A process plays many games, but no deal twice: a bot has a separate process for each rotation
of a block. So no bot can know in one game what it saw in another seat of the same deal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from types import TracebackType
from typing import Any

from arena.blocks._unchanged import Unchanged
from arena.blocks.block import Block, BlockGame, BlockResult
from arena.blocks.runner import Venue
from arena.referee.attempts import Attempts
from arena.referee.faults import HostStalled
from arena.referee.game_record import make_record
from arena.referee.match import play_game
from arena.referee.roster import Roster
from arena.referee.seating import rotated
from arena.referee.table import Played

KEPT = 256
"""How many processes a worker keeps; those that were not used for longest are ended first."""
KEPT_ANYWAY = 48
"""How many it keeps if the host is short of memory."""
SHORT = 0.25
"""The fraction of the host's memory that should stay free."""
FILES = 4096
"""The limit of open files of a worker, which has several for each process."""


@dataclass
class _BlockUnderWay:
    """A block, the attempts at it, and its games in the attempt that is under way."""

    block: Block
    attempts: Attempts = field(default_factory=Attempts)
    games: list[BlockGame] = field(default_factory=list)

    @property
    def rotation(self) -> int:
        """The rotation that is played next."""
        return len(self.games)

    @property
    def done(self) -> bool:
        """Whether all its games are played."""
        return len(self.games) == len(self.block.contestants)


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
        for rotation in range(max(len(block.contestants) for block in blocks)):
            for each in under_way:
                if each.rotation == rotation and not each.done:
                    self._play_next(each)
        for each in under_way:
            while not each.done:  # it was broken off, and begins again
                self._play_next(each)
        return [BlockResult(each.block.number, tuple(each.games)) for each in under_way]

    def _play_next(self, under_way: _BlockUnderWay) -> None:
        """Play the next game of a block, or break off this attempt at it if the host stalls."""
        block, rotation = under_way.block, under_way.rotation
        attempts = under_way.attempts
        self.playing = block.number
        seated = rotated(block.contestants, rotation)
        number = block.first_game + rotation
        deal = self._venue.deals.deal(block.number, rotation, attempts.number)
        processes = self._processes([contestant.digest for contestant in seated], rotation)
        try:
            played = play_game(number, self._roster, deal, processes, attempts.tolerated(seated))
        except HostStalled as stall:
            self._roster.dismiss_all()
            attempts.break_off(stall, rotation, seated)
            under_way.games.clear()
            return
        self._check_started()
        record = make_record(number, self._venue.terms, self._roster.label, deal, seated, played)
        timings = _timings(played, len(seated))
        timings["attempts"] = [] if rotation else [asdict(each) for each in attempts.broken_off]
        under_way.games.append(BlockGame(record, timings))

    def _check_started(self) -> None:
        """Raise `BotChanged` if a bot that was started since the last game has other files now."""
        digests = list(self._venue.bots)
        for bot in self._roster.take_started():
            self._unchanged.check(digests[bot])

    def _processes(self, digests: Sequence[str], rotation: int) -> list[int]:
        """Return the indices in the roster of the bots' processes; end others to make room."""
        numbers = self._roster.processes([self._order[digest] for digest in digests], rotation)
        more = any(number not in self._used for number in numbers)
        for number in numbers:
            self._used[number] = None
            self._used.move_to_end(number)
        kept = KEPT_ANYWAY if more and short_of_memory() else KEPT
        while len(self._used) > kept:
            oldest, _ = self._used.popitem(last=False)
            self._roster.dismiss(oldest)
        return numbers


def short_of_memory() -> bool:
    """Whether the host has too little free memory to keep more processes."""
    with open("/proc/meminfo", encoding="ascii") as file:
        sizes = {name: int(size.split()[0]) for name, _, size in (x.partition(":") for x in file)}
    return sizes["MemAvailable"] < SHORT * sizes["MemTotal"]


def allow_many_files() -> None:
    """Raise the limit of open files to what the kept processes need, as far as the host allows."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (max(soft, min(FILES, hard)), hard))


def _timings(played: Played, seats: int) -> dict[str, Any]:
    """Return, by seat, the number of decisions, their microseconds and the slowest.

    The time that the host took and the evidence of faults are added.
    """
    times: list[list[int]] = [[] for _ in range(seats)]
    for seat, micros in zip(played.deciders, played.micros, strict=True):
        if micros:
            times[seat].append(micros)
    return {
        "decisions": [len(each) for each in times],
        "micros": [sum(each) for each in times],
        "slowest": [max(each, default=0) for each in times],
        "waits": {str(decision): wait for decision, wait in played.waits.items()},
        "evidence": [asdict(evidence) for evidence in played.evidence],
    }
