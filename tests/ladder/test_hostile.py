"""Exports and stores by somebody who means harm: refused in a line, whatever is in them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.castors.game import Castors
from arena.ladder.source import NotAnExport, open_source
from arena.ladder.verification import verify_ladder
from arena.records.difference import Difference
from arena.records.record import canonical
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
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small ladder, as it is exported."""
    folder = tmp_path_factory.mktemp("ladder")
    run(definition(folder, tables=(3,), games=15))
    return export(folder)


def outcome(folder: Path, data: bytes) -> str:
    """What verification says of this file, in one line."""
    path = folder / "x.jsonl"
    path.write_bytes(data)
    try:
        found = verify_ladder(open_source(path), {"castors": Castors()}, 1, lambda _: None)
    except (Difference, NotAnExport) as error:
        return str(error)
    return f"{found.games} games hold"


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
    """Whatever one value of a line becomes, verification ends with a line that refuses it."""
    lines = exported.splitlines()
    at = data.draw(st.sampled_from([0, 0, 0, -1, 1, 2, len(lines) - 2]))
    line = json.loads(lines[at])
    place = data.draw(st.sampled_from(places(line)))
    inner = line
    for key in place[:-1]:
        inner = inner[key]
    before = inner[place[-1]]
    inner[place[-1]] = data.draw(ODD)
    if canonical(before) == canonical(inner[place[-1]]) or place == ("closed",):
        return
    lines[at] = canonical(line).encode()
    said = outcome(tmp_path_factory.getbasetemp(), b"\n".join(lines) + b"\n")
    assert "games hold" not in said, (at, place)
    assert len(said.splitlines()) == 1


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_byte_may_be_any_other(
    tmp_path_factory: pytest.TempPathFactory, exported: bytes, data: st.DataObject
) -> None:
    """A file with a wrong byte is refused, or says the same: nothing else ever comes of it."""
    until = data.draw(st.sampled_from([exported.index(b"\n"), len(exported) - 1]))
    at = data.draw(st.integers(0, until))
    byte = data.draw(st.binary(max_size=2))
    changed = exported[:at] + byte + exported[at + 1 :]
    said = outcome(tmp_path_factory.getbasetemp(), changed)
    if "games hold" in said:
        now, before = json.loads(changed.splitlines()[0]), json.loads(exported.splitlines()[0])
        assert now == before
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda head: head.update(entries=[]), "entries: the record says nobody"),
        (lambda head: head["entries"].append({"block": 99, "contestants": [0, 1, 2]}), "5 blocks"),
        (lambda head: head["entries"].append(head["entries"][0]), "in ascending order"),
        (lambda head: head["terms"].update(tables=[1]), "castors takes players"),
        (lambda head: head["terms"].update(tables=[200]), "enough for a table of 200"),
        (lambda head: head["terms"].update(game="chess"), "the games here are castors"),
        (lambda head: head["contestants"].append(head["contestants"][0]), "a digest twice"),
    ],
)
def test_a_head_has_to_fit_together(
    tmp_path: Path, exported: bytes, change: Any, part: str
) -> None:
    """What cannot be scheduled is refused before anything is scheduled by it."""
    first, _, rest = exported.partition(b"\n")
    head = json.loads(first)
    change(head)
    assert part in outcome(tmp_path, canonical(head).encode() + b"\n" + rest)
