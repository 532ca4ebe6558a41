"""By how much each stretch of the log moves the fit, corrected for its having drawn the fit.

Each stretch has drawn the fit towards itself, so its scatter is scaled up by (1 - leverage)^(-1/2).
The leverage of a stretch needs the inverse only among those who played in it, so it is taken front
by front.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ladder.rating.elimination import Elimination, Front
from arena.ladder.rating.meetings import Array, Meetings, Numbers

LANCZOS_STEPS = 24
"""How many directions of a stretch's leverage are taken out; it has few large ones."""
TINY = 1e-13


@dataclass(frozen=True)
class Pulls:
    """What each stretch says of the pairs that met in it, among some contestants."""

    at: Numbers
    """The stretch of each pair."""
    one: Numbers
    other: Numbers
    weights: Array

    def images(self, vectors: Array) -> Array:
        """Return each stretch's Laplacian times its vector."""
        drawn = self.weights * (vectors[self.at, self.one] - vectors[self.at, self.other])
        n = vectors.shape[1]
        flat = np.bincount(self.at * n + self.one, drawn, vectors.size)
        flat = flat - np.bincount(self.at * n + self.other, drawn, vectors.size)
        return np.asarray(flat.reshape(vectors.shape))


def shifts(met: Meetings, matrix: Elimination, pulls: Array, scatter: Array) -> Array:
    """Return by how much each stretch moves everybody: a row for each contestant.

    `pulls` has an entry for each stretch and pair, `scatter` the points of each stretch beyond what
    is expected there.
    """
    drawing = np.zeros_like(scatter)
    for front, inverse in matrix.inverse():
        if len(front.stretches):
            root = np.asarray(np.linalg.cholesky(inverse), np.float64)
            there = np.ix_(front.stretches, front.members)
            found = restored(_pulls(met, front, pulls), root, scatter[there] @ root)
            drawing[there] = np.linalg.solve(root.T, found.T).T
    return matrix.solve(np.ascontiguousarray(drawing.T))


def _pulls(met: Meetings, front: Front, pulls: Array) -> Pulls:
    """Return what the stretches of a front say of its members."""
    ends = np.searchsorted(met.at, [front.stretches, front.stretches + 1])
    entries = np.concatenate([np.arange(a, b) for a, b in ends.T])
    stretch = np.repeat(np.arange(len(front.stretches)), ends[1] - ends[0])
    place = np.zeros(met.contestants, np.int64)
    place[front.members] = np.arange(len(front.members))
    pair = met.pair[entries]
    return Pulls(stretch, place[met.one[pair]], place[met.other[pair]], pulls[entries])


def restored(pulls: Pulls, root: Array, vectors: Array) -> Array:
    """Return for each stretch (1 - leverage)^(-1/2) times its vector, by Lanczos' method.

    The leverage has few large eigenvalues, those of who played much of his games in the stretch,
    so a few steps come to all digits, without a matrix for each stretch.
    """
    stretches, n = vectors.shape
    steps = min(LANCZOS_STEPS, n)
    if not vectors.size:
        return vectors
    length = np.sqrt((vectors**2).sum(axis=1))
    basis = np.zeros((stretches, steps, n))
    small = np.zeros((stretches, steps, steps))
    direction = _unit(vectors, length)
    for step in range(steps):
        basis[:, step] = direction
        image = pulls.images(direction @ root.T) @ root
        along = np.matmul(basis[:, : step + 1], image[:, :, None])
        small[:, step, step] = along[:, step, 0]
        for _ in range(2):  # once more, against rounding errors
            image = image - np.matmul(along.transpose(0, 2, 1), basis[:, : step + 1])[:, 0]
            along = np.matmul(basis[:, : step + 1], image[:, :, None])
        size = np.sqrt((image**2).sum(axis=1))
        size[size < TINY] = 0.0
        if step + 1 < steps:
            small[:, step, step + 1] = small[:, step + 1, step] = size
        direction = _unit(image, size)
    values, axes = np.linalg.eigh(small)
    scales = 1 / np.sqrt(np.maximum(1 - values, TINY))
    mixed = np.matmul(axes * scales[:, None, :], axes[:, 0, :, None])
    return np.asarray(length[:, None] * np.matmul(mixed.transpose(0, 2, 1), basis)[:, 0])


def _unit(vectors: Array, lengths: Array) -> Array:
    """Return the vectors at length one, or zero where they have none."""
    return vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
