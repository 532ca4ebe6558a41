"""One TrueSkill update of a game without teams: what the `trueskill` package does, but faster.

The factor graph, the order of its messages and the stopping rule are the package's. But the
graph of such a game is always the same chain of neighbours by place, so it is written out
instead of being built from objects for every game. And each message is computed from the
others instead of being divided out of their product, so that nothing cancels, however far
apart the ratings are. The tests compare the results with the package, which `package` wraps.

A normal distribution is represented by its precision `p` and its precision times its mean,
`t`. Of the two neighbours of a difference, `a` is the better one and `b` the worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt

from arena.ladder.rating.normal import draw, ppf, win

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
VARIANCE = BETA**2
DRAW_PROBABILITY = 0.001
ROUNDS = 10
MIN_DELTA = 0.0001

Rating = tuple[float, float]
"""Mu and sigma."""
Message = tuple[float, float]
"""A normal distribution as `p` and `t`."""


def draw_margin(probability: float) -> float:
    """Return how far apart two performances can be in a tie, if ties are this probable."""
    return ppf((probability + 1) / 2) * sqrt(2) * BETA


MARGIN = draw_margin(DRAW_PROBABILITY)
NOTHING = (0.0, 0.0)


def rate(ratings: Sequence[Rating], places: Sequence[int], margin: float = MARGIN) -> list[Rating]:
    """Return the ratings after a game; the players are in the order of their places, best first."""
    last = len(ratings) - 2
    own = []
    for mu, sigma in ratings:
        p = 1 / (sigma * sigma + VARIANCE)
        own.append((p, p * mu))
    ties = [places[x] == places[x + 1] for x in range(last + 1)]
    cuts = [NOTHING] * (last + 1)
    to_a, to_b = _settle(own, ties, margin, cuts)
    # The ends of the chain get their messages last.
    to_a[0] = _to_better(cuts[0], own[1], to_a[1])
    to_b[last + 1] = _to_worse(cuts[last], own[last], to_b[last])
    after = []
    for (mu, sigma), (a_p, a_t), (b_p, b_t) in zip(ratings, to_a, to_b, strict=True):
        # The evidence about the performance, weakened by the noise of a performance.
        part = 1 / (1 + VARIANCE * (a_p + b_p))
        before = sigma**-2
        p = before + part * (a_p + b_p)
        after.append(((before * mu + part * (a_t + b_t)) / p, sqrt(1 / p)))
    # Not finite only if ratings are further apart than floats reach; then nothing is learnt.
    return after if all(isfinite(mu) for mu, _ in after) else list(ratings)


def _settle(
    own: list[Message], ties: list[bool], margin: float, cuts: list[Message]
) -> tuple[list[Message], list[Message]]:
    """Send messages along the chain and back until they hardly change; fill in `cuts`.

    Return the messages to each player from the one behind and from the one before.
    """
    last = len(ties) - 1
    to_a = [NOTHING] * (last + 2)
    to_b = [NOTHING] * (last + 2)
    sweep = (*range(last), *range(last, 0, -1)) or (0,)
    for _ in range(ROUNDS):
        delta = 0.0
        for step, x in enumerate(sweep):
            p, t = own[x]
            heard_p, heard_t = to_b[x]
            a_p = p + heard_p
            a_mu = (t + heard_t) / a_p
            p, t = own[x + 1]
            heard_p, heard_t = to_a[x + 1]
            b_p = p + heard_p
            b_mu = (t + heard_t) / b_p
            p = a_p * b_p / (a_p + b_p)
            root = sqrt(p)
            distance = (a_mu - b_mu) * root
            v, w = draw(distance, margin * root) if ties[x] else win(distance - margin * root)
            rest = 1 - w
            cut_p = p * w / rest
            cut_t = root * (distance * w + v) / rest
            old_p, old_t = cuts[x]
            delta = max(delta, abs(cut_t - old_t), sqrt(abs(cut_p - old_p)))
            cuts[x] = (cut_p, cut_t)
            if step < last:
                part = a_p / (a_p + cut_p)
                to_b[x + 1] = (part * cut_p, part * (cut_p * a_mu - cut_t))
            else:
                part = b_p / (b_p + cut_p)
                to_a[x] = (part * cut_p, part * (cut_p * b_mu + cut_t))
        if delta <= MIN_DELTA:
            break
    return to_a, to_b


def _to_better(cut: Message, own: Message, heard: Message) -> Message:
    """Return the message to the better of two, from what is known of the worse."""
    p, t = own[0] + heard[0], own[1] + heard[1]
    part = p / (p + cut[0])
    return part * cut[0], part * (cut[0] * t / p + cut[1])


def _to_worse(cut: Message, own: Message, heard: Message) -> Message:
    """Return the message to the worse of two, from what is known of the better."""
    p, t = own[0] + heard[0], own[1] + heard[1]
    part = p / (p + cut[0])
    return part * cut[0], part * (cut[0] * t / p - cut[1])
