"""`arena play --record` where there are records already: refused, overwritten or continued."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.records.record import FIRST
from arena.referee.recording import Recording
from command import Outcome, arena, assert_refused

GAMES = 3
RECORDS = "games.jsonl"
TIMINGS = "games.timings.jsonl"


def play(folder: Path, *words: str, game: str = "gargon", seats: int = 3) -> Outcome:
    """A match that is recorded, of one game a bot."""
    bots = ["random"] * seats
    return arena("play", game, *bots, "--seed", "7", "--record", RECORDS, *words, cwd=folder)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """What every file of a folder has."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recorded match, to be copied."""
    folder = tmp_path_factory.mktemp("original")
    assert play(folder).code == 0
    assert sorted(contents(folder)) == [RECORDS, TIMINGS]
    return folder


@pytest.fixture
def recorded(original: Path, tmp_path: Path) -> Path:
    """A folder with a recorded match."""
    return shutil.copytree(original, tmp_path, dirs_exist_ok=True)


def test_records_are_not_overwritten_unasked(recorded: Path) -> None:
    """Who repeats a command keeps the games that he has, and reads what he can do."""
    before = contents(recorded)
    assert_refused(play(recorded), f"--record {RECORDS}: is not empty", "--append", "--force")
    assert contents(recorded) == before


def test_records_are_overwritten_by_force(recorded: Path) -> None:
    """Nothing is left of the old ones, nor of their timings."""
    before = contents(recorded)
    assert play(recorded, "--games", "2", "--force").code == 0
    after = contents(recorded)
    assert before[RECORDS].startswith(after[RECORDS])
    assert len(read_lines(recorded / RECORDS)) == len(read_lines(recorded / TIMINGS)) == 2


def test_records_are_continued(recorded: Path) -> None:
    """With other bots and another game: numbers go on, and the whole file can be verified."""
    first = contents(recorded)
    bad = "python3 -c 0"
    appended = arena(
        *("play", "castors", "random", bad, "--seed", "7", "--record", RECORDS, "--append"),
        cwd=recorded,
    )
    assert appended.code == 0
    assert appended.err.startswith(f"game {GAMES}, seat ")
    assert all(old == contents(recorded)[name][: len(old)] for name, old in first.items())
    records, timings = read_lines(recorded / RECORDS), read_lines(recorded / TIMINGS)
    numbers = list(range(GAMES + 2))
    assert [record["number"] for record in records] == numbers
    assert [each["number"] for each in timings] == numbers
    assert [record["deal"]["rotation"] for record in records] == [0, 1, 2, 0, 1]
    assert [record["previous"] for record in records] == [
        FIRST,
        *[record["hash"] for record in records[:-1]],
    ]
    verified = arena("replay", "verify", RECORDS, cwd=recorded)
    assert verified.out.startswith(f"{GAMES + 2} games verified")
    shown = arena("replay", "show", RECORDS, "--game", str(GAMES), cwd=recorded)
    assert shown.code == 0


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("option", [(), ("--append",), ("--force",)])
def test_an_empty_file_is_as_good_as_none(
    option: tuple[str, ...], tmp_path: Path, *, made: bool
) -> None:
    """Then there is nothing to lose and nothing to follow, whatever is asked."""
    if made:
        (tmp_path / RECORDS).touch()
        (tmp_path / TIMINGS).touch()
    assert play(tmp_path, *option).code == 0
    assert read_lines(tmp_path / RECORDS)[0]["previous"] == FIRST
    assert len(read_lines(tmp_path / TIMINGS)) == GAMES


def cut(path: Path) -> None:
    """End a file within its last line."""
    path.write_bytes(path.read_bytes()[:-9])


def changed(path: Path) -> None:
    """Change a seat's score in the last record."""
    *lines, last = path.read_text().splitlines(keepends=True)
    record = json.loads(last)
    text = f'"scores":{json.dumps(record["scores"], separators=(",", ":"))}'
    other = f'"scores":{json.dumps([1, *record["scores"][1:]], separators=(",", ":"))}'
    assert text in last
    path.write_text("".join([*lines, last.replace(text, other)]))


def write(text: str) -> Callable[[Path], None]:
    """Add this to a file."""

    def add(path: Path) -> None:
        with path.open("a") as file:
            file.write(text)

    return add


@pytest.mark.parametrize(
    ("name", "spoil", "part"),
    [
        (RECORDS, cut, "without an end of line"),
        (RECORDS, changed, "hash: expected"),
        (RECORDS, write("not a record\n"), "line: expected JSON"),
        (RECORDS, write("\n"), "line: expected JSON"),
        (RECORDS, write('{"number":9}\n'), "format: expected 1"),
        (TIMINGS, cut, "without an end of line"),
        (TIMINGS, write('{"number":3}\n'), "micros: expected this key"),
        (
            TIMINGS,
            write('{"attempts":[],"evidence":[],"micros":[],"number":3,"waits":{}}\n'),
            "timings up to game 3, expected none from game 3 on",
        ),
    ],
    ids=["cut", "changed", "text", "blank", "map", "timings-cut", "timings-map", "timings-ahead"],
)
def test_what_cannot_be_followed_is_refused(
    name: str, spoil: Callable[[Path], None], part: str, recorded: Path
) -> None:
    """A file whose end is damaged is named with what is wrong there, and nothing is written."""
    spoil(recorded / name)
    before = contents(recorded)
    refused = play(recorded, "--append")
    assert_refused(refused, "--record ", name, part, "--force, or name another file")
    assert contents(recorded) == before


@pytest.mark.parametrize("option", [(), ("--append",)])
def test_timings_without_their_records_are_not_mixed_with_others(
    option: tuple[str, ...], recorded: Path
) -> None:
    """They are refused, and no empty file for records is left; by force both begin anew."""
    (recorded / RECORDS).unlink()
    before = contents(recorded)
    refused = play(recorded, *option)
    assert_refused(refused, f"{TIMINGS} has timings up to game 2", "overwrite both with --force")
    assert contents(recorded) == before
    assert play(recorded, "--force").code == 0
    assert len(read_lines(recorded / TIMINGS)) == GAMES


def test_timings_that_are_missing_are_no_hindrance(recorded: Path) -> None:
    """Records are worth more than their timings: the new ones have theirs."""
    (recorded / TIMINGS).unlink()
    assert play(recorded, "--append").code == 0
    assert [each["number"] for each in read_lines(recorded / TIMINGS)] == [3, 4, 5]


@pytest.mark.parametrize("option", [(), ("--append",), ("--force",)])
def test_two_matches_do_not_mix_their_records(option: tuple[str, ...], recorded: Path) -> None:
    """While one is being recorded nobody else writes to the file, by whatever link."""
    (recorded / "link.jsonl").symlink_to(RECORDS)
    before = contents(recorded)
    for name in (RECORDS, "link.jsonl"):
        with Recording(recorded / RECORDS, append=True):
            refused = play(recorded, *option, "--record", name)
        assert_refused(refused, f"--record {name}: another match is being recorded to it")
        assert contents(recorded) == before
    assert play(recorded, "--append").code == 0


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--append"], "--append needs --record"),
        (["--force"], "--force needs --record"),
        (["--append", "--force", "--record", RECORDS], "take one of them"),
    ],
)
def test_options_that_do_not_fit_are_refused(words: list[str], part: str, tmp_path: Path) -> None:
    """Nobody believes that a file was continued which was not named."""
    refused = arena("play", "gargon", *["random"] * 3, *words, cwd=tmp_path)
    assert_refused(refused, part)
    assert not contents(tmp_path)
