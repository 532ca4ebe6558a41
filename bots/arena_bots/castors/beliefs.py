"""The beliefs of the search: estimates of hidden cards, and of the points in deals to come."""

from __future__ import annotations

from arena_bots.castors.network import SCALE, Brain
from arena_bots.castors.one_core import np
from arena_bots.castors.plausible import GIVEN, MEAN
from arena_bots.castors.traces import Traces
from arena_sdk.castors import NINE, View

LONG = 10
"""Laps above which more make no difference."""


def mean_of(odds: list[float]) -> float:
    """Return the mean points of the unseen cards, from the probability of each."""
    return sum(p * (card if card <= NINE else MEAN) for card, p in enumerate(odds))


def believed(brain: Brain, traces: Traces, came: list[int], mean: float) -> list[float]:
    """Return the estimated points of every card in the rows, for seats that cannot see it."""
    n = traces.seats
    haste = [traces.haste(seat) for seat in range(n)]
    oddness = [traces.oddness(seat) for seat in range(n)]
    throws = [traces.throws(seat) for seat in range(n)]
    laps = min(traces.moves / n, LONG) / LONG
    signs = [
        [
            *(came[at] == each for each in range(GIVEN + 1)),
            laps,
            min((traces.moves - traces.since[at]) / n, LONG) / LONG,
            traces.threw[at] / 10,
            traces.stayed[at] / 10,
            traces.left[at] / 10,
            oddness[author],
            throws[author],
            haste[at * n // len(came)],
            mean / 10,
            n == 2,
            n / 6,
        ]
        for at, author in enumerate(traces.author)
    ]
    points: list[float] = (brain.cards(np.array(signs, dtype=float)) * SCALE).tolist()
    return points


def form(brain: Brain, traces: Traces, view: View) -> list[float]:
    """Return the expected points of each seat in a deal to come."""
    n = traces.seats
    totals, played = view.totals, view.deal
    mean = sum(totals) / n
    signs = [
        [
            traces.oddness(seat),
            traces.throws(seat),
            traces.haste(seat),
            (totals[seat] - mean) / (played + 1) / 10,
            played / 6,
            seat == view.seat,
            n == 2,
            n / 6,
        ]
        for seat in range(n)
    ]
    points: list[float] = (brain.form(np.array(signs, dtype=float)) * SCALE).tolist()
    return points
