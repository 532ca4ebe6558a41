"""Logs and stores by somebody who means harm: refused in a line, whatever is in them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from arena.games.castors.game import Castors
from arena.ladder.claims import FAILS
from arena.ladder.kept_head import Head
from arena.ladder.log_file import NO_CHECK, checked_line
from arena.ladder.source import NotALog, open_source
from arena.ladder.store import derived_file, read_derived
from arena.ladder.verification import verify_ladder
from arena.records.canonical import canonical
from arena.records.difference import Difference
from arena.records.tree import Tree
from command import arena, assert_refused
from ladder.fields import definition, export, run

pytestmark = pytest.mark.source_only

ODD = st.sampled_from(
    (
        *(None, True, False, 0, 1, -1, 3, 10**6, 1 << 64, 10**100, 0.5, "", "x", "a\n", "\0"),
        *([], [0], [0, 0], [[0]], [None], [-1], {}, [{}], {"a": 1}, "0" * 64, list(range(600))),
    )
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small ladder that has been played."""
    folder = tmp_path_factory.mktemp("ladder")
    run(definition(folder, tables=(3,), games=15))
    return folder


@pytest.fixture(scope="module")
def exported(played: Path) -> bytes:
    """A small ladder, as it is exported."""
    return export(played)


def outcome(folder: Path, data: bytes, head: Head | None = None) -> str:
    """What verification says of this file, in one line: an error, or all claims that fail."""
    path = folder / "x.jsonl"
    path.write_bytes(data)
    try:
        found = verify_ladder(open_source(path), {"castors": Castors()}, 1, lambda _: None, head)
    except (Difference, NotALog) as error:
        return str(error)
    return "; ".join(f"{each.key}: {each.detail}" for each in found.claims if each.state == FAILS)


def head_of(data: bytes) -> Head:
    """The head of a log."""
    tree = Tree()
    for line in data.splitlines():
        tree.add(line)
    return Head(tree.size, tree.root)


def places(value: Any, so_far: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a line of JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*so_far, key))
        if isinstance(item, dict | list):
            found += places(item, (*so_far, key))
    return found


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_value_may_be_anything(
    tmp_path_factory: pytest.TempPathFactory, exported: bytes, data: st.DataObject
) -> None:
    """Whatever one value becomes: a claim fails, at the latest by the head that somebody kept."""
    lines = exported.splitlines()
    at = data.draw(st.sampled_from([0, 0, 1, 2, 3, 4, len(lines) - 1]))
    line = json.loads(lines[at])
    place = data.draw(st.sampled_from(places(line)))
    inner = line
    for key in place[:-1]:
        inner = inner[key]
    before = inner[place[-1]]
    inner[place[-1]] = data.draw(ODD)
    if canonical(before) == canonical(inner[place[-1]]):
        return
    lines[at] = canonical(line).encode()
    changed = b"\n".join(lines) + b"\n"
    said = outcome(tmp_path_factory.getbasetemp(), changed, head_of(exported))
    assert said, (at, place)
    assert len(said.splitlines()) == 1


LONG = "78" * 5000


@pytest.mark.parametrize(
    ("at", "place", "key", "renamed"),
    [
        (0, ("contest", "limits"), "files", True),
        (0, ("contest", "rules"), "laps", True),
        (3, ("games", 0, "actions", 0), 0, False),
        (-1, (), "secret", False),
    ],
)
def test_what_is_long_is_cut(
    tmp_path: Path,
    exported: bytes,
    at: int,
    place: tuple[str | int, ...],
    key: str | int,
    renamed: bool,
) -> None:
    """A key or a value of a stranger's file does not fill the screen."""
    lines = exported.splitlines()
    entry = json.loads(lines[at])
    inner = entry
    for step in place:
        inner = inner[step]
    if renamed:
        inner[LONG] = inner.pop(key)
    else:
        inner[key] = LONG
    lines[at] = canonical(entry).encode()
    said = outcome(tmp_path, b"\n".join(lines) + b"\n")
    assert 10 < len(said) < 500, said


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_byte_may_be_any_other(
    tmp_path_factory: pytest.TempPathFactory, exported: bytes, data: st.DataObject
) -> None:
    """A file with a wrong byte is refused in a line: nothing else ever comes of it."""
    until = data.draw(st.sampled_from([exported.index(b"\n"), len(exported) - 1]))
    at = data.draw(st.integers(0, until))
    byte = data.draw(st.binary(max_size=2))
    changed = exported[:at] + byte + exported[at + 1 :]
    said = outcome(tmp_path_factory.getbasetemp(), changed, head_of(exported))
    assert bool(said) == (changed != exported)
    assert len(said.splitlines()) <= 1


@pytest.mark.parametrize(
    ("at", "change", "part"),
    [
        (0, lambda entry: entry["contest"].update(tables=[1]), "castors: expected 2 to 6 players"),
        (
            0,
            lambda entry: entry["contest"].update(tables=[200]),
            "castors: expected 2 to 6 players",
        ),
        (0, lambda entry: entry["contest"].update(game="chess"), "the games here are castors"),
        (0, lambda entry: entry.update(format=3), "format"),
        (1, lambda entry: entry.update(contestants=[]), "contestants"),
        (1, lambda entry: entry.update(entry="leave"), "one of"),
        (1, lambda entry: entry["contestants"].append(entry["contestants"][0]), "contestants[5]"),
        (3, lambda entry: entry.update(number=4), "the next block"),
        (3, lambda entry: entry.update(contestants=[0, 1, 7]), "each once, of those who play"),
        (3, lambda entry: entry.update(contestants=[0, 1, 1]), "each once, of those who play"),
        (3, lambda entry: entry.update(games=entry["games"][:2]), "one for each rotation"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(
    tmp_path: Path, played: Path, exported: bytes, at: int, change: Any, part: str
) -> None:
    """In a log, and in a store whose checks are right, before anything is played by it."""
    lines = exported.splitlines()
    entry = json.loads(lines[at])
    change(entry)
    lines[at] = canonical(entry).encode()
    assert part in outcome(tmp_path, b"\n".join(lines) + b"\n")
    if part == "castors: expected 2 to 6 players" or "chess" in str(entry):
        return  # that is for the rules to say, not for the log
    folder = shutil.copytree(played, tmp_path / "ladder")
    store = folder / "test.ladder"
    (store / "derived").unlink()
    check, written = NO_CHECK, b""
    for line in lines:
        check, data = checked_line(check, line)
        written += data
    (store / "log").write_bytes(written)
    for words in (("show",), ("run", "test.toml")):
        refused = arena("ladder", *words, cwd=folder)
        assert_refused(refused, "damaged", f"entry {at}", part)
    assert (store / "log").read_bytes() == written
    checked = arena("ladder", "check", cwd=folder)
    assert checked.code == 1
    assert part in checked.out


def test_times_may_say_anything(tmp_path: Path) -> None:
    """They are proved by nothing; what does not fit the log is left out."""
    path = definition(tmp_path, tables=(3,), games=15)
    run(path)
    times = tmp_path / "test.ladder" / "times"
    first, *rest = times.read_bytes().splitlines()
    block = json.loads(first)
    block["games"][0]["paces"] = []
    block["games"][1]["paces"] *= 2
    odd = (canonical(block).encode(), b"", b"\xff", b"[" * 100_000, b'{"first_game":-1,"games":[]}')
    times.write_bytes(b"\n".join((odd[0], rest[0], *odd[1:], *rest[1:])) + b"\n")
    (tmp_path / "test.ladder" / "derived").unlink()
    for words in (("show",), ("games", "--sort", "slowest"), ("log", "ada"), ("verify",)):
        done = arena("ladder", *words, cwd=tmp_path)
        assert done.code == 0, done
    more = run(path, "--games", "30", "--json").json
    assert more["games"] >= 30


def test_what_was_derived_may_be_anything(tmp_path: Path) -> None:
    """If it cannot be used, it is derived again, to the same standings."""
    run(definition(tmp_path, tables=(3,), games=15))
    shown = arena("ladder", "show", "--json", cwd=tmp_path).json
    path = tmp_path / "test.ladder" / "derived"
    kept = read_derived(path)
    assert kept is not None
    sound = json.loads(bytes(kept.scorebook or b"{}"))
    for book in ({}, {"blocks": 5}, {**sound, "ratings": []}, {**sound, "games": -1}):
        odd = Raw(canonical(book).encode())
        path.write_bytes(derived_file(replace(kept, scorebook=odd)))
        assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown
