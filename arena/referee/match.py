"""A match: the same bots play one game after the other, each deal once per rotation of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.programs.contestant import Contestant
from arena.records.record import FIRST, Record, chain
from arena.records.verdicts import FINISHED
from arena.referee.deals import Deal, Deals
from arena.referee.faults import HostStalled
from arena.referee.game_record import make_record
from arena.referee.roster import Roster
from arena.referee.table import Played, Table

REPLAYS = 3
"""How often a game that the host has stalled is played again."""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: the bot in each seat (an index), what happened, and the record."""

    number: int
    seating: tuple[int, ...]
    played: Played
    record: Record

    @property
    def timings(self) -> dict[str, Any]:
        """What is kept beside the record: times, and the evidence that a bot's author needs."""
        return {
            "number": self.number,
            "micros": self.played.micros,
            "waits": {str(decision): wait for decision, wait in self.played.waits.items()},
            "evidence": [asdict(evidence) for evidence in self.played.evidence],
        }


class Match:
    """Games between the bots of a roster, on these deals."""

    def __init__(self, roster: Roster, deals: Deals) -> None:
        self._roster = roster
        self._deals = deals
        self._contestants = [Contestant.of(spec) for spec in roster.specs]

    def play(self, games: int) -> Iterator[MatchGame]:
        """Play this many games; each deal is played once per rotation of the seats."""
        roster = self._roster
        seats = len(roster.specs)
        previous = FIRST
        for number in range(games):
            block, rotation = divmod(number, seats)
            seating = tuple((seat + number) % seats for seat in range(seats))
            deal = self._deals.deal(block, rotation)
            played = play_game(number, roster, deal, seating)
            seated = [self._contestants[bot] for bot in seating]
            record = chain(make_record(number, roster.terms, deal, seated, played), previous)
            previous = record["hash"]
            yield MatchGame(number, seating, played, record)


def play_game(number: int, roster: Roster, deal: Deal, seating: Sequence[int]) -> Played:
    """Play a game between bots of the roster; play it again if the host has stalled it."""
    attempts = REPLAYS
    while True:
        try:
            players = roster.sit(seating)
            played = Table(roster.terms, deal, players).play(number)
        except HostStalled:
            roster.dismiss_all()
            if not attempts:
                raise
            attempts -= 1
            continue
        verdicts = zip(seating, played.verdicts, strict=True)
        roster.after_game({bot for bot, verdict in verdicts if verdict != FINISHED})
        return played
