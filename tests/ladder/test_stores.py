"""Stores that cannot be used: one line that says why, and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from command import arena, assert_refused
from ladder.fields import definition, run

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
