"""The bundled bots for Gang de Castors: right, reasoned, without a fault, and in their order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.games.castors.game import Castors
from arena.games.castors.schema import EVENTS
from arena.games.deal import DealStream
from arena_bots.castors import odds, reference
from arena_bots.castors.field import BOTS
from arena_bots.castors.search import Search
from arena_sdk import Question, Start
from command import arena
from ladder.fields import definition, run

GAME = Castors()
NAMES = [spec.name for spec in BOTS]
PATIENT = ("--time", "decision=60000", "--time", "start=60000")
"""Time enough on any machine."""
GOLDEN = Path(__file__).with_name("castors_reference.json")
TAUGHT = Path(__file__).with_name("castors_search.jsonl")
"""Games of the program that taught the search; bots/arena_bots/castors/README.md says how made."""
GOLDEN_GAMES = 2
"""At every table size."""


def play(folder: Path, bots: list[str], games: int, name: str = "games.jsonl") -> Any:
    """What came of so many games of these bots, and their records."""
    done = arena(
        *("play", "castors", *bots, "--games", str(games), "--record", name, "--json"),
        *("--seed", "1", *PATIENT),
        cwd=folder,
    )
    assert done.code == 0, done.err
    entries = [json.loads(line) for line in (folder / name).read_text().splitlines()]
    return [game for entry in entries if entry["entry"] == "block" for game in entry["games"]]


def question(kind: str, view: dict[str, Any]) -> Question:
    """A question about this view."""
    seats = len(view["rows"])
    start = {"number": 0, "game": "castors", "rules": {"laps": 100}, "seat": 0, "seats": seats}
    clock = {"decision": 100, "bank": 10_000}
    asked = {"id": 1, "kind": kind, "view": view, "bank": 10_000}
    return Question(asked, Start({**start, "seed": 1, "clock": clock}))


def reference_game(seats: int, number: int) -> list[list[Any]]:
    """All actions of a game between reference bots."""
    state = GAME.start(seats, GAME.rules({}), DealStream.of("golden", number))
    actions = []
    while state.turn >= 0:
        action = reference.choose(question(state.kind, state.view(state.turn)))
        actions.append(action)
        state.apply(state.check(action))
    return actions


def view_of(seats: int = 3, **changes: Any) -> dict[str, Any]:
    """What the first to move sees of a new deal, with changes."""
    state = GAME.start(seats, GAME.rules({}), DealStream.of("view", 1))
    hidden = [[-1] * 4 for _ in range(seats)]
    plain = {"seat": 0, "turn": 0, "moves": 5 * seats, "rows": hidden, "caller": -1}
    return {**state.view(0), **plain, **changes}


def searched(kind: str, view: dict[str, Any]) -> Any:
    """What the search does when a game begins with this question."""
    asked = question(kind, view)
    bot = Search()
    bot.start(asked.start)
    return bot.choose(asked)


class Decks:
    """Deals whose cards come in an order that is given."""

    def __init__(self, decks: list[list[int]]) -> None:
        self._decks = decks

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Put the cards of a deal into their order."""
        assert labels[1] == 0, "these games have no reshuffles"
        cards[:] = self._decks[labels[0]]


def searches(game: dict[str, Any]) -> Iterator[tuple[float, list[Any], Any, str]]:
    """Of all decisions of the search in a game: the worth and the action that are expected, the
    action that it takes, and its note.
    """
    seats = game["seats"]
    state = GAME.start(seats, GAME.rules({}), Decks(game["decks"]))
    bots = [Search() for _ in range(seats)]
    told = [0] * seats
    for bot in bots:
        bot.start(question("", {"rows": [[]] * seats}).start)
    events: list[Any] = []
    for action, worth in zip(game["actions"], game["worths"], strict=True):
        turn = state.turn
        events += state.events
        state.events.clear()
        asked = question(state.kind, state.view(turn))
        asked.events = [EVENTS[event[0]].show(event, turn) for event in events[told[turn] :]]
        told[turn] = len(events)
        found = bots[turn].choose(asked)
        if worth is not None:
            yield worth, action, found, asked.note
        state.apply(state.check(action))


@pytest.mark.parametrize("name", NAMES)
def test_passes_the_check(name: str) -> None:
    """Authors can take every bundled bot as an example."""
    checked = arena("bot", "check", name, "--json", *PATIENT)
    assert checked.code == 0, checked.out
    assert checked.json["passed"] is True


@pytest.mark.parametrize(
    "seats", [pytest.param(n, marks=() if n in {2, 6} else pytest.mark.wide) for n in GAME.players]
)
@pytest.mark.source_only
def test_never_faults_and_says_why(tmp_path: Path, seats: int) -> None:
    """At tables of every size all games are finished, and every decision has its note."""
    bots = [NAMES[-1 - seat % len(NAMES)] for seat in range(seats)]
    for game in play(tmp_path, bots, 4 * seats):
        assert "faults" not in game
        assert [at for at, _ in game["notes"]] == list(range(len(game["actions"])))
        assert all(note.strip() for _, note in game["notes"])


@pytest.mark.source_only
def test_plays_the_same_again(tmp_path: Path) -> None:
    """The logs of two runs are the same to the byte: whoever doubts a result repeats it."""
    bots = NAMES[-4:]
    first = play(tmp_path, bots, 8, "first.jsonl")
    assert first == play(tmp_path, bots, 8, "second.jsonl")
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()


@pytest.mark.source_only
def test_the_cheap_bots_are_in_their_order(tmp_path: Path) -> None:
    """Even a short ladder tells chance from haste, haste from thresholds, thresholds from odds."""
    order = ["random", "castors-hasty", "castors-thresholds", "castors-odds"]
    path = definition(
        tmp_path, tables=[3, 4], bots=(), games=None, contestants=order,
        more="[time]\ndecision = 60000\nstart = 60000\n[budget]\ngames = 300",
    )  # fmt: skip
    run(path, "--workers", "1")
    shown = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path)
    assert [row["bot"] for row in reversed(shown.json["standings"])] == order, shown.out


@pytest.mark.parametrize("seats", GAME.players)
def test_the_reference_never_changes(seats: int) -> None:
    """Ratings that are anchored by it can be compared over the years."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[str(seats)]
    assert [reference_game(seats, number) for number in range(GOLDEN_GAMES)] == golden


@pytest.mark.source_only
def test_odds_waits_for_the_pile_when_low_cards_are_left() -> None:
    """The same open card is taken or not: it depends on what the pile is likely to bring."""
    rows = [[6, 2, 2, 2], [-1] * 4, [-1] * 4]
    low = [4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    high = [0, 0, 0, 0, 0, 0, 0, 4, 4, 8, 0, 0, 0]
    asked = {"rows": rows, "discards": [4], "kind": "turn", "drawn": None}
    assert odds.choose(question("turn", view_of(**asked, pools=[low]))) == ["draw"]
    assert odds.choose(question("turn", view_of(**asked, pools=[high]))) == ["take", 0]


@pytest.mark.source_only
def test_odds_swaps_for_what_was_kept_and_not_for_what_was_given_away() -> None:
    """Who knows a card, and how it came where it lies, tells whether it is low."""
    known_by = [[1, 1, 1, 1], [1 << 2, 1 << 2, 0, 0], [0, 0, 0, 0]]
    kept = [[False] * 4, [False, True, False, False], [False] * 4]
    seen = view_of(rows=[[9, 2, 2, 2], [-1] * 4, [-1] * 4], known_by=known_by, kept=kept)
    assert odds.choose(question("card", {**seen, "kind": "card", "drawn": 10})) == ["swap", 0, 1, 1]


@pytest.mark.source_only
def test_odds_calls_when_it_is_ahead() -> None:
    """A row of ten is called against unknown rows, and not against rows as low."""
    mine = [4, 3, 3, 0]
    ahead = view_of(rows=[mine, [-1] * 4, [-1] * 4], moves=3, kind="call")
    behind = view_of(rows=[mine, [3, 3, 3, 0], [3, 3, 3, 1]], moves=3, kind="call")
    assert odds.choose(question("call", ahead)) == ["call"]
    assert odds.choose(question("call", behind)) == ["wait"]


@pytest.mark.source_only
def test_search_leaves_a_low_card_to_nobody() -> None:
    """It looks at what a move leads to: an open 0 goes where its 9 lies."""
    seen = view_of(rows=[[9, 2, 3, 2], [-1] * 4, [-1] * 4], discards=[9, 0], kind="turn")
    assert searched("turn", {**seen, "drawn": None}) == ["take", 0]


@pytest.mark.source_only
def test_search_calls_when_the_others_would_gain_more() -> None:
    """It calls with a low row against unknown ones, not with a high one against low ones."""
    now = {"moves": 15, "kind": "call", "drawn": None}
    low, high = [1, 2, 0, 1], [9, 8, 9, 9]
    ahead = view_of(rows=[low, [-1] * 4, [-1] * 4], **now)
    behind = view_of(rows=[high, low, [1, 1, 2, 2]], **now)
    assert searched("call", ahead) == ["call"]
    assert searched("call", behind) == ["wait"]


@pytest.mark.parametrize("low", [1, 2])
@pytest.mark.source_only
def test_search_swaps_for_what_cost_its_owner_a_low_card(low: int) -> None:
    """Of two cards that were kept, the one that replaced a 4 is lower than the one for an 8."""
    high = 3 - low
    events: list[dict[str, Any]] = [
        {"event": "deal", "deal": 0, "dealer": 0, "card": 9},
        {"event": "looked", "seat": 1, "positions": [0, 1, 2, 3]},
        {"event": "drew", "seat": 1},
        {"event": "kept", "seat": 1, "position": high, "discarded": 8},
        {"event": "drew", "seat": 1},
        {"event": "kept", "seat": 1, "position": low, "discarded": 4},
    ]
    view = view_of(
        rows=[[9, 1, 1, 1], [-1] * 4, [9] * 4],
        known_by=[[1] * 4, [2] * 4, [1] * 4],
        kept=[[False] * 4, [False, True, True, False], [False] * 4],
        kind="card",
        drawn=10,
    )
    asked = question("card", {**view, "moves": 2})
    asked.events = events
    bot = Search()
    bot.start(asked.start)
    assert bot.choose(asked) == ["swap", 0, 1, low]


def test_search_plays_as_it_was_taught() -> None:
    """The program that learned the weights judges and plays like the bot that uses them."""
    lines = TAUGHT.read_text(encoding="ascii").splitlines()
    assert {json.loads(line)["seats"] for line in lines} == set(GAME.players)
    for line in lines:
        for worth, action, found, note in searches(json.loads(line)):
            shares = [float(share) for share in re.findall(r"([\d.]+)%", note)]
            assert max(shares) == pytest.approx(100 * worth, abs=0.11), note
            assert found == action or shares[0] == shares[-1], note
