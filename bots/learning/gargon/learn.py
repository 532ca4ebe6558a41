"""Learns the weights of `leaf` from games that policies play against each other.

    python3 bots/learning/gargon/learn.py --games 4000

writes `weights.py`. Every start of a round gives an example for every pair of seats: the
difference of their features, and which of them placed better in the end. A logistic regression
fits the weights to these examples.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.games.deal import DealStream
from arena.games.gargon.cards import AMULETS
from arena.games.gargon.game import Gargon
from arena_bots.gargon import leaf
from arena_bots.gargon.leaf import bases, features, shorter
from arena_bots.gargon.policy import Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

TARGET = Path(leaf.__file__).with_name("weights.py")
WORTH = (0, *AMULETS, 0, 0, 0)
RIDGE = 3.0
NOISE = (0.3, 1.5, 3.0)
"""Standard deviations of the noise on the policies' rates, so that positions differ."""


def play(seats: int, number: int) -> tuple[list[NDArray[Any]], list[float]]:
    """Play a game; return for its pairs the differences of features, and which placed better."""
    game = Gargon()
    random = Random(f"{seats} {number}")
    state = game.start(seats, game.rules({}), DealStream.of("learn", seats, number))
    state.events = None
    wild = [random.choice(NOISE) for _ in range(seats)]
    seen: list[tuple[float, NDArray[Any]]] = []
    started = -1
    while state.turn >= 0:
        if state.round != started:
            started = state.round
            policy = Policy(state, WORTH)
            seen.append((shorter(state) / seats, np.array(features(state, WORTH))))
        state.apply(policy.choose(state, [random.gauss(0, wild[state.turn]) for _ in range(96)]))
    scores = state.scores()
    rows, labels = [], []
    for left, values in seen:
        rounds, scale = bases(left)
        for one in range(seats):
            for other in range(one):
                difference = scale * (values[one] - values[other])
                rows.append(np.concatenate([rounds * difference, difference]))
                labels.append((scores[one] > scores[other]) + 0.5 * (scores[one] == scores[other]))
    return rows, labels


def fit(rows: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    """Fit a logistic regression by Newton's method, without a constant, as pairs are symmetric."""
    weights = np.zeros(rows.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (labels - chance) - RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Learn the weights for every table size, and write them."""
    parser = argparse.ArgumentParser(description="Learn the weights of the Gargon search bot.")
    parser.add_argument("--games", type=int, default=4000, help="games for each table size")
    games = parser.parse_args().games
    lines = []
    for seats in Gargon.players:
        rows: list[NDArray[Any]] = []
        labels: list[float] = []
        for number in range(games):
            more, told = play(seats, number)
            rows += more
            labels += told
        x, y = np.array(rows), np.array(labels)
        weights = fit(x, y)
        chance = 1 / (1 + np.exp(-x @ weights))
        right = np.mean((chance > 0.5) == (y > 0.5))
        loss = -np.mean(y * np.log(chance) + (1 - y) * np.log(1 - chance))
        print(f"{seats} seats: {len(y)} pairs, {right:.3f} right, log loss {loss:.4f}")
        halves = np.split(weights, 2)
        numbers = ["".join(f"        {w:.4f},\n" for w in half) for half in halves]
        lines.append(
            f"    {seats}: (\n" + "".join(f"    (\n{n}    ),\n" for n in numbers) + "    ),\n"
        )
    TARGET.write_text(
        '"""The weights of `leaf`, as `learn` wrote them, by seats: times the rounds left, '
        'and plain."""\n\nWEIGHTS = {\n' + "".join(lines) + "}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
