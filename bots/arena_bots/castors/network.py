"""The learned networks of the search, read from their file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena_bots.castors.one_core import np

WEIGHTS = Path(__file__).with_name("weights.txt")
SCALE = 10.0
"""The unit of the networks: tens of points."""

CARD_SIGNS, ROW_SIGNS, FORM_SIGNS = 16, 42, 8
"""The numbers of inputs of the networks: for a card, for a row, for a player."""

Floats = Any
"""An array of numpy."""


class Network:
    """A network with one hidden layer."""

    def __init__(self, weights: Iterator[float], inputs: int, units: int) -> None:
        def take(count: int) -> Floats:
            return np.fromiter(weights, dtype=float, count=count)

        self._first = take(units * inputs).reshape(units, inputs).T.copy()
        self._bias = take(units)
        self._second = take(units)
        self._last = next(weights)

    def __call__(self, inputs: Floats) -> Floats:
        inner = np.maximum(inputs @ self._first + self._bias, 0.0)
        return inner @ self._second + self._last


class Brain:
    """The learned networks.

    `cards` predicts the points of a hidden card, `rows` the points of a row at the end of the
    deal, `spread` the square of the error of `rows`, and `form` the points of a player in a deal
    to come.
    """

    def __init__(self, path: Path = WEIGHTS) -> None:
        weights = map(float, path.read_text(encoding="ascii").split())
        self.cards = Network(weights, CARD_SIGNS, 16)
        self.rows = Network(weights, ROW_SIGNS, 48)
        self.spread = Network(weights, ROW_SIGNS, 12)
        self.form = Network(weights, FORM_SIGNS, 10)
