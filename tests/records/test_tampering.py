"""Verification of matches: what holds passes, and what is changed is found and named.

What a log alone cannot show is listed here, key by key; there the head says that it was changed.
"""

from __future__ import annotations

import json
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.canonical import canonical_bytes
from arena.records.entries import Closed
from arena.referee.replay import Replay
from arena.referee.verification import verify_file

from .recorded import (
    CHANGED,
    ENTERED,
    FIRST_BLOCK,
    OPENED,
    SECOND_BLOCK,
    SECRET,
    Change,
    Lines,
    Map,
    difference,
    difference_in,
    edited,
    edited_game,
    faulty,
    games,
    head,
    line,
    place_of,
    records_of,
    single,
    sound,
)

GAMES = ("gargon", "castors")

NOT_SHOWN = re.compile(
    r"""
    open\.first_game                           # a log that was taken out of a longer file
    | open\.contest\.(fresh|suspend|sandbox|anchor)
    | open\.contest\.(time|limits)(\..*)?      # under what conditions they played
    | open\.contest\.seed                      # left out, as if it had been secret
    | open\.contest\.rules\.\w+               # a rule on which these games do not depend
    | change(\.arena|\.sandbox|\.reason|\.budget\.(minutes|certain))?
    | enter\.contestants(\.\d+(\.(name|version|digest))?)?   # which programs they were
    | block\.games                             # whose games they were: all have the same cards
    | block\.games\.\d+\.actions\.\d+(\.\d+)? # another move, with the same end
    | block\.games\.\d+\.notes(\.\d+(\.\d)?)?  # what they noted
    | block\.games\.\d+\.faults(\.\d+(\.(text|verdict|decision))?)?   # of what they failed
    """,
    re.VERBOSE,
)
"""The places, entry by entry, at which a log of a match can be changed and still hold."""
RARELY = re.compile(r"block\.games(\.\d+\.(actions|faults).*)?|open\.contest\.rules.*")
"""Those of them at which nearly every change is found."""


def test_a_bot_that_fails_does_so_in_these_matches() -> None:
    """One bot fails in the middle of a game, another one before it begins."""
    records = [record for game in GAMES for record in records_of(faulty(game))]
    for record in records:
        found = {fault.verdict: fault.decision for fault in record.faults}
        assert found["start-failed"] == 0
    assert any(
        fault.verdict == "illegal" and fault.decision > 9
        for record in records
        for fault in record.faults
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("match", [sound, single, faulty])
def test_what_the_referee_recorded_holds(game: str, match: Callable[[str], Lines]) -> None:
    """Logs of real matches pass, also with faults, and cut off after any of their entries."""
    lines = match(game)
    for end in range(1, len(lines) + 1):
        assert difference(lines[:end]) is None


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_any_changed_byte_is_found_or_changes_the_head(game: str, data: st.DataObject) -> None:
    """There is no byte in a log that could be another one unseen."""
    lines = list(sound(game))
    at = data.draw(st.integers(0, len(lines) - 1))
    position = data.draw(st.integers(0, len(lines[at]) - 1))
    old = lines[at][position]
    new = data.draw(st.integers(0, 255).filter(lambda byte: byte != old))
    lines[at] = lines[at][:position] + bytes([new]) + lines[at][position + 1 :]
    # A new end of line makes two lines of one, as a file would have it.
    split = b"\n".join(lines).split(b"\n")
    found = difference(split)
    if found is None:
        assert head(split) != head(sound(game))
    else:
        assert found.line is not None
        assert found.line >= at + 1


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every value in an entry."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


def _inside(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _named(entry: Map, path: tuple[Any, ...]) -> str:
    """A place in an entry, as `NOT_SHOWN` writes it."""
    return ".".join(map(str, (entry["entry"], *path)))


def _others(old: Any) -> Iterator[Any]:
    """Values that could stand in the place of another, near it and far from it."""
    yield from (None, 1.5, "", [], {})
    match old:
        case bool():
            yield not old
        case int():
            yield from (old + 1, old - 1, 0, True, 1 << 60)
        case str():
            yield from (old + "0", old[:-1], f"{'0' if old[:1] != '0' else '1'}{old[1:]}", 7)
        case list():
            yield from (old[::-1], [*old, *old[-1:]], old[:-1])
        case dict():
            yield {**old, "more": 1}


def _changes(lines: Lines) -> Iterator[tuple[int, tuple[Any, ...], str, Lines]]:
    """A log with one value changed, removed or added: its line, where, and how."""
    for at, old in enumerate(lines):
        entry = json.loads(old)
        for path in ((), *_places(entry)):
            if isinstance(_inside(entry, path), dict):
                added = json.loads(old)
                _inside(added, path)["more"] = None
                yield at, path, "added", (*lines[:at], line(added), *lines[at + 1 :])
            if not path:
                continue
            *outer, last = path
            removed = json.loads(old)
            del _inside(removed, tuple(outer))[last]
            yield at, path, "removed", (*lines[:at], line(removed), *lines[at + 1 :])
            for other in _others(_inside(entry, path)):
                changed = json.loads(old)
                _inside(changed, tuple(outer))[last] = other
                if (new := line(changed)) != old:
                    yield at, path, f"changed to {other}", (*lines[:at], new, *lines[at + 1 :])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("match", [single, faulty])
def test_whatever_value_is_changed_is_named_or_listed(
    game: str, match: Callable[[str], Lines]
) -> None:
    """Every value of every entry, one at a time: the line and the place, or another head."""
    lines = match(game)
    true = head(lines)
    passed: Counter[bool] = Counter()
    tried: Counter[bool] = Counter()
    for at, path, how, changed in _changes(lines):
        found = difference(changed)
        name = _named(json.loads(lines[at]), path)
        what = f"{name} {how}"
        rarely = RARELY.fullmatch(name) is not None
        tried[rarely] += 1
        if found is None:
            assert NOT_SHOWN.fullmatch(name), what
            assert head(changed) != true, what
            passed[rarely] += 1
        else:
            # It may show only in what follows; what the secret decides, where it is revealed.
            assert found.line is not None, what
            assert found.line >= at + 1, what
            assert found.place, what
    assert passed[False] > 0
    assert 0 < passed[True] < 0.05 * tried[True]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_whatever_json_stands_somewhere_is_named_or_listed(game: str, data: st.DataObject) -> None:
    """Verification says what is wrong; it never breaks down, and lets nothing else pass."""
    lines = data.draw(st.sampled_from([sound(game), faulty(game)]))
    at = data.draw(st.integers(0, len(lines) - 1))
    entry = json.loads(lines[at])
    path = data.draw(st.sampled_from(list(_places(entry))))
    *outer, last = path
    _inside(entry, tuple(outer))[last] = data.draw(JSON)
    try:
        forged = canonical_bytes(entry)
    except UnicodeEncodeError:
        return  # half a surrogate pair can be in no file
    changed = (*lines[:at], forged, *lines[at + 1 :])
    found = difference(changed)
    if found is None and forged != lines[at]:
        assert NOT_SHOWN.fullmatch(_named(json.loads(lines[at]), path))
        assert head(changed) != head(lines)


def _set(*path: Any, value: Any) -> Change:
    def change(entry: Map) -> None:
        inner = _inside(entry, path[:-1])
        inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value

    return change


def _swap_places(game: Map) -> None:
    places = game["places"]
    best, worst = places.index(min(places)), places.index(max(places))
    places[best], places[worst] = places[worst], places[best]


IN_A_GAME: list[tuple[str, Change, str, str]] = [
    ("score", _set("scores", 1, value=lambda score: score + 1), "scores", "the rules say ["),
    ("places", _swap_places, "places", "the rules say ["),
    ("verb", _set("actions", 3, 0, value="fly"), "actions[3]", 'expected "'),
    ("true for one", _set("actions", 3, value=["draw", True]), "actions[3]", "the rules say"),
    ("last action", lambda g: g["actions"].pop(), "actions", "the game goes on: seat"),
    ("one action more", lambda g: g["actions"].append(["draw"]), "actions[", "the game is over"),
    ("no scores", lambda g: g.pop("scores"), "games[2].scores", "nothing; expected this key"),
    ("unknown key", _set("rating", value=1500), "games[2].rating", "no such key"),
    ("seats", lambda g: g["scores"].pop(), "games[2].scores", "one for each of 3"),
    ("score as text", _set("scores", 0, value="12"), "games[2].scores[0]", "int"),
    ("float", _set("scores", 0, value=1.5), "games[2].scores[0]", "int"),
    ("null", _set("actions", value=None), "games[2].actions", "array"),
    ("note at no decision", _set("notes", value=[[99999, "!"]]), "notes", "the game has"),
    ("note at a word", _set("notes", value=[["last", "!"]]), "games[2].notes[0][0]", "int"),
    ("empty note", _set("notes", value=[[0, ""]]), "games[2].notes[0][1]", "length >= 1"),
    ("notes in disorder", _set("notes", value=[[3, "a"], [3, "b"]]), "games[2].notes[1]", "than 3"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("change", "place", "text"),
    [pytest.param(*case[1:], id=case[0]) for case in IN_A_GAME],
)
def test_a_game_that_is_changed_is_named(game: str, change: Change, place: str, text: str) -> None:
    """What the rules decide cannot be changed, even by whoever publishes another head."""
    found = difference_in(edited_game(sound(game), 2, change))
    assert found.line == FIRST_BLOCK + 1
    assert found.place.startswith(place)
    assert text in str(found)
    if not place.startswith("games["):
        assert found.number == 2


IN_AN_ENTRY: list[tuple[str, int, Change, str, str]] = [
    ("game", OPENED, _set("contest", "game", value="chess"), "game", "the plugin that brings ches"),
    ("rules' version", OPENED, _set("contest", "version", value="0"), "version", 'have "1"'),
    ("unknown rule", OPENED, _set("contest", "rules", "x", value=1), "rules", 'unknown rule "x"'),
    ("no rules", OPENED, lambda e: e["contest"]["rules"].clear(), "rules", "in full"),
    ("format", OPENED, _set("format", value=3), "format", "one of 2"),
    ("no format", OPENED, lambda e: e.pop("format"), "format", "expected this key"),
    ("kind", OPENED, lambda e: e["contest"].pop("kind"), "contest.kind", "`arena ladder verify`"),
    ("seed", OPENED, _set("contest", "seed", value="other"), "contest.seed", "the commitment is"),
    ("tables", OPENED, _set("contest", "tables", value=[3, 4]), "contest.tables", "one size"),
    ("one table", OPENED, _set("contest", "tables", value=[4]), "contestants", "a table of 4"),
    (
        "one more",
        ENTERED,
        lambda e: e["contestants"].append(e["contestants"][0]),
        "contes",
        "3, one",
    ),
    ("no change", CHANGED, lambda e: [e.pop(k) for k in list(e) if k != "entry"], "change", "some"),
    ("bot", ENTERED, _set("contestants", 0, "name", value="[b]"), "contestants[0].name", "^[a-z"),
    ("digest", ENTERED, _set("contestants", 0, "digest", value="12"), "contestants[0].dig", "[0-9"),
    ("who left", ENTERED, lambda e: e["contestants"].pop(), "contestants", "2 who play"),
    ("kind of entry", FIRST_BLOCK, _set("entry", value="round"), "entry", "one of open, enter"),
    ("number", FIRST_BLOCK, _set("number", value=1), "number", "0, the next block"),
    (
        "seating",
        FIRST_BLOCK,
        _set("contestants", value=lambda c: c[::-1]),
        "contestants",
        "the key",
    ),
    (
        "a stranger",
        FIRST_BLOCK,
        _set("contestants", 0, value=3),
        "contestants",
        "of those who play",
    ),
    ("no games", FIRST_BLOCK, _set("games", value=[]), "games", "length >= 1"),
    ("a game less", FIRST_BLOCK, lambda e: e["games"].pop(), "number", "the 3 rotations"),
    ("a game more", FIRST_BLOCK, lambda e: e["games"].append(e["games"][0]), "games", "3 at most"),
    ("attempt", FIRST_BLOCK, _set("attempt", value=1), "key of block 0", "the secret comes to"),
    ("secret", SECOND_BLOCK + 1, _set("secret", value="00"), "secret", "one whose SHA-256 is"),
    ("reason", SECOND_BLOCK + 1, _set("reason", value="host"), "reason", "4 of 4"),
    ("certain", SECOND_BLOCK + 1, _set("reason", value="certain"), "reason", "can end"),
    ("budget", CHANGED, _set("budget", "games", value=9), "reason", "4 of 9"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("at", "change", "place", "text"),
    [pytest.param(*case[1:], id=case[0]) for case in IN_AN_ENTRY],
)
def test_an_entry_that_is_changed_is_named(
    game: str, at: int, change: Change, place: str, text: str
) -> None:
    """Entry, key and what was expected are said of whatever cannot be."""
    found = difference_in(edited(sound(game), at, change))
    assert found.line is not None
    assert found.line >= at + 1
    assert found.place.startswith(place)
    assert text in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_other_cards_are_other_games(game: str) -> None:
    """A key that the secret does not come to shows at once: nobody could have played so."""
    found = difference_in(edited(sound(game), FIRST_BLOCK, _set("key", value="0" * 64)))
    assert found.line == FIRST_BLOCK + 1


def _fault(seat: int, decision: int, verdict: str = "timeout") -> dict[str, Any]:
    return {"seat": seat, "decision": decision, "verdict": verdict, "text": "late"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("faults", "place", "text"),
    [
        ([_fault(3, 0)], "games[0].faults[0].seat", "0..2"),
        ([_fault(0, 0), _fault(0, 3)], "faults[1].seat", "a seat fails once at most"),
        ([_fault(0, 5), _fault(1, 4)], "faults[1].decision", "in the order of the game"),
        ([_fault(0, 5, "start-failed")], "faults[0].verdict", "only at decision 0"),
        ([_fault(0, 5, "finished")], "games[0].faults[0].verdict", "one of crashed"),
        ([_fault(0, 99999)], "faults[0].decision", "the game has"),
    ],
)
def test_made_up_faults_are_named(
    game: str, faults: list[dict[str, Any]], place: str, text: str
) -> None:
    """A fault is at a seat of the game, once, in order, and with a known verdict."""
    found = difference_in(edited_game(sound(game), 0, _set("faults", value=faults)))
    assert (found.line, found.place) == (FIRST_BLOCK + 1, place)
    assert text in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_fault_is_only_where_the_seat_decides(game: str) -> None:
    """After the first decision only the seat in turn can fail."""
    record = records_of(sound(game))[0]
    seat = [step.seat for step in Replay(record, games()[game]).steps()][8]
    other = (seat + 1) % 3
    found = difference_in(edited_game(sound(game), 0, _set("faults", value=[_fault(other, 8)])))
    assert (found.place, found.decision) == ("faults[0].seat", 8)
    assert f"seat {seat} decides here" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_after_a_fault_only_default_actions_hold(game: str) -> None:
    """A fault that is made up shows in the game or its result, and a true one binds it."""
    winner = records_of(sound(game))[0].game.places.index(1)
    steps = list(Replay(records_of(sound(game))[0], games()[game]).steps())
    last = max(step.number for step in steps if step.seat == winner)
    made_up = _set("faults", value=[_fault(winner, last)])
    found = difference_in(edited_game(sound(game), 0, made_up))
    assert found.place in ("places", f"actions[{last}]", f"note at {last}")
    lines = faulty(game)
    record = records_of(lines)[0]
    failed = record.faults[0].seat
    replay = Replay(record, games()[game])
    state = replay.state
    number = 0
    while state.turn != failed:
        state.apply(state.check(record.actions[number]))
        number += 1
    other = next(action for action in state.actions() if action != state.default())
    found = difference_in(edited_game(lines, 0, _set("actions", number, value=list(other))))
    assert (found.place, found.decision) == (f"actions[{number}]", number)
    assert f"the default action, as seat {failed} has failed" in str(found)
    found = difference_in(edited_game(lines, 0, _set("notes", value=[[number, "still here"]])))
    assert (found.place, found.decision) == (f"note at {number}", number)


def test_an_action_that_is_not_canonical_is_named() -> None:
    """One action has one form."""
    actions = records_of(sound("gargon"))[0].actions
    number, action = next((n, a) for n, a in enumerate(actions) if len(set(a)) > 2)
    turned = [action[0], *reversed(action[1:])]
    found = difference_in(edited_game(sound("gargon"), 0, _set("actions", number, value=turned)))
    assert (found.place, found.decision) == (f"actions[{number}]", number)
    if action[0] == "play":
        assert "in canonical form" in str(found)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_rules_do_not_decide_changes_the_head(game: str) -> None:
    """Notes, bots, times and the texts of faults cannot be changed unseen by who kept a head."""
    lines = faulty(game)
    changed = [
        edited_game(lines, 0, _set("faults", 0, "text", value="out of luck")),
        edited_game(lines, 0, _set("notes", 0, 1, value="I knew it")),
        edited(lines, ENTERED, _set("contestants", 0, "name", value="champion")),
        edited(lines, OPENED, _set("contest", "time", "bank", value=1)),
        edited(lines, CHANGED, _set("sandbox", value="bwrap")),
    ]
    assert [difference(each) for each in changed] == [None] * len(changed)
    assert len({head(lines), *map(head, changed)}) == len(changed) + 1


@pytest.mark.parametrize("game", GAMES)
def test_removed_added_and_moved_entries_are_named(game: str) -> None:
    """Entries stand in their order, each block once."""
    opened, changed, entered, first, second, closed = lines = sound(game)
    for forged, at, place in (
        (lines[1:], 1, "entry"),
        ((opened, changed, first, second, closed), 3, "contestants"),
        ((opened, changed, entered, second, closed), 4, "number"),
        ((opened, changed, entered, second, first, closed), 4, "number"),
        ((opened, changed, entered, first, first, second, closed), 5, "number"),
        ((opened, changed, entered, first, closed), 5, "reason"),
        ((opened, changed, entered, first, closed, second), 5, "reason"),
        ((*lines, second), 7, "entry"),
        ((*lines, closed), 7, "entry"),
        ((*lines, *lines), 7, "first_game"),
    ):
        found = difference_in(forged)
        assert (found.line, found.place) == (at, place), str(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_is_cut_off_has_another_head(game: str) -> None:
    """Then nothing says that there was more but the head, which somebody else has kept."""
    lines = sound(game)
    heads = {head(lines[:end]) for end in range(1, len(lines) + 1)}
    assert len(heads) == len(lines)
    assert difference(lines[:-2]) is None


def test_the_games_of_a_file_are_numbered_on() -> None:
    """A match that follows another begins with the next number, in a log of its own."""
    lines = sound("gargon")
    follows = edited(faulty("castors"), OPENED, _set("first_game", value=4))
    found = list(verify_file(chain(lines, follows), games()))
    assert [match.games for match in found] == [4, 2]
    assert [f"{match.size}:{match.root}" for match in found] == [head(lines), head(follows)]
    assert [record.number for record in records_of((*lines, *follows))] == list(range(6))
    wrong = difference_in((*lines, *edited(follows, OPENED, _set("first_game", value=5))))
    assert (wrong.line, wrong.place) == (len(lines) + 1, "first_game")
    assert "4, the number after that of the last game" in str(wrong)


CLOSED = b'{"entry":"close","reason":"host","secret":"00"}'


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (CLOSED[: len(CLOSED) // 2], "expected JSON"),
        (b" " + CLOSED, "canonical JSON"),
        (CLOSED + b" ", "canonical JSON"),
        (CLOSED.replace(b'"secret"', b'"secret" '), "canonical JSON"),
        (CLOSED.replace(b'"reason"', b'"reason":"time","reason"'), "canonical JSON"),
        (CLOSED.replace(b"host", b"\\u0068ost"), "canonical JSON"),
        (CLOSED.replace(b"host", b"\xff"), "UTF-8"),
        (b'{"entry":' + b"[" * 100_000, "expected"),
        (b"9" * 10_000, "expected"),
        (b"[1]", "expected object"),
        (b"{}", "expected this key"),
        (b"", "JSON"),
        (b'{"entry":NaN}', "JSON"),
        (CLOSED.replace(b"host", b"\\ud800"), "expected"),
    ],
)
def test_other_lines_are_no_entries(data: bytes, text: str) -> None:
    """An entry has one form to the byte."""
    opened, *_ = sound("gargon")
    found = difference([opened, data])
    assert found is not None
    assert (found.line, found.number) == (2, None)
    assert text in str(found)


def test_verification_is_a_stream() -> None:
    """Memory grows by no more than the keys of the blocks, which the secret shows at the end."""
    opened, changed, entered, first, *_ = sound("gargon")

    def lines(count: int) -> Iterator[bytes]:
        yield from (opened, changed, entered)
        block = json.loads(first)
        for number in range(count):
            yield line({**block, "number": number})

    def peak(count: int) -> int:
        tracemalloc.start()
        (match,) = verify_file(lines(count), games())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert match.games == 3 * count
        return most

    peak(2)
    assert peak(60) < 1.5 * peak(6)


def test_the_end_of_these_matches_reveals_their_secret() -> None:
    """Else none of the above would look at keys."""
    for record in (sound, single, faulty):
        assert record("gargon")[-1] == canonical_bytes(Closed(reason="budget", secret=SECRET.hex()))
    assert place_of(sound("gargon"), 3).line == SECOND_BLOCK
