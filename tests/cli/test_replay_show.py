"""`arena replay`: games told move by move, as everybody or one seat saw them, and verified."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from arena.games.castors.words import name as castors_name
from arena.games.deal import DealStream
from arena.games.gargon.cards import name as gargon_name
from arena.games.telling import plain
from arena.referee.replay import Replay
from command import Outcome, arena, arena_here, assert_refused
from records.recorded import (
    FIRST_BLOCK,
    Lines,
    Map,
    edited_game,
    faulty,
    games,
    head,
    records_of,
    single,
    sound,
    write,
)

GAMES = ("gargon", "castors")
NAMES: dict[str, Callable[[int], str]] = {"gargon": gargon_name, "castors": castors_name}


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Lines], str]:
    """Writes a log to a file, and says where."""

    def save(lines: Lines) -> str:
        return str(write(tmp_path / "games.jsonl", lines))

    return save


def show(*words: str) -> Outcome:
    """Run `arena replay show`, which must work."""
    shown = arena_here("replay", "show", *words)
    assert (shown.code, shown.err) == (0, ""), shown
    return shown


def test_the_help_shows_examples_on_lines_of_their_own() -> None:
    """An example can be copied from the help as it stands."""
    text = arena_here("replay", "show", "--help").out
    assert "\n  arena replay show games.jsonl\n" in text


def test_several_games_are_listed(saved: Callable[[Lines], str]) -> None:
    """Without a number the reader sees what there is, for people and for programs."""
    path = saved(sound("gargon"))
    text = show(path).out
    data = show(path, "--json").json
    assert [game["number"] for game in data] == [0, 1, 2, 3]
    for record, game in zip(records_of(sound("gargon")), data, strict=True):
        assert game["bots"] == [bot.name for bot in record.bots]
        assert game["scores"] == list(record.game.scores)
        assert game["places"] == list(record.game.places)
        row = next(line for line in text.splitlines() if line.startswith(f"{game['number']:7}"))
        assert ", ".join(game["bots"]) in row
        assert " ".join(map(str, game["scores"])) in row


def test_the_only_game_of_a_file_needs_no_number(saved: Callable[[Lines], str]) -> None:
    """A file with one game shows it at once."""
    path = saved(single("castors"))
    assert show(path).out == show(path, "--game", "0").out


@pytest.mark.parametrize("game", GAMES)
def test_every_card_is_shown_in_words(game: str, saved: Callable[[Lines], str]) -> None:
    """Nobody has to know the numbers of cards to follow a game."""
    record = records_of(sound(game))[1]
    text = show(saved(sound(game)), "--game", "1").out
    lines = text.splitlines()
    name = NAMES[game]
    heads = [at for at, line in enumerate(lines) if line[:5].strip().isdecimal()]
    steps = list(Replay(record, games()[game]).steps())
    for step, at, end in zip(steps, heads, [*heads[1:], len(lines)], strict=True):
        bot = record.bots[step.seat].name
        head = f"{step.number:>5}  seat {step.seat} ({bot}): {step.kind} "
        assert lines[at].startswith(head)
        told = " ".join(lines[at:end])
        for event in step.events:
            shown = games()[game].show(event, None)
            cards = [*shown.get("cards", []), *([shown["card"]] if "card" in shown else [])]
            assert all(name(card) in told for card in cards)
        if step.action[0] == "play":
            words = ", ".join(map(gargon_name, step.action[1:]))
            assert lines[at + 1 + bool(step.note)].endswith(f"plays {words}, face down")
    for seat, bot in enumerate(record.bots):
        score, place = record.game.scores[seat], record.game.places[seat]
        assert f"  seat {seat} ({bot.name}): place {place}, {score} points, finished" in lines


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_event_has_words_of_its_own(game: str) -> None:
    """No event is told by its field names, to its seat or to the others."""
    rules = games()[game]
    told: set[str] = set()
    for record in (*records_of(sound(game)), *records_of(faulty(game))):
        replay = Replay(record, rules)
        events = [*replay.opening, *(event for step in replay.steps() for event in step.events)]
        for event in events:
            told.add(event[0])
            for seat in (None, *range(record.seats)):
                words = plain(rules.tell(rules.show(event, seat)))
                assert not words.startswith(f"{event[0]}:")
                assert not any(sign in words for sign in "[]{}_'")
    rare = {"drawing", "reshuffled", "rejected"}
    assert told >= set(rules.event_forms) - rare


def test_a_game_without_words_of_its_own_is_told_by_its_fields() -> None:
    """A plugin's game can be shown before its author has found the words."""
    from arena.games.game import Game

    shown = {"event": "moved", "seat": 1, "to": [2, 3]}
    assert plain(Game.tell(games()["gargon"], shown)) == "moved: seat 1, to [2, 3]"
    assert plain(Game.tell(games()["gargon"], {"event": "ended"})) == "ended"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", range(3))
def test_a_seat_is_shown_what_it_may_see(
    game: str, seat: int, saved: Callable[[Lines], str]
) -> None:
    """The actions, notes and private cards of the others, and the deal, stay hidden."""
    record = records_of(sound(game))[0]
    path = saved(sound(game))
    words = (path, "--game", "0", "--seat", str(seat))
    data = show(*words, "--json").json
    rules = games()[game]
    replay = Replay(record, rules)
    assert data["seen_by"] == seat
    assert data["deal"]["key"] is None
    assert record.key.hex() not in str(data)
    assert data["opening"] == [_plain(rules.show(event, seat)) for event in replay.opening]
    for step, decision in zip(replay.steps(), data["decisions"], strict=True):
        own = step.seat == seat
        assert decision["action"] == (list(step.action) if own else None)
        assert decision["note"] == (step.note if own else "")
        assert decision["events"] == [_plain(rules.show(event, seat)) for event in step.events]
    text = show(*words).out
    for decision in data["decisions"]:
        for event in decision["events"]:
            assert f"         {plain(rules.tell(event))}\n" in text
    assert text.count("note: ") == sum(bool(decision["note"]) for decision in data["decisions"])


def _plain(value: Any) -> Any:
    """As JSON has it."""
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("game", GAMES)
def test_notes_stand_beside_their_decisions(game: str, saved: Callable[[Lines], str]) -> None:
    """What a bot noted is shown on one line, and cannot steer the terminal."""
    record = records_of(sound(game))[0]
    text = show(saved(sound(game)), "--game", "0").out
    assert "\x1b" not in text
    lines = text.splitlines()
    thoughts = {number for number, note in record.notes.items() if "think" in note}
    assert thoughts
    for number in record.notes:
        at = next(i for i, line in enumerate(lines) if line.startswith(f"{number:>5}  seat"))
        told = "?[31mI think… " if number in thoughts else "by chance"
        assert lines[at + 1].startswith(f"         note: {told}")


@pytest.mark.parametrize("game", GAMES)
def test_faults_are_told_where_they_came_up(game: str, saved: Callable[[Lines], str]) -> None:
    """Verdict and text stand before the decision, and default actions are marked."""
    record = records_of(faulty(game))[0]
    path = saved(faulty(game))
    lines = show(path, "--game", "0").out.splitlines()
    hidden = show(path, "--game", "0", "--seat", "0").out
    for fault in record.faults:
        bot = record.bots[fault.seat].name
        told = f"{fault.decision:>5}  seat {fault.seat} ({bot}): {fault.verdict}"
        at = lines.index(f"{told}: {fault.text}")
        after = lines[at + 1 :]
        following = [line for line in after if f"  seat {fault.seat} ({bot}): " in line]
        assert all(line.endswith(", by default") for line in following[:-1])
        assert following[-1].endswith(fault.verdict)
        assert (f"{told}\n" in hidden) == (fault.seat != 0)
    data = show(path, "--game", "0", "--json").json
    assert data["faults"] == [asdict(fault) for fault in record.faults]
    failed = {fault.seat: fault.decision for fault in record.faults}
    for decision in data["decisions"]:
        began = failed.get(decision["seat"])
        assert decision["by_default"] == (began is not None and decision["number"] >= began)


@pytest.mark.parametrize("game", GAMES)
def test_from_and_to_choose_decisions(game: str, saved: Callable[[Lines], str]) -> None:
    """Both ends are included; the opening is shown only from the start."""
    path = saved(sound(game))
    whole = show(path, "--game", "2", "--json").json
    part = show(path, "--game", "2", "--from", "3", "--to", "5", "--json").json
    assert part["decisions"] == whole["decisions"][3:6]
    assert (part["opening"], part["scores"]) == ([], whole["scores"])
    begin = show(path, "--game", "2", "--to", "1", "--json").json
    assert begin["decisions"] == whole["decisions"][:2]
    assert begin["opening"] == whole["opening"]
    text = show(path, "--game", "2", "--from", "3", "--to", "5").out.splitlines()
    numbers = [line.split()[0] for line in text if line[:5].strip().isdecimal()]
    assert numbers == ["3", "4", "5"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("match", [sound, faulty])
def test_the_json_of_a_game_plays_it_again(
    game: str, match: Callable[[str], Lines], saved: Callable[[Lines], str]
) -> None:
    """The key of the deal, rules and decisions are all that it takes to get the scores."""
    data = show(saved(match(game)), "--game", "1", "--json").json
    rules = games()[game]
    assert (data["game"], data["version"]) == (rules.name, rules.version)
    cards = DealStream(bytes.fromhex(data["deal"]["key"]))
    state = rules.start(len(data["seats"]), data["rules"], cards)
    for decision in data["decisions"]:
        assert (state.turn, state.kind) == (decision["seat"], decision["kind"])
        state.apply(state.check(decision["action"]))
    assert state.over
    assert state.scores() == data["scores"]
    told = [*data["opening"], *(e for d in data["decisions"] for e in d["events"])]
    assert told == [rules.show(event, None) for event in state.events or ()]
    assert [
        {key: seat[key] for key in ("name", "version", "digest")} for seat in data["seats"]
    ] == [asdict(bot) for bot in records_of(match(game))[1].bots]


def _on_terminal(*words: str, env: Mapping[str, str]) -> str:
    """What a command writes to a terminal, stdout and stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **env},
    ) as running:
        os.close(theirs)
        chunks = []
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the terminal is gone once nobody writes to it
                break
            if not chunk:
                break
            chunks.append(chunk)
    os.close(ours)
    assert running.returncode == 0
    return b"".join(chunks).decode()


def test_colours_are_for_terminals_that_want_them(saved: Callable[[Lines], str]) -> None:
    """A terminal gets colours unless NO_COLOR is set; the words are the same everywhere."""
    path = saved(single("gargon"))
    plain = show(path).out
    assert "\x1b" not in plain
    assert "\x1b[" in _on_terminal("replay", "show", path, env={"NO_COLOR": ""})
    wrapped = _on_terminal("replay", "show", path, env={"NO_COLOR": "1"})
    assert wrapped.split() == plain.split()
    assert max(map(len, wrapped.splitlines())) <= 100


def test_verify_shows_progress_only_on_a_terminal(saved: Callable[[Lines], str]) -> None:
    """A log gets one line; who watches sees how far it is."""
    path = saved(sound("gargon"))
    quiet = arena_here("replay", "verify", path)
    assert (quiet.code, quiet.err) == (0, "")
    assert len(quiet.out.splitlines()) == 1
    assert "verifying games.jsonl" in _on_terminal("replay", "verify", path, env={})


def test_verify_counts_the_games(saved: Callable[[Lines], str]) -> None:
    """What holds is said in one line, with the head that stands for every entry."""
    found = head(sound("castors"))
    path = saved(sound("castors"))
    assert arena_here("replay", "verify", path).out == f"4 games verified, the head is {found}\n"
    assert arena_here("replay", "verify", path, "--json").json == {
        "file": path,
        "holds": True,
        "games": 4,
        "heads": [found],
        "difference": None,
    }
    one = saved(single("castors"))
    assert arena_here("replay", "verify", one).out.startswith("1 game verified")


def raise_score(game: Map) -> None:
    """Give the first seat a point that it did not win."""
    game["scores"][0] += 1


def test_verify_names_the_first_difference(saved: Callable[[Lines], str]) -> None:
    """File, line, game and place, what the log says and what the rules say; exit code 1."""
    path = saved(edited_game(sound("castors"), 2, raise_score))
    right = list(records_of(sound("castors"))[2].game.scores)
    wrong = [right[0] + 1, *right[1:]]
    at = FIRST_BLOCK + 1
    found = arena_here("replay", "verify", path)
    assert (found.code, found.err) == (1, "")
    assert found.out == (
        f"{path}, line {at}, game 2: scores: the record says {wrong}; the rules say {right}\n"
    )
    data = arena_here("replay", "verify", path, "--json")
    assert data.code == 1
    assert (data.json["holds"], data.json["heads"]) == (False, [])
    difference = data.json["difference"]
    assert (difference["line"], difference["game"], difference["decision"]) == (at, 2, None)
    assert (difference["record"], difference["rules"]) == (str(wrong), str(right))


def test_verify_names_a_missing_plugin(saved: Callable[[Lines], str]) -> None:
    """Who lacks a game learns which, and where to look."""
    found = arena(
        "replay",
        "verify",
        saved(sound("gargon")),
        env={"ARENA_PLUGINS_BLOCK": "arena-games"},
    )
    assert found.code == 1
    assert "the plugin that brings gargon is missing or left out" in found.out
    assert "arena plugin list" in found.out


def test_a_game_that_does_not_hold_is_shown_as_far_as_it_does(
    saved: Callable[[Lines], str],
) -> None:
    """Looking at what is wrong is what a replay is for."""

    def fly(game: Map) -> None:
        game["actions"][4] = ["fly"]

    path = saved(edited_game(sound("gargon"), 0, fly))
    shown = arena_here("replay", "show", path, "--game", "0")
    assert shown.code == 1
    assert "\n    3  seat" in shown.out
    assert "\n    4  seat" not in shown.out
    assert len(shown.err.splitlines()) == 1
    assert "game 0, decision 4: actions[4]: the record says" in shown.err
    data = arena_here("replay", "show", path, "--game", "0", "--json")
    assert (data.code, data.out) == (1, "")
    path = saved(edited_game(sound("gargon"), 0, raise_score))
    shown = arena_here("replay", "show", path, "--game", "0")
    assert (shown.code, "result\n" in shown.out) == (1, True)
    assert "scores: the record says" in shown.err


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--game", "9"], ["--game: no game 9", "which has games up to 3"]),
        (["--game", "-1"], ["--game"]),
        (["--game", "0", "--seat", "3"], ["--seat: expected 0..2, got 3"]),
        (["--game", "0", "--seat", "-1"], ["--seat: expected 0..2, got -1"]),
        (["--game", "0", "--from", "9999"], ["--from: expected 0..", "got 9999"]),
        (["--game", "0", "--to", "-3"], ["--to: expected 0..", "got -3"]),
        (["--game", "0", "--from", "5", "--to", "4"], ["--from: expected at most 4", "got 5"]),
        (["--seat", "1"], ["need --game", "4 games"]),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    words: list[str], parts: list[str], saved: Callable[[Lines], str]
) -> None:
    """Whoever asks for what is not there reads what there is."""
    assert_refused(arena_here("replay", "show", saved(sound("gargon")), *words), *parts)


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_files_that_cannot_be_read_are_refused(verb: str, tmp_path: Path) -> None:
    """A missing file, a directory and an empty file have no games."""
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert_refused(arena_here("replay", verb, str(tmp_path / "none.jsonl")), "does not exist")
    assert_refused(arena_here("replay", verb, str(tmp_path)), "is a directory")
    assert_refused(arena_here("replay", verb, str(empty)), "no games in this file")


def test_other_files_are_refused_by_show_and_do_not_hold(tmp_path: Path) -> None:
    """A file with something else than a log is told from one."""
    other = tmp_path / "games.times.jsonl"
    other.write_text('{"first_game":0,"games":[]}\n')
    assert_refused(
        arena_here("replay", "show", str(other)), "not a log of games", "line 1", "entry"
    )
    found = arena_here("replay", "verify", str(other))
    assert (found.code, found.err) == (1, "")
    assert "line 1: entry: the record says nothing; expected this key" in found.out
    write(other, (*sound("gargon"), b"\x00\x01"))
    assert_refused(arena_here("replay", "show", str(other)), "not a log of games", "line 7")


RAISES = """
import sys
from arena_sdk import run

def choose(question):
    print("I have", question.view["hand"][:1])
    raise ValueError("a reason that is so long that it does not fit into any line of 80 columns")

run(choose)
"""


def test_positions_times_and_stderr_are_shown(tmp_path: Path) -> None:
    """At each decision: hands, table, piles and points; how long it took; what a bot last wrote."""
    (tmp_path / "raises.py").write_text(RAISES)
    games = tmp_path / "games.jsonl"
    words = ("gargon-hand", "random", f"{sys.executable} raises.py", "--seed", "s")
    played = arena("play", "gargon", *words, "--games", "1", "--record", str(games), cwd=tmp_path)
    assert played.code == 0
    shown = arena("replay", "show", str(games), "--position", env={"COLUMNS": "80"})
    lines = shown.out.splitlines()
    assert max(map(len, lines)) <= 80
    game = arena_here("replay", "show", str(games), "--json").json
    decisions = game["decisions"]
    assert sum(line.startswith("       | round ") for line in lines) == len(decisions) + 1
    points = [line for line in lines if "points if the game ended now: " in line]
    assert points[0].endswith("now: 0, 0, 0")
    assert points[-1].endswith("now: " + ", ".join(map(str, game["scores"])))
    at = next(each for each in decisions if each["micros"])
    took = f"{at['kind']} {json.dumps(at['action'], separators=(',', ':'))}, "
    assert took + f"{at['micros'] / 1000:.1f} ms" in shown.out
    assert "         stderr: ValueError: a reason that is so long" in shown.out
    (fault,) = game["faults"]
    assert fault["stderr"][-1].startswith("ValueError: a reason")


def test_a_seats_positions_show_what_it_saw(tmp_path: Path) -> None:
    """Of Gang de Castors' rows only cards that the seat knows, and no stderr of the others."""
    games = tmp_path / "games.jsonl"
    words = ("play", "castors", "random", "random", "--games", "1", "--seed", "s")
    assert arena(*words, "--record", str(games)).code == 0
    seen = arena_here("replay", "show", str(games), "--position", "--seat", "1", "--to", "0").out
    assert re.search(r"seat 0: row \? \? \? \?; 0 points so far", seen)
    row = re.search(r"seat 1: row (.*); 0 points", seen)
    assert row is not None
    assert row[1].split().count("?") == 2
    assert "points if the game ended now" not in seen
    both = arena_here("replay", "show", str(games), "--position", "--to", "0").out
    assert not re.search(r"seat 0: row \? \? \? \?", both)


def test_the_result_says_what_points_are_made_of(saved: Callable[[Lines], str]) -> None:
    """Beneath each seat's points stand its amulets, zeros and majorities by colour; they add up."""
    record = records_of(single("gargon"))[0]
    lines = show(saved(single("gargon"))).out.splitlines()
    for seat, score in enumerate(record.game.scores):
        at = next(at for at, line in enumerate(lines) if line.startswith(f"  seat {seat} ("))
        assert f" {score} points, finished" in lines[at]
        parts = [part.split(" ")[1] for part in lines[at + 1].strip().split(", ")]
        points = [
            prod(map(int, amulets.split("×"))) + sum(map(int, bonus))
            for amulets, *bonus in (part.split("+") for part in parts)
        ]
        assert sum(points) == score, seat
