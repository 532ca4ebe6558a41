"""What a game says of itself: options, numbers of players, places, and the schemas it keeps to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from arena.games.game import Game
from arena.games.gargon.cards import AMULETS
from arena.games.variants import Variant

from .playing import CASES, SEEDS, Case, Recorder, events_of, record
from .stacked import CASTORS, GARGON

GAMES: list[Game] = [GARGON, CASTORS]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
every_case = pytest.mark.parametrize("case", CASES, ids=str)


# Options


def test_defaults() -> None:
    """Without options the rules are those of the documents."""
    assert GARGON.rules({}) == {"open_winnings": False, "amulets": list(AMULETS)}
    assert CASTORS.rules({}) == {"laps": 100}


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (GARGON, {"laps": 3}, 'gargon: unknown rule "laps"; its rules are: open_winnings, amulets'),
        (CASTORS, {"": 3}, 'castors: unknown rule ""; its rules are: laps'),
        (GARGON, {"open_winnings": 1}, "gargon: rule 'open_winnings': expected true or false"),
        (GARGON, {"open_winnings": "yes"}, 'expected true or false, got "yes"'),
        (GARGON, {"open_winnings": None}, "expected true or false, got nil"),
        (GARGON, {"amulets": [1] * 11}, "rule 'amulets': expected 12 integers from 0 to 99"),
        (GARGON, {"amulets": [1] * 13}, "expected 12 integers"),
        (GARGON, {"amulets": [1] * 11 + [100]}, "expected 12 integers"),
        (GARGON, {"amulets": [1] * 11 + [-1]}, "expected 12 integers"),
        (GARGON, {"amulets": [1] * 11 + [True]}, "expected 12 integers"),
        (GARGON, {"amulets": [1] * 11 + [1.0]}, "expected 12 integers"),
        (GARGON, {"amulets": "1 2 three"}, "expected 12 integers"),
        (GARGON, {"amulets": 5}, "expected 12 integers"),
        (CASTORS, {"laps": 0}, "rule 'laps': expected an integer from 1 to 1000, got 0"),
        (CASTORS, {"laps": 1001}, "got 1001"),
        (CASTORS, {"laps": True}, "got true"),
        (CASTORS, {"laps": 3.0}, "got 3.0"),
        (CASTORS, {"laps": "3 4"}, 'got "3 4"'),
        (CASTORS, {"laps": "many"}, 'got "many"'),
        (CASTORS, {"laps": [3]}, r"got \[3\]"),
    ],
)
def test_wrong_options_are_refused(game: Game, options: dict[str, object], message: str) -> None:
    """An unknown option, a wrong type or a value out of range is named, with what was expected."""
    with pytest.raises(ValueError, match=message):
        game.rules(options)


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        (GARGON, {"open_winnings": "true"}, {"open_winnings": True}),
        (GARGON, {"open_winnings": " False "}, {"open_winnings": False}),
        (
            GARGON,
            {"amulets": "5 5 4 3 3 3 2 2 2 1 1 1"},
            {"amulets": [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]},
        ),
        (GARGON, {"amulets": "0,1,2,3,4,5,6,7,8,9,10,99"}, {"amulets": [*range(11), 99]}),
        (GARGON, {"amulets": tuple(AMULETS)}, {"amulets": list(AMULETS)}),
        (CASTORS, {"laps": "12"}, {"laps": 12}),
        (CASTORS, {"laps": 1000}, {"laps": 1000}),
    ],
)
def test_options_may_be_text(
    game: Game, options: dict[str, object], expected: dict[str, object]
) -> None:
    """Options as they are typed on a command line mean the same as those from a file."""
    assert {name: game.rules(options)[name] for name in expected} == expected
    assert game.rules(game.rules(options)) == game.rules(options)


@given(value=st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary())
def test_any_value_of_an_option_is_taken_or_refused(value: object) -> None:
    """An option is either accepted in its own type or refused with a message, never half-read."""
    for game in GAMES:
        for variant in game.variants:
            message = f"{game.name}: rule '{variant.name}': expected "
            try:
                found = game.rules({variant.name: value})[variant.name]
            except ValueError as error:
                refused = str(error)
            else:
                refused = message
                assert type(found) is variant.kind
            assert refused.startswith(message)


@every_game
def test_schemas_of_options_agree_with_the_options(game: Game) -> None:
    """The schema of each option takes its default and describes it."""
    for variant in game.variants:
        assert isinstance(variant, Variant)
        Draft202012Validator.check_schema(variant.schema)
        Draft202012Validator(variant.schema).validate(variant.default)
        assert variant.schema["description"] == variant.summary
        assert variant.accept(variant.default) == variant.default


def test_defaults_are_not_shared() -> None:
    """Changing the rules of one game does not change those of the next."""
    first, second = GARGON.rules({})["amulets"], GARGON.rules({})["amulets"]
    assert first == second == list(AMULETS)
    assert first is not second


# Players and places


@pytest.mark.parametrize(("game", "few", "many"), [(GARGON, 3, 5), (CASTORS, 2, 6)])
def test_numbers_of_players(game: Game, few: int, many: int) -> None:
    """A game starts with the numbers of players of its document and with no other."""
    assert list(game.players) == list(range(few, many + 1))
    for seats in (0, 1, few - 1, many + 1, 100):
        with pytest.raises(ValueError, match=f"{game.name}: expected {few} to {many} players"):
            game.start(seats, game.rules({}), Recorder(0))
    for seats in game.players:
        assert game.start(seats, game.rules({}), Recorder(0)).seats == seats


def test_places() -> None:
    """The best score is first, most points in one game and fewest in the other; ties share."""
    assert GARGON.places([10, 30, 20]) == [3, 1, 2]
    assert CASTORS.places([10, 30, 20]) == [1, 3, 2]
    assert GARGON.places([5, 7, 7, 1]) == [3, 1, 1, 4]
    assert CASTORS.places([5, 7, 7, 1]) == [2, 3, 3, 1]
    assert GARGON.places([4, 4, 4]) == CASTORS.places([4, 4, 4]) == [1, 1, 1]


# Schemas


def as_json(thing: object) -> Any:
    """A thing as it comes out of JSON: tuples are arrays."""
    return json.loads(json.dumps(thing))


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it."""
    yield schema
    for part in schema.get("properties", {}).values():
        yield from parts(part)
    for name in ("prefixItems", "oneOf"):
        for part in schema.get(name, []):
            yield from parts(part)
    if isinstance(schema.get("items"), dict):
        yield from parts(schema["items"])


@every_game
def test_schemas_are_schemas_and_described(game: Game) -> None:
    """Every schema is valid and every part of decisions and views says what it is."""
    for schema in (game.view_schema, *game.decisions.values()):
        Draft202012Validator.check_schema(schema)
        for part in parts(schema):
            assert part["description"].strip()
    for name, form in game.event_forms.items():
        assert form.name == name
        assert form.summary
        assert form.private <= set(form.fields)
        Draft202012Validator.check_schema(form.schema)


@every_game
def test_examples_keep_to_their_schemas(game: Game) -> None:
    """The example that documents an action is one."""
    for schema in game.decisions.values():
        for form in schema["oneOf"]:
            (example,) = form["examples"]
            assert example[0] == form["title"]
            Draft202012Validator(schema).validate(example)


@every_case
@settings(max_examples=2)
@given(seed=SEEDS)
def test_games_keep_to_their_schemas(case: Case, seed: int) -> None:
    """Views, events and actions are what the schemas promise to bot authors, for every seat."""
    game = case.game
    view_validator = Draft202012Validator(game.view_schema)
    validators = {kind: Draft202012Validator(schema) for kind, schema in game.decisions.items()}
    forms = {name: Draft202012Validator(form.schema) for name, form in game.event_forms.items()}
    played = record(case, seed)
    every = max(1, len(played.actions) // 12)
    told = 0
    for time, state in enumerate(played.states()):
        if time % every and not state.over:
            continue
        for seat in range(case.seats):
            view_validator.validate(as_json(state.view(seat)))
        for action in state.actions()[:: max(1, len(state.actions()) // 12)]:
            validators[state.kind].validate(as_json(action))
        for event in events_of(state)[told : told + 12]:
            for viewer in (None, *range(case.seats)):
                forms[event[0]].validate(as_json(game.show(event, viewer)))
        told = len(events_of(state))


def test_every_form_of_event_and_action_occurs() -> None:
    """The rule books describe nothing that does not happen."""
    for game in GAMES:
        events, actions = set(), set()
        for case in CASES:
            if case.game is game:
                for seed in range(6):
                    played = record(case, seed)
                    end = played.at(len(played.actions))
                    events |= {event[0] for event in events_of(end)}
                    actions |= {action[0] for action in played.actions}
        assert events == set(game.event_forms)
        titles = {form["title"] for d in game.decisions.values() for form in d["oneOf"]}
        assert actions == titles


def test_private_fields_are_shown_to_their_seat_only() -> None:
    """What is private in an event is shown to its seat and to the referee, to nobody else."""
    for game in GAMES:
        case = next(case for case in CASES if case.game is game)
        played = record(case, 3)
        for event in events_of(played.at(len(played.actions))):
            form = game.event_forms[event[0]]
            whole = {"event": event[0], **dict(zip(form.fields, event[1:], strict=True))}
            assert game.show(event, None) == whole
            public = {name: value for name, value in whole.items() if name not in form.private}
            for seat in range(case.seats):
                is_owner = not form.private or whole["seat"] == seat
                assert game.show(event, seat) == (whole if is_owner else public)
