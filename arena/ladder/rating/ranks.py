"""Ranks, and which ranks a contestant may have: those that no sure difference excludes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from arena.ladder.rating import student
from arena.ladder.rating.meetings import Array
from arena.ladder.rating.skill import Skills

DIGITS = 9
"""Values are compared to this many decimals; further ones are rounding errors."""
TOGETHER = 64
"""How many contestants are compared with all others at a time."""
NEAR = 1e-5
"""Quantiles from tables are surely less than this part off."""


def ranks(values: Sequence[float]) -> list[int]:
    """Return everybody's rank, 1 for the highest; equals share the better rank."""
    rounded = [round(value, DIGITS) for value in values]
    ascending = sorted(rounded)
    return [1 + len(ascending) - bisect_right(ascending, value) for value in rounded]


def rank_intervals(
    skills: Skills, contestants: Sequence[int], doubt: float, among: Sequence[int] | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the best and the worst rank that each of these may have, with confidence 1 - `doubt`.

    Holm's method makes the confidence hold for all differences of a contestant together. The
    rank is the one among these, by default among all; they have to be among them.
    """
    others = np.arange(len(skills.points)) if among is None else np.array(among, np.int64)
    for first in range(0, len(contestants), TOGETHER):
        chosen = contestants[first : first + TOGETHER]
        scores, df = (each[:, others] for each in skills.scores_above(chosen))
        scores[others == np.array(chosen)[:, None]] = 0.0
        for sure in _surely(scores, df, doubt / 2):
            yield 1 + int((sure < 0).sum()), len(others) - int((sure > 0).sum())


def _surely(scores: Array, df: Array, doubt: float) -> Array:
    """Return for each score of Student's t the sign that is sure, or 0, by Holm's method.

    A row has the scores of one contestant, of which one is his own, which is 0.
    """
    count = scores.shape[1] - 1
    found = np.zeros(scores.shape)
    if not count:
        return found
    # Below its first threshold a p surely passes, above its last it does not: only those between
    # have to be computed.
    far = np.abs(scores)
    within = far >= student.tabled(1 - doubt, df) * (1 - NEAR)
    beyond = far > student.tabled(1 - doubt / count, df) * (1 + NEAR)
    found[beyond] = np.sign(scores[beyond])
    rows, columns = np.nonzero(within & ~beyond)
    p = student.cdfs(-far[rows, columns], df[rows, columns])
    done = beyond.sum(axis=1)
    stopped = np.zeros(len(done), np.bool_)
    for at in np.argsort(p, kind="stable").tolist():
        row, column = rows[at], columns[at]
        stopped[row] |= p[at] > doubt / (count - done[row])
        if not stopped[row]:
            found[row, column] = np.sign(scores[row, column])
            done[row] += 1
    return found
