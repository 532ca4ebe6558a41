"""Handing out blocks: each counts once, whoever comes, goes, is late or lies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arena.blocks.block import Block, BlockResult
from arena.cluster._dispatch import Dispatch, Disputed, Settled
from arena.records.entries import Contestant, Game
from arena.records.times import BlockTimes
from arena.referee.deals import BlockDeals

SEATED = tuple(Contestant(name=name, version="1", digest=name * 64) for name in "abc")
MACHINES = ("one", "two", "three")


def blocks(count: int, first: int = 0) -> Iterator[Block]:
    """Some blocks in their order."""
    for number in range(first, first + count):
        yield Block(number, 3 * number, SEATED, BlockDeals(bytes(32)))


def result(number: int, score: int = 0) -> BlockResult:
    """The result of a block; with another score it is a lie."""
    games = (Game(actions=((0,),), scores=(score, 0, 0), places=(1, 1, 1)),) * 3
    return BlockResult(number, 0, games, BlockTimes(first_game=3 * number, games=()))


@given(
    st.lists(st.tuples(st.sampled_from(MACHINES), st.sampled_from("jttolaaaa")), max_size=200),
    st.floats(0, 1),
    st.integers(0, 40),
    st.integers(0, 1 << 30),
)
def test_each_block_counts_once(
    events: list[tuple[str, str]], again: float, count: int, seed: int
) -> None:
    """Machines join, take, answer and leave in any order; in the end every block has a result."""
    chance = random.Random(seed)
    dispatch = Dispatch(blocks(count, first=7), 8, lambda _: chance.random() < again)
    has: dict[str, list[int]] = {name: [] for name in MACHINES}
    there: set[str] = set()
    counted: list[int] = []

    def follow(found: object) -> None:
        for each in found if isinstance(found, list) else [found]:
            assert not isinstance(each, Disputed)
            if isinstance(each, Settled):
                counted.append(each.result.number)

    def do(machine: str, what: str, now: float) -> None:
        if what == "j":
            dispatch.join(machine)
            there.add(machine)
        elif what == "t" and machine in there:
            taken = dispatch.take(machine, chance.randint(1, 5), now)
            assert len({block.number for block in taken}) == len(taken)
            has[machine] += [block.number for block in taken]
        elif what == "o":
            for number in dispatch.late(now, 1.0)[:2]:
                has[machine] += [block.number for block in dispatch.take_over(number, machine, now)]
        elif what == "l" and machine in there:
            there.discard(machine)
            follow(dispatch.leave(machine))
            has[machine].clear()
        elif what == "a" and has[machine]:
            number = has[machine].pop(chance.randrange(len(has[machine])))
            follow(dispatch.arrived(machine, result(number)))
        numbers = sorted(dispatch.under_way)
        assert not numbers or numbers[-1] - numbers[0] < 8

    now = 0.0
    for machine, what in events:
        now += chance.choice((1.0, 20.0))
        do(machine, what, now)
    for machine in MACHINES[:2]:
        do(machine, "j", now)
    while not dispatch.done:
        for machine in MACHINES[:2]:
            now += 100.0
            do(machine, "t", now)
            do(machine, "a", now)
        do("three", "l", now)
    assert sorted(counted) == list(range(7, 7 + count))


def test_a_late_block_goes_to_somebody_else_as_well() -> None:
    """A machine that hangs does not hold the ladder up, and its answer changes nothing later."""
    dispatch = Dispatch(blocks(2), 64, lambda _: False)
    dispatch.join("hangs")
    dispatch.join("works")
    assert [block.number for block in dispatch.take("hangs", 2, 0.0)] == [0, 1]
    assert dispatch.take("works", 2, 5.0) == []
    assert dispatch.late(5.0, 1.0) == []
    assert dispatch.late(11.0, 1.0) == [0, 1]
    assert dispatch.late(11.0, 5.0) == []  # where a block usually takes that long
    assert dispatch.take_over(0, "hangs", 11.0) == []
    assert [block.number for block in dispatch.take_over(0, "works", 11.0)] == [0]
    found = dispatch.arrived("works", result(0))
    assert isinstance(found, Settled)
    assert found.machine == "works"
    assert dispatch.arrived("hangs", result(0, score=9)) is None
    assert isinstance(dispatch.arrived("hangs", result(1)), Settled)
    assert dispatch.take("works", 1, 12.0) == []
    assert dispatch.done


def test_a_liar_is_found_as_often_as_the_page_says() -> None:
    """Of n results that a machine changes, none is compared with a chance of (1 - share)^n."""
    chance = random.Random(5)
    runs, lies, share = 2000, 30, 0.05
    found = 0
    for _ in range(runs):
        dispatch = Dispatch(blocks(lies), 1000, lambda _: chance.random() < share)
        dispatch.join("liar")
        dispatch.join("honest")
        disputes = 0
        for block in dispatch.take("liar", lies, 0.0):
            disputes += isinstance(dispatch.arrived("liar", result(block.number, 9)), Disputed)
        for block in dispatch.take("honest", lies, 0.0):
            disputes += isinstance(dispatch.arrived("honest", result(block.number)), Disputed)
        found += disputes > 0
    expected = 1 - (1 - share) ** lies
    spread = (expected * (1 - expected) / runs) ** 0.5
    assert abs(found / runs - expected) < 4 * spread


def test_who_says_that_it_stalled_is_believed_no_more_than_others() -> None:
    """Results of different attempts are for the host to judge, or a liar would claim stalls."""
    dispatch = Dispatch(blocks(1), 64, lambda _: True)
    dispatch.join("one")
    dispatch.join("two")
    for machine in ("one", "two"):
        assert len(dispatch.take(machine, 1, 0.0)) == 1
    assert dispatch.arrived("one", replace(result(0), attempt=1)) is None
    found = dispatch.arrived("two", result(0))
    assert isinstance(found, Disputed)
    assert set(found.results) == {"one", "two"}


def test_what_a_refused_machine_has_played_is_played_again() -> None:
    """Its results that wait to be compared do not count either."""
    dispatch = Dispatch(blocks(1), 64, lambda _: True)
    dispatch.join("liar")
    dispatch.join("honest")
    assert len(dispatch.take("liar", 1, 0.0)) == 1
    assert dispatch.arrived("liar", result(0, score=9)) is None
    assert dispatch.refuse("liar") == []
    assert [block.number for block in dispatch.take("honest", 1, 0.0)] == [0]
    found = dispatch.arrived("honest", result(0))
    assert isinstance(found, Settled)
    assert found.result.games[0].scores == (0, 0, 0)
    assert found.same == ()


def test_blocks_of_the_first_seconds_are_compared_as_well() -> None:
    """A machine that is ready before all others gets no result through that should be compared."""
    dispatch = Dispatch(blocks(2), 64, lambda _: True)
    assert dispatch.expect(2) == []
    dispatch.join("first")
    assert len(dispatch.take("first", 2, 0.0)) == 2
    assert dispatch.arrived("first", result(0)) is None
    dispatch.join("second")
    assert [block.number for block in dispatch.take("second", 1, 0.0)] == [0]
    assert isinstance(dispatch.arrived("second", result(0)), Settled)
    assert dispatch.arrived("first", result(1)) is None
    assert dispatch.leave("second") == []
    (found,) = dispatch.expect(1)  # nobody else comes
    assert isinstance(found, Settled)
