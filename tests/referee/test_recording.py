"""The file that a match records to: what it has while it is played, and which files are kept."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.records.codec import read_entry
from arena.records.entries import BlockPlayed
from arena.records.times import BlockTimes, read_times
from arena.referee.recording import CannotRecord, Recording, times_path
from records.recorded import FIRST_BLOCK, head, sound, write

TIMES = BlockTimes(first_game=0, games=())


def record(recording: Recording, lines: tuple[bytes, ...]) -> None:
    """Write these entries, with times for each block."""
    for each in lines:
        entry = read_entry(each)
        recording.write(entry, TIMES if isinstance(entry, BlockPlayed) else None)


@pytest.mark.parametrize("end", range(1, len(sound("gargon")) + 1))
def test_a_log_is_followed_wherever_it_ends(end: int, tmp_path: Path) -> None:
    """Games are numbered on, whether the match before was closed or its referee was killed."""
    lines = sound("gargon")[:end]
    path = write(tmp_path / "games.jsonl", lines)
    blocks = [entry for entry in map(read_entry, lines) if isinstance(entry, BlockPlayed)]
    with Recording(path, append=True) as opened:
        assert opened.first == sum(len(block.games) for block in blocks)


def test_a_block_is_in_the_file_before_the_next_one_is_played(tmp_path: Path) -> None:
    """Whatever ends a match, what was played until then is kept."""
    path = tmp_path / "games.jsonl"
    lines = sound("gargon")
    with Recording(path) as opened:
        for end in range(1, len(lines) + 1):
            record(opened, lines[end - 1 : end])
            assert path.read_bytes().split(b"\n") == [*lines[:end], b""]
            assert f"{end}:{opened.ledger.root}" == head(lines[:end])
        times = times_path(path).read_bytes().splitlines()
    assert list(map(read_times, times)) == [TIMES] * 2


def test_an_entry_that_cannot_follow_is_not_written(tmp_path: Path) -> None:
    """A mistake in what plays does not spoil the file."""
    path = tmp_path / "games.jsonl"
    with Recording(path) as opened, pytest.raises(Exception, match="with which a log begins"):
        record(opened, sound("gargon")[FIRST_BLOCK:])
    assert path.read_bytes() == b""


def test_a_refused_file_can_be_recorded_to_at_once() -> None:
    """Also in memory, where it is a file like any other: what was opened is closed again."""
    lines = sound("gargon")
    with TemporaryDirectory(dir="/dev/shm") as folder:
        path = write(Path(folder) / "games.jsonl", lines)
        with pytest.raises(CannotRecord, match="is not empty"):
            Recording(path)
        with Recording(path, force=True) as opened:
            record(opened, lines[: FIRST_BLOCK + 1])
        assert path.read_bytes().split(b"\n") == [*lines[: FIRST_BLOCK + 1], b""]
        assert times_path(path).read_text().count("\n") == 1
