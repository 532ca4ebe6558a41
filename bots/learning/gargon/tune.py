"""Compares the policy of the search bot with the same policy with other constants.

    python3 bots/learning/gargon/tune.py STRONG=2.0 COMES=0.9 --games 2000

plays many quick games and prints how often the changed policy places before the present one at
the same tables. Each deal is played again with the seats exchanged, which removes most of the luck.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.util import find_spec, module_from_spec
from random import Random
from types import ModuleType

from arena.games.deal import DealStream
from arena.games.gargon.cards import AMULETS
from arena.games.gargon.game import Gargon

GARGON = Gargon()
WORTH = (0, *AMULETS, 0, 0, 0)
NOISE = 0.6


def variant(settings: Sequence[str]) -> ModuleType:
    """Return a new copy of the module `policy` with other constants."""
    spec = find_spec("arena_bots.gargon.policy")
    if spec is None or spec.loader is None:
        raise ImportError("arena_bots.gargon.policy is not there")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for setting in settings:
        name, _, value = setting.partition("=")
        if not hasattr(module, name) or not name.isupper():
            raise ValueError(f"{setting}: the policy has no constant {name!r}")
        try:
            numbers = tuple(map(float, value.split(",")))
        except ValueError:
            message = f"{setting}: expected a number, or several with commas between"
            raise ValueError(message) from None
        setattr(module, name, numbers if len(numbers) > 1 else numbers[0])
    return module


def play(policies: Sequence[ModuleType], sides: Sequence[int], number: int) -> float:
    """Play a game; return the share of side 1 that placed below side 0, over all pairs."""
    rules = GARGON.rules({})
    state = GARGON.start(len(sides), rules, DealStream.of("tune", number))
    state.events = None
    random = Random(number)
    started = -1
    while state.turn >= 0:
        if state.round != started:
            started = state.round
            both = [module.Policy(state, WORTH) for module in policies]
            noise = [random.gauss(0, NOISE) for _ in range(96)]
        state.apply(both[sides[state.turn]].choose(state, noise))
    scores = list(zip(sides, state.scores(), strict=True))
    pairs = [(a, b) for side, a in scores for other, b in scores if side < other]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


def main() -> None:
    """Compare the two policies, and print the result."""
    parser = argparse.ArgumentParser(description="Compare the policy with a changed one.")
    parser.add_argument("settings", nargs="+", metavar="NAME=VALUE", help="constants of `policy`")
    parser.add_argument("--games", type=int, default=1000, help="deals, each played twice")
    words = parser.parse_args()
    try:
        policies = [variant(words.settings), variant([])]
    except ValueError as error:
        parser.error(str(error))
    shares = []
    for number in range(words.games):
        seats = GARGON.players[number % len(GARGON.players)]
        sides = [seat % 2 for seat in range(seats)]
        Random(number).shuffle(sides)
        others = [1 - side for side in sides]
        shares.append((play(policies, sides, number) + play(policies, others, number)) / 2)
    mean = sum(shares) / len(shares)
    half = 1.96 * (sum((share - mean) ** 2 for share in shares) / len(shares) ** 2) ** 0.5
    print(f"places before {mean:.3f} of the others, ± {half:.3f}, in {2 * words.games} games")


if __name__ == "__main__":
    main()
