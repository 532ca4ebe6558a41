"""Stores that cannot be used: one line that says why, and what to do."""

from __future__ import annotations

import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.ladder.lock import locked
from command import arena, assert_refused
from ladder.fields import definition, run

pytestmark = pytest.mark.source_only

PAGE = 4096


def damage(path: Path) -> None:
    """Overwrite a stretch of the file."""
    with path.open("r+b") as file:
        file.seek(PAGE)
        file.write(b"\xff" * 12 * PAGE)


def truncate(path: Path) -> None:
    """Cut the file short."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer(path: Path) -> None:
    """Say that a later version wrote it."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")


def foreign(path: Path) -> None:
    """Put some other SQLite file there."""
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")


def text(path: Path) -> None:
    """Put some text there."""
    path.write_text("these are no games\n" * 10)


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (damage, "damaged"),
        (truncate, "damaged"),
        (newer, "written by a newer arena (schema 99, this one has 1)"),
        (foreign, "this SQLite file is not a ladder's store"),
        (text, "expected an SQLite file"),
    ],
)
def test_a_store_that_cannot_be_used_is_left_alone(
    tmp_path: Path, spoil: Callable[[Path], None], part: str
) -> None:
    """Every command says what is wrong; the file stays as it is."""
    path = definition(tmp_path)
    run(path)
    store = tmp_path / "test.db"
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    spoil(store)
    before = store.read_bytes()
    for command in (("run", path.name, "--games", "200"), ("export", "test.db", "--output", "x")):
        refused = arena("ladder", *command, cwd=tmp_path)
        assert_refused(refused, "test.db", part)
    assert store.read_bytes() == before
    assert not (tmp_path / "x").exists()


def test_no_store_is_said_with_what_makes_one(tmp_path: Path) -> None:
    """A name that does not exist, or no name where there is none or several."""
    assert_refused(
        arena("ladder", "show", "none.db", cwd=tmp_path), "none.db: no such store", "ladder run"
    )
    assert_refused(arena("ladder", "show", cwd=tmp_path), "there are none here")
    path = definition(tmp_path, games=3, tables=(3,))
    run(path)
    assert arena("ladder", "show", cwd=tmp_path).code == 0
    run(path, "--store", "second.db")
    refused = arena("ladder", "show", cwd=tmp_path)
    assert_refused(refused, "several here: second.db, test.db")


def test_results_from_memory_are_those_of_the_log(tmp_path: Path) -> None:
    """What a store has kept is used only as long as it is that of its games."""
    path = definition(tmp_path)
    run(path)
    shown = arena("ladder", "show", "--json", cwd=tmp_path).json
    with sqlite3.connect(tmp_path / "test.db") as connection:
        connection.execute("DELETE FROM cache")
    assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown
    assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown


def test_an_export_never_replaces_what_is_no_file_of_its_own(tmp_path: Path) -> None:
    """Not the store itself, not a link, not a device; and a failure leaves nothing behind."""
    run(definition(tmp_path, games=3, tables=(3,)))
    before = (tmp_path / "test.db").read_bytes()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real").write_text("old")
    (tmp_path / "folder").mkdir()
    for output, part in (
        ("test.db", "this is the store"),
        ("", "expected the name of a file"),
        ("folder", "is a directory"),
        ("/dev/full", "No space left"),
    ):
        refused = arena("ladder", "export", "test.db", "--output", output, cwd=tmp_path)
        assert_refused(refused, part)
    assert (tmp_path / "test.db").read_bytes() == before
    assert Path("/dev/full").is_char_device()
    assert arena("ladder", "export", "test.db", "--output", "link", cwd=tmp_path).code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith('{"arena":"ladder"')
    assert not list(tmp_path.glob("*.part"))


def test_a_store_is_locked_by_whatever_name(tmp_path: Path) -> None:
    """A link to a store is that store; a pipe or nothing at all is none."""
    path = definition(tmp_path, games=3, tables=(3,))
    run(path)
    (tmp_path / "link.db").symlink_to("test.db")
    os.mkfifo(tmp_path / "pipe")
    with locked(tmp_path / "test.db"):
        refused = arena("ladder", "run", path.name, "--store", "link.db", cwd=tmp_path)
        assert_refused(refused, "another run is writing to it")
    for store in ("pipe", ""):
        refused = arena("ladder", "run", path.name, "--store", store, cwd=tmp_path)
        assert_refused(refused, "expected")
    assert_refused(arena("ladder", "verify", "pipe", cwd=tmp_path, limit=10), "no regular file")


def test_a_ladder_can_be_closed_while_somebody_looks(tmp_path: Path) -> None:
    """A reader does not keep the secret from being revealed."""
    run(definition(tmp_path, games=3, tables=(3,), seed=None))
    with sqlite3.connect(tmp_path / "test.db") as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM game").fetchone()
        closed = arena("ladder", "close", "test.db", "--yes", cwd=tmp_path)
        assert closed.code == 0, closed.err
        assert "secret     " in closed.out
        reader.rollback()
    assert_refused(arena("ladder", "close", "test.db", "--yes", cwd=tmp_path), "closed already")


def test_a_full_disk_behind_the_output_is_said(tmp_path: Path) -> None:
    """Results that cannot be written end the command with a line and exit code 3."""
    run(definition(tmp_path, games=3, tables=(3,)))
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "ladder", "show", "test.db"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "arena: No space left on device\n"


def test_a_store_is_its_owners_alone(tmp_path: Path) -> None:
    """Nobody else can read the secret, neither there nor in what SQLite has beside it."""
    path = definition(tmp_path, games=3, tables=(3,), seed=None)
    run(path)
    with sqlite3.connect(tmp_path / "test.db") as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM game").fetchone()
        run(path, "--games", "12")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("test.db*")}
    assert modes == dict.fromkeys(("test.db", "test.db-wal", "test.db-shm"), 0o600)


def test_closing_is_asked_for_at_a_terminal(tmp_path: Path) -> None:
    """Whoever says no has not closed it; where nobody can be asked, it is said what to give."""
    run(definition(tmp_path, games=3, tables=(3,)))
    command = [sys.executable, "-m", "arena", "ladder", "close", "test.db"]
    done = subprocess.run(
        command, cwd=tmp_path, input="y\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "give --yes" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    done = subprocess.run(
        command, cwd=tmp_path, stdin=theirs, capture_output=True, text=True, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("not closed\n")
    assert done.stdout == ""
    assert not arena("ladder", "show", "test.db", "--json", cwd=tmp_path).json["closed"]
