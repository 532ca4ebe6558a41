"""Figures by machine: which one stands out, and which does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.blocks.runner import Cluster, UnusableRunner
from arena.cluster import _connection
from arena.cluster._dask_runner import DaskRunner
from arena.cluster.figures import MachineFigures, machine_figures
from arena.records.entries import BlockPlayed, Game, SeatFault
from arena.records.times import BlockTimes, BrokenOff, Comparison, GameTimes, Pace

STALL = BrokenOff(attempt=0, rotation=0, seat=0, bot="a", decision=0, seconds=1.0, stopped=0.0)


def played(
    number: int,
    machine: str,
    seats: tuple[int, int] = (0, 1),
    *,
    slow: float = 1.0,
    stalls: int = 0,
    faults: int = 0,
    compared: tuple[Comparison, ...] = (),
) -> tuple[BlockPlayed, BlockTimes]:
    """A block of two games; contestant 1 takes ten times as long as contestant 0."""
    fault = SeatFault(seat=0, decision=0, verdict="timeout", text="")
    paces = {
        seat: tuple(
            Pace(decisions=50, micros=int(50_000 * (1 + 9 * bot) * slow), slowest=5_000)
            for bot in (seats[seat], seats[1 - seat])
        )
        for seat in (0, 1)
    }
    game = Game(actions=((0,),), scores=(0, 0), places=(1, 1))
    failed = Game(actions=((0,),), scores=(0, 0), places=(1, 1), faults=(fault,))
    games = tuple(failed if at < faults else game for at in range(2))
    entry = BlockPlayed(number=number, attempt=stalls, key="0" * 64, contestants=seats, games=games)
    times = BlockTimes(
        first_game=2 * number,
        games=tuple(GameTimes(paces=paces[at]) for at in (0, 1)),
        attempts=(STALL,) * stalls,
        machine=machine,
        starts=1,
        compared=compared,
    )
    return entry, times


def figures(blocks: Iterator[tuple[BlockPlayed, BlockTimes]]) -> dict[str, MachineFigures]:
    """The figures by name."""
    return {each.machine: each for each in machine_figures(blocks)}


def test_a_machine_with_slow_bots_is_not_slow() -> None:
    """What counts is the time of the same bots elsewhere."""
    found = figures(
        played(number, "ab"[number % 2], (0, 1) if number % 2 else (1, 1)) for number in range(40)
    )
    assert found["a"].ms_a_decision > 1.5 * found["b"].ms_a_decision
    assert abs((found["a"].pace or 0) - 1) < 0.01
    assert not found["a"].stands_out
    assert not found["b"].stands_out


def test_a_slow_machine_stands_out() -> None:
    """Decisions that take half as long again as elsewhere are named, with the figure."""
    found = figures(
        played(number, "ab"[number % 2], slow=1.5 if number % 2 else 1.0) for number in range(40)
    )
    assert "decisions take 1.50 times as long as elsewhere" in found["b"].stands_out
    assert not found["a"].stands_out


def test_stalls_and_faults_beyond_chance_stand_out() -> None:
    """A few more are nothing, many more are named; and the sums are right."""
    few = figures(played(n, "ab"[n % 2], stalls=int(n in (1, 3, 5))) for n in range(100))
    assert few["b"].stalls == 3
    assert not few["b"].stands_out
    many = figures(
        played(n, "ab"[n % 2], stalls=n % 2, faults=2 * (n % 2 and n < 40)) for n in range(100)
    )
    assert "50 stalls in 100 games, elsewhere 0 in 100" in many["b"].stands_out
    assert "40 faults in 100 games" in many["b"].stands_out
    assert not many["a"].stands_out


def test_a_machine_that_was_wrong_stands_out() -> None:
    """Whoever differed from the host is named, also if its result is not in the log."""
    wrong = Comparison(machine="liar", differs="game 3, decision 7", wrong=("liar",))
    found = figures(
        played(number, "honest", compared=(wrong,) if number == 3 else ()) for number in range(9)
    )
    assert found["liar"].differed == 1
    assert found["liar"].stands_out == "1 results were not those of this host"
    assert found["honest"].compared == 1
    assert not found["honest"].stands_out


def test_without_the_extra_there_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever has not installed Dask is told how, and everything else works."""
    monkeypatch.setattr(_connection, "find_spec", lambda _: None)
    with pytest.raises(UnusableRunner, match=r"pip install 'bot-arena\[dask\]'"):
        DaskRunner().on(Cluster())
