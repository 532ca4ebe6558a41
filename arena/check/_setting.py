"""A setting: one game for the checked bot, with its seat, its rules and its deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from arena.games.deal import DealStream, derived_key
from arena.games.game import Game, Rules
from arena.games.rare import Arrange, RareGame
from arena.referee.deals import Deal

PURPOSE = b"arena bot check"


@dataclass(frozen=True)
class CheckedGame:
    """A game as the checked bot is to play it."""

    game: Game
    rules: Rules
    tables: Sequence[int]
    """The numbers of players, ascending."""
    only: bool = False
    """Whether it is played by these rules and at these tables only, as on a ladder."""

    @classmethod
    def freely(cls, game: Game) -> CheckedGame:
        """Return a game as anybody may play it: at every table, and by its usual rules."""
        return cls(game, game.rules({}), game.players)

    @property
    def few(self) -> int:
        """The fewest players."""
        return self.tables[0]

    @property
    def many(self) -> int:
        """The most players."""
        return self.tables[-1]

    @property
    def sizes(self) -> str:
        """The numbers of players in words."""
        first, *rest = map(str, self.tables)
        if len(rest) > 1 and len(self.tables) == self.many - self.few + 1:
            return f"{first} to {rest[-1]}"
        return " and ".join(filter(None, (", ".join([first, *rest[:-1]]), *rest[-1:])))

    def rare(self) -> list[RareGame]:
        """Return the rare games that can come up.

        By one set of rules, those that are rare for their rules cannot. Others are played at the
        table that is most like theirs.
        """
        found = self.game.rare_games()
        if not self.only:
            return list(found)
        return [self._fitted(each) for each in found if self._can_come_up(each)]

    def _can_come_up(self, rare: RareGame) -> bool:
        return not rare.rules or self.game.rules(rare.rules) == self.rules

    def _fitted(self, rare: RareGame) -> RareGame:
        seats = min(self.tables, key=lambda size: abs(size - rare.seats))
        return replace(rare, seats=seats, seat=min(rare.seat, seats - 1))


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
    def rare(cls, played: CheckedGame, rare: RareGame, number: int) -> Setting:
        """Return the setting of a rare game, on one of its deals."""
        game = played.game
        return cls(
            game,
            played.rules if played.only else game.rules(rare.rules),
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


def everywhere(played: CheckedGame, deals: int) -> list[Setting]:
    """Return settings for every number of players and every seat, on `deals` deals each."""
    return [
        Setting(played.game, played.rules, seats, seat, number)
        for seats in played.tables
        for seat in range(seats)
        for number in range(deals)
    ]
