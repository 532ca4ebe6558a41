"""Results that wait for earlier ones come in order, and unchanged."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.blocks.block import BlockResult
from arena.cluster import _shelf
from arena.cluster._shelf import Shelf
from arena.records.entries import Game
from arena.records.times import BlockTimes, Comparison, GameTimes, Pace


def result(number: int) -> BlockResult:
    """A result that no other block has."""
    paces = (Pace(decisions=number, micros=3, slowest=2),)
    times = BlockTimes(
        first_game=number,
        games=(GameTimes(paces=paces, micros=(1, 2)),),
        machine="one",
        compared=(Comparison(machine="two"),),
    )
    # As they come from a machine, with lists for actions.
    game = Game(actions=([0], [number, 1]), scores=(number,), places=(1,), notes=((0, "note"),))
    return BlockResult(number, 0, (game,), times)


@given(st.permutations(range(40)), st.integers(0, 50))
def test_results_come_in_the_order_of_their_blocks(order: list[int], room: int) -> None:
    """Each as it was put there, as soon as no earlier block is under way."""
    shelf = Shelf()
    before, _shelf.ROOM = _shelf.ROOM, room
    try:
        under_way = set(order)
        given_out: list[BlockResult] = []
        for number in order:
            shelf.add(result(number))
            under_way.discard(number)
            given_out += shelf.take(min(under_way, default=None))
            assert len(given_out) == min(under_way, default=40)
    finally:
        _shelf.ROOM = before
    assert given_out == [result(number) for number in range(40)]
    assert not len(shelf)
