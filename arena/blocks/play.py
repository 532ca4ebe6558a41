"""Playing blocks: a worker's referee, with the processes that it keeps for the next block.

A process plays many games, but no deal twice: for every rotation of a block a bot has another
process. So no bot can know in one game what it saw in another seat of the same deal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any

from arena.blocks.block import Block, BlockGame, BlockResult
from arena.blocks.runner import Venue
from arena.blocks.unchanged import Unchanged
from arena.referee.match import play_game
from arena.referee.record import make_record
from arena.referee.roster import Roster
from arena.referee.table import Played

KEPT = 48
"""How many processes a worker keeps; those that have waited longest are ended first."""


class BlockPlayer:
    """Plays one block after the other on one core."""

    def __init__(self, venue: Venue, core: int | None) -> None:
        self._venue = venue
        self._core = core
        self._order = {digest: at for at, digest in enumerate(venue.bots)}
        self._unchanged = Unchanged(venue.bots)
        self._roster: Roster | None = None
        self._used: OrderedDict[int, None] = OrderedDict()

    def __enter__(self) -> BlockPlayer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._roster is not None:
            self._roster.close()

    def play(self, block: Block) -> BlockResult:
        """Play the games of a block; `BotChanged` if they are not what their digests say."""
        games = [self._play(block, rotation) for rotation in range(len(block.contestants))]
        return BlockResult(block.number, tuple(games))

    def _play(self, block: Block, rotation: int) -> BlockGame:
        terms = block.terms
        size = len(block.contestants)
        seated = [block.contestants[(seat + rotation) % size] for seat in range(size)]
        number = block.first_game + rotation
        deal = block.deal(rotation)
        roster = self._roster_for(block)
        seating = self._processes([contestant.digest for contestant in seated], rotation)
        played = play_game(
            number, self._venue.game, terms.rules, deal, seating, roster, terms.control
        )
        self._check_started(roster)
        record = make_record(
            number,
            self._venue.game,
            terms.rules,
            deal,
            [contestant.as_map() for contestant in seated],
            terms.control,
            self._venue.sandbox.label,
            played,
        )
        return BlockGame(record, _timings(played, size))

    def _check_started(self, roster: Roster) -> None:
        """`BotChanged` if a process that was started since the last game may be of other files."""
        rotations = max(self._venue.game.players)
        digests = list(self._venue.bots)
        while roster.started:
            self._unchanged.check(digests[roster.started.pop() // rotations])

    def _roster_for(self, block: Block) -> Roster:
        """One process for every bot and rotation; all blocks of a run have the same terms."""
        if self._roster is None:
            rotations = max(self._venue.game.players)
            self._roster = Roster(
                [bot for bot in self._venue.bots.values() for _ in range(rotations)],
                self._venue.game,
                block.terms.control,
                arena=self._venue.arena,
                core=self._core,
                fresh=block.terms.fresh,
                sandbox=self._venue.sandbox,
                limits=block.terms.limits,
                suspend=block.terms.suspend,
            )
        return self._roster

    def _processes(self, digests: Sequence[str], rotation: int) -> list[int]:
        """The places in the roster of those who play now; others make room."""
        rotations = max(self._venue.game.players)
        numbers = [self._order[digest] * rotations + rotation for digest in digests]
        for number in numbers:
            self._used[number] = None
            self._used.move_to_end(number)
        while len(self._used) > max(KEPT, len(numbers)):
            oldest, _ = self._used.popitem(last=False)
            assert self._roster is not None
            self._roster.dismiss(oldest)
        return numbers


def _timings(played: Played, seats: int) -> dict[str, Any]:
    """By seat: decisions, their microseconds, the slowest; and what was seen of faults."""
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
