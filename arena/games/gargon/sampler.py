"""Draw full states of Gargon that agree with what a seat knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from arena.games.game import Rules, Sampler, View
from arena.games.gargon.cards import COLOUR_SHIFT, PACK
from arena.games.gargon.state import GargonState


def sampler(view: View, events: Sequence[View], rules: Rules) -> Sampler:
    """Return a function that places the cards that this seat cannot locate at random.

    Backs show the colours, so every hidden place has a known colour, and within a colour
    every way to fill the places is equally likely.
    """
    seat = view["seat"]
    won = _won_piles(view, events)
    seen: Counter[int] = Counter(view["hand"])
    for cards in (*won, view["discards"], *(cards or () for cards in view["table"])):
        seen.update(cards)
    unseen: list[list[int]] = [[] for _ in range(6)]
    for card in (Counter(PACK) - seen).elements():
        unseen[card >> COLOUR_SHIFT].append(card)
    others = [s for s in range(len(won)) if s != seat]
    face_down = [s for s in others if view["table"][s] is None]

    def sample(random: Random) -> GargonState:
        chance = random.random
        for cards in unseen:
            cards.sort(key=lambda _: chance())
        rest = [iter(cards) for cards in unseen]
        hands = [view["hand"]] * len(won)
        table = [cards or [] for cards in view["table"]]
        for other in others:
            hands[other] = _take(rest, view["hands"][other])
        for other in face_down:
            table[other] = _take(rest, view["played"][other])
        first, second = (tuple([next(rest[colour]) for colour in s]) for s in view["stacks"])
        state = GargonState()
        state.rules = rules
        state.hands = [cards[:] for cards in hands]
        state.table = [cards[:] for cards in table]
        state.won = [cards[:] for cards in won]
        state.set_stacks(first, second)
        state.count_backs()
        _copy_public(state, view)
        return state

    return sample


def _take(rest: list[Iterator[int]], counts: list[int]) -> list[int]:
    """Take this many cards of each colour from `rest`; return them ascending."""
    return sorted([next(cards) for cards, n in zip(rest, counts, strict=True) for _ in range(n)])


def _won_piles(view: View, events: Sequence[View]) -> list[list[int]]:
    """Return the won cards of all seats: from the view if they lie open, else from the events."""
    if all(pile is not None for pile in view["won"]):
        return [list(pile) for pile in view["won"]]
    piles: list[list[int]] = [[] for _ in view["won"]]
    for event in events:
        if event["event"] == "won":
            piles[event["seat"]] += event["cards"]
        elif event["event"] == "fought" and event["winner"] >= 0:
            piles[event["winner"]].append(event["cards"][event["seats"].index(event["winner"])])
    return piles


def _copy_public(state: GargonState, view: View) -> None:
    state.discards = view["discards"][:]
    state.round = view["round"]
    state.starter = view["starter"]
    state.shape = tuple(view["shape"]) if view["shape"] else None
    state.colours = sum(
        1 << colour for colour in range(6) if any(counts[colour] for counts in view["played"])
    )
    state.passed = view["passed"][:]
    state.fighting = view["fighting"]
    state.drawing = view["drawing"][:]
    state.turn = view["turn"]
    state.kind = view["kind"]
    state.events = None
