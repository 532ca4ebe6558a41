"""A match: the same bots play one game after the other, each deal once per rotation of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.games.game import Game, Rules
from arena.process.digest import digest
from arena.process.spec import BotSpec
from arena.referee.clock import TimeControl
from arena.referee.deals import Deal
from arena.referee.faults import FINISHED, HostStalled
from arena.referee.record import FIRST, Record, chain, make_record
from arena.referee.roster import Roster
from arena.referee.table import Played, Table

REPLAYS = 3
"""How often a game is played again that the host has stalled."""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: who sat where (indices into the bots), what happened, its record."""

    number: int
    seating: tuple[int, ...]
    played: Played
    record: Record

    @property
    def timings(self) -> dict[str, Any]:
        """What is kept beside the record: times, and what a bot's author needs after a fault."""
        return {
            "number": self.number,
            "micros": self.played.micros,
            "waits": {str(decision): wait for decision, wait in self.played.waits.items()},
            "evidence": [asdict(evidence) for evidence in self.played.evidence],
        }


@dataclass(frozen=True)
class Match:
    """What is to be played, by whom, on which deals."""

    game: Game
    rules: Rules
    bots: Sequence[BotSpec]
    secret: bytes
    ladder: str
    control: TimeControl
    sandbox: str = "none"

    def deal(self, number: int) -> Deal:
        """The deal of a game: one deal is played once per rotation of the seats."""
        seats = len(self.bots)
        return Deal(self.secret, self.ladder, number // seats, number % seats)

    def seating(self, number: int) -> tuple[int, ...]:
        """Which bot sits in each seat."""
        seats = len(self.bots)
        return tuple((seat + number) % seats for seat in range(seats))

    def play(self, games: int, roster: Roster) -> Iterator[MatchGame]:
        """Play so many games."""
        names = [identity(spec) for spec in self.bots]
        previous = FIRST
        for number in range(games):
            seating = self.seating(number)
            deal = self.deal(number)
            played = play_game(number, self.game, self.rules, deal, seating, roster, self.control)
            record = make_record(
                number,
                self.game,
                self.rules,
                deal,
                [names[bot] for bot in seating],
                self.control,
                self.sandbox,
                played,
            )
            record = chain(record, previous)
            previous = record["hash"]
            yield MatchGame(number, seating, played, record)


def play_game(
    number: int,
    game: Game,
    rules: Rules,
    deal: Deal,
    seating: Sequence[int],
    roster: Roster,
    control: TimeControl,
) -> Played:
    """Play a game between those of the roster, again if the host has stalled it."""
    attempts = REPLAYS
    while True:
        try:
            players = [roster.player(bot) for bot in seating]
            played = Table(game, rules, deal, players, control).play(number)
        except HostStalled:
            roster.dismiss_all()
            if not attempts:
                raise
            attempts -= 1
            continue
        verdicts = zip(seating, played.verdicts, strict=True)
        roster.after_game({bot for bot, verdict in verdicts if verdict != FINISHED})
        return played


def identity(spec: BotSpec) -> dict[str, str]:
    """Which bot this is, as records say it."""
    return {"name": spec.name, "version": spec.version, "digest": digest(spec)}
