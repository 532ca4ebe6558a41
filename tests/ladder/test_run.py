"""Running a ladder: the same log for any number of workers, and after any interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.process.process_tree import children
from command import arena, assert_refused, on_a_terminal
from ladder.fields import FIVE, definition, export, run
from sandbox.walls import bubblewrap


def begin(path: Path, *words: str, err: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A run that goes on in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "arena", "ladder", "run", path.name, *words],
        cwd=path.parent,
        stdout=subprocess.DEVNULL,
        stderr=err,
    )


def stored(folder: Path) -> int:
    """How many games are in the store by now."""
    try:
        return (folder / "test.ladder" / "log").read_bytes().count(b'"scores":')
    except FileNotFoundError:
        return 0


def blocks(exported: bytes) -> list[dict[str, Any]]:
    """The entries of the blocks of a ladder, given as it is exported."""
    entries = [json.loads(line) for line in exported.splitlines()]
    return [entry for entry in entries if entry["entry"] == "block"]


def games(exported: bytes) -> list[dict[str, Any]]:
    """The games of a ladder, given as it is exported."""
    return [game for block in blocks(exported) for game in block["games"]]


def wait_for(folder: Path, games: int, process: subprocess.Popen[bytes]) -> None:
    """Until so many games are stored, or the run has ended."""
    while stored(folder) < games and process.poll() is None:
        time.sleep(0.01)


def notes(game: dict[str, Any]) -> list[str]:
    """What the bots of a game have noted, but for those that play by chance."""
    return [note for _, note in game.get("notes", []) if note != "by chance"]


@pytest.mark.source_only
@pytest.mark.parametrize("kills", [8, pytest.param(40, marks=pytest.mark.wide)])
def test_workers_and_interruptions_leave_no_trace(tmp_path: Path, kills: int) -> None:
    """With 1, 2 and 4 workers, and killed many times at random moments: one log."""
    logs = set()
    for workers in (1, 2, 4):
        folder = tmp_path / str(workers)
        folder.mkdir()
        run(definition(folder, games=150), "--workers", str(workers))
        logs.add((folder / "test.ladder" / "log").read_bytes())
    folder = tmp_path / "killed"
    folder.mkdir()
    path = definition(folder, games=150)
    random = Random(5)
    for number in range(kills):
        process = begin(path, "--workers", str((1, 2, 4)[number % 3]))
        if number % 4 == 3:  # while it starts, wherever that is
            time.sleep(random.uniform(0, 0.6))
        else:
            wait_for(folder, stored(folder) + random.randint(1, 6), process)
            time.sleep(random.uniform(0, 0.01))
        process.kill()
        process.wait()
        assert arena("ladder", "check", cwd=folder).code == 0
    run(path)
    logs.add((folder / "test.ladder" / "log").read_bytes())
    assert len(logs) == 1


def test_a_killed_run_leaves_nothing_running(tmp_path: Path) -> None:
    """Workers and bots end with the run, also if it is killed."""
    process = begin(definition(tmp_path, games=5000))
    wait_for(tmp_path, 8, process)
    family = {process.pid}
    for _ in range(4):
        family |= {child for parent in family for child in children(parent)}
    assert len(family) > 5
    process.kill()
    process.wait()
    deadline = time.monotonic() + 300
    while (alive := [pid for pid in family if Path(f"/proc/{pid}").exists()]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.05)
    assert not alive


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, by: signal.Signals) -> None:
    """Ctrl-C, or the end of a service, keeps what is stored, says so, and exits with 130."""
    path = definition(tmp_path, games=5000)
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "ladder", "run", path.name],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(tmp_path, 8, process)
    process.send_signal(by)
    try:
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert out == ""
    assert "games are stored in test.ladder; run the same command to go on" in err
    assert "Traceback" not in err


@pytest.mark.source_only
def test_more_games_go_on_from_where_it_stood(tmp_path: Path) -> None:
    """A larger budget adds games; the same one again adds none, and shows the standings."""
    path = definition(tmp_path)
    first = run(path, "--json").json
    again = run(path, "--json")
    assert again.json == first
    assert (
        again.err.splitlines()[-1] == f"all games are played: {first['games']} games in test.ladder"
    )
    more = run(path, "--json", "--games", "100").json
    assert more["games"] >= 100 > first["games"]
    run(definition(tmp_path, name="other", games=100), "--store", "test2.ladder", "--games", "100")
    assert len(games(export(tmp_path))) == more["games"]


@pytest.mark.source_only
def test_everybody_is_scheduled_alike(tmp_path: Path) -> None:
    """At the end all have the same number of games, as `schedule` says before and after."""
    path = definition(tmp_path)
    planned = arena("ladder", "schedule", path.name, "--json", cwd=tmp_path).json
    done = run(path, "--json").json
    assert len({row["games"] for row in done["standings"]}) == 1
    played = arena("ladder", "schedule", "test.ladder", "--json", cwd=tmp_path).json
    for key in ("games", "blocks_in_all", "tables", "contestants"):
        assert played[key] == planned[key]
    assert played["games"] == done["games"]
    assert planned["end"] == f"A run ends when the ladder has {done['games']} games."


@pytest.mark.source_only
def test_a_changed_bot_is_another_contestant(tmp_path: Path) -> None:
    """A bot whose files have changed enters anew; what the old one did is kept and shown."""
    made = arena("bot", "new", "mine", "--game", "castors", cwd=tmp_path)
    assert made.code == 0
    path = definition(tmp_path, bots=FIVE[:3], contestants=["mine"])
    run(path)
    with (tmp_path / "mine" / "bot.py").open("a") as file:
        file.write("# a better idea\n")
    rows = [row for row in run(path, "--json").json["standings"] if row["bot"] == "mine"]
    assert sorted(row["active"] for row in rows) == [False, True]
    assert len({row["digest"] for row in rows}) == 2
    shown = arena("ladder", "show", "test.ladder", cwd=tmp_path)
    assert "mine (gone)" in shown.out
    assert arena("ladder", "verify", "test.ladder", cwd=tmp_path).code == 0


@pytest.mark.source_only
@pytest.mark.parametrize("gone", [False, True])
def test_a_bot_that_changes_while_it_plays_ends_the_run(tmp_path: Path, gone: bool) -> None:
    """No game is stored that other files played than the record's digest says."""
    assert arena("bot", "new", "mine", "--game", "castors", cwd=tmp_path).code == 0
    more = "fresh = true"
    path = definition(tmp_path, bots=FIVE[:3], contestants=["mine"], games=5000, more=more)
    process = begin(path, err=subprocess.PIPE)
    wait_for(tmp_path, 8, process)
    if gone:
        (tmp_path / "mine").rename(tmp_path / "away")
    else:
        with (tmp_path / "mine" / "bot.py").open("a") as file:
            file.write("raise SystemExit\n")
    _, err = process.communicate(timeout=3000)
    assert process.returncode == 3
    said = err.decode().splitlines()
    assert any("the files of bot 'mine' have changed since the run began" in line for line in said)
    assert said[-1].endswith("games are safe in test.ladder; run the same command to go on")
    played = games(export(tmp_path))
    assert len(played) >= 8
    assert not any("faults" in game for game in played)


@pytest.mark.source_only
def test_terms_do_not_change(tmp_path: Path) -> None:
    """A store is for one ladder; what differs is named, and nothing is played."""
    run(definition(tmp_path))
    before = export(tmp_path)
    path = definition(tmp_path, tables=(3,), seed="other")
    refused = arena("ladder", "run", path.name, cwd=tmp_path)
    assert_refused(
        refused,
        "test.ladder",
        "tables: [3,4] before, [3] now",
        'seed: "practice" before, "other" now',
    )
    assert export(tmp_path) == before


@pytest.mark.source_only
def test_the_second_of_two_runs_leaves(tmp_path: Path) -> None:
    """One run at a time writes to a store; the other one says so, and disturbs nothing."""
    path = definition(tmp_path, games=5000)
    process = begin(path)
    try:
        wait_for(tmp_path, 1, process)
        second = arena("ladder", "run", path.name, cwd=tmp_path)
        assert_refused(second, f"another run is writing to it (process {process.pid})")
        looking = arena("ladder", "show", "test.ladder", "--json", cwd=tmp_path)
        assert looking.code == 0, looking.err
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


@pytest.mark.source_only
def test_until_the_order_is_certain(tmp_path: Path) -> None:
    """A run may end when it is certain who is better, and says so."""
    weak = tmp_path / "weak.py"
    weak.write_text(
        "from arena_sdk import run\n"
        "run(lambda question: len(question.actions) - 1, name='weak', events=False)\n"
    )
    path = definition(
        tmp_path,
        bots=("ada",),
        tables=(3,),
        games=None,
        contestants=["mine", "python3 weak.py"],
        more="[budget]\ncertain = 0.8\ngames = 3000",
    )
    assert arena("bot", "new", "mine", "--game", "castors", cwd=tmp_path).code == 0
    done = run(path, "--json")
    assert "the order of all neighbours is certain to 0.8" in done.err
    assert done.json["games"] < 3000
    assert done.json["standings"][0]["bot"] == "mine"


@pytest.mark.source_only
def test_what_a_look_at_results_has_cut_off_is_played_as_if_it_had_not(tmp_path: Path) -> None:
    """Whatever is under way when intervals are narrow enough, a run that goes on plays it again."""
    narrow = definition(tmp_path, games=240)
    ended = run(narrow, "--width", "25", "--workers", "2")
    assert "all intervals are at most 25 wide" in ended.err
    assert 0 < stored(tmp_path) < 240
    run(narrow, "--workers", "1")
    log = export(tmp_path)
    straight = tmp_path / "straight"
    straight.mkdir()
    run(definition(straight, games=240), "--workers", "1")
    assert export(straight) == log


@pytest.mark.source_only
def test_a_secret_is_kept_until_the_ladder_is_closed(tmp_path: Path) -> None:
    """The log has its commitment from the start; closing reveals it and ends the ladder."""
    path = definition(tmp_path, seed=None, games=14, tables=(3,))
    run(path)
    before = export(tmp_path).splitlines()
    secret = (tmp_path / "test.ladder" / "secret").read_text().split("\n")[0]
    commitment = json.loads(before[0])["commitment"]
    assert commitment == sha256(bytes.fromhex(secret)).hexdigest()
    assert not any(secret.encode() in line for line in before)
    closed = arena("ladder", "close", "test.ladder", "--yes", cwd=tmp_path)
    assert closed.code == 0
    after = export(tmp_path).splitlines()
    assert json.loads(after[-1]) == {"entry": "close", "reason": "budget", "secret": secret}
    assert secret in closed.out
    assert f"head    {len(after)}:" in closed.out
    assert after[:-1] == before
    assert_refused(arena("ladder", "run", path.name, cwd=tmp_path), "this ladder is closed")
    checked = arena("ladder", "verify", "test.ladder.jsonl", "--json", cwd=tmp_path)
    assert checked.code == 0
    assert closed.out.splitlines()[-1].split()[-1] == checked.json["head"]
    states = {claim["key"]: claim["state"] for claim in checked.json["claims"]}
    assert states["keys"] == states["end"] == "holds"


@pytest.mark.source_only
def test_the_secret_can_be_published_before_the_first_game(tmp_path: Path) -> None:
    """`--games 0` makes the store, says the commitment and plays nothing; a run goes on."""
    path = definition(tmp_path, seed=None, tables=(3,), games=30, bots=FIVE[:4])
    begun = run(path, "--games", "0")
    public = run(path, "--games", "0", "--json").json
    assert begun.out == f"commitment  {public['commitment']}\n"
    assert public["games"] == 0
    assert stored(tmp_path) == 0
    assert arena("ladder", "verify", "test.ladder", cwd=tmp_path).code == 0
    played = run(path, "--json").json
    assert played["commitment"] == public["commitment"]
    assert played["games"] >= 30
    more = definition(tmp_path, seed=None, tables=(3,), games=60)
    run(more, "--games", "0")
    late = run(more, "--json")
    assert "eve 1 is new and plays first" in late.err
    assert {row["bot"]: row["games"] for row in late.json["standings"]}["eve"] > 0


@pytest.mark.source_only
def test_an_anchor_may_leave(tmp_path: Path) -> None:
    """The ladder goes on without it, and says so; a new ladder has to have its anchor."""
    more = 'anchor = "eve"'
    refused = arena(
        "ladder", "run", definition(tmp_path, bots=FIVE[:4], more=more).name, cwd=tmp_path
    )
    assert_refused(refused, 'anchor: expected one of ada, bob, cid, dot, got "eve"')
    assert not (tmp_path / "test.ladder").exists()
    run(definition(tmp_path, tables=(3,), more=more, games=15))
    left = definition(tmp_path, tables=(3,), more=more, games=30, bots=FIVE[:4])
    done = run(left, "--json")
    assert "the anchor 'eve' does not play now, so the mean is shown as 25" in done.err
    assert done.json["games"] >= 30
    assert arena("ladder", "verify", "test.ladder", cwd=tmp_path).code == 0


@pytest.mark.source_only
def test_what_is_wrong_with_a_store_is_said_before_the_sandbox_is_tested(tmp_path: Path) -> None:
    """And a sandbox that does not hold leaves no store whose terms would be fixed."""
    bubblewrap()
    path = definition(tmp_path, tables=(3,), games=3, sandbox="bwrap")
    nothing = {"PATH": os.fspath(tmp_path)}
    refused = arena("ladder", "run", path.name, cwd=tmp_path, env=nothing)
    assert_refused(refused, "--sandbox bwrap: ")
    assert not (tmp_path / "test.ladder").exists()
    run(path, "--games", "0")
    changed = definition(tmp_path, tables=(4,), games=3, sandbox="bwrap")
    refused = arena("ladder", "run", changed.name, cwd=tmp_path, env=nothing)
    assert_refused(refused, "tables: [3] before, [4] now")


@pytest.mark.source_only
def test_two_secrets_are_not_the_same(tmp_path: Path) -> None:
    """Ladders without a seed have other deals each time."""
    first = run(definition(tmp_path, name="a", seed=None, games=3, tables=(3,)), "--json").json
    second = run(definition(tmp_path, name="b", seed=None, games=3, tables=(3,)), "--json").json
    assert first["commitment"] != second["commitment"]


def test_a_process_sees_no_deal_twice(tmp_path: Path) -> None:
    """A bot that keeps what it saw cannot know the next seat's cards: another process plays it."""
    bot = tmp_path / "spy.py"
    bot.write_text(
        "from arena_sdk import Bot, run\n"
        "class Spy(Bot):\n"
        "    def __init__(self):\n"
        "        self.seen = []\n"
        "    def start(self, start):\n"
        "        self.seen.append(start.number)\n"
        "    def choose(self, question):\n"
        "        question.note = ' '.join(map(str, self.seen))\n"
        "        return 0\n"
        "run(Spy(), name='spy')\n"
    )
    path = definition(
        tmp_path, bots=FIVE[:2], tables=(3,), games=30, contestants=["python3 spy.py"]
    )
    run(path, "--workers", "1")
    several = 0
    for game in games(export(tmp_path)):
        for note in notes(game):
            seen = [int(number) // 3 for number in note.split()]
            assert len(set(seen)) == len(seen)
            several += len(seen) > 1
    assert several


def test_fresh_processes_play_one_game_each(tmp_path: Path) -> None:
    """With `fresh`, nothing that a bot keeps in memory outlives a game."""
    bot = tmp_path / "count.py"
    bot.write_text(
        "from arena_sdk import Bot, run\n"
        "class Count(Bot):\n"
        "    games = 0\n"
        "    def start(self, start):\n"
        "        self.games += 1\n"
        "    def choose(self, question):\n"
        "        question.note = str(self.games)\n"
        "        return 0\n"
        "run(Count(), name='count')\n"
    )
    path = definition(
        tmp_path,
        bots=FIVE[:2],
        tables=(3,),
        games=9,
        more="fresh = true",
        contestants=["python3 count.py"],
    )
    run(path, "--workers", "1")
    assert {note for game in games(export(tmp_path)) for note in notes(game)} == {"1"}


@pytest.mark.source_only
def test_bots_are_locked_up_unless_the_definition_says_otherwise(tmp_path: Path) -> None:
    """By default a bot cannot see the store, and log and standings say what held it."""
    bubblewrap()
    (tmp_path / "thief").mkdir()
    (tmp_path / "thief" / "bot.py").write_text(
        "from pathlib import Path\n"
        "from arena_sdk import run\n"
        "def choose(question):\n"
        "    question.note = 'seen' if list(Path('..').glob('*.ladder')) else 'nothing'\n"
        "    return 0\n"
        "run(choose, name='thief')\n"
    )
    (tmp_path / "thief" / "bot.toml").write_text('name = "thief"\nrun = ["python3", "bot.py"]\n')
    found = {}
    for sandbox in (None, "none"):
        path = definition(
            tmp_path,
            bots=FIVE[:2],
            tables=(3,),
            games=3,
            contestants=["thief"],
            sandbox=sandbox,
        )
        store = f"{sandbox}.ladder"
        done = run(path, "--json", "--store", store).json
        entries = [json.loads(line) for line in export(tmp_path, store).splitlines()]
        labels = [entry["sandbox"] for entry in entries if entry["entry"] == "change"]
        assert labels == [done["sandbox"]]
        seen = {note for game in games(export(tmp_path, store)) for note in notes(game)}
        found[done["sandbox"].split()[0]] = seen
    assert found == {"bwrap": {"nothing"}, "none": {"seen"}}


@pytest.mark.source_only
def test_a_failing_bot_does_not_end_the_ladder(tmp_path: Path) -> None:
    """Its faults are in the standings, its games in the list, and its stderr in the log."""
    bot = tmp_path / "broken.py"
    bot.write_text(
        "from arena_sdk import run\n"
        "def choose(question):\n"
        "    if question.start.number % 2:\n"
        "        raise RuntimeError('out of ideas')\n"
        "    return 0\n"
        "run(choose, name='broken')\n"
    )
    path = definition(
        tmp_path, bots=FIVE[:3], tables=(3,), games=12, contestants=["python3 broken.py"]
    )
    done = run(path, "--json").json
    row = next(row for row in done["standings"] if row["bot"] == "broken")
    assert row["faults"]["crashed"] == sum(row["faults"].values()) > 0
    assert row["rank"] == 4
    listed = arena("ladder", "games", "--verdict", "crashed", "--json", cwd=tmp_path).json
    assert len(listed) == row["faults"]["crashed"]
    log = arena("ladder", "log", "broken", "--limit", "1", cwd=tmp_path)
    assert "RuntimeError: out of ideas" in log.out
    assert '"t": "act"' in log.out or "act" in log.out


def test_what_a_bot_wrote_does_not_control_the_terminal(tmp_path: Path) -> None:
    """The log of a bot shows its stderr without the signs that clear screens and change titles."""
    (tmp_path / "rude.py").write_text(
        "import sys\nsys.stderr.write('\\x1b]0;mine\\x07\\x1b[2Jrude')\n"
    )
    path = definition(
        tmp_path, bots=FIVE[:2], tables=(3,), games=3, contestants=["python3 rude.py"]
    )
    run(path)
    shown = on_a_terminal("ladder", "log", "rude", "test.ladder", "--limit", "1", cwd=tmp_path)
    assert b"rude" in shown
    assert b"\x1b" not in shown
    assert b"\x07" not in shown
