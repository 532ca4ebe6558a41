"""The format is described well enough that programs without the arena check a ladder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.records.canonical import canonical_bytes
from command import arena
from ladder import own_checker
from ladder.fields import definition, run
from ladder.forging import head_of, new_key
from reference import Scripted
from reference.castors import SlowCastors
from reference.gargon import SlowGargon

pytestmark = pytest.mark.source_only

RULES: dict[str, type[Scripted]] = {"castors": SlowCastors, "gargon": SlowGargon}


class Shuffler:
    """The shuffles of a block, by the checker's own reading."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle `cards` in place."""
        own_checker.shuffle(cards, self._key, *labels)


Exported = tuple[list[bytes], str]


@pytest.fixture(scope="module", params=sorted(RULES))
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """The log of a closed ladder, where some tables have all contestants, and its head."""
    game = request.param
    folder = tmp_path_factory.mktemp(game)
    run(definition(folder, game=game, bots=("a", "b", "c", "d"), games=36, seed=None))
    closed = arena("ladder", "close", "--yes", cwd=folder)
    assert closed.code == 0, closed.err
    done = arena("ladder", "export", "--output", "x.jsonl", cwd=folder)
    assert done.code == 0, done.err
    head = closed.out.split()[-1]
    return (folder / "x.jsonl").read_bytes().splitlines(), head


def test_somebody_elses_checker_agrees(exported: Exported) -> None:
    """Form, tree, secret, keys and seats are found to hold, and whatever is changed is found."""
    lines, head = exported
    assert own_checker.check(lines, head) == "holds"
    at = next(at for at, line in enumerate(lines) if b'"entry":"block"' in line)

    def changed(**values: Any) -> list[bytes]:
        entry = {**json.loads(lines[at]), **values}
        return [*lines[:at], canonical_bytes(entry), *lines[at + 1 :]]

    rekeyed = changed(key=new_key("another"))
    assert own_checker.check(rekeyed, head) == "head"
    assert own_checker.check(rekeyed, head_of(rekeyed)) == "key of block 0"
    assert own_checker.check(changed(attempt=1)) == "key of block 0"
    assert own_checker.check(changed(number=1)) == "number of block 0"
    full = next(at for at, line in enumerate(lines) if len(_contestants(line)) == 4)
    entry = json.loads(lines[full])
    entry["contestants"].reverse()
    moved = [*lines[:full], canonical_bytes(entry), *lines[full + 1 :]]
    assert own_checker.check(moved) == f"seats of block {entry['number']}"
    assert own_checker.check([lines[0].replace(b",", b", ", 1), *lines[1:]]) == "form of entry 0"
    assert own_checker.check(lines[:-1]) == "beginning or end"
    other = json.dumps(
        {"entry": "close", "reason": "budget", "secret": "00"}, separators=(",", ":")
    )
    assert own_checker.check([*lines[:-1], other.encode()]) == "secret"


def _contestants(line: bytes) -> list[int]:
    found: list[int] = json.loads(line).get("contestants", [])
    return found if b'"entry":"block"' in line else []


def test_somebody_elses_rules_come_to_the_same_scores(exported: Exported) -> None:
    """With another implementation of shuffle and rules, every game of a log ends as it says."""
    lines, _ = exported
    contest = json.loads(lines[0])["contest"]
    games = 0
    for line in lines:
        block = json.loads(line)
        for played in block.get("games", []):
            seats = len(block["contestants"])
            shuffler = Shuffler(bytes.fromhex(block["key"]))
            state = RULES[contest["game"]](seats, contest["rules"], shuffler)
            for action in played["actions"]:
                state.apply(_tuples(action))
            assert state.turn == -1
            assert state.scores() == played["scores"]
            games += 1
    assert games >= 36


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def test_the_checker_needs_no_arena(tmp_path: Path, exported: Exported) -> None:
    """It is one file for any Python, without a package; its last line says what it found."""
    lines, head = exported
    words = [sys.executable, "-I", "-S", own_checker.__file__, head]
    log = b"".join(line + b"\n" for line in lines)
    done = subprocess.run(words, input=log, capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout == b"holds\n"
