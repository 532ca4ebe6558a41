"""A setting: one game for the checked bot, with its seat, its rules and its deal."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.games.deal import DealStream, derived_key
from arena.games.game import Game, Rules
from arena.games.rare import Arrange, RareGame
from arena.referee.deals import Deal

PURPOSE = b"arena bot check"


@dataclass(frozen=True)
class Setting:
    """A game in which one seat is the checked bot's, and opponents sit in the others.

    `avoided` are the verbs that opponents use only where nothing else is possible,
    `arrange` stacks the cards at the start of every deal.
    """

    game: Game
    rules: Rules
    seats: int
    seat: int
    number: int
    avoided: frozenset[str] = frozenset()
    arrange: Arrange | None = None
    title: str = ""

    def __str__(self) -> str:
        title = f" ({self.title})" if self.title else ""
        return (
            f"{self.game.name}{title}, {self.seats} players, seat {self.seat}, deal {self.number}"
        )

    @classmethod
    def rare(cls, game: Game, rare: RareGame, number: int) -> Setting:
        """Return the setting of a rare game of this game, on one of its deals."""
        return cls(
            game,
            game.rules(rare.rules),
            rare.seats,
            rare.seat,
            number,
            rare.avoided,
            rare.arrange,
            rare.title,
        )

    @property
    def deal(self) -> Deal:
        """The deal from which the cards come."""
        if self.arrange is None:
            return Deal(self._key, self.seat)
        return ArrangedDeal(self._key, self.seat, arrange=self.arrange)

    @property
    def _key(self) -> bytes:
        return derived_key(PURPOSE, self.game.name, self.number)


@dataclass(frozen=True)
class ArrangedDeal(Deal):
    """A deal with cards stacked in it."""

    arrange: Arrange = field(kw_only=True)

    @property
    def stream(self) -> DealStream:
        return ArrangedStream(self)


class ArrangedStream(DealStream):
    """Shuffles, and stacks the first cards that a deal shuffles: those whose label ends with 0."""

    __slots__ = ("_arrange",)

    def __init__(self, deal: ArrangedDeal) -> None:
        super().__init__(deal.key)
        self._arrange = deal.arrange

    def shuffle(self, cards: list[int], *labels: int) -> None:
        super().shuffle(cards, *labels)
        if labels[-1] == 0:
            self._arrange(cards)


def everywhere(game: Game, deals: int) -> list[Setting]:
    """Return settings for every number of players and every seat, on `deals` deals each."""
    rules = game.rules({})
    return [
        Setting(game, rules, seats, seat, number)
        for seats in game.players
        for seat in range(seats)
        for number in range(deals)
    ]
