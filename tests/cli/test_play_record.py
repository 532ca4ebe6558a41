"""`arena play --record` where there are logs already: refused, overwritten or continued."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.referee.recording import Recording
from command import Outcome, arena, arena_here, assert_refused

pytestmark = pytest.mark.source_only
GAMES = 3
LOG = "games.jsonl"
TIMES = "games.times.jsonl"
BLOCK = 3
"""The line of the first block of a match, from 0; a match of one block has one more."""


def play(folder: Path, *words: str, game: str = "gargon", seats: int = 3) -> Outcome:
    """A match that is recorded, of one game a bot."""
    bots = ["random"] * seats
    return arena("play", game, *bots, "--seed", "7", "--record", LOG, *words, cwd=folder)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def games(folder: Path) -> list[dict[str, Any]]:
    """All games of the logs in the file, in their order."""
    return [game for each in read_lines(folder / LOG) for game in each.get("games", [])]


def firsts(folder: Path) -> list[int]:
    """The number of the first game of every match in the file."""
    entries = read_lines(folder / LOG)
    return [each.get("first_game", 0) for each in entries if each["entry"] == "open"]


def contents(folder: Path) -> dict[str, bytes]:
    """What every file of a folder has."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recorded match, to be copied."""
    folder = tmp_path_factory.mktemp("original")
    assert play(folder).code == 0
    assert sorted(contents(folder)) == [LOG, TIMES]
    return folder


@pytest.fixture
def recorded(original: Path, tmp_path: Path) -> Path:
    """A folder with a recorded match."""
    return shutil.copytree(original, tmp_path, dirs_exist_ok=True)


def test_a_log_is_not_overwritten_unasked(recorded: Path) -> None:
    """Who repeats a command keeps the games that he has, and reads what he can do."""
    before = contents(recorded)
    assert_refused(play(recorded), f"--record {LOG}: is not empty", "--append", "--force")
    assert contents(recorded) == before


def test_a_log_is_overwritten_by_force(recorded: Path) -> None:
    """Nothing is left of the old one, nor of its times."""
    before = games(recorded)
    assert play(recorded, "--games", "2", "--force").code == 0
    assert games(recorded) == before[:2]
    (times,) = read_lines(recorded / TIMES)
    assert len(times["games"]) == 2


def test_a_file_is_continued(recorded: Path) -> None:
    """With other bots and another game: numbers go on, and the whole file can be verified."""
    first = contents(recorded)
    bad = "python3 -c 0"
    appended = arena(
        *("play", "castors", "random", bad, "--seed", "7", "--record", LOG, "--append"),
        cwd=recorded,
    )
    assert appended.code == 0
    assert appended.err.startswith(f"game {GAMES}, seat ")
    assert all(old == contents(recorded)[name][: len(old)] for name, old in first.items())
    assert firsts(recorded) == [0, GAMES]
    assert len(games(recorded)) == GAMES + 2
    assert [(each["first_game"], len(each["games"])) for each in read_lines(recorded / TIMES)] == [
        (0, GAMES),
        (GAMES, 2),
    ]
    verified = arena_here("replay", "verify", LOG, "--json", cwd=recorded).json
    assert (verified["holds"], verified["games"], len(verified["heads"])) == (True, GAMES + 2, 2)
    for number in (GAMES - 1, GAMES, GAMES + 1):
        shown = arena_here("replay", "show", LOG, "--game", str(number), "--json", cwd=recorded)
        assert shown.json["scores"] == games(recorded)[number]["scores"]
    assert play(recorded, "--append").code == 0
    assert firsts(recorded) == [0, GAMES, GAMES + 2]
    assert arena_here("replay", "verify", LOG, cwd=recorded).code == 0


def test_a_log_says_how_its_match_ended(recorded: Path) -> None:
    """Its last entry reveals the secret, and has its reason, from which its games can be told."""
    *_, last = read_lines(recorded / LOG)
    assert last == {"entry": "close", "reason": "budget", "secret": b"7".hex()}


def playing_on_and_on(folder: Path) -> subprocess.Popen[str]:
    """A match that goes on until somebody ends it; it has played a game when this returns."""
    words = ["play", "castors", "random", "random", "--games", "1000000", "--record", LOG]
    running = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    while not (folder / TIMES).exists() or not (folder / TIMES).stat().st_size:
        assert running.poll() is None, running.communicate()[1]
    return running


def test_a_match_that_was_killed_can_be_shown_verified_and_continued(tmp_path: Path) -> None:
    """Its log has no end, and the next one follows it in the same file."""
    with playing_on_and_on(tmp_path) as running:
        running.kill()
    whole = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(whole[: whole.rfind(b"\n") + 1])
    assert read_lines(tmp_path / LOG)[-1]["entry"] == "block"
    played = len(games(tmp_path))
    shown = arena_here("replay", "show", LOG, "--game", str(played - 1), "--json", cwd=tmp_path)
    assert shown.json["scores"] == games(tmp_path)[-1]["scores"]
    verified = arena_here("replay", "verify", LOG, cwd=tmp_path)
    assert verified.out.startswith(f"{played} games verified, the head is ")
    assert play(tmp_path, "--append").code == 0
    assert firsts(tmp_path) == [0, played]
    verified = arena_here("replay", "verify", LOG, cwd=tmp_path)
    assert verified.out.startswith(f"{played + GAMES} games verified, the heads are ")


def test_a_match_that_is_interrupted_closes_its_log(tmp_path: Path) -> None:
    """Whoever presses Ctrl-C has a log that says so, with the secret of its deals."""
    with playing_on_and_on(tmp_path) as running:
        running.send_signal(signal.SIGINT)
        said = running.communicate()[1]
    assert running.returncode == 130
    last = read_lines(tmp_path / LOG)[-1]
    assert (last["entry"], last["reason"]) == ("close", "host")
    assert f"--seed {bytes.fromhex(last['secret']).decode()}" in said
    assert arena_here("replay", "verify", LOG, cwd=tmp_path).code == 0


def test_a_line_that_was_cut_off_is_named_with_what_to_do(recorded: Path) -> None:
    """A match was killed while it wrote: every command says in a line how to go on."""
    cut(recorded / LOG)
    remedy = "remove it, for example with `sed -i '$d'`"
    assert_refused(play(recorded, "--append"), "line 5 of games.jsonl", remedy)
    assert_refused(arena_here("replay", "show", LOG, cwd=recorded), "line 5", remedy)
    found = arena_here("replay", "verify", LOG, cwd=recorded)
    assert (found.code, found.err, len(found.out.splitlines())) == (1, "", 1)
    assert "line 5" in found.out
    assert remedy in found.out
    subprocess.run(["sed", "-i", "$d", LOG], cwd=recorded, check=True)
    assert play(recorded, "--append").code == 0
    assert firsts(recorded) == [0, GAMES]
    assert arena_here("replay", "verify", LOG, cwd=recorded).code == 0


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("option", [(), ("--append",), ("--force",)])
def test_an_empty_file_is_as_good_as_none(
    option: tuple[str, ...], tmp_path: Path, *, made: bool
) -> None:
    """Then there is nothing to lose and nothing to follow, whatever is asked."""
    if made:
        (tmp_path / LOG).touch()
        (tmp_path / TIMES).touch()
    assert play(tmp_path, *option).code == 0
    assert firsts(tmp_path) == [0]
    assert len(read_lines(tmp_path / TIMES)) == 1


def cut(path: Path) -> None:
    """End a file within its last line."""
    path.write_bytes(path.read_bytes()[:-9])


def changed(path: Path) -> None:
    """Change the number of the block."""
    lines = path.read_text().splitlines(keepends=True)
    assert '"number":0' in lines[BLOCK]
    lines[BLOCK] = lines[BLOCK].replace('"number":0', '"number":1')
    path.write_text("".join(lines))


def write(text: str) -> Callable[[Path], None]:
    """Add this to a file."""

    def add(path: Path) -> None:
        with path.open("a") as file:
            file.write(text)

    return add


@pytest.mark.parametrize(
    ("name", "spoil", "where", "part"),
    [
        (LOG, cut, "line 5", "a whole line"),
        (LOG, changed, "line 4", "number: expected 0, the next block, got 1"),
        (LOG, write("not a log\n"), "line 6", "line: expected JSON"),
        (LOG, write("\n"), "line 6", "line: expected JSON"),
        (LOG, write('{"entry":"closed"}\n'), "line 6", "entry: expected one of open, enter"),
        (LOG, write('{"number":9}\n'), "line 6", "entry: expected this key"),
        (TIMES, cut, "line 1", "a whole line"),
        (TIMES, write('{"first_game":3}\n'), "line 2", "games: expected this key"),
        (
            TIMES,
            write('{"first_game":3,"games":[{"paces":[]}]}\n'),
            "times up to game 3",
            "expected none from game 3 on",
        ),
    ],
    ids=[
        "cut",
        "changed",
        "text",
        "blank",
        "unknown",
        "map",
        "times-cut",
        "times-map",
        "times-ahead",
    ],
)
def test_what_cannot_be_followed_is_refused(
    name: str, spoil: Callable[[Path], None], where: str, part: str, recorded: Path
) -> None:
    """A file whose end is damaged is named with what is wrong there, and nothing is written."""
    spoil(recorded / name)
    before = contents(recorded)
    refused = play(recorded, "--append")
    assert_refused(refused, "--record ", name, where, part, "--force, or name another file")
    assert contents(recorded) == before


@pytest.mark.parametrize("option", [(), ("--append",)])
def test_times_without_their_log_are_not_mixed_with_others(
    option: tuple[str, ...], recorded: Path
) -> None:
    """They are refused, and no empty file for the log is left; by force both begin anew."""
    (recorded / LOG).unlink()
    before = contents(recorded)
    refused = play(recorded, *option)
    assert_refused(refused, f"{TIMES} has times up to game 2", "overwrite both with --force")
    assert contents(recorded) == before
    assert play(recorded, "--force").code == 0
    assert len(read_lines(recorded / TIMES)) == 1


def test_times_that_are_missing_are_no_hindrance(recorded: Path) -> None:
    """A log is worth more than its times: the new one has its own."""
    (recorded / TIMES).unlink()
    assert play(recorded, "--append").code == 0
    assert [each["first_game"] for each in read_lines(recorded / TIMES)] == [GAMES]


@pytest.mark.parametrize("option", [(), ("--append",), ("--force",)])
def test_two_matches_do_not_mix_their_logs(option: tuple[str, ...], recorded: Path) -> None:
    """While one is being recorded nobody else writes to the file, by whatever link."""
    (recorded / "link.jsonl").symlink_to(LOG)
    before = contents(recorded)
    for name in (LOG, "link.jsonl"):
        with Recording(recorded / LOG, append=True):
            refused = play(recorded, *option, "--record", name)
        assert_refused(refused, f"--record {name}: another match is being recorded to it")
        assert contents(recorded) == before
    assert play(recorded, "--append").code == 0


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--append"], "--append needs --record"),
        (["--force"], "--force needs --record"),
        (["--append", "--force", "--record", LOG], "take one of them"),
    ],
)
def test_options_that_do_not_fit_are_refused(words: list[str], part: str, tmp_path: Path) -> None:
    """Nobody believes that a file was continued which was not named."""
    refused = arena_here("play", "gargon", *["random"] * 3, *words, cwd=tmp_path)
    assert_refused(refused, part)
    assert not contents(tmp_path)
