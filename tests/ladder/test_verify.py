"""Verification: whatever was changed in a ladder is found, named, and ends with exit code 1."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from arena.records.record import canonical, chain

from arena.process.process_tree import children
from command import Outcome, arena
from ladder.fields import definition, export, run
from ladder.own_checker import check as own_check

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """A small ladder, as it is exported."""
    folder = tmp_path_factory.mktemp("ladder")
    run(definition(folder, games=40))
    return [json.loads(line) for line in export(folder).splitlines()]


def verified(folder: Path, lines: Lines) -> Outcome:
    """What `arena ladder verify` says of these lines."""
    path = folder / "x.jsonl"
    path.write_text("".join(canonical(line) + "\n" for line in lines), encoding="utf-8")
    return arena("ladder", "verify", path.name, "--json", cwd=folder)


def chained_again(lines: Lines) -> Lines:
    """The lines with hashes that fit, as somebody would leave them who knows the format."""
    previous = sha256(canonical(lines[0]["terms"]).encode()).hexdigest()
    done = [lines[0]]
    for line in lines[1:-1]:
        record = {key: line[key] for key in line if key not in ("hash", "previous")}
        done.append(chain(record, previous))
        previous = done[-1]["hash"]
    return [*done, {**lines[-1], "last_hash": previous, "games": len(done) - 1}]


def copy(lines: Lines) -> Lines:
    """Lines that can be changed."""
    return [json.loads(json.dumps(line)) for line in lines]


def test_a_ladder_holds(tmp_path: Path, exported: Lines) -> None:
    """What was exported is what verification finds, with as many workers as one likes."""
    done = verified(tmp_path, exported)
    assert done.code == 0, done
    assert done.json["holds"]
    assert done.json["deals"]
    assert done.json["games"] == exported[-1]["games"] == len(exported) - 2
    assert done.json["last_hash"] == exported[-1]["last_hash"]


@pytest.mark.parametrize("game", ["castors", "gargon"])
def test_somebody_elses_checker_agrees(tmp_path: Path, game: str) -> None:
    """The format is described so that a program without the arena can check chain, deals, seats."""
    run(definition(tmp_path, game=game, games=30, seed=None))
    assert arena("ladder", "close", "--yes", cwd=tmp_path).code == 0
    lines = export(tmp_path).splitlines()
    assert own_check(lines) == "holds"
    for line in (3, 9):
        changed = json.loads(lines[line])
        changed["shuffles"][0][1].reverse()
        broken = [*lines[:line], canonical(changed).encode(), *lines[line + 1 :]]
        assert own_check(broken) == f"chain at game {line - 1}"
        again = chained_again([json.loads(each) for each in broken])
        assert own_check([canonical(each).encode() for each in again]).startswith("deal of game")


def score(lines: Lines) -> None:
    """One point more."""
    lines[7]["scores"][0] += 1


def swapped(lines: Lines) -> None:
    """Two games change places."""
    lines[7], lines[8] = lines[8], lines[7]


def removed(lines: Lines) -> None:
    """A game is left out."""
    del lines[7]


def last_removed(lines: Lines) -> None:
    """The last game is left out."""
    del lines[-2]


def last_block_removed(lines: Lines) -> None:
    """The games of the last block are left out."""
    block = lines[-2]["deal"]["block"]
    lines[:] = [line for line in lines if line.get("deal", {}).get("block") != block]


def move(lines: Lines) -> None:
    """A move becomes another."""
    actions = lines[7]["actions"]
    at = next(at for at, action in enumerate(actions) if action[0] == "draw")
    actions[at] = ["take", 0]


def deal(lines: Lines) -> None:
    """The deal is another one, of the same cards."""
    lines[7]["shuffles"][0][1].reverse()


def rating(lines: Lines) -> None:
    """A published rating is improved."""
    lines[-1]["standings"][2]["mu"] += 0.5


def rank(lines: Lines) -> None:
    """Two change ranks."""
    rows = lines[-1]["standings"]
    rows[0], rows[1] = rows[1], rows[0]


def seats(lines: Lines) -> None:
    """Two bots change their seats in a game."""
    bots = lines[7]["bots"]
    bots[0], bots[1] = bots[1], bots[0]


def bot(lines: Lines) -> None:
    """A contestant's program is said to be another."""
    for line in lines[1:-1]:
        for each in line["bots"]:
            if each["name"] == "ada":
                each["digest"] = "0" * 64


def secret(lines: Lines) -> None:
    """Another secret is said to have been published."""
    lines[0]["secret_sha256"] = "0" * 64


def terms(lines: Lines) -> None:
    """The clock was another one."""
    lines[0]["terms"]["time"]["decision"] = 50


def walls(lines: Lines) -> None:
    """Bots are said to have been suspended, which stands in no record."""
    lines[0]["terms"]["suspend"] = not lines[0]["terms"]["suspend"]


def sandbox(lines: Lines) -> None:
    """Games without walls are said to have had them."""
    lines[0]["terms"]["sandbox"] = "bwrap"


def chosen(lines: Lines) -> None:
    """A ladder without walls is said to have let the host choose, which never chooses none."""
    lines[0]["terms"]["sandbox"] = "auto"


def label(lines: Lines) -> None:
    """A game is said to have had walls that the terms do not have."""
    lines[7]["sandbox"] = "bwrap 0.8.0"


def name(lines: Lines) -> None:
    """Somebody takes another's games."""
    first, second = lines[0]["contestants"][:2]
    first["name"], second["name"] = second["name"], first["name"]


def verdict(lines: Lines) -> None:
    """Somebody is said to have failed."""
    lines[7]["verdicts"][0] = "timeout"


SIMPLE = [
    (score, "hash|scores", 6),
    (swapped, "previous", 7),
    (removed, "previous", 7),
    (last_removed, "games", None),
    (last_block_removed, "games", None),
    (move, "actions", 6),
    (deal, "shuffles", 6),
    (rating, "standings[2].mu", None),
    (rank, "standings[0]", None),
    (seats, "hash|bots", 6),
    (bot, "hash|bots", 0),
    (secret, "secret", None),
    (terms, "time", 0),
    (walls, "previous", 0),
    (sandbox, "sandbox", 0),
    (name, "bots", 0),
    (verdict, "hash|verdicts", 6),
]


@pytest.mark.parametrize(
    ("change", "places", "game"), SIMPLE, ids=lambda x: getattr(x, "__name__", "")
)
def test_any_change_is_found(
    tmp_path: Path,
    exported: Lines,
    change: Callable[[Lines], None],
    places: str,
    game: int | None,
) -> None:
    """The first thing that is wrong is named, with its game."""
    lines = copy(exported)
    change(lines)
    done = verified(tmp_path, lines)
    assert done.code == 1, done
    difference = done.json["difference"]
    assert difference["place"].startswith(tuple(places.split("|"))), difference
    if game is not None:
        assert difference["game"] == game, difference


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (score, "scores"),
        (swapped, "number"),
        (removed, "number"),
        (last_removed, "games"),
        (move, "actions"),
        (deal, "shuffles"),
        (seats, "bots"),
        (bot, "bots"),
        (verdict, "verdicts"),
        (sandbox, "sandbox"),
        (chosen, "sandbox"),
        (label, "sandbox"),
        (last_block_removed, "standings"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_change_with_new_hashes_is_found_too(
    tmp_path: Path, exported: Lines, change: Callable[[Lines], None], places: str
) -> None:
    """Whoever chains the records anew still has to answer to rules, deals and schedule."""
    lines = copy(exported)
    change(lines)
    done = verified(tmp_path, chained_again(lines))
    assert done.code == 1, done
    assert done.json["difference"]["place"].startswith(places), done.json


def test_without_the_secret_the_deals_cannot_be_told(tmp_path: Path) -> None:
    """Verification says what it could not check, and checks it once the secret is known."""
    run(definition(tmp_path, games=12, seed=None, tables=(3,)))
    lines = [json.loads(line) for line in export(tmp_path).splitlines()]
    held = verified(tmp_path, lines).json
    assert held["holds"]
    assert not held["deals"]
    text = arena("ladder", "verify", "x.jsonl", cwd=tmp_path).out
    assert "but not their deals: the secret is kept" in text
    host = arena("ladder", "verify", "test.db", "--json", cwd=tmp_path).json
    assert host["holds"]
    assert host["deals"]


def test_a_forged_cache_of_a_store_is_found(tmp_path: Path) -> None:
    """What a store has kept for `show` is compared with what its games come to."""
    run(definition(tmp_path, games=20))
    with sqlite3.connect(tmp_path / "test.db") as connection:
        (text,) = connection.execute("SELECT value FROM cache").fetchone()
        value = json.loads(text)
        value["ratings"]["ratings"][0][0] += 3
        connection.execute("UPDATE cache SET value = ?", (json.dumps(value),))
    done = arena("ladder", "verify", "test.db", "--json", cwd=tmp_path)
    assert done.code == 1
    assert done.json["difference"]["place"] == "cache.ratings.ratings[0][0]"


@pytest.mark.parametrize("text", ["", "{}\n", "hello\n", '{"arena":"ladder","format":9}\n'])
def test_a_file_that_is_no_ladder_is_refused(tmp_path: Path, text: str) -> None:
    """It is said what was expected; exit code 2, not 1."""
    (tmp_path / "x").write_text(text)
    done = arena("ladder", "verify", "x", cwd=tmp_path)
    assert done.code == 2, done
    assert "x, line 1: expected the line of an export" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that is not verified in the twinkling of an eye."""
    folder = tmp_path_factory.mktemp("long")
    run(definition(folder, tables=(3,), games=400))
    return folder


def verifying(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A verification that is under way, and the processes that check for it, stopped."""
    while True:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", "verify", "test.db", "--workers", "2"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        checkers: list[int] = []
        while len(checkers) < 2 and process.poll() is None:
            checkers = list(children(process.pid))
        for pid in checkers:
            os.kill(pid, signal.SIGSTOP)
        if len(checkers) == 2 and process.poll() is None:
            return process, checkers
        process.communicate()  # it was faster than this


def test_an_interrupted_verification_has_decided_nothing(long: Path) -> None:
    """Ctrl-C, which all of its processes get, ends it with 130 and one line."""
    process, checkers = verifying(long)
    os.killpg(process.pid, signal.SIGINT)
    for pid in checkers:
        os.kill(pid, signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err == "arena: interrupted\n"


def test_a_verification_whose_process_is_killed_has_decided_nothing(long: Path) -> None:
    """The host has failed, not the ladder: exit code 3, and what may help."""
    process, checkers = verifying(long)
    os.kill(checkers[0], signal.SIGKILL)
    os.kill(checkers[1], signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert out == ""
    assert err == (
        "arena ladder verify: a process that checks was ended (memory?); nothing was decided, "
        "try fewer --workers\n"
    )
