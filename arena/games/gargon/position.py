"""A position of Gargon in words: hands, the table, the stacks and what was won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.games.game import View
from arena.games.gargon.cards import COLOURS, name


def position(views: Sequence[View]) -> Iterator[str]:
    """Yield lines; cards that none of these views shows are given by their colours."""
    shared = views[0]
    own = {view["seat"]: view for view in views}
    turn = shared["turn"]
    decides = f"seat {turn} decides ({shared['kind']})" if turn >= 0 else "it is over"
    yield f"round {shared['round']}, which seat {shared['starter']} began: {decides}"
    for seat, backs in enumerate(shared["hands"]):
        view = own.get(seat, shared)
        hand = _names(view["hand"]) if seat in own else _colours(backs)
        on_table, won = view["table"][seat], view["won"][seat]
        table = _colours(shared["played"][seat]) if on_table is None else _names(on_table)
        piled = "not shown" if won is None else _names(won)
        passed = ", has passed" if shared["passed"][seat] else ""
        yield f"seat {seat}{passed}: in hand {hand}; on the table {table}; won {piled}"
    for number, stack in enumerate(shared["stacks"]):
        top = f", {COLOURS[stack[0]]} on top" if stack else ""
        yield f"stack {number}: {len(stack)} cards{top}"
    yield f"discards: {_names(shared['discards'])}"


def _names(cards: Sequence[int]) -> str:
    return ", ".join(map(name, cards)) or "nothing"


def _colours(counts: Sequence[int]) -> str:
    """Return how many cards there are of each colour."""
    found = (f"{count} {colour}" for count, colour in zip(counts, COLOURS, strict=True) if count)
    return ", ".join(found) or "nothing"
