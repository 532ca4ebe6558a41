"""The file that a match records to: where it ends, and which files are kept at all."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from arena.records.record_schema import read_timings

from arena.referee import recording
from arena.referee.recording import CannotRecord, Recording
from records.recorded import chained, line, sound, write

TIMINGS = {"number": 0, "micros": [], "waits": {}, "evidence": [], "attempts": []}


@pytest.mark.parametrize("chunk", [1, 100, 1 << 20])
@pytest.mark.parametrize("games", [1, 4])
def test_the_last_record_is_found_however_long_it_is(
    chunk: int, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is read from its end, in pieces that may be shorter or longer than its lines."""
    monkeypatch.setattr(recording, "CHUNK", chunk)
    records = chained(sound("gargon"))[:games]
    path = write(tmp_path / "games.jsonl", records)
    with Recording(path, append=True) as opened:
        assert (opened.first, opened.previous) == (games, records[-1]["hash"])


def test_a_number_that_no_bot_could_be_sent_is_refused(tmp_path: Path) -> None:
    """Numbers go on, so they must leave room for one more."""
    last = {**sound("gargon")[0], "number": 1 << 53}
    path = write(tmp_path / "games.jsonl", chained([last]))
    with pytest.raises(CannotRecord, match="number: expected"):
        Recording(path, append=True)


def test_a_game_is_in_the_file_before_the_next_one_is_played(tmp_path: Path) -> None:
    """Whatever ends a match, what was played until then is kept."""
    path = tmp_path / "games.jsonl"
    with Recording(path) as opened:
        opened.write(sound("gargon")[0], TIMINGS)
        assert path.read_bytes() == line(sound("gargon")[0])
        assert read_timings((tmp_path / "games.timings.jsonl").read_bytes()) == TIMINGS


def test_a_refused_file_can_be_recorded_to_at_once() -> None:
    """Also in memory, where it is a file like any other: what was opened is closed again."""
    with TemporaryDirectory(dir="/dev/shm") as folder:
        path = write(Path(folder) / "games.jsonl", chained(sound("gargon")))
        with pytest.raises(CannotRecord, match="is not empty"):
            Recording(path)
        with Recording(path, force=True) as opened:
            opened.write(sound("gargon")[0], TIMINGS)
        assert path.read_text().count("\n") == 1
        assert recording.timings_path(path).read_text().count("\n") == 1
