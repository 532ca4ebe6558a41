"""Packs in a fixed order, so that a test can say which card lies where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice

from arena.games.castors.cards import PACK as CASTORS_PACK
from arena.games.castors.cards import ROW
from arena.games.castors.game import Castors
from arena.games.castors.state import CastorsState
from arena.games.gargon.cards import PACK as GARGON_PACK
from arena.games.gargon.game import Gargon
from arena.games.gargon.state import HAND, GargonState

GARGON = Gargon()
CASTORS = Castors()
WHITE, BLUE, VIOLET, RED, YELLOW, GREEN = range(6)
LETTERS = "WBVRYG"


class StackedDeck:
    """A shuffler that gives every shuffle the order that was written down for its labels.

    A shuffle that nobody wrote down leaves the cards as they are.
    """

    def __init__(self, orders: Mapping[tuple[int, ...], Sequence[int]]) -> None:
        self._orders = {labels: list(order) for labels, order in orders.items()}

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Put the cards in the order written down, which must be one of these very cards."""
        order = self._orders.get(labels, cards)
        if sorted(order) != sorted(cards):
            message = f"shuffle {labels}: the order was written down for other cards"
            raise ValueError(message)
        cards[:] = order


def stack(pack: Iterable[int], *places: tuple[Sequence[int], int]) -> list[int]:
    """A deck for places dealt one after the other, each as (its first cards, its size).

    Every place is filled up with what nobody asked for, in the order of the pack.
    """
    spare = Counter(pack)
    spare.subtract(card for cards, _ in places for card in cards)
    if min(spare.values()) < 0:
        message = "more of a card than the pack has"
        raise ValueError(message)
    rest = spare.elements()
    deck: list[int] = []
    for cards, size in places:
        if len(cards) > size:
            message = f"{len(cards)} cards for a place of {size}"
            raise ValueError(message)
        deck += [*cards, *islice(rest, size - len(cards))]
    return deck


def cards(text: str) -> list[int]:
    """Gargon's cards in words: "Y2 R9" is the yellow 2 and the red 9."""
    return [LETTERS.index(word[0]) * 16 + int(word[1:]) for word in text.split()]


def counts(text: str) -> list[int]:
    """How many of these cards each colour has."""
    colours = Counter(word[0] for word in text.split())
    return [colours[letter] for letter in LETTERS]


def gargon(
    *hands: str, stacks: tuple[str, str] = ("", ""), rules: Mapping[str, object] | None = None
) -> GargonState:
    """A game of Gargon in which these cards are in the hands and on top of the stacks."""
    half = (len(GARGON_PACK) - HAND * len(hands)) // 2
    places = [(cards(hand), HAND) for hand in hands] + [(cards(top), half) for top in stacks]
    deck = StackedDeck({(0,): stack(GARGON_PACK, *places)})
    return GARGON.start(len(hands), GARGON.rules(rules or {}), deck)


def play(state: GargonState, text: str) -> None:
    """Play these cards."""
    state.apply(state.check(["play", *cards(text)]))


def draw_and_pass(state: GargonState, first: int = 1, second: int = 0) -> None:
    """Pass, and draw so many cards from both stacks."""
    state.apply(state.check(["pass", first, second]))


def fight(state: GargonState) -> None:
    """Fight all battles of a round: the lowest colour first, all draws from the first stack."""
    while state.kind in ("battle", "draw"):
        state.apply(state.default())


def left(state: GargonState) -> tuple[int, int]:
    """How many cards both stacks have."""
    first, second = state.view(0)["stacks"]
    return len(first), len(second)


def drain(state: GargonState, rest: tuple[int, int], keep: Collection[int]) -> None:
    """Play rounds until so many cards are left in the stacks: all but the starter pass.

    No starter plays a card of `keep`, and each wins his card unopposed.
    """
    passers = state.seats - 1
    while left(state) != rest:
        play_spare(state, keep)
        wanted = sum(left(state)) - sum(rest)
        most = 3 * passers
        amount = wanted if wanted <= most else min(most, wanted - passers)
        for after in reversed(range(passers)):
            now = min(3, amount - after)
            from_first = min(now, left(state)[0] - rest[0])
            draw_and_pass(state, from_first, now - from_first)
            amount -= now


def play_spare(state: GargonState, keep: Collection[int]) -> None:
    """Play the lowest card that need not be kept."""
    hand = state.view(state.turn)["hand"]
    state.apply(("play", next(card for card in hand if card not in keep)))


def castors(
    *rows: Sequence[int], turned: int = 9, draws: Sequence[int] = (), laps: int = 100
) -> CastorsState:
    """A game of Gang de Castors whose first deal has these rows, this discard and these draws."""
    pile = len(CASTORS_PACK) - ROW * len(rows) - 1
    places = [(row, ROW) for row in rows] + [([turned], 1), (draws, pile)]
    deck = StackedDeck({(0, 0): stack(CASTORS_PACK, *places)})
    return CASTORS.start(len(rows), CASTORS.rules({"laps": laps}), deck)


def do(state: CastorsState, *actions: str) -> None:
    """Carry out these actions, each written like "keep 1"."""
    for action in actions:
        verb, *numbers = action.split()
        state.apply(state.check([verb, *map(int, numbers)]))
