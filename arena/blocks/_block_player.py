"""Play blocks: the referee of a worker, with the processes that it keeps for the next block.

A process plays many games, but no deal twice: a bot has a separate process for each rotation
of a block. So no bot can know in one game what it saw in another seat of the same deal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from types import TracebackType
from typing import Any

from arena.blocks._unchanged import Unchanged
from arena.blocks.block import Block, BlockGame, BlockResult
from arena.blocks.runner import Venue
from arena.referee.game_record import make_record
from arena.referee.match import play_game
from arena.referee.roster import Roster
from arena.referee.table import Played

KEPT = 256
"""How many processes a worker keeps; those that were not used for longest are ended first."""
KEPT_ANYWAY = 48
"""How many it keeps if the host is short of memory."""
SHORT = 0.25
"""The fraction of the host's memory that should stay free."""
FILES = 4096
"""The limit of open files of a worker, which has several for each process."""


class BlockPlayer:
    """Plays blocks on one core."""

    def __init__(self, venue: Venue, core: int | None) -> None:
        self._venue = venue
        self._order = {digest: at for at, digest in enumerate(venue.bots)}
        self._unchanged = Unchanged(venue.bots)
        self._rotations = max(venue.terms.game.players)
        # One process for every bot and rotation.
        processes = [bot for bot in venue.bots.values() for _ in range(self._rotations)]
        self._roster = Roster(processes, venue.terms, core=core)
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
        games: list[list[BlockGame]] = [[] for _ in blocks]
        for rotation in range(max(len(block.contestants) for block in blocks)):
            for block, played in zip(blocks, games, strict=True):
                if rotation < len(block.contestants):
                    self.playing = block.number
                    played.append(self._play(block, rotation))
        return [
            BlockResult(block.number, tuple(played))
            for block, played in zip(blocks, games, strict=True)
        ]

    def _play(self, block: Block, rotation: int) -> BlockGame:
        size = len(block.contestants)
        seated = [block.contestants[(seat + rotation) % size] for seat in range(size)]
        number = block.first_game + rotation
        deal = self._venue.deals.deal(block.number, rotation)
        seating = self._processes([contestant.digest for contestant in seated], rotation)
        played = play_game(number, self._roster, deal, seating)
        self._check_started()
        record = make_record(number, self._venue.terms, deal, seated, played)
        return BlockGame(record, _timings(played, size))

    def _check_started(self) -> None:
        """Raise `BotChanged` if a bot that was started since the last game has other files now."""
        digests = list(self._venue.bots)
        for number in self._roster.take_started():
            self._unchanged.check(digests[number // self._rotations])

    def _processes(self, digests: Sequence[str], rotation: int) -> list[int]:
        """Return the indices in the roster of the bots' processes; end others to make room."""
        numbers = [self._order[digest] * self._rotations + rotation for digest in digests]
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
