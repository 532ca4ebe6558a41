"""Draw full states of Gang de Castors that agree with what a seat knows."""

from __future__ import annotations

from random import Random

from arena.games.castors.cards import NINE, ROW
from arena.games.castors.state import KNOWN, SHUFFLE, VALUE, CastorsState
from arena.games.deal import KEY_BYTES, DealStream
from arena.games.game import Rules, Sampler, View


def sampler(view: View, rules: Rules) -> Sampler:
    """Return a function that places the cards that this seat cannot locate at random.

    The view says for every hidden place from which shuffle its card came, and for every
    shuffle how many of each card are still hidden. Within such a pool, every way to fill the
    places is equally likely, except that a card that was drawn and kept is a value card.
    """
    seats = len(view["rows"])
    places = range(seats * ROW)
    cards = [card for row in view["rows"] for card in row]
    flags = [
        by << KNOWN | (VALUE if kept else 0) | pool << SHUFFLE
        for row in zip(view["known_by"], view["kept"], view["row_pools"], strict=True)
        for by, kept, pool in zip(*row, strict=True)
    ]
    unknown = [at for at in places if cards[at] < 0]
    unknown_kept = [at for at in unknown if flags[at] & VALUE]
    unknown_any = [at for at in unknown if not flags[at] & VALUE]
    pools = [[card for card, n in enumerate(pool) for _ in range(n)] for pool in view["pools"]]

    def sample(random: Random) -> CastorsState:
        chance = random.random
        rest = [sorted(pool, key=lambda _: chance()) for pool in pools]
        row = cards[:]
        for at in unknown_kept:
            row[at] = _take_value(rest[flags[at] >> SHUFFLE], random)
        for at in unknown_any:
            row[at] = rest[flags[at] >> SHUFFLE].pop()
        drawn = view["drawn"]
        if drawn is None:
            drawn = -1
        elif drawn < 0:
            drawn = rest[view["drawn_pool"]].pop()
        state = CastorsState()
        state.rules = rules
        state.shuffler = DealStream(random.randbytes(KEY_BYTES))
        state.rows = [card | flag for card, flag in zip(row, flags, strict=True)]
        state.drawn = drawn
        state.pile = rest[-1]
        _copy_public(state, view)
        return state

    return sample


def _take_value(cards: list[int], random: Random) -> int:
    """Remove and return a value card at random, so that the rest stays fairly shuffled."""
    at = int(random.random() * len(cards))
    while cards[at] > NINE:
        at = int(random.random() * len(cards))
    return cards.pop(at)


def _copy_public(state: CastorsState, view: View) -> None:
    state.totals = view["totals"][:]
    state.deal = view["deal"]
    state.discards = view["discards"][:]
    state.shuffles = len(view["pools"]) - 1
    state.source = max(view["drawn_pool"], 0)
    state.rejectable = view["rejectable"]
    state.moves = view["moves"]
    state.caller = view["caller"]
    state.turn = view["turn"]
    state.kind = view["kind"]
    state.events = None
