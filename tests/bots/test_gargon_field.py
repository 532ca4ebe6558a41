"""The bundled bots for Gargon: without fault, repeatable, in order of strength, and telling why."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.games.deal import DealStream
from arena.programs.digest import digest
from arena.programs.spec import BotSpec
from arena.records.verdicts import FINISHED
from arena.referee.game_record import logged
from arena.referee.match import MatchGame
from arena_bots.gargon.field import BOTS
from arena_bots.gargon.reference import ReferenceBot
from arena_sdk import Bot, Question, Start
from command import arena
from games.stacked import GARGON
from referee.matches import GENEROUS, play, registered

CHEAP = [registered("random"), *BOTS[:-1]]
SEARCH = BOTS[-1]
REFERENCE = registered("gargon-reference")
PINNED = Path(__file__).with_name("gargon_reference.json")
PATIENT = structs.replace(GENEROUS, decision=60_000)


def searching(iterations: int) -> BotSpec:
    """The search bot without a clock."""
    return replace(SEARCH, run=(*SEARCH.run, "--iterations", str(iterations)))


def table(bots: Sequence[BotSpec], games: int) -> list[MatchGame]:
    """Games at a table of these bots, with time enough on any machine."""
    return play(bots, games, PATIENT)


def beaten(games: Sequence[MatchGame], bots: int) -> list[float]:
    """For each bot, before what share of the others at its tables it placed."""
    shares: dict[int, list[float]] = defaultdict(list)
    for game in games:
        placed = list(zip(game.seating, game.played.places, strict=True))
        for bot, place in placed:
            others = [other for _, other in placed]
            below = sum(place < other for other in others) + sum(place == o for o in others) / 2
            shares[bot].append((below - 0.5) / (len(others) - 1))
    return [sum(shares[bot]) / len(shares[bot]) for bot in range(bots)]


@pytest.mark.source_only
@pytest.mark.parametrize("name", [spec.name for spec in BOTS[:-1]])
def test_bot_passes_the_check(name: str) -> None:
    """What `arena bot check` asks of everybody holds for the bundled bots, without a warning."""
    times = ("--time", "decision=60000", "--time", "start=60000")
    checked = arena("bot", "check", name, "--json", *times)
    assert checked.code == 0, checked.out
    assert {step["status"] for step in checked.json["steps"]} == {"pass"}


@pytest.mark.source_only
def test_search_bot_passes_the_check_by_iterations_and_by_the_clock() -> None:
    """By iterations it can be repeated, with too short a clock it cannot; nothing else is amiss."""
    run = f"{sys.executable} -m arena_bots.gargon.search --iterations 12"
    times = ("--time", "decision=60000", "--time", "start=60000")
    checked = arena("bot", "check", run, "--game", "gargon", "--json", *times, limit=600)
    assert checked.code == 0, checked.out
    assert {step["status"] for step in checked.json["steps"]} == {"pass"}
    times = ("--time", "decision=8", "--time", "bank=60000", "--time", "start=60000")
    checked = arena("bot", "check", SEARCH.name, "--json", *times, limit=600)
    assert checked.code == 0, checked.out
    warnings = {step["name"] for step in checked.json["steps"] if step["status"] == "warn"}
    assert warnings <= {"forgets gargon", "answers in time"}


@pytest.mark.parametrize("seats", [pytest.param(3, marks=pytest.mark.wide), 4, 5])
@pytest.mark.source_only
def test_bots_never_fault_and_always_say_why(seats: int) -> None:
    """Every game ends well, whoever sits beside whom, and every decision carries a note."""
    field = [*CHEAP, searching(6)]
    for first in range(len(field)):
        mix = [field[(first + at) % len(field)] for at in range(seats)]
        for game in table(mix, 4 * seats):
            assert set(game.played.verdicts) == {FINISHED}, game.played.faults
            assert len(game.played.notes) == len(game.played.actions)


@pytest.mark.source_only
def test_same_games_give_the_same_records() -> None:
    """All bots are deterministic, the search bot as long as the clock leaves it enough time."""
    bots = [SEARCH, searching(20), registered("gargon-majority"), REFERENCE]
    first, second = ([logged(game.played) for game in table(bots, 3)] for _ in range(2))
    assert first == second


JUMPY = """
import sys
from random import Random
from arena_bots import thinking
from arena_bots.gargon import search
from arena_sdk import run

CHANCE = Random(int(sys.argv[1]))
thinking.process_time = thinking.perf_counter = lambda: CHANCE.uniform(0, 47.9)
run(search.SearchBot(thinking.Thinking(60, timed=True)))
"""
"""The search bot with a clock that jumps about, but never past the end: 0.8 of 60 s."""


@pytest.mark.source_only
def test_the_clock_only_ends_the_search() -> None:
    """On a busy machine, too, the search does the same as long as its time is enough."""
    games = []
    for clock in "12":
        jumpy = replace(SEARCH, run=("python3", "-c", JUMPY, clock))
        games.append([game.played for game in table([jumpy] * 3, 3)])
    for one, other in zip(*games, strict=True):
        assert one.verdicts == other.verdicts == [FINISHED] * 3
        assert one.actions == other.actions
        assert one.notes == other.notes


@pytest.mark.source_only
def test_cheap_bots_play_in_the_order_in_which_they_are_listed() -> None:
    """Each idea adds strength: at one table each places above those before it in the list."""
    shares = beaten(table(CHEAP, 400), len(CHEAP))
    assert shares == sorted(shares), shares
    assert shares[0] < 0.2
    assert shares[-1] > 0.7


@pytest.mark.source_only
def test_search_beats_the_best_of_the_others() -> None:
    """With little thinking it already places above those who do not search."""
    bots = [registered("gargon-majority"), searching(60), REFERENCE, registered("gargon-backs")]
    shares = beaten(table(bots, 48), len(bots))
    assert max(shares) == shares[1], shares


def test_reference_plays_as_ever() -> None:
    """Ratings are anchored by it: its choices and its identity are pinned, game by game."""
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    assert digest(REFERENCE) == pinned["digest"]
    for game in pinned["games"]:
        assert reference_game(game["seats"], game["block"]) == game["actions"]


def reference_game(seats: int, block: int) -> list[list[object]]:
    """The actions of a game in which reference bots sit in all seats."""
    rules = GARGON.rules({})
    state = GARGON.start(seats, rules, DealStream.of("reference", block))
    start = {"number": 0, "game": "gargon", "rules": rules, "seats": seats, "seed": 0, "clock": {}}
    starts = [Start({**start, "seat": seat}) for seat in range(seats)]
    bots: list[Bot] = [ReferenceBot() for _ in range(seats)]
    for bot, each in zip(bots, starts, strict=True):
        bot.start(each)
    played = []
    while not state.over:
        actions = [list(action) for action in state.actions()]
        message = {"id": 1, "kind": state.kind, "view": state.view(state.turn), "bank": 0}
        question = Question({**message, "actions": actions}, starts[state.turn])
        action = actions[bots[state.turn].choose(question)]
        played.append(action)
        state.apply(state.check(action))
    return played


@pytest.mark.source_only
def test_wrong_iterations_are_refused() -> None:
    """A slip on the search bot's command line is told in words."""
    checked = arena("bot", "check", f"{sys.executable} -m arena_bots.gargon.search --iterations 0")
    assert checked.code == 1
    assert "--iterations: expected at least 1, got 0" in checked.out
