"""A match: the same bots play one game after the other, each deal once per rotation of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from arena.process.suspension.suspender import CannotStop
from arena.programs.contestant import Contestant
from arena.records.record import FIRST, Record, chain
from arena.records.verdicts import FINISHED
from arena.referee.attempts import Attempts, BrokenOff
from arena.referee.deals import Deal, Deals
from arena.referee.faults import HostStalled
from arena.referee.game_record import make_record
from arena.referee.roster import Roster
from arena.referee.seating import draw_order, rotated
from arena.referee.table import Played, Table


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: the bot in each seat (an index), what happened, and the record."""

    number: int
    seating: tuple[int, ...]
    played: Played
    record: Record
    broken_off: tuple[BrokenOff, ...] = ()
    """The attempts at its block that came before, if it is the first game of that."""

    @property
    def timings(self) -> dict[str, Any]:
        """What is kept beside the record: times, and the evidence that a bot's author needs."""
        return {
            "number": self.number,
            "micros": self.played.micros,
            "waits": {str(decision): wait for decision, wait in self.played.waits.items()},
            "evidence": [asdict(evidence) for evidence in self.played.evidence],
            "attempts": [asdict(attempt) for attempt in self.broken_off],
        }


class Match:
    """Games between the bots of a roster, on these deals.

    Bots sit in the order of the roster. With `draw_seats` the order is drawn anew for every
    deal, so that nobody keeps his neighbours.
    """

    def __init__(self, roster: Roster, deals: Deals, *, draw_seats: bool = False) -> None:
        self._roster = roster
        self._deals = deals
        self._draw_seats = draw_seats
        self._contestants = [Contestant.of(spec) for spec in roster.specs]

    def seating(self, block: int, rotation: int) -> list[int]:
        """Return the bots by seat in a game of a deal."""
        seats = len(self._roster.specs)
        drawn = draw_order(self._deals, block, seats) if self._draw_seats else range(seats)
        return rotated(drawn, rotation)

    def play(self, games: int, first: int = 0, previous: str = FIRST) -> Iterator[MatchGame]:
        """Play this many games; each deal is played once per rotation of the seats.

        The first game gets this number, and its record follows the one that has this hash.
        """
        seats = len(self._roster.specs)
        for played in range(0, games, seats):
            rotations = min(seats, games - played)
            for game in self._play_block(played // seats, first + played, rotations):
                record = chain(game.record, previous)
                previous = record["hash"]
                yield replace(game, record=record)

    def _play_block(self, block: int, first: int, rotations: int) -> list[MatchGame]:
        """Play the games of a deal; all of them again, on another, if the host stalls one."""
        roster = self._roster
        attempts = Attempts()
        games: list[MatchGame] = []
        while len(games) < rotations:
            rotation = len(games)
            number = first + rotation
            seating = self.seating(block, rotation)
            seated = [self._contestants[bot] for bot in seating]
            deal = self._deals.deal(block, rotation, attempts.number)
            processes = roster.processes(seating, rotation)
            try:
                played = play_game(number, roster, deal, processes, attempts.tolerated(seated))
            except HostStalled as stall:
                roster.dismiss_all()
                attempts.break_off(stall, rotation, seated)
                games.clear()
                continue
            record = make_record(number, roster.terms, roster.label, deal, seated, played)
            broken_off = () if rotation else tuple(attempts.broken_off)
            games.append(MatchGame(number, tuple(seating), played, record, broken_off))
        return games


def play_game(
    number: int, roster: Roster, deal: Deal, processes: Sequence[int], tolerated: Sequence[bool]
) -> Played:
    """Play a game between processes of the roster, by seat; raise `HostStalled` if it stalls.

    `tolerated` says for each seat whether a stall while it is asked is the host's, or its fault.
    """
    try:
        players = roster.sit(processes, tolerated)
        played = Table(roster.terms, deal, players).play(number)
    except CannotStop as held_up:
        raise roster.stall_of(held_up) from None
    verdicts = zip(processes, played.verdicts, strict=True)
    roster.after_game({process for process, verdict in verdicts if verdict != FINISHED})
    return played
