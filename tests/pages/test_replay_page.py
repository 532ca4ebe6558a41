"""The file of a replay: what is in it, what is not, and how large it is."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from arena.games.castors.words import name as castors_name
from arena.games.gargon.cards import PACK
from arena.games.gargon.cards import name as gargon_name
from arena.games.telling import plain
from arena.pages.legible import legible
from arena.referee.replay import Replay
from command import arena, assert_refused
from plugins.test_page import LAST, PAGE, example
from plugins.test_plugins import Site
from records.recorded import edited_game, games, single, sound, write

from .recorded_pages import Recorded, ReplayFile, noting, play, program

HOSTILE = """
import sys
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    question.note = "<script>stolen=1</script><img src=x onerror=stolen=1> \\u202egnp\\u2066 \\x07"
    if asked == 8:
        words = "</script><script>stolen=1</script><b>\\u202e" + "y" * 1_000_000 + "</pre>\\u2066"
        print(words, file=sys.stderr, flush=True)
        raise SystemExit(3)
    return 0

run(choose, name="<b>hostile</b>", version="<i onclick=stolen=1>\\u202e1")
"""
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A game of Gargon between three bots that note who they are; all of them crash in it."""
    folder = tmp_path_factory.mktemp("failing")
    bots = [noting(folder, fails_at=9), "gargon-backs", noting(folder, fails_at=9)]
    return play(folder, "gargon", *bots)


@pytest.mark.parametrize("seat", range(3))
def test_a_page_for_a_seat_has_nothing_that_it_did_not_see(failing: Recorded, seat: int) -> None:
    """Cards that it never saw, notes, times and output of the others are nowhere in the file."""
    page, everything = failing.page("--seat", str(seat)), failing.page()
    replay = Replay(failing.record, games()["gargon"])
    events = [*replay.opening, *(event for step in replay.steps() for event in step.events)]
    seen = {
        card
        for event in events
        for shown in [games()["gargon"].show(event, seat)]
        for value in (shown.get("card"), shown.get("cards"), shown.get("table"), shown.get("won"))
        for card in flat(value)
    }
    hidden = set(PACK) - seen
    assert hidden
    for card in hidden:
        assert not re.search(rf"{gargon_name(card)}\b", page.text)
    told = [card for card in hidden if re.search(rf"{gargon_name(card)}\b", everything.text)]
    assert told, "without --seat there is more"
    for other in range(3):
        notes = f"secret of {other}: "
        assert (notes in page.text) == (other == seat and notes in everything.text)
        output = f"seen by {other} alone"
        assert (output in page.text) == (other == seat and output in everything.text)
        assert (page.data["seats"][other]["micros"] is None) == (other != seat)
    assert page.data["viewers"] == [seat]
    assert all(step["s"] == seat for step in page.data["steps"] if "micros" in step)
    assert failing.record.key.hex() not in everything.text


def flat(value: object) -> list[int]:
    """The cards in a field of an event."""
    if isinstance(value, list):
        return [card for each in value for card in flat(each)]
    return [value] if isinstance(value, int) else []


@pytest.mark.source_only
def test_a_seat_of_castors_learns_no_card_that_it_never_saw(tmp_path: Path) -> None:
    """Drawn cards and peeks of the others are told by their places alone."""
    game = play(tmp_path, "castors", "castors-odds", "random", "random")
    rules = games()["castors"]
    for seat in range(3):
        data = game.page("--seat", str(seat)).data
        replay = Replay(game.record, rules)
        told = [step["told"] for step in data["steps"]]
        silent = [line for lines in told for line in lines if not is_silent(line)]
        events = [*replay.opening, *(e for step in replay.steps() for e in step.events)]
        assert len(silent) == len(events)
        names = [face[2] for face in data["faces"]]
        for line, event in zip(silent, events, strict=True):
            ((viewers, segments),) = line
            assert viewers == 1
            shown = rules.show(event, seat)
            cards = [names[segment] for segment in segments if isinstance(segment, int)]
            fields = ("card", "cards", "discarded", "rows")
            allowed = [castors_name(card) for key in fields for card in flat(shown.get(key))]
            assert set(cards) <= set(allowed)
            if event[0] in ("drew", "peeked") and event[1] != seat:
                assert cards == []


def is_silent(line: list[list[object]]) -> bool:
    """Whether a line tells of a decision that led to no event."""
    return any(word in json.dumps(line) for word in ("chooses: ", " decides"))


def test_faults_come_with_what_is_kept_of_them(failing: Recorded) -> None:
    """Whoever looks for a fault finds its verdict, what the bot wrote, and what it was sent."""
    data = failing.page().data
    faults = [fault for step in data["steps"] for fault in step.get("faults", [])]
    assert [fault["seat"] for fault in faults] == [f.seat for f in failing.record.faults]
    assert faults
    for fault in faults:
        assert fault["verdict"] == "crashed"
        assert f"seen by {fault['seat']} alone" in fault["stderr"]
        assert '"t": "act"' in fault["sent"]


def test_times_stand_beside_decisions(failing: Recorded) -> None:
    """A reader sees how long each decision took, as the referee measured it."""
    times = failing.times
    assert times is not None
    steps = {step["d"]: step for step in failing.page().data["steps"] if "d" in step}
    assert len(steps) == len(times.micros)
    assert [steps[at].get("micros", 0) for at in range(len(steps))] == list(times.micros)


@pytest.mark.source_only
def test_a_ladder_keeps_the_times_of_decisions(tmp_path: Path) -> None:
    """The page of a ladder's game has times as that of a match has."""
    ladder = tmp_path / "short.toml"
    ladder.write_text(
        'name = "short"\ngame = "castors"\ntables = [2]\nseed = "1"\nsandbox = "none"\n'
        'contestants = ["random", { bot = "random", name = "other" }]\n[budget]\ngames = 2\n'
    )
    done = arena("ladder", "run", str(ladder), "--store", str(tmp_path / "store"))
    assert done.code == 0, done.err
    data = Recorded(tmp_path / "store").page().data
    timed = [step for step in data["steps"] if "micros" in step]
    assert len(timed) == len([step for step in data["steps"] if "d" in step])


def test_only_its_own_script_and_styles_may_run(failing: Recorded) -> None:
    """The policy names the script and the styles by their hashes, and nothing else."""
    text = failing.page().text
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(rule.split(" ", 1) for rule in html.unescape(policy).split("; "))
    (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'{source(script)}'",
        "style-src": f"'{source(style)}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert not re.search(r"https?:(?!//www.w3.org/2000/svg)|\ssrc=|<link|@import|url\(", text)


def source(text: str) -> str:
    """How a policy names a text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@pytest.mark.source_only
def test_hostile_words_are_only_words(tmp_path: Path) -> None:
    """What a bot says cannot end a script, begin one, or turn the direction of the text."""
    bots = ["gargon-backs", program(tmp_path, HOSTILE, "hostile"), "random"]
    game = play(tmp_path, "gargon", *bots)
    page = game.page()
    assert [fault.verdict for fault in game.record.faults] == ["crashed"]
    assert len(re.findall("<script", page.text)) == 2
    assert not BIDI.search(page.text)
    assert "\x07" not in page.text
    notes = [step.get("note", "") for step in page.data["steps"]]
    assert any("<script>stolen=1</script>" in note and "⟨U+202E⟩" in note for note in notes)
    assert len(page.text.encode()) < 160_000


def test_invisible_characters_are_shown() -> None:
    """A reader sees what is there, letters with their marks included, and how much was cut."""
    assert legible("a\u202eb\x00\ud800é\n", 99) == "a⟨U+202E⟩b⟨U+0000⟩⟨U+D800⟩é\n"
    assert legible("Z" + "\u0301" * 4, 99) == "Z\u0301\u0301⟨U+0301⟩⟨U+0301⟩"
    million = legible("x" * 1_000_000, 100)
    assert million == "x" * 100 + "… (cut; it has 1,000,000 characters)"
    assert len(legible("\u202e" * 1_000_000, 100)) < 160


def test_the_story_is_there_without_script(tmp_path: Path) -> None:
    """Whoever runs no script reads all that happened, in its order, and the result."""
    game = play(tmp_path, "gargon", "gargon-hand", "random", "random")
    text = html.unescape(game.page().text)
    (story,) = re.findall(r'<main id="plain">(.*?)</main>', text, re.DOTALL)
    rules = games()["gargon"]
    replay = Replay(game.record, rules)
    at = 0
    for event in [*replay.opening, *(e for step in replay.steps() for e in step.events)]:
        told = plain(rules.tell(rules.show(event, None)))
        at = story.find(told, at)
        assert at >= 0, told
    for bot, score in zip(game.record.bots, game.record.game.scores, strict=True):
        assert re.search(rf"<bdi>{bot.name} .*?</bdi>.*?<td>{score}</td>", story)


def test_a_usual_page_is_small(tmp_path: Path) -> None:
    """A game of Gargon takes about 100 kB, and with the longest notes that count 160 kB."""
    usual = play(
        tmp_path, "gargon", "gargon-majority", "gargon-backs", "gargon-hand", "gargon-reference"
    )
    assert len(usual.page().text.encode()) < 115_000
    (tmp_path / "long").mkdir()
    bot = noting(tmp_path, length=480)
    wordy = play(tmp_path / "long", "gargon", bot, bot, bot, bot, "gargon-reference")
    assert len(wordy.page().text.encode()) < 160_000


@pytest.mark.source_only
def test_a_plugin_describes_a_table(tmp_path: Path) -> None:
    """The table on the page about plugins is drawn, and hides what a seat may not see."""
    text = PAGE.read_text("utf-8")
    (table,) = re.findall(r"```python\n([^`]*class HighestWithTable.*?)```", text, re.DOTALL)
    hook = "@hookimpl\ndef arena_games():\n    return [HighestWithTable()]\n"
    site = Site(tmp_path)
    site.install("example", example("arena_games") + table + hook)
    log, page = tmp_path / "games.jsonl", ReplayFile(tmp_path / "page.html")
    bot = program(tmp_path, LAST, "last")
    played = site.run("play", "highest", *[bot] * 3, "--games", "1", "--record", str(log))
    assert played.code == 0, played.err
    made = site.run("replay", "html", str(log), "--output", str(page.path))
    assert made.code == 0, made.err
    faces = [face[2] for face in page.data["faces"]]
    assert page.data["seatZones"] == [["Card", "cards", 100, []]]
    cards = [faces[zone[2][0]] for zone in page.data["steps"][0]["z"] if zone[0] == 3]
    assert sorted(card == "a hidden card" for card in cards) == [False, True]


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    """A page that is there stays as it is, unless its owner says otherwise."""
    log = str(write(tmp_path / "games.jsonl", single("castors")))
    page = tmp_path / "page.html"
    page.write_text("mine")
    refused = arena("replay", "html", log, "--output", str(page))
    assert_refused(refused, "--output", "exists", "--force")
    assert page.read_text() == "mine"
    made = arena("replay", "html", log, "--output", str(page), "--force")
    assert made.code == 0, made.err
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_what_cannot_be_shown_is_said_in_a_line(tmp_path: Path) -> None:
    """No number where there are several games, no such seat, a game that does not hold."""
    page = tmp_path / "page.html"
    several = str(write(tmp_path / "several.jsonl", sound("castors")))
    words = ["--output", str(page)]
    assert_refused(arena("replay", "html", several, *words), "--game", "4 games")
    assert_refused(arena("replay", "html", several, *words, "--game", "9"), "no game 9")
    seat = ["--game", "1", "--seat", "3"]
    assert_refused(arena("replay", "html", several, *words, *seat), "--seat", "0..2")

    def forge(game: dict[str, list[int]]) -> None:
        game["scores"][0] += 1

    forged = write(tmp_path / "forged.jsonl", edited_game(single("castors"), 0, forge))
    outcome = arena("replay", "html", str(forged), *words)
    assert outcome.code == 1, outcome
    assert "does not hold" in outcome.err
    assert not page.exists()
