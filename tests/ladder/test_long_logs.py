"""Long ladders: a run goes on, and standings are shown, without going through all that was."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.ladder.course import course
from arena.ladder.scorebook import is_kept, scorebook
from arena.ladder.store import Store
from command import arena
from ladder.fields import definition, run
from ladder.long_logs import lengthen

pytestmark = pytest.mark.source_only


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """The store of a ladder of ten thousand games."""
    run(definition(tmp_path, games=30))
    lengthen(tmp_path / "test.ladder", 10_000)
    return tmp_path / "test.ladder"


def test_a_schedule_is_taken_up_where_it_stood(long: Path) -> None:
    """No line of the log is read for it, and it is the one that reading all of them gives."""
    with Store.open(long) as store:
        assert not list(store.lines_since_kept())
        kept = course(store)
    (long / "derived").unlink()
    with Store.open(long) as store:
        read = course(store)
    assert kept.state() == read.state()
    assert kept.blocks > 2000
    assert [kept.next() for _ in range(50)] == [read.next() for _ in range(50)]


def test_annulled_blocks_are_counted_out_once(long: Path) -> None:
    """Whoever shows the standings next has no need to go through the whole log again."""
    annulled = arena("ladder", "annul", "test.ladder", "7", "--reason", "disk", cwd=long.parent)
    assert annulled.code == 0, annulled.err
    shown = arena("ladder", "show", "test.ladder", "--json", cwd=long.parent)
    assert shown.json["annulled_blocks"] == 1
    with Store.open(long) as store:
        assert not list(store.lines_since_kept())
        assert is_kept(store, scorebook(store))


def test_a_long_ladder_goes_on(long: Path) -> None:
    """A run plays what `schedule` says, and no table fails that it has played."""
    path = definition(long.parent, games=10_020)
    said = arena("ladder", "schedule", path.name, "--json", cwd=long.parent).json
    more = run(path, "--json").json
    assert more["games"] == said["games_before"] + said["games"] >= 10_020
    shown = arena("ladder", "show", "test.ladder", "--json", cwd=long.parent)
    assert shown.json["head"] == more["head"]
