"""The modules of the games in the SDK for Python: types for all that the referee sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.wire.codec import decode
from arena.wire.frames import HEADER
from arena_sdk import castors, gargon
from arena_sdk.typed import Event, Move

pytestmark = pytest.mark.source_only

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "protocol/vectors/transcripts").glob("*.json"))
GAMES: dict[str, ModuleType] = {"castors": castors, "gargon": gargon}


def said(path: Path) -> Iterator[dict[str, Any]]:
    """All messages of the referee in a transcript."""
    for frame in json.loads(path.read_text())["frames"]:
        if frame["from"] == "referee":
            yield decode(bytes.fromhex(frame["hex"])[HEADER:])


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_types_have_all_that_the_referee_sends(path: Path) -> None:
    """A bot reads every field of every view, rule, move and event by its name."""
    game = GAMES[path.stem.split("-")[0]]
    for message in said(path):
        if "view" in message:
            view = game.View(message["view"])
            assert {name: getattr(view, name) for name in game.View.__annotations__} == vars(view)
        if "rules" in message:
            assert set(vars(game.Rules(message["rules"]))) == set(game.Rules.__annotations__)
        for move, action in zip(
            game.moves(message.get("actions", [])), message.get("actions", []), strict=True
        ):
            assert move == action
            assert type(move) is game.MOVES[action[0]]
        for event, fields in zip(
            game.events(message.get("events", [])), message.get("events", []), strict=True
        ):
            assert type(event) is game.EVENTS[fields["event"]]
            for name in type(event).__annotations__:
                assert getattr(event, name) == fields.get(name)


def test_a_move_is_its_list_and_has_names_for_its_numbers() -> None:
    """What a bot returns is sent as it is, and can be taken apart by name."""
    swap = castors.Swap(1, 2, 3)
    assert swap == ["swap", 1, 2, 3]
    assert (swap.position, swap.other, swap.other_position) == (1, 2, 3)
    match swap:
        case castors.Swap(own, seat, place):
            assert (own, seat, place) == (1, 2, 3)
    assert gargon.Play(53, 66) == ["play", 53, 66]
    assert gargon.Play(53, 66).cards == [53, 66]
    assert (gargon.Pass(2, 1).first, gargon.Pass(2, 1).second) == (2, 1)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_move_makes_its_own_verb(game: ModuleType) -> None:
    """No class of moves says what another one means."""
    for verb, kind in game.MOVES.items():
        numbers = range(len(getattr(kind, "__match_args__", ())))
        made: Move = kind(*numbers)
        assert made == [verb, *numbers]
        assert [getattr(made, name) for name in getattr(kind, "__match_args__", ())] == [*numbers]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_a_later_version_adds_does_not_stop_a_bot(game: ModuleType) -> None:
    """An unknown event is an event; an unknown action is named."""
    (event,) = game.events([{"event": "rained", "drops": 3}])
    assert type(event) is Event
    assert (event.event, vars(event)["drops"]) == ("rained", 3)
    with pytest.raises(ValueError, match=r"\['fly', 1\] is no action of this game"):
        list(game.moves([["fly", 1]]))


def test_a_hidden_card_is_none() -> None:
    """A bot can tell a hidden card from the card 0."""
    told = [{"event": "drew", "seat": 0, "card": 0}, {"event": "drew", "seat": 1}]
    seen, hidden = castors.events(told)
    assert isinstance(seen, castors.Drew)
    assert isinstance(hidden, castors.Drew)
    assert (seen.card, hidden.card) == (0, None)


def test_a_view_is_the_map_that_was_sent() -> None:
    """Nothing is copied, so a view costs nothing; printed, it shows all that it has."""
    fields: dict[str, Any] = {"seat": 1, "rows": [[1], [2]]}
    view = castors.View(fields)
    assert view.rows is fields["rows"]
    assert vars(view) is fields
    assert repr(view) == "View(seat=1, rows=[[1], [2]])"


def test_cards_of_gargon() -> None:
    """A card has a colour, a value, a name, copies and amulets as in the rules."""
    card = gargon.card(3, 9)
    assert (card, gargon.colour(card), gargon.value(card)) == (57, 3, 9)
    assert (gargon.card_name(card), gargon.colour_name(5)) == ("red 9", "green")
    assert [gargon.copies(each) for each in (32, 37)] == [2, 1]
    assert gargon.counts([57, 66, 70]) == [0, 0, 0, 1, 2, 0]
    assert [gargon.shape(each) for each in ([57, 66, 70], [5])] == [[2, 1], [1]]
    rules = gargon.Rules({"open_winnings": False, "amulets": [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]})
    found = [gargon.amulets(gargon.card(2, value), rules) for value in range(16)]
    assert found == [0, 5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0]


def test_seats_of_gargon() -> None:
    """Turns go clockwise from the starter; his right neighbour is the last."""

    def at(seat: int, starter: int) -> gargon.View:
        hidden = {"table": [[seat], None, None, None], "won": [None, [7], None, None]}
        return gargon.View({"seat": seat, "starter": starter, "hands": [[]] * 4, **hidden})

    assert [at(seat, 1).seats_after() for seat in (1, 3, 0)] == [[2, 3, 0], [0], []]
    assert at(1, 0).others() == [2, 3, 0]
    assert (at(0, 0).own_table(), at(2, 0).own_table()) == ([0], [])
    assert (at(1, 0).own_won(), at(0, 0).own_won()) == ([7], [])


def test_cards_of_castors() -> None:
    """A card has a value or is special, and has the name of the rules."""
    every = range(castors.UNKNOWN, castors.KINDS)
    names = "unknown 0 1 2 3 4 5 6 7 8 9 swap peek draw"
    assert " ".join(map(castors.card_name, every)) == names
    assert [castors.value(card) for card in every] == [None, *range(10), None, None, None]
    assert [card for card in every if castors.is_special(card)] == [10, 11, 12]


def test_odds_of_castors() -> None:
    """An unknown card is one of its pool, and a special one is replaced at the end."""
    old = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    pile = [2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0]
    view = castors.View(
        {
            "seat": 1,
            "rows": [[-1, -1, 3, 11], [7, -1, -1, 0]],
            "row_pools": [[0, 1, 1, 0], [1, 1, 0, 1]],
            "pools": [old, pile],
            "discards": [4, 12],
        }
    )
    assert castors.odds(pile)[10] == 0.5
    assert castors.mean_value(pile) == 4.5
    assert (view.own_row(), view.top_discard(), view.others()) == ([7, -1, -1, 0], 12, [0])
    found = [[view.expected_points(seat, at) for at in range(4)] for seat in (0, 1)]
    assert found == [[8, 4.5, 3, 4.5], [7, 4.5, 8, 0]]
    empty = [0] * castors.KINDS
    assert (castors.mean_value(empty), castors.odds(empty)) == (0, [0.0] * castors.KINDS)
