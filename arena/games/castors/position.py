"""A position of Gang de Castors in words: rows, the open card, the pile and the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.games.castors.words import name
from arena.games.game import View

UNKNOWN = -1


def position(views: Sequence[View]) -> Iterator[str]:
    """Yield lines; a card that none of these views shows is a question mark.

    A star stands after cards that were drawn and kept.
    """
    shared = views[0]
    turn = shared["turn"]
    decides = f"seat {turn} decides ({shared['kind']})" if turn >= 0 else "it is over"
    yield f"deal {shared['deal']}, {shared['moves']} turns so far: {decides}"
    for seat, total in enumerate(shared["totals"]):
        row = [max(cards) for cards in zip(*(view["rows"][seat] for view in views), strict=True)]
        kept = shared["kept"][seat]
        cards = " ".join(
            _name(card) + ("*" if was_kept else "")
            for card, was_kept in zip(row, kept, strict=True)
        )
        called = ", has called" if seat == shared["caller"] else ""
        yield f"seat {seat}{called}: row {cards}; {total} points so far"
    if shared["drawn"] is not None:
        yield f"drawn: {_name(max(view['drawn'] for view in views))}"
    discards = shared["discards"]
    yield f"open card: {_name(discards[-1]) if discards else 'none'}; {shared['pile']} in the pile"


def _name(card: int) -> str:
    return "?" if card == UNKNOWN else name(card)
