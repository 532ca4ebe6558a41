"""A match: the same bots play one game after the other, each deal once per rotation of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.process.suspension.suspender import CannotStop
from arena.programs.contestant import contestant_of
from arena.records.entries import (
    FORMAT,
    BlockPlayed,
    Budget,
    Changed,
    Contest,
    Contestant,
    Entered,
    Entry,
    Opened,
)
from arena.records.game_record import rotated
from arena.records.times import BlockTimes
from arena.records.verdicts import FINISHED
from arena.referee.attempts import Attempts
from arena.referee.deals import Deal, Deals, commitment
from arena.referee.faults import HostStalled
from arena.referee.game_record import logged, timed
from arena.referee.roster import Roster
from arena.referee.table import Played, Table
from arena.referee.terms import Terms
from arena.version import VERSION

NAME = "play"
"""The name of every match in its log, and the one that its deals are drawn for."""


def beginning(
    terms: Terms,
    contestants: Sequence[Contestant],
    *,
    sandbox: str,
    held: str,
    secret: bytes,
    seed: str | None,
    games: int,
    first: int = 0,
) -> Iterator[Entry]:
    """Yield the entries with which the log of a match begins: what is played, and by whom.

    `sandbox` is the one that was asked for, `held` the label of the one that was found, and `seed`
    the secret if it was given as one.
    """
    contest = Contest(
        kind="match",
        name=NAME,
        game=terms.game.name,
        version=terms.game.version,
        rules=terms.rules,
        tables=(len(contestants),),
        time=terms.control,
        limits=terms.limits.as_map(),
        sandbox=sandbox,
        suspend=terms.suspend,
        fresh=terms.fresh,
        seed=seed,
    )
    yield Opened(format=FORMAT, contest=contest, commitment=commitment(secret), first_game=first)
    yield Changed(arena=VERSION, sandbox=held, budget=Budget(games=games))
    yield Entered(contestants=tuple(contestants))


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: the bot in each seat (an index), and what happened."""

    number: int
    seating: tuple[int, ...]
    played: Played


@dataclass(frozen=True)
class MatchBlock:
    """The games of one deal, as its entry has them, and what lies beside that."""

    games: tuple[MatchGame, ...]
    entry: BlockPlayed
    times: BlockTimes


class Match:
    """Games between the bots of a roster, on these deals.

    Bots sit in the order of the roster. With `draw_seats` the order is drawn anew for every
    deal, so that nobody keeps his neighbours.
    """

    def __init__(self, roster: Roster, deals: Deals, *, draw_seats: bool = False) -> None:
        self._roster = roster
        self._deals = deals
        self._draw_seats = draw_seats
        self.contestants = [contestant_of(spec) for spec in roster.specs]

    def seating(self, deal: Deal) -> list[int]:
        """Return the bots by seat in a game of a deal."""
        seats = len(self._roster.specs)
        drawn = deal.order(seats) if self._draw_seats else range(seats)
        return rotated(drawn, deal.rotation)

    def blocks(
        self, games: int, first: int = 0, *, share: int = 0, shares: int = 1
    ) -> Iterator[MatchBlock]:
        """Play this many games; each deal is played once per rotation of the seats.

        The first game gets this number. With `shares`, only every so many deals are played,
        beginning with the one of number `share`.
        """
        seats = len(self._roster.specs)
        for played in range(share * seats, games, shares * seats):
            rotations = min(seats, games - played)
            yield self._play_block(played // seats, first + played, rotations)

    def play(self, games: int) -> Iterator[MatchGame]:
        """Play this many games, and yield them one by one."""
        for block in self.blocks(games):
            yield from block.games

    def _play_block(self, number: int, first: int, rotations: int) -> MatchBlock:
        """Play the games of a deal; all of them again, on another, if the host stalls one."""
        roster = self._roster
        deals = self._deals.block(number)
        attempts = Attempts()
        games: list[MatchGame] = []
        while len(games) < rotations:
            rotation = len(games)
            deal = deals.deal(rotation, attempts.number)
            seating = self.seating(deal)
            seated = [self.contestants[bot] for bot in seating]
            processes = roster.processes(seating, rotation)
            try:
                tolerated = attempts.tolerated(seated)
                played = play_game(first + rotation, roster, deal, processes, tolerated)
            except HostStalled as stall:
                roster.dismiss_all()
                attempts.break_off(stall, rotation, seated)
                games.clear()
                continue
            games.append(MatchGame(first + rotation, tuple(seating), played))
        entry = BlockPlayed(
            number=number,
            attempt=attempts.number,
            key=deal.key.hex(),
            contestants=games[0].seating,
            games=tuple(logged(game.played) for game in games),
        )
        times = BlockTimes(
            first_game=first,
            games=tuple(timed(game.played) for game in games),
            attempts=tuple(attempts.broken_off),
        )
        return MatchBlock(tuple(games), entry, times)


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
