"""Stores: locked, copied, read by others, out of room; and those that cannot be used."""

from __future__ import annotations

import os
import pty
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.ladder.lock import locked
from arena.ladder.store import Store
from arena.records.entries import BlockPlayed
from command import Outcome, arena, assert_refused
from ladder.fields import definition, export, run

pytestmark = pytest.mark.source_only

NOBODY = 65534
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount or be another user")


def old(path: Path) -> None:
    """A store as earlier arenas made them."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE game (number INTEGER PRIMARY KEY, record TEXT)")


def files(store: Path) -> dict[str, bytes]:
    """What is in the files of a store."""
    return {file.name: file.read_bytes() for file in store.iterdir()}


def begin(path: Path, *words: str) -> subprocess.Popen[bytes]:
    """A run that goes on in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "arena", "ladder", "run", path.name, *words],
        cwd=path.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for_entries(log: Path, entries: int, process: subprocess.Popen[bytes]) -> None:
    """Until a log has so many lines; the run must go on until then."""
    while not log.exists() or log.read_bytes().count(b"\n") < entries:
        assert process.poll() is None
        time.sleep(0.01)


def as_another_user(*words: str, cwd: Path) -> Outcome:
    """Run `arena` without the capabilities that let root read and write what others own."""
    done = subprocess.run(
        [
            "setpriv",
            "--inh-caps=-all",
            "--bounding-set=-all",
            sys.executable,
            "-m",
            "arena",
            *words,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=3000,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def give_away(folder: Path) -> None:
    """Let another user own a folder and all that is in it, and all look into it."""
    folder.chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)


def test_an_old_store_is_refused_with_what_to_do(tmp_path: Path) -> None:
    """Every command says in a line that this arena does not read it; the file stays as it is."""
    path = definition(tmp_path, games=3, tables=(3,))
    old(tmp_path / "x.db")
    before = (tmp_path / "x.db").read_bytes()
    for command in (
        ("run", path.name, "--store", "x.db"),
        ("show", "x.db"),
        ("games", "x.db"),
        ("verify", "x.db"),
        ("export", "x.db", "--output", "x"),
        ("close", "x.db", "--yes"),
        ("check", "x.db"),
        ("check", "x.db", "--repair"),
        ("backup", "x.db", "y"),
    ):
        refused = arena("ladder", *command, cwd=tmp_path)
        assert_refused(refused, "x.db: an SQLite file, as earlier arenas had", "play the ladder")
    assert (tmp_path / "x.db").read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["test.toml", "x.db"]


def test_no_store_is_said_with_what_makes_one(tmp_path: Path) -> None:
    """A name that does not exist, or no name where there is none or several."""
    for command in ("show", "check"):
        refused = arena("ladder", command, "none.ladder", cwd=tmp_path)
        assert_refused(refused, "none.ladder: no such store", "ladder run")
        assert_refused(arena("ladder", command, cwd=tmp_path), "there are none here")
    (tmp_path / "folder").mkdir()
    refused = arena("ladder", "show", "folder", cwd=tmp_path)
    assert_refused(refused, "folder: expected a ladder's store")
    path = definition(tmp_path, games=3, tables=(3,))
    run(path)
    assert arena("ladder", "show", cwd=tmp_path).code == 0
    run(path, "--store", "second.ladder")
    refused = arena("ladder", "show", cwd=tmp_path)
    assert_refused(refused, "several here: second.ladder, test.ladder")


def test_results_from_memory_are_those_of_the_log(tmp_path: Path) -> None:
    """What was derived can be removed, or damaged, or be of a shorter log."""
    path = definition(tmp_path)
    run(path, "--games", "20")
    derived = tmp_path / "test.ladder" / "derived"
    early = derived.read_bytes()
    run(path)
    shown = arena("ladder", "show", "--json", cwd=tmp_path).json
    for data in (None, b"", b"{}", derived.read_bytes()[:-9], early):
        derived.unlink() if data is None else derived.write_bytes(data)
        assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown
    assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown


def test_an_export_never_replaces_what_is_no_file_of_its_own(tmp_path: Path) -> None:
    """Not the store itself, not a link, not a device; and a failure leaves nothing behind."""
    run(definition(tmp_path, games=3, tables=(3,)))
    before = files(tmp_path / "test.ladder")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real").write_text("old")
    (tmp_path / "folder").mkdir()
    for output, part in (
        ("test.ladder", "is a directory"),
        ("", "expected the name of a file"),
        ("folder", "is a directory"),
        ("/dev/full", "No space left"),
    ):
        refused = arena("ladder", "export", "test.ladder", "--output", output, cwd=tmp_path)
        assert_refused(refused, part)
    assert files(tmp_path / "test.ladder") == before
    assert Path("/dev/full").is_char_device()
    assert arena("ladder", "export", "test.ladder", "--output", "link", cwd=tmp_path).code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith('{"commitment":')
    assert not list(tmp_path.glob("*.part"))


def test_a_store_is_locked_by_whatever_name(tmp_path: Path) -> None:
    """A link to a store is that store; a pipe or nothing at all is none."""
    path = definition(tmp_path, games=3, tables=(3,))
    run(path)
    (tmp_path / "link.ladder").symlink_to("test.ladder")
    os.mkfifo(tmp_path / "pipe")
    with locked(tmp_path / "test.ladder"):
        refused = arena("ladder", "run", path.name, "--store", "link.ladder", cwd=tmp_path)
        assert_refused(refused, "another run is writing to it")
    for store in ("pipe", ""):
        refused = arena("ladder", "run", path.name, "--store", store, cwd=tmp_path)
        assert_refused(refused, "expected")
    assert_refused(arena("ladder", "verify", "pipe", cwd=tmp_path), "no regular file")


def test_a_ladder_can_be_closed_while_somebody_looks(tmp_path: Path) -> None:
    """A reader does not keep the secret from being revealed, and has what he began with."""
    run(definition(tmp_path, games=3, tables=(3,), seed=None))
    with Store.open(tmp_path / "test.ladder") as reader:
        lines = reader.lines()
        first = next(lines)
        closed = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
        assert closed.code == 0, closed.err
        assert "secret  " in closed.out
        assert first.startswith(b'{"commitment":')
        assert not any(b'"entry":"close"' in line for line in lines)
    refused = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
    assert_refused(refused, "closed already")


def test_a_full_disk_behind_the_output_is_said(tmp_path: Path) -> None:
    """Results that cannot be written end the command with a line and exit code 3."""
    run(definition(tmp_path, games=3, tables=(3,)))
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "ladder", "show", "test.ladder"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "arena: No space left on device\n"


def test_a_secret_is_its_owners_alone(tmp_path: Path) -> None:
    """Nobody else can read it, in the store or in a copy; the rest has what the log has."""
    run(definition(tmp_path, games=3, tables=(3,), seed=None))
    store = tmp_path / "test.ladder"
    assert store.joinpath("secret").stat().st_mode & 0o777 == 0o600
    secret = store.joinpath("secret").read_bytes().split(b"\n")[0]
    assert len(secret) == 64
    assert not any(secret in data for name, data in files(store).items() if name != "secret")
    assert arena("ladder", "backup", "test.ladder", "copy", cwd=tmp_path).code == 0
    assert (tmp_path / "copy" / "secret").stat().st_mode & 0o777 == 0o600


def test_closing_is_asked_for_at_a_terminal(tmp_path: Path) -> None:
    """Whoever says no has not closed it; where nobody can be asked, it is said what to give."""
    run(definition(tmp_path, games=3, tables=(3,)))
    command = [sys.executable, "-m", "arena", "ladder", "close", "test.ladder"]
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
    assert not arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path).json["closed"]


# Copies


def test_a_copy_made_while_a_run_writes_goes_on_like_the_original(tmp_path: Path) -> None:
    """It has whole entries only, and played to the same number of games it is the same log."""
    path = definition(tmp_path, games=5000)
    process = begin(path)
    log = tmp_path / "test.ladder" / "log"
    try:
        for number in range(4):
            wait_for_entries(log, 6 + 5 * number, process)
            done = arena("ladder", "backup", "test.ladder", f"copy{number}", cwd=tmp_path)
            assert done.code == 0, done.err
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    stood = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path).json["games"]
    games = str(stood + 30)
    run(path, "--games", games)
    for number in range(4):
        copy = tmp_path / f"copy{number}"
        checked = arena("ladder", "check", copy.name, "--json", cwd=tmp_path).json
        assert checked["holds"]
        assert checked["entries"] >= 6 + 5 * number
        assert log.read_bytes().startswith((copy / "log").read_bytes())
        shown = arena("ladder", "show", copy.name, "--json", cwd=tmp_path).json
        assert shown["games"] == checked["games"]
    run(path, "--games", games, "--store", "copy0")
    assert (tmp_path / "copy0" / "log").read_bytes() == log.read_bytes()
    times = (tmp_path / "copy0" / "times").read_bytes().splitlines()
    with Store.open(tmp_path / "copy0") as store:
        blocks = [entry for entry in store.entries() if isinstance(entry, BlockPlayed)]
    assert len(times) == len(blocks)


def test_a_copy_replaces_nothing_and_is_whole(tmp_path: Path) -> None:
    """Not what has its name already; and of a damaged store there is none."""
    run(definition(tmp_path, games=9, tables=(3,)))
    (tmp_path / "empty").mkdir()
    (tmp_path / "nowhere").symlink_to("missing")
    for to in ("test.ladder", "empty", "nowhere", "test.toml"):
        refused = arena("ladder", "backup", "test.ladder", to, cwd=tmp_path)
        assert_refused(refused, f"{to}: there is something by this name")
    log = tmp_path / "test.ladder" / "log"
    data = log.read_bytes()
    log.write_bytes(data[:700] + b"#" + data[701:])
    (tmp_path / "test.ladder" / "derived").unlink()
    refused = arena("ladder", "backup", "test.ladder", "copy", cwd=tmp_path)
    assert_refused(refused, "damaged", "arena ladder check")
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["empty", "nowhere", "test.ladder", "test.toml"]


@ROOT_ONLY
def test_a_copy_that_has_no_room_leaves_nothing(tmp_path: Path) -> None:
    """The disk for it is full: a line, exit code 3, and no folder."""
    run(definition(tmp_path, games=60))
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "none", small], check=True)
    try:
        full = arena("ladder", "backup", "test.ladder", "small/copy", cwd=tmp_path)
        assert full.code == 3, full
        assert "No space left" in full.err
        assert len(full.err.splitlines()) == 1
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", small], check=True)


# Readers who may not write


def readers(store: str) -> Iterator[tuple[str, ...]]:
    """What can be asked of a store by somebody who only reads it."""
    yield ("show", store, "--json")
    yield ("games", store, "--json")
    yield ("log", "ada", store)
    yield ("schedule", store)
    yield ("check", store)
    yield ("verify", store, "--json")
    yield ("export", store, "--output", "-")


@ROOT_ONLY
def test_a_read_only_mount_can_be_looked_at_while_a_run_writes(tmp_path: Path) -> None:
    """Each command works, sees new blocks, and leaves no trace."""
    path = definition(tmp_path, games=5000)
    process = begin(path)
    fixed = tmp_path / "fixed"
    fixed.mkdir()
    store = tmp_path / "test.ladder"
    try:
        wait_for_entries(store / "log", 8, process)
        subprocess.run(["mount", "--bind", store, fixed], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", fixed], check=True)
        try:
            for words in readers("fixed"):
                done = arena("ladder", *words, cwd=tmp_path)
                assert done.code == 0, (words, done)
            before = arena("ladder", "show", "fixed", "--json", cwd=tmp_path).json["games"]
            lines = (store / "log").read_bytes().count(b"\n")
            wait_for_entries(store / "log", lines + 3, process)
            assert arena("ladder", "show", "fixed", "--json", cwd=tmp_path).json["games"] > before
            refused = arena("ladder", "close", "fixed", "--yes", cwd=tmp_path)
            assert refused.code in (2, 3)
            assert "Read-only file system" in refused.err
            assert len(refused.err.splitlines()) == 1
        finally:
            subprocess.run(["umount", fixed], check=True)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


@ROOT_ONLY
def test_another_user_can_look_while_a_run_writes(tmp_path: Path) -> None:
    """He may not read the secret: of the keys, verification says `not shown`."""
    path = definition(tmp_path, games=5000, seed=None)
    process = begin(path)
    store = tmp_path / "test.ladder"
    try:
        wait_for_entries(store / "log", 8, process)
        give_away(tmp_path)
        for words in readers("test.ladder"):
            done = as_another_user("ladder", *words, cwd=tmp_path)
            assert done.code == 0, (words, done)
            if words[0] == "verify":
                states = {claim["key"]: claim["state"] for claim in done.json["claims"]}
                assert states["keys"] == "not shown"
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    give_away(tmp_path)
    before = files(store)
    checked = as_another_user("ladder", "check", cwd=tmp_path)
    assert "secret: cannot be read by this user" in checked.out
    for words in (
        ("run", path.name),
        ("close", "--yes"),
        ("check", "--repair"),
        ("backup", "test.ladder", "/dev/shm/arena-test-copy"),
    ):
        refused = as_another_user("ladder", *words, cwd=tmp_path)
        assert_refused(refused, "Permission denied")
    assert not Path("/dev/shm/arena-test-copy").exists()
    assert files(store) == before
    verified = arena("ladder", "verify", "--json", cwd=tmp_path).json
    states = {claim["key"]: claim["state"] for claim in verified["claims"]}
    assert states["keys"] == "holds"
    store.chmod(0o700)
    refused = as_another_user("ladder", "show", "test.ladder", cwd=tmp_path)
    assert_refused(refused, "test.ladder", "Permission denied")


# Out of room


@ROOT_ONLY
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """The run ends with one line; with room again the same command goes on to the same end."""
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", small], check=True)
    try:
        path = definition(tmp_path, games=300)
        store = small / "test.ladder"
        for _ in range(2):
            full = arena("ladder", "run", path.name, "--store", str(store), cwd=tmp_path)
            assert full.code == 3, full
            *progress, line = full.err.splitlines()
            assert all(" games in " in each for each in progress), full.err
            assert "No space left on device" in line
            assert "is safe: make room, and run the same command again" in line
            assert arena("ladder", "check", str(store), cwd=tmp_path).code == 0
        subprocess.run(["mount", "-o", "remount,size=100m", small], check=True)
        run(path, "--store", str(store))
        recovered = export(tmp_path, str(store))
        run(path)
        assert recovered == export(tmp_path)
    finally:
        subprocess.run(["umount", small], check=True)


def test_a_file_that_may_grow_no_more_loses_nothing(tmp_path: Path) -> None:
    """Wherever in an entry the limit strikes: what is derived is saved, and is that of the log."""
    path = definition(tmp_path, games=60)
    run(path)
    whole = export(tmp_path)
    log = (tmp_path / "test.ladder" / "log").read_bytes()
    ends = [at + 1 for at, byte in enumerate(log) if byte == 10]
    shutil.rmtree(tmp_path / "test.ladder")
    for limit in (ends[6], ends[9] + 1, ends[12] - 1, ends[15] + 700):
        full = subprocess.run(
            [sys.executable, "-m", "arena", "ladder", "run", path.name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda limit=limit: resource.setrlimit(
                resource.RLIMIT_FSIZE, (limit, limit)
            ),
        )
        assert full.returncode == 3, full.stderr
        assert "File too large; all that was said to be stored is safe" in full.stderr
        assert len(full.stderr.splitlines()) == 1
        kept = (tmp_path / "test.ladder" / "log").read_bytes()
        assert kept == log[: max(end for end in ends if end <= limit)]
        assert arena("ladder", "check", cwd=tmp_path).code == 0
        shown = arena("ladder", "show", "--json", cwd=tmp_path).json
        assert int(shown["head"].partition(":")[0]) == kept.count(b"\n")
    run(path)
    assert export(tmp_path) == whole


@ROOT_ONLY
def test_a_store_is_made_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    """What a full disk, or a kill, has left of one is in nobody's way."""
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", small], check=True)
    try:
        path = definition(tmp_path, games=3, tables=(3,))
        store = small / "test.ladder"
        full = arena("ladder", "run", path.name, "--store", str(store), cwd=tmp_path)
        assert full.code == 3, full
        assert "No space left" in full.err
        assert len(full.err.splitlines()) == 1
        assert list(small.iterdir()) == []
        subprocess.run(["mount", "-o", "remount,size=100m", small], check=True)
        (small / "test.ladder.new").mkdir()
        (small / "test.ladder.new" / "log").write_text("no more than this")
        run(path, "--store", str(store))
        assert list(small.iterdir()) == [store]
    finally:
        subprocess.run(["umount", small], check=True)


def test_an_interrupt_at_any_moment_leaves_a_store_that_holds(tmp_path: Path) -> None:
    """Ctrl-C, at random moments: what is derived is never ahead of the log, or half counted.

    It is never lost either, even while the run starts its workers.
    """
    path = definition(tmp_path, games=5000)
    log = tmp_path / "test.ladder" / "log"
    for number in range(12):
        if number % 2:
            shutil.rmtree(tmp_path / "test.ladder")
        process = begin(path, "--workers", "2")
        entries = log.read_bytes().count(b"\n") if log.exists() else 0
        wait_for_entries(log, entries + 2 + number % 3, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 130
        shown = arena("ladder", "show", "--json", cwd=tmp_path).json
        (tmp_path / "test.ladder" / "derived").unlink()
        assert arena("ladder", "show", "--json", cwd=tmp_path).json == shown
    assert arena("ladder", "check", cwd=tmp_path).code == 0
