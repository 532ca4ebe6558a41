"""The learned networks of the search, as they come from their file."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a bot has one core, and threads cost a start

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

WEIGHTS = Path(__file__).with_name("weights.txt")
SCALE = 10.0
"""The networks count in tens of points."""

CARD_SIGNS, ROW_SIGNS, FORM_SIGNS = 16, 42, 8
"""What the networks are told of a card, of a row, of a player."""

Floats = Any
"""An array of numpy."""


class Network:
    """One hidden layer."""

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
    """What has been learned.

    `cards`: what a hidden card is; `rows`: what a row will be at the end of the deal; `spread`:
    the square of how far that is off; `form`: what a player makes in a deal to come.
    """

    def __init__(self, path: Path = WEIGHTS) -> None:
        weights = map(float, path.read_text(encoding="ascii").split())
        self.cards = Network(weights, CARD_SIGNS, 16)
        self.rows = Network(weights, ROW_SIGNS, 48)
        self.spread = Network(weights, ROW_SIGNS, 12)
        self.form = Network(weights, FORM_SIGNS, 10)
