"""How fast the rules are: random games, with and without listing the legal actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from arena.games.deal import DealStream
from arena.games.game import Game, Rules

BATCH = 20
"""Games between two looks at the clock; batches with and without listing take turns."""


@dataclass
class RulesSpeed:
    """The result for one game at one number of players."""

    game: str
    players: int
    listing: bool
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0

    @property
    def games_per_second(self) -> float:
        """Games played to the end in a second."""
        return self.games / self.seconds

    @property
    def us_per_decision(self) -> float:
        """Microseconds for one decision: choosing an action and carrying it out."""
        return self.seconds / self.decisions * 1e6


def measure(game: Game, players: int, rules: Rules, seconds: float) -> Iterator[RulesSpeed]:
    """Play random games, with and without listing in turn, for `seconds` each."""
    speeds = [RulesSpeed(game.name, players, listing) for listing in (False, True)]
    while speeds[0].seconds < seconds or speeds[1].seconds < seconds:
        for speed in speeds:
            _batch(game, rules, speed)
    yield from speeds


def _batch(game: Game, rules: Rules, speed: RulesSpeed) -> None:
    random = Random(speed.games)
    chance = random.random
    decisions = 0
    streams = [DealStream.of("bench", each) for each in range(speed.games, speed.games + BATCH)]
    started = perf_counter()
    for stream in streams:
        state = game.start(speed.players, rules, stream)
        state.events = None
        if speed.listing:
            while state.turn >= 0:
                actions = state.actions()
                state.apply(actions[int(chance() * len(actions))])
                decisions += 1
        else:
            while state.turn >= 0:
                state.apply(state.sample(random))
                decisions += 1
        state.scores()
    speed.seconds += perf_counter() - started
    speed.decisions += decisions
    speed.games += BATCH
