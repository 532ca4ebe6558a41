"""How good a position is: what every row will count in the end, by a small learned network.

Many positions are judged at once, on arrays: one line a position, one entry a seat. What the
network learns is the points of a row at the end of the deal; the worth of a position is how
many of the others the seat will probably beat in the whole game.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a bot has one core, and threads cost a start

from math import erf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena_bots.castors.plausible import NINE, ROW

FEATURES, HIDDEN = 30, 32
WEIGHTS = Path(__file__).with_name("weights.txt")
SCALE = 10.0
DEAL_VARIANCE = 75.0
"""Of the difference between two seats in a deal; what is left of it once a deal is under way."""
REST_VARIANCE = 45.0
OVER_VARIANCE = 20.0
DIGITS = 9
"""Worths are rounded so that no machine's arithmetic decides between equal moves."""

Floats = Any
"""An array of numpy."""


class Leaf(NamedTuple):
    """A position to judge, after a turn: the cards of all rows in order.

    `points` are what the cards are worth to the seat that looks, `public` what they are worth
    to the others, `known` says which cards their owners know.
    """

    points: list[float]
    public: list[float]
    known: list[bool]
    top: float
    caller: int


class Table(NamedTuple):
    """What the positions that follow a turn have in common."""

    seats: int
    seat: int
    moves: int
    totals: list[int]
    deals_left: int


class Network:
    """The learned weights."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        numbers = np.array(path.read_text(encoding="ascii").split(), dtype=float)
        inner = HIDDEN * FEATURES
        self._first = numbers[:inner].reshape(HIDDEN, FEATURES).T.copy()
        self._bias = numbers[inner : inner + HIDDEN]
        self._second = numbers[inner + HIDDEN : inner + 2 * HIDDEN]
        self._last = numbers[-1]

    def points(self, features: Floats) -> Floats:
        """The points of rows at the end of the deal."""
        inner = np.maximum(features @ self._first + self._bias, 0.0)
        return (inner @ self._second + self._last) * SCALE


def worths(network: Network, table: Table, leaves: list[Leaf]) -> list[float]:
    """For every position, the share of the others that the seat will probably beat."""
    points = np.array([leaf.points for leaf in leaves]).reshape(len(leaves), table.seats, ROW)
    ends = network.points(features(table, leaves, points))
    following = (table.seat + 1) % table.seats
    over = np.array([leaf.caller == following for leaf in leaves])
    ends[over] = points[over].sum(axis=2)
    totals = np.array(table.totals) + ends
    lead = np.delete(totals, table.seat, axis=1) - totals[:, table.seat : table.seat + 1]
    variance = np.where(over, OVER_VARIANCE, REST_VARIANCE) + DEAL_VARIANCE * table.deals_left
    beaten = _normal(lead / np.sqrt(variance)[:, None])
    return [round(worth, DIGITS) for worth in beaten.mean(axis=1).tolist()]


def _normal(deviations: Floats) -> Floats:
    """The normal distribution function."""
    shares = [0.5 + 0.5 * erf(z / sqrt(2.0)) for z in deviations.ravel().tolist()]
    return np.array(shares).reshape(deviations.shape)


def features(table: Table, leaves: list[Leaf], points: Floats) -> Floats:
    """What the network is told of every row: positions × seats × features."""
    n, count = table.seats, len(leaves)
    public = np.array([leaf.public for leaf in leaves]).reshape(count, n, ROW)
    hidden = ROW - np.array([leaf.known for leaf in leaves]).reshape(count, n, ROW).sum(axis=2)
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
    prey = _of_others(lowest, np.min)
    next_up = (wait == 0) & to_come
    open_value = top <= NINE
    found = np.empty((count, n, FEATURES))
    columns = [
        sums / 20,
        *(row[:, :, at] / 10 for at in range(ROW)),
        hidden / 2,
        np.maximum(0.0, 4.5 - public).sum(axis=2) / 8,
        (4.5 - lowest) / 5,
        np.maximum(0.0, row[:, :, 0] - prey) / 10,
        np.maximum(0.0, row[:, :, 1] - prey) / 10,
        _of_others(sums, np.min) / 20,
        (sums.sum(axis=1, keepdims=True) - sums) / (n - 1) / 20,
        _of_others(sums, np.max) / 20,
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
    ]
    for at, column in enumerate(columns):
        found[:, :, at] = column
    return found


def _of_others(values: Floats, pick: Any) -> Floats:
    """For every seat, the least or the most that another seat has."""
    each = [pick(np.delete(values, seat, axis=1), axis=1) for seat in range(values.shape[1])]
    return np.stack(each, axis=1)
