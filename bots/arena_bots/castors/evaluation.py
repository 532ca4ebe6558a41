"""The evaluation of positions: small learned networks predict the final points of every row.

Many positions are evaluated at once, on arrays with one line per position and one entry per seat.
The networks predict the points of a row at the end of the deal, and how far off that may be. The
worth of a position is the share of the others that the seat will probably beat in the game.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import NamedTuple

from arena_bots.castors.network import ROW_SIGNS, SCALE, Brain, Floats
from arena_bots.castors.one_core import np
from arena_sdk.castors import NINE, ROW

OF_A_DEAL = 80.0
"""The variance that each deal adds to the difference of two totals."""
OF_A_CARD = 7.0
"""The variance that each unseen card adds to a row."""
LEAST_SPREAD = 1.0
DIGITS = 9
"""Worths are rounded, so that a machine's arithmetic does not decide between equal moves."""


class Leaf(NamedTuple):
    """A position to evaluate, after a turn: the cards of all rows in order.

    `points` are the points of the cards as estimated by the deciding seat, `public` as estimated
    by the others. `known` says which cards their owners know, `seen` which the deciding seat
    knows.
    """

    points: list[float]
    public: list[float]
    known: list[bool]
    seen: list[bool]
    top: float
    caller: int


class Table(NamedTuple):
    """What the positions that follow a turn have in common; lists have one entry per seat.

    `mean` is the mean of the cards that the seat cannot see. `oddness`, `throws` and `haste`
    describe how each seat plays, `later` is its expected points in the deals to come.
    """

    seats: int
    seat: int
    moves: int
    totals: list[int]
    deals_left: int
    mean: float
    oddness: list[float]
    throws: list[float]
    haste: list[float]
    later: list[float]


def worths(brain: Brain, table: Table, leaves: list[Leaf]) -> list[float]:
    """Return for every position the share of the others that the seat will probably beat."""
    points = np.array([leaf.points for leaf in leaves]).reshape(len(leaves), table.seats, ROW)
    unseen = ROW - _count([leaf.seen for leaf in leaves], table)
    found = features(table, leaves, points, unseen)
    ends = brain.rows(found) * SCALE
    spread = np.maximum(LEAST_SPREAD, brain.spread(found) * SCALE**2)
    following = (table.seat + 1) % table.seats
    over = np.array([leaf.caller == following for leaf in leaves])
    ends[over] = points[over].sum(axis=2)
    spread[over] = LEAST_SPREAD + OF_A_CARD * unseen[over]
    totals = np.array(table.totals) + np.array(table.later) + ends
    me = slice(table.seat, table.seat + 1)
    lead = np.delete(totals - totals[:, me], table.seat, axis=1)
    variance = np.delete(spread + spread[:, me], table.seat, axis=1)
    beaten = _normal(lead / np.sqrt(variance + OF_A_DEAL * table.deals_left))
    return [round(worth, DIGITS) for worth in beaten.mean(axis=1).tolist()]


def _count(marks: list[list[bool]], table: Table) -> Floats:
    """Return the number of marked cards in every row."""
    return np.array(marks).reshape(len(marks), table.seats, ROW).sum(axis=2)


def _normal(deviations: Floats) -> Floats:
    """Return the normal distribution function of each element."""
    shares = [0.5 + 0.5 * erf(z / sqrt(2.0)) for z in deviations.ravel().tolist()]
    return np.array(shares).reshape(deviations.shape)


def features(table: Table, leaves: list[Leaf], points: Floats, unseen: Floats) -> Floats:
    """Return the inputs of the networks for every row: positions × seats × features."""
    n, count = table.seats, len(leaves)
    public = np.array([leaf.public for leaf in leaves]).reshape(count, n, ROW)
    hidden = ROW - _count([leaf.known for leaf in leaves], table)
    top = np.array([leaf.top for leaf in leaves], dtype=float)[:, None]
    caller = np.array([leaf.caller for leaf in leaves])[:, None]
    following = (table.seat + 1) % n
    seats = np.arange(n)[None, :]
    wait = (seats - following) % n
    called = caller >= 0
    left = np.where(called, (caller - following) % n, n)
    to_come = np.where(called, wait < left, True)
    sums = points.sum(axis=2)
    row = -np.sort(-points, axis=2)
    lowest = public.min(axis=2)
    prey = _least_of_others(lowest)
    next_up = (wait == 0) & to_come
    open_value = top <= NINE
    totals, oddness, haste = map(np.array, (table.totals, table.oddness, table.haste))
    next_haste = table.haste[following]
    found = np.empty((count, n, ROW_SIGNS))
    columns = [
        sums / 20,
        *(row[:, :, at] / 10 for at in range(ROW)),
        hidden / 2,
        np.maximum(0.0, 4.5 - public).sum(axis=2) / 8,
        (4.5 - lowest) / 5,
        np.maximum(0.0, row[:, :, 0] - prey) / 10,
        np.maximum(0.0, row[:, :, 1] - prey) / 10,
        _least_of_others(sums) / 20,
        (sums.sum(axis=1, keepdims=True) - sums) / (n - 1) / 20,
        _most_of_others(sums) / 20,
        called,
        called & to_come,
        seats == caller,
        np.where(called, left / 6, 0.0),
        np.where(called, 0.0, wait / n),
        next_up,
        next_up * np.where(open_value, np.maximum(0.0, row[:, :, 0] - top), 0.0) / 10,
        next_up & ~open_value,
        to_come * called * row[:, :, 0] / 10,
        min(table.moves / n, 12.0) / 6,
        table.moves < n - 1,
        seats == table.seat,
        n / 6,
        n == 2,
        n == 3,
        (wait == 1) & to_come,
        called * sums / 20,
        oddness,
        np.array(table.throws),
        haste,
        (oddness.sum() - oddness) / (n - 1),
        (haste.sum() - haste) / (n - 1),
        _most_of_others(haste[None, :]),
        np.where(called, 0.0, next_haste),
        np.clip((totals - totals.mean()) / 30, -2.0, 2.0),
        min(table.deals_left, 5) / 5,
        table.mean / 10,
        unseen / 4,
        (seats == table.seat) * next_haste,
    ]
    for at, column in enumerate(columns):
        found[:, :, at] = column
    return found


def _least_of_others(values: Floats) -> Floats:
    """Return for every seat the minimum over the other seats."""
    ascending = np.sort(values, axis=1)
    least, second = ascending[:, :1], ascending[:, 1:2]
    return np.where(values > least, least, second)


def _most_of_others(values: Floats) -> Floats:
    """Return for every seat the maximum over the other seats."""
    return -_least_of_others(-values)
