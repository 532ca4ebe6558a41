"""Evidence: the formulas against a second computation, false calls, and how long it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log, prod, sqrt
from pathlib import Path
from random import Random
from statistics import median

import pytest

from arena.workbench.evidence import MOST, Evidence

pytestmark = pytest.mark.source_only

POOLS: dict[str, list[float]] = json.loads((Path(__file__).parent / "pools.json").read_text())
SAME = [name for name in POOLS if name.startswith("same-")]
BETS = [Fraction(each) for each in ("0.02", "0.05", "0.1", "0.2", "0.35", "0.5", "0.7", "0.9")]


def evidence(differences: Sequence[float]) -> Evidence:
    """The evidence after these deals."""
    found = Evidence()
    for each in differences:
        found.add(each)
    return found


def exact(differences: Sequence[float]) -> Fraction:
    """The evidence in fractions, without logarithms, by its definition."""
    ds = [Fraction(each) for each in differences]
    better = sum(prod(1 + bet * d for d in ds) for bet in BETS) / len(BETS)
    worse = sum(prod(1 - bet * d for d in ds) for bet in BETS) / len(BETS)
    return Fraction(better + worse) / 2


def streams(pool: Sequence[float], number: int, length: int, seed: int) -> Iterator[list[float]]:
    """Streams of deals drawn from a pool."""
    random = Random(seed)
    for _ in range(number):
        yield random.choices(pool, k=length)


def until_decided(stream: Sequence[float], cap: int = MOST) -> Evidence:
    """The evidence where a comparison that is looked at after every deal comes to its end."""
    found = Evidence()
    for each in stream[:cap]:
        found.add(each)
        if found.ended:
            break
    return found


@pytest.mark.parametrize("shift", [-0.3, 0.0, 0.2])
def test_evidence_is_what_its_formula_says(shift: float) -> None:
    """After every deal the evidence and its p-value are those of exact arithmetic."""
    random = Random(str(shift))
    differences = [max(-1.0, min(1.0, random.gauss(shift, 0.4))) for _ in range(60)]
    found = Evidence()
    highest = Fraction(1)
    for at, each in enumerate(differences, 1):
        found.add(each)
        wanted = exact(differences[:at])
        highest = max(highest, wanted)
        assert found.now == pytest.approx(float(wanted), rel=1e-9)
        assert found.p == pytest.approx(float(1 / highest), rel=1e-9)
        decided = highest >= 20
        assert (found.verdict is not None) == decided
        if decided:
            assert found.verdict == ("better" if shift > 0 else "worse")
            return
    assert shift == 0


def test_intervals_are_what_their_formula_says() -> None:
    """From the thirtieth deal on there is an interval, with the ends of the formula."""
    random = Random(1)
    differences = [random.uniform(-0.5, 0.6) for _ in range(200)]
    assert evidence(differences[:29]).interval is None
    for t in (30, 100, 200):
        part = differences[:t]
        mean, v = sum(part) / t, sum(d * d for d in part) / t
        wide, tau2 = v + t * 0.05**2, 0.05**2
        half = sqrt((2 * v * wide / tau2) * (log(20) + log(wide / v) / 2)) / t
        assert evidence(part).interval == pytest.approx((mean - half, mean + half))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_side_of_the_evidence_says_who_is_better(sign: int) -> None:
    """The same deals with the other sign have the same evidence for the other bot."""
    found = evidence([sign * 0.3] * 40)
    assert found.verdict == ("better" if sign > 0 else "worse")
    assert found.now == pytest.approx(evidence([0.3] * 40).now)


def test_what_was_decided_stays_decided() -> None:
    """Deals after the decision change neither the verdict nor, downwards, the p-value."""
    found = evidence([0.4] * 40)
    p = found.p
    for _ in range(200):
        found.add(-0.4)
    assert found.verdict == "better"
    assert found.p <= p


def test_two_that_never_differ_show_no_difference() -> None:
    """Neither too early, when rare differences can still have stayed out, nor at the cap only."""
    assert not evidence([0.0] * 149).ended
    found = evidence([0.0] * 150)
    assert found.verdict == "no difference"
    assert found.interval == (0.0, 0.0)


def test_a_small_difference_does_not_matter() -> None:
    """An interval within two points of a hundred ends the comparison before its cap."""
    found = until_decided([0.1 if each % 2 else -0.1 for each in range(MOST)])
    assert found.verdict == "no difference"
    low, high = found.interval or (-1, 1)
    assert -0.02 <= low < high <= 0.02
    assert found.deals < MOST


@pytest.mark.parametrize("difference", [1.01, -2.0, float("nan")])
def test_a_difference_is_a_share(difference: float) -> None:
    """A value that no deal can have is refused, as evidence of it would mean nothing."""
    with pytest.raises(ValueError, match="expected -1 to 1"):
        Evidence().add(difference)


def false_calls(name: str, number: int, length: int) -> tuple[int, int]:
    """In streams of two that are the same: how many are decided, how many intervals miss 0.

    Which of the two is called new is drawn for every deal, so that they are alike exactly.
    """
    random = Random(name)
    decided = missed = 0
    for stream in streams(POOLS[name], number, length, 1):
        found = Evidence()
        missing = False
        for each in stream:
            found.add(each * random.choice((1, -1)))
            low, high = found.interval or (-1.0, 1.0)
            missing |= not low <= 0 <= high
        decided += found.p <= 1 / 20
        missed += missing
    return decided, missed


@pytest.mark.parametrize("name", SAME)
def test_two_that_are_the_same_are_seldom_told_apart(name: str) -> None:
    """Looked at after each of 200 deals, 200 comparisons are wrong in one of twenty at most."""
    decided, missed = false_calls(name, 200, 200)
    assert decided <= 10
    assert missed <= 10


@pytest.mark.wide
@pytest.mark.parametrize("name", SAME)
def test_two_that_are_the_same_are_seldom_told_apart_in_2000_deals(name: str) -> None:
    """So it is in comparisons of 2,000 deals."""
    assert len(POOLS[name]) == 2000
    decided, missed = false_calls(name, 200, 2000)
    assert decided <= 10
    assert missed <= 10


@pytest.mark.parametrize(
    ("name", "most"), [("thresholds-hasty-swap", 100), ("backs-reference-table", 400)]
)
def test_a_real_difference_is_found_soon(name: str, most: int) -> None:
    """Of 60 comparisons of bots of which one is better, 57 find it, half of them within `most`."""
    found = [until_decided(stream) for stream in streams(POOLS[name], 60, MOST, 2)]
    assert sum(each.verdict == "better" for each in found) >= 57
    assert median(each.deals for each in found) <= most


@pytest.mark.wide
def test_a_small_difference_is_found_in_the_end() -> None:
    """Search is better than the odds by little; most comparisons find it before their cap."""
    found = [until_decided(stream) for stream in streams(POOLS["search-odds-swap"], 200, MOST, 3)]
    assert sum(each.verdict == "worse" for each in found) == 0
    assert sum(each.verdict == "better" for each in found) >= 160
