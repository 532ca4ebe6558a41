"""Rare games: the check leads a bot to where a game says, also for a game of a plugin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest

from arena.bundled import arena_games
from arena.check._result import Result
from arena.check.check import Check
from arena.games.castors.game import Castors
from arena.games.game import Game, View
from arena.games.rare import RareGame, first_at
from arena.records.entries import TimeControl
from arena_bots.plugin import arena_bots

RANDOM = next(spec for spec in arena_bots() if spec.name == "random")
PATIENT = TimeControl(decision=60_000, bank=60_000, start=60_000)


class Guest(Castors):
    """A game as a plugin would bring it, with a rare game and rare states of its own."""

    def rare_games(self) -> Sequence[RareGame]:
        low = first_at(0, 4, lambda card: card)
        return [RareGame("four low cards", 2, 0, {"laps": 1}, arrange=low)]

    def rare_states(self) -> Mapping[str, Callable[[View], bool]]:
        return {
            "any question": lambda _view: True,
            "a deal of a hundred laps": lambda view: view["deal"] > 100,
        }


def survival(game: Game) -> Result:
    """What the check says of a bot in the rare states of this game."""
    steps = Check(RANDOM, [game], PATIENT).run()
    return next(step for step in steps if step.name.startswith("survives"))


def test_the_rare_games_of_a_plugin_are_played_and_its_states_told_apart() -> None:
    """An author learns to which rare states of a foreign game his bot was led."""
    step = survival(Guest())
    assert step.status == "pass", step
    assert step.detail == (
        "2 games; it came to: any question; its play did not lead to: a deal of a hundred laps"
    )


@pytest.mark.parametrize("game", arena_games(), ids=lambda game: game.name)
def test_a_game_that_names_no_rare_games_is_played_by_each_of_its_rules(game: Game) -> None:
    """By default every variant is tried at a value that is not the usual one, and is legal."""
    found = Game.rare_games(game)
    assert [next(iter(rare.rules)) for rare in found] == [each.name for each in game.variants]
    for rare in found:
        rules = game.rules(rare.rules)
        assert rules != game.rules({})
        assert rare.seats in game.players
    assert Game.rare_states(game) == {}


def test_cards_are_stacked_where_a_rare_game_wants_them() -> None:
    """The cards of the lowest rank come to the place that is asked for; none is lost."""
    cards = list(range(20))
    Random(1).shuffle(cards)
    before = sorted(cards)
    first_at(5, 3, lambda card: -card)(cards)
    assert cards[5:8] == [19, 18, 17]
    assert sorted(cards) == before
