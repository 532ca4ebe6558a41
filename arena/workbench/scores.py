"""The scores of a comparison: everything that follows from its deals, one deal after the other.

Nothing here depends on who played the deals, when, or how many at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.margins import shares
from arena.referee.deals import Deals
from arena.workbench.designs import (
    DESIGNS,
    NEW,
    OLD,
    PILOT,
    Design,
    SeatDifference,
    Seating,
    by_seat,
    difference,
    information,
    seating,
    sizes,
)
from arena.workbench.evidence import Evidence
from arena.workbench.journal import DealPlayed, Question

NAME = "compare"
"""The name for which the deals of every comparison are drawn."""


class CannotCompare(ArenaError):
    """Bots between which there is nothing to compare; the text says why, and what to do."""


@dataclass(frozen=True)
class Pilot:
    """What the pilot said of the designs."""

    information: Mapping[Design, float]
    """What each says per game."""
    games: int

    @property
    def chosen(self) -> Design:
        """The design that says more per game; if both say the same, that with fewer games."""
        return max(DESIGNS, key=lambda design: self.information[design])


def tables_of(question: Question, players: Sequence[int]) -> Mapping[Design, tuple[int, ...]]:
    """Return the sizes of tables of each design that the field can fill.

    Raise `CannotCompare` if there are none, or none of the design that is asked for.
    """
    field = len(question.field)
    chosen = question.tables or tuple(players)
    found: dict[Design, tuple[int, ...]] = {}
    for design in DESIGNS:
        if fits := tuple(size for size in sizes(design, players, field) if size in chosen):
            found[design] = fits
    if not found or (question.design and question.design not in found):
        raise CannotCompare(
            f"a field of {field} cannot fill a table of {min(chosen)}; name more bots with --field"
        )
    return found


class Plan:
    """Who sits where in each deal of a comparison: first those of the pilot, if there is one."""

    def __init__(self, question: Question, players: Sequence[int], secret: bytes) -> None:
        self.deals = Deals.of(secret, NAME)
        """Where the cards come from."""
        self.most = max(players)
        """The most games that a deal can have."""
        self._field = len(question.field)
        self.tables = tables_of(question, players)
        wanted = [question.design] if question.design else list(self.tables)
        self.design: Design | None = wanted[0] if len(wanted) == 1 else None
        """The design of all deals; None if a pilot chooses it."""
        self.pilot = 0 if self.design else PILOT * len(DESIGNS)
        """How many deals the pilot has."""

    def seating(self, number: int, chosen: Design | None) -> Seating:
        """Return who sits where in a deal; after a pilot, with the design that it has chosen."""
        design = DESIGNS[number % len(DESIGNS)] if number < self.pilot else self.design or chosen
        assert design is not None
        return seating(design, self.deals.block(number), self.tables[design], self._field)


class Scores:
    """The state of a comparison after its deals so far."""

    def __init__(self, game: Game, plan: Plan, cap: int) -> None:
        self._game = game
        self._plan = plan
        self._cap = cap
        self._differences: dict[Design, list[float]] = {design: [] for design in DESIGNS}
        self._pilot_games: Counter[Design] = Counter()
        self.played = 0
        """Deals so far, those of the pilot as well."""
        self.games = 0
        """Games so far, without those of the pilot."""
        self.pilot: Pilot | None = None
        """What the pilot said, once it is over."""
        self.evidence = Evidence()
        self.by_table: dict[int, Evidence] = {}
        self.by_seat: dict[int, Evidence] = {}
        self.new_share = self.old_share = 0.0
        """The sums over deals of what each had of his opponents."""
        self.faults = [0, 0]
        """Games with a fault of the new bot, and of the old, those of the pilot as well."""

    @property
    def design(self) -> Design | None:
        """The design of the deals after the pilot; None as long as it is not chosen."""
        return self._plan.design or (self.pilot.chosen if self.pilot else None)

    @property
    def in_pilot(self) -> bool:
        """Whether the next deal is one of the pilot."""
        return self.played < self._plan.pilot

    @property
    def capped(self) -> bool:
        """Whether there are as many deals as there may be."""
        return self.evidence.deals >= self._cap

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be played."""
        return self.evidence.ended or self.capped

    def add(self, deal: DealPlayed) -> None:
        """Count the next deal."""
        table = self._plan.seating(self.played, self.design)
        found = measured(self._game, deal, table)
        for bots, game in zip(table.games, deal.games, strict=True):
            for number in (NEW, OLD):
                self.faults[number] += number in bots and bots.index(number) in game.faulty
        if self.in_pilot:
            self._differences[table.design].append(difference(found))
            self._pilot_games[table.design] += len(deal.games)
        else:
            self._count(found, table)
        self.played += 1
        if self.pilot is None and self.played == self._plan.pilot:
            self.pilot = Pilot(
                {
                    design: information(self._differences[design], self._pilot_games[design])
                    for design in DESIGNS
                },
                self._pilot_games.total(),
            )

    def _count(self, found: Sequence[SeatDifference], table: Seating) -> None:
        self.games += len(table.games)
        mean = difference(found)
        self.evidence.add(mean)
        self.by_table.setdefault(table.seats, Evidence()).add(mean)
        for each in found:
            self.by_seat.setdefault(each.seat, Evidence()).add(each.difference)
            self.new_share += each.new / len(found)
            self.old_share += each.old / len(found)


def measured(game: Game, deal: DealPlayed, table: Seating) -> list[SeatDifference]:
    """Return the differences of a deal by seat; raise `ValueError` for another table's."""
    if len(deal.games) != len(table.games) or any(
        len(each.scores) != table.seats or len(each.places) != table.seats for each in deal.games
    ):
        raise ValueError(f"deal {deal.number}: has other games than this comparison")
    had = [shares(game, each.scores, each.places, each.faulty) for each in deal.games]
    return by_seat(table, had)
