"""A run that follows its ladder: it is the one writer, and goes on whatever comes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.blocks.block import Block, BlockResult
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Runner, Venue
from arena.ladder.inbox import Inbox
from arena.ladder.scorebook import scorebook
from arena.ladder.store import Store
from arena.ladder.wishes import Annul, ChangeBudget, Enter, GoOn, Pause, Withdraw
from arena.records.entries import Budget, Contestant
from command import arena, arena_here, assert_refused
from ladder.fields import definition, run
from ladder.following import MOST_IDLE, Found, StandIns, played_again, steady, trial

pytestmark = pytest.mark.source_only


class Plain(Runner):
    """Plays as others' runners do, which keep no workers between two stretches."""

    name = "plain"

    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        yield from LocalRunner().run(blocks, venue)


def names(path: Path) -> set[str]:
    """The names of those who play."""
    with Store.open(path) as store:
        return {store.ledger.contestants[number].name for number in store.ledger.playing}


def until(said: Path, text: str, times: int = 1) -> str:
    """What a run has said, as soon as it has said this so often."""
    deadline = time.monotonic() + 600
    while (found := said.read_text()).count(text) < times:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def begin(path: Path, *words: str) -> subprocess.Popen[bytes]:
    """A run that follows a ladder in the background, and what it says in the file `said`."""
    with (path.parent / "said").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", "run", path.name, "--follow", *words],
            cwd=path.parent,
            stdout=said,
            stderr=said,
        )


def test_wishes_while_the_run_is_killed_again_and_again(tmp_path: Path) -> None:
    """Four processes leave wishes, and all are killed at random: each wish is in the log once.

    The log is that of a run that was given the same entries at the same blocks, with workers that
    stay or with others, and with processes that play for all.
    """
    found = trial(definition(tmp_path, each=300), 12, 1)
    assert found.wrong == [], found
    assert found.lives > 1
    assert found.granted > 10
    assert found.blocks > 5
    log = (tmp_path / "test.ladder" / "log").read_bytes()
    assert played_again(tmp_path / "test.ladder", tmp_path / "again.ladder") == log
    plain = played_again(tmp_path / "test.ladder", tmp_path / "plain.ladder", Plain())
    assert plain == log
    assert played_again(tmp_path / "test.ladder", tmp_path / "few.ladder", StandIns()) == log
    verified = arena("ladder", "verify", "test.ladder", cwd=tmp_path)
    assert verified.code == 0, verified.out


def test_a_field_that_changes_all_the_time_leaves_nothing_behind(tmp_path: Path) -> None:
    """A run that follows keeps no descriptor of those who are gone, and sleeps when it may."""
    path = definition(tmp_path, each=30)
    run(path, "--games", "20")
    found = Found()
    steady(path, 4, found)
    assert found.wrong == []
    before, after = found.descriptors
    assert after <= before + 2, found
    assert found.idle < MOST_IDLE, found


def test_a_definition_is_read_again_and_a_mistake_in_it_stops_nothing(tmp_path: Path) -> None:
    """What the file says anew counts; a mistake is one line, once; wishes are not undone."""
    path = definition(tmp_path, each=20)
    said = tmp_path / "said"
    process = begin(path)
    try:
        until(said, "all games are played")
        assert arena("ladder", "enter", "test.ladder", "random", cwd=tmp_path).code == 0
        assert arena("ladder", "withdraw", "test.ladder", "ada", cwd=tmp_path).code == 0
        good = path.read_text()
        path.write_text(good.replace('"bob"', '"rob"'))
        until(said, "was read again: 1 enter, 1 leave")
        assert names(tmp_path / "test.ladder") == {"rob", "cid", "dot", "eve", "random"}
        path.write_text("game = ")
        until(said, "what the definition said before counts")
        path.write_text(good.replace("(3, 4)", "(4,)").replace("[3, 4]", "[4]"))
        text = until(said, "what the definition said before counts", 2)
        assert "holds this ladder on other terms (tables: [3,4] before, [4] now)" in text
        time.sleep(2.5)  # it looks again, and has nothing to say
        assert said.read_text().count("said before counts") == 2
        path.write_text(good)
        until(said, "was read again: 1 enter, 1 leave", 2)
        assert names(tmp_path / "test.ladder") == {"bob", "cid", "dot", "eve", "random"}
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()
    again = run(path)
    assert "ada: taken out by a wish" in again.err
    assert names(tmp_path / "test.ladder") == {"bob", "cid", "dot", "eve", "random"}
    assert arena("ladder", "verify", "test.ladder", cwd=tmp_path).code == 0


def test_a_sealed_bot_plays_on_whatever_its_author_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who enters by a wish is found in the vault by later runs; without it, a line says so."""
    path = definition(tmp_path, games=60)
    folder = tmp_path / "own"
    made = arena("bot", "new", "own", "--language", "python", "--game", "castors", cwd=tmp_path)
    assert made.code == 0, made.err
    run(path, "--games", "0")
    entered = arena("ladder", "enter", "test.ladder", "own", "--json", cwd=tmp_path)
    assert entered.json["granted"], entered
    for file in folder.glob("*.py"):
        file.write_text("raise SystemExit(3)\n")
    done = run(path, "--games", "40")
    assert "own" in done.out
    assert "crashed" not in done.out
    monkeypatch.setenv("ARENA_VAULT", str(tmp_path / "elsewhere"))
    lost = arena("ladder", "run", path.name, cwd=tmp_path)
    assert_refused(lost, "bot 'own'", "is neither registered nor in the vault", "withdraw")
    assert arena("ladder", "withdraw", "test.ladder", "own", cwd=tmp_path).code == 0
    run(path)


def test_a_run_that_follows_closes_entries_at_the_deadline(tmp_path: Path) -> None:
    """It waits with the end of the stage, and goes on by itself when the time has come."""
    stages = '\n[[stages]]\nname = "a"\neach = 8\n[[stages]]\nname = "b"\nbest = 4\neach = 8'
    path = definition(tmp_path, games=None, more=f"deadline = 2099-01-01T00:00:00Z\n{stages}")
    said = tmp_path / "said"
    process = begin(path)
    try:
        until(said, "the stage ends when no more bots can enter")
        assert arena("ladder", "enter", "test.ladder", "random", cwd=tmp_path).code == 0
        until(said, "the stage ends when no more bots can enter", 2)
        with Store.open(tmp_path / "test.ladder") as store:
            games = [scorebook(store).results.total(number).games for number in range(6)]
        assert min(games) >= 8, games
        soon = datetime.now(UTC) + timedelta(seconds=4)
        path.write_text(path.read_text().replace("2099-01-01T00:00:00Z", f"{soon:%FT%TZ}"))
        until(said, "entries are closed")
        until(said, "the last stage has ended")
        late = ("ladder", "enter", "test.ladder", "random", "--name", "late")
        says = "no more bots can enter, as the first stage has ended"
        assert_refused(arena(*late, cwd=tmp_path), says)
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()
    with Store.open(tmp_path / "test.ladder") as store:
        assert store.ledger.blocks > store.ledger.stages.ended[0].block > 0
        assert [each.name for each in store.ledger.contestants][-1] == "random"
    assert arena("ladder", "verify", "test.ladder", cwd=tmp_path).code == 0


def test_a_run_that_follows_keeps_to_hours_of_play(tmp_path: Path) -> None:
    """It waits until they begin, plays by itself then, and stops when they are over."""
    now = datetime.now(UTC)

    def hours(begin: datetime, to: datetime) -> str:
        return f"[[play]]\nfrom = {begin:%T}\nto = {to:%T}\n[budget]\neach = 1000000"

    def wait(seconds: float) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=seconds)

    plain = definition(tmp_path, games=None).read_text()
    path = tmp_path / "test.toml"
    path.write_text(plain + hours(now + timedelta(hours=4), now + timedelta(hours=5)))
    said = tmp_path / "said"
    process = begin(path)
    log = tmp_path / "test.ladder" / "log"
    try:
        until(said, "it is not played at this time; it goes on at")
        assert b'"entry":"block"' not in log.read_bytes()
        path.write_text(plain + hours(wait(3), wait(3 * 3600)))
        deadline = time.monotonic() + 600
        while b'"entry":"block"' not in log.read_bytes():
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.05)
        waited = said.read_text().count("it is not played at this time")
        path.write_text(plain + hours(wait(-3600), wait(4)))
        until(said, "it is not played at this time", waited + 1)
        before = log.read_bytes()
        time.sleep(1)
        assert log.read_bytes() == before
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def begun_ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a ladder that has begun, without a game."""
    folder = tmp_path_factory.mktemp("begun")
    run(definition(folder), "--games", "0")
    return folder / "test.ladder"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["withdraw", "test.ladder", "nobody"], ['test.ladder: "nobody": nobody of this name']),
        (["withdraw", "test.ladder"], ["Missing argument 'BOT...'"]),
        (["enter", "test.ladder", "no-such-bot"], ["unknown bot 'no-such-bot'"]),
        (["enter", "test.ladder", "gargon-hand"], ["does not play castors"]),
        (["enter", "test.ladder", "random", "dotty", "--name", "x"], ["expected a single BOT"]),
        (["annul", "test.ladder", "x", "--reason", "y"], ["expected the number of a block"]),
        (["annul", "test.ladder", "9-1", "--reason", "y"], ["9-1: expected 1 to 5000 blocks"]),
        (["annul", "test.ladder", "0"], ["Missing option '--reason'"]),
        (["annul", "test.ladder", "0", "--reason", "y"], ["the log has no block yet"]),
        (["disqualify", "test.ladder", "ada", "--reason", ""], ["not a wish: reason"]),
        (["budget", "test.ladder"], ["expected a part of a budget"]),
        (["go-on", "test.ladder"], ["test.ladder: this ladder is not paused"]),
        (["stage", "test.ladder", "final", "--best", "4", "--reason", "x"], ["has no stages"]),
        (["stage", "test.ladder", "final", "--reason", "x"], ["expected what is to be otherwise"]),
        (["pause", "nowhere.ladder"], ["nowhere.ladder: no such store"]),
        (["status", "nowhere.ladder"], ["nowhere.ladder: no such store"]),
    ],
)
def test_nonsense_by_commands_is_one_line(
    tmp_path: Path, begun_ladder: Path, words: list[str], parts: list[str]
) -> None:
    """Whatever is wished for wrongly, the answer is a line, and nothing changes."""
    log = tmp_path / "test.ladder" / "log"
    shutil.copytree(begun_ladder, log.parent)
    before = log.read_bytes()
    assert_refused(arena_here("ladder", *words, cwd=tmp_path), *parts)
    assert log.read_bytes() == before


def test_a_thousand_wishes_of_nonsense_stop_nothing(tmp_path: Path) -> None:
    """A run that follows refuses each in a line, and goes on as it was."""
    path = definition(tmp_path, each=40)
    said = tmp_path / "said"
    process = begin(path)
    try:
        until(said, "all games are played")
        inbox = Inbox(tmp_path / "test.ladder")
        for at in range(0, 1000, 5):
            inbox.leave(Withdraw(bots=("nobody",)), f"n-{at}")
            inbox.leave(Annul(blocks=(10**9 + at,), reason="x"), f"n-{at + 1}")
            inbox.leave(Enter(bots=(Contestant(name="x", version="1", digest="0" * 64),)))
            for name, data in (("2", b"{" * at), ("3", b"\0" * 300_000 if at < 50 else b"null")):
                (tmp_path / "test.ladder" / "inbox" / f"n-{at}-{name}").write_bytes(data)
        good = inbox.leave(ChangeBudget(budget=Budget(each=60)))
        answer = inbox.await_answer(good, 120)
        assert answer is not None
        assert answer.granted
        text = until(said, "all games are played", 2)
        assert text.count(": refused: ") == 1000
        assert len(text.splitlines()) < 1010
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()


def test_the_status_says_what_waits_for_whom(tmp_path: Path) -> None:
    """A host sees the run, its queue and what holds it up; for programs as JSON."""
    path = definition(tmp_path, each=40)
    run(path, "--games", "20")
    store = tmp_path / "test.ladder"
    assert arena("ladder", "pause", "test.ladder", "--reason", "x", cwd=tmp_path).code == 0
    Inbox(store).leave(GoOn())
    found = arena("ladder", "status", "--json", cwd=tmp_path).json
    assert (found["doing"], found["wishes"], found["games"]) == ("not running", 1, 35)
    assert found["first_wishes"][0]["kind"] == "go-on"
    assert {bot["bot"] for bot in found["bots"]} == {"ada", "bob", "cid", "dot", "eve"}
    assert {bot["to_play"] for bot in found["bots"]} <= set(range(10, 25))
    assert [text.split(":")[0] for text in found["waits"]] == [
        "1 wish waits for a run, or for the next command that changes the ladder",
        "the run waits for `arena ladder go-on`",
        "ada, bob, cid, dot, eve wait for games, up to 40 each",
        "the ladder waits for a run",
    ]
    assert found["host"]["tools"]["python3"].startswith("Python 3")
    process = begin(path)
    try:
        until(tmp_path / "said", "all games are played")
        shown = arena("ladder", "status", cwd=tmp_path)
        assert shown.out.startswith("test: idle: all games are played; "), shown
        assert f"process {process.pid} since" in shown.out
        assert arena("ladder", "close", "--yes", cwd=tmp_path).code == 0
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()
    assert arena("ladder", "status", "--json", cwd=tmp_path).json["doing"] == "closed"


def test_a_run_that_does_not_follow_takes_wishes_as_well(tmp_path: Path) -> None:
    """What was left before a run is done at its start, and a pause ends it."""
    path = definition(tmp_path, each=30)
    run(path, "--games", "0")
    Inbox(tmp_path / "test.ladder").leave(Pause(reason="not yet"))
    done = run(path)
    assert "the ladder is paused, until `arena ladder go-on`: 0 games" in done.err
    assert arena("ladder", "go-on", "test.ladder", cwd=tmp_path).code == 0
    assert "all games are played" in run(path).err


def test_what_changed_at_the_host_is_named_and_logged(tmp_path: Path) -> None:
    """A run that goes on with another version of the arena says so, in a line and in the log."""
    path = definition(tmp_path, each=40)
    run(path, "--games", "20")
    log = tmp_path / "test.ladder" / "log"
    newer = tmp_path / "newer"
    newer.mkdir()
    (newer / "sitecustomize.py").write_text(
        "import arena.version\narena.version.VERSION = '99.9'\n"
    )
    done = arena("ladder", "run", path.name, cwd=tmp_path, env={"PYTHONPATH": str(newer)})
    assert done.code == 0, done.err
    assert "the arena is 99.9, and was " in done.err
    assert b'{"arena":"99.9","entry":"change"}' in log.read_bytes()
