"""Damaged stores: found, never played on, and repaired to the last entry that holds."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from arena.ladder.checkup import examine, repair
from arena.ladder.log_file import START, survey
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from arena.ladder.store_files import StoreError
from command import arena, assert_refused
from ladder.fields import definition, run

pytestmark = pytest.mark.source_only

FILES = {"log": 70, "secret": 15, "times": 10, "derived": 5}
"""The files of a store, and in how many of a hundred places each is damaged."""
GAMES = 140


@dataclass(frozen=True)
class Whole:
    """A ladder that was never damaged."""

    definition: Path
    files: dict[str, bytes]

    @property
    def starts(self) -> list[int]:
        """Where the lines of its log begin, and where the last one ends."""
        starts = [0]
        for line in self.files["log"].splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def spoiled(self, folder: Path, name: str, at: int, mask: int) -> Path:
        """A copy of its store, with some bits of one byte changed."""
        path = folder / "test.ladder"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        for file, data in self.files.items():
            changed = bytearray(data)
            if file == name:
                changed[at] ^= mask
            (path / file).write_bytes(changed)
        return path

    def kept(self, at: int) -> bytes:
        """What is left of its log after the repair of damage at a byte.

        If the byte is of a check, or ends a line, no entry is lost. The first entry has a copy.
        """
        data, starts = self.files["log"], self.starts
        number = max(n for n, start in enumerate(starts) if start <= at)
        if number == 0 or at < starts[number] + START or at == starts[number + 1] - 1:
            return data
        return data[: starts[number]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A ladder of some forty blocks."""
    folder = tmp_path_factory.mktemp("whole")
    path = definition(folder, games=GAMES)
    run(path)
    files = {name: (folder / "test.ladder" / name).read_bytes() for name in FILES}
    return Whole(path, files)


def refusal(path: Path) -> str:
    """What a run says that will not play on this store, or "" if it would."""
    try:
        with Store.open(path, write=True) as store:
            scorebook(store)
            assert not store.mended
    except StoreError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("hundreds", [2, pytest.param(10, marks=pytest.mark.wide)])
def test_a_byte_that_changes_anywhere_is_found_and_put_right(
    tmp_path: Path, whole: Whole, hundreds: int
) -> None:
    """In hundreds of places, some bits each: nothing is played, nothing sound is lost."""
    random = Random(40)
    places = [
        (name, random.randrange(len(whole.files[name])), random.randrange(1, 256))
        for name, times in FILES.items()
        for _ in range(hundreds * times)
    ]
    assert len(places) == 100 * hundreds
    for name, at, mask in places:
        place = (name, at, mask)
        path = whole.spoiled(tmp_path, name, at, mask)
        spoiled = (path / name).read_bytes()
        refused = refusal(path)
        assert (path / name).read_bytes() == spoiled or name == "times", place
        found = examine(path)
        if name in ("times", "derived"):
            assert not refused, place
            assert found.holds, place
            assert (path / "log").read_bytes() == whole.files["log"], place
            continue
        assert not found.holds, place
        assert len(refused.splitlines()) <= 1, place
        if name == "log":
            assert "damaged" in refused, place
            assert "arena ladder check" in refused, place
        repair(found)
        assert examine(path).holds, place
        assert not refusal(path), place
        assert (path / "secret").read_bytes() == whole.files["secret"], place
        log = whole.kept(at) if name == "log" else whole.files["log"]
        assert (path / "log").read_bytes() == log, place
        if len(log) < len(whole.files["log"]):
            assert (path / "cut-1").read_bytes() == spoiled[len(log) :], place
        kept = [
            json.loads(line)["first_game"]
            for line in (path / "times").read_bytes().split(b"\n")[:-1]
        ]
        assert all(first < found.ledger.games for first in kept), place


@pytest.mark.parametrize(
    ("name", "line", "into", "says"),
    [
        ("log", 20, 200, "entry 20, at byte"),
        pytest.param("log", -1, 60, "entry 47, at byte", marks=pytest.mark.wide),
        ("log", 0, 80, "its first entry is damaged; there is a copy of it"),
        ("log", 12, 5, "the check before an entry"),
        pytest.param("log", -1, 5, "the check before an entry", marks=pytest.mark.wide),
        pytest.param("log", 30, -1, "the end of an entry", marks=pytest.mark.wide),
        ("log", -1, -1, "the end of an entry"),
        ("secret", 0, 3, "a copy of the secret"),
    ],
)
def test_a_repaired_ladder_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, whole: Whole, name: str, line: int, into: int, says: str
) -> None:
    """A run refuses it, `check` names the damage and repairs it, and the end is the same log."""
    starts = whole.starts[:-1] if name == "log" else [0]
    at = (
        starts[line] + into if into >= 0 else whole.starts[whole.starts.index(starts[line]) + 1] - 1
    )
    path = definition(tmp_path, games=GAMES)
    store = whole.spoiled(tmp_path, name, at, 1)
    spoiled = (store / name).read_bytes()
    if name == "log":
        refused = arena("ladder", "run", path.name, cwd=tmp_path)
        assert_refused(refused, "damaged", "nothing was played", "arena ladder check test.ladder")
        assert (store / "log").read_bytes() == spoiled
    checked = arena("ladder", "check", cwd=tmp_path)
    assert checked.code == 1
    assert says in checked.out
    assert "--repair" in checked.out
    assert (store / name).read_bytes() == spoiled
    repaired = arena("ladder", "check", "--repair", cwd=tmp_path)
    assert repaired.code == 0, repaired
    assert "test.ladder: holds: " in repaired.out
    run(path)
    assert (store / "log").read_bytes() == whole.files["log"]
    assert arena("ladder", "check", cwd=tmp_path).code == 0
    assert arena("ladder", "verify", cwd=tmp_path).code == 0


def test_what_will_be_played_again_is_said_before_and_after(tmp_path: Path, whole: Whole) -> None:
    """The blocks and games that a repair costs, as the next run then plays them."""
    at = whole.starts[20] + 100
    store = whole.spoiled(tmp_path, "log", at, 4)
    lines = [json.loads(line[START:]) for line in whole.files["log"].splitlines()]
    blocks = [entry for entry in lines[20:] if entry["entry"] == "block"]
    games = sum(len(entry["games"]) for entry in blocks)
    said = f"{len(blocks)} blocks with {games} games"
    assert said in arena("ladder", "check", cwd=tmp_path).out
    assert said in arena("ladder", "check", "--repair", cwd=tmp_path).out
    shown = arena("ladder", "check", "--json", cwd=tmp_path).json
    assert shown["holds"]
    assert shown["entries"] == 20
    done = run(definition(tmp_path, games=GAMES), "--json")
    assert done.json["games"] == shown["games"] + games
    assert len((store / "times").read_bytes().splitlines()) == shown["blocks"] + len(blocks)


def test_no_repair_overwrites_what_another_has_cut_off(tmp_path: Path, whole: Whole) -> None:
    """Each has a file of its own."""
    store = whole.spoiled(tmp_path, "log", whole.starts[30] + 50, 1)
    first = (store / "log").read_bytes()[whole.starts[30] :]
    assert arena("ladder", "check", "--repair", cwd=tmp_path).code == 0
    with (store / "log").open("r+b") as file:
        file.seek(whole.starts[10] + 50)
        file.write(b"#")
    second = (store / "log").read_bytes()[whole.starts[10] :]
    assert arena("ladder", "check", "--repair", cwd=tmp_path).code == 0
    assert (store / "cut-1").read_bytes() == first
    assert (store / "cut-2").read_bytes() == second


def test_a_log_that_was_cut_short_is_not_played_on(tmp_path: Path, whole: Whole) -> None:
    """All its lines hold, but its standings were derived from more."""
    store = whole.spoiled(tmp_path, "log", 40, 0)
    with (store / "log").open("r+b") as file:
        file.truncate(whole.starts[30])
    path = definition(tmp_path, games=GAMES)
    assert_refused(arena("ladder", "run", path.name, cwd=tmp_path), "no longer has the line")
    assert_refused(arena("ladder", "show", cwd=tmp_path), "no longer has the line")
    assert arena("ladder", "check", cwd=tmp_path).code == 1
    assert arena("ladder", "check", "--repair", cwd=tmp_path).code == 0
    run(path)
    assert (store / "log").read_bytes() == whole.files["log"]


def test_a_torn_last_line_is_removed_with_a_message(tmp_path: Path, whole: Whole) -> None:
    """A run that was cut off has left a part of an entry, which was never said to be stored."""
    store = whole.spoiled(tmp_path, "log", 0, 0)
    for torn in (1, 20, 33, 300):
        (store / "log").write_bytes(whole.files["log"][: whole.starts[-2] + torn])
        (store / "derived").unlink(missing_ok=True)
        assert arena("ladder", "show", cwd=tmp_path).code == 0
        assert arena("ladder", "check", cwd=tmp_path).code == 0
        done = run(definition(tmp_path, games=GAMES))
        said = f"test.ladder: removed {torn} bytes of an entry that was not written whole"
        assert said in done.err.splitlines()
        assert (store / "log").read_bytes() == whole.files["log"]


def test_times_of_blocks_that_the_log_has_lost_are_those_of_nothing(tmp_path: Path) -> None:
    """After a power cut they may be there all the same; the blocks are played again."""
    path = definition(tmp_path, tables=(3,), games=15)
    run(path)
    store = tmp_path / "test.ladder"
    (store / "derived").unlink()
    log = (store / "log").read_bytes().splitlines(keepends=True)
    (store / "log").write_bytes(b"".join(log[:-2]))
    times = (store / "times").read_bytes().splitlines(keepends=True)
    marked = times[-2].replace(b'"micros":[', b'"micros":[77777777,')
    assert marked != times[-2]
    (store / "times").write_bytes(b"".join((*times[:-2], marked, times[-1], times[-1][:20])))
    run(path)
    lines = (store / "times").read_bytes().splitlines()
    assert [json.loads(line)["first_game"] for line in lines] == [0, 3, 6, 9, 12]
    assert not [line for line in lines if b"77777777" in line]


def test_a_ladder_whose_end_is_lost_says_that_its_secret_is_known(tmp_path: Path) -> None:
    """Nobody plays on by mistake on deals that were revealed."""
    run(definition(tmp_path, games=3, tables=(3,), seed=None))
    assert arena("ladder", "close", "--yes", cwd=tmp_path).code == 0
    log = tmp_path / "test.ladder" / "log"
    data = log.read_bytes()
    log.write_bytes(data[:-5] + b"#" + data[-4:])
    repaired = arena("ladder", "check", "--repair", cwd=tmp_path)
    assert repaired.code == 0
    assert "it was closed, and is no longer: its secret is known" in repaired.out


def test_without_a_copy_of_the_secret_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    """It is said what is lost; the log stays as it is, and can still be shown and verified."""
    path = definition(tmp_path, games=3, tables=(3,), seed=None)
    run(path)
    store = tmp_path / "test.ladder"
    before = (store / "log").read_bytes()
    lines = (store / "secret").read_bytes().split(b"\n")
    (store / "secret").write_bytes(b"\n".join([b"00" * 32, b"11" * 32, *lines[2:]]))
    assert_refused(arena("ladder", "run", path.name, cwd=tmp_path), "secret: damaged")
    checked = arena("ladder", "check", cwd=tmp_path)
    assert checked.code == 1
    assert "no copy of the secret is left; go back to a backup" in checked.out
    refused = arena("ladder", "check", "--repair", cwd=tmp_path)
    assert_refused(refused, "cannot be repaired: no copy of the secret is left")
    assert (store / "log").read_bytes() == before
    assert arena("ladder", "show", cwd=tmp_path).code == 0
    verified = arena("ladder", "verify", cwd=tmp_path)
    assert verified.code == 0
    assert "not shown  The keys" in verified.out


def test_a_public_seed_is_its_own_copy(tmp_path: Path) -> None:
    """The secret of a practice ladder stands in its first entry."""
    run(definition(tmp_path, games=3, tables=(3,)))
    secret = tmp_path / "test.ladder" / "secret"
    before = secret.read_bytes()
    secret.unlink()
    assert arena("ladder", "check", cwd=tmp_path).code == 1
    assert arena("ladder", "check", "--repair", cwd=tmp_path).code == 0
    assert secret.read_bytes() == before
    assert secret.stat().st_mode & 0o777 == 0o600


def test_a_store_is_repaired_by_one_at_a_time(tmp_path: Path, whole: Whole) -> None:
    """Not while a run holds its lock."""
    from arena.ladder.lock import locked

    store = whole.spoiled(tmp_path, "log", whole.starts[5] + 60, 1)
    before = (store / "log").read_bytes()
    with locked(store):
        refused = arena("ladder", "check", "--repair", cwd=tmp_path)
        assert_refused(refused, "another run is writing to it")
        assert arena("ladder", "check", cwd=tmp_path).code == 1
    assert (store / "log").read_bytes() == before


def test_several_damaged_checks_lose_no_entry(whole: Whole) -> None:
    """As long as each next check is whole, even if nothing is left of the one before it."""
    data = bytearray(whole.files["log"])
    for number in (3, 9, 20):
        start = whole.starts[number]
        data[start : start + START - 1] = b"\xff" * (START - 1)
    found = survey(BytesIO(bytes(data)))
    assert not found.damage
    assert [at for at, _ in found.mends] == [whole.starts[number] for number in (3, 9, 20)]
    for at, mended in found.mends:
        data[at : at + len(mended)] = mended
    assert bytes(data) == whole.files["log"]


def test_entries_that_cannot_follow_are_damage_whatever_their_checks(whole: Whole) -> None:
    """A log whose checks were written anew does not hold where a block is missing."""
    from arena.ladder.log_file import NO_CHECK, checked_line

    lines = [line[START:] for line in whole.files["log"].splitlines()]
    check, data = NO_CHECK, b""
    for line in lines[:10] + lines[11:]:
        check, written = checked_line(check, line)
        data += written
    found = survey(BytesIO(data))
    assert found.ledger.tree.size == 10
    assert "entry 10, at byte" in found.damage
    assert "the next block" in found.damage
