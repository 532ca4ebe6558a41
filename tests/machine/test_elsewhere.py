"""An author's commands without the calls of Linux: begun, checked, played, compared."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.process._process_list import Listed, below, descending, milliseconds, read
from check.mistakes import MISTAKES
from check.wrong import altered, write_bot
from command import Outcome, arena, assert_refused

pytestmark = pytest.mark.source_only

ELSEWHERE = {"PYTHONPATH": str(Path(__file__).parent / "elsewhere")}
TIMES = ("--time", "decision=500", "--time", "bank=500")
LEAVES = """
import os, subprocess, sys, time
left = subprocess.Popen(["sleep", "600"])
with open("left", "w") as file:
    file.write(str(left.pid))
"""
"""What a bot does first that leaves a process behind."""
FLOODS = """
import os, sys
sys.stderr.write("x" * 300_000)
sys.stderr.flush()
"""


def elsewhere(*words: str, cwd: Path | None = None) -> Outcome:
    """Run `arena` where the calls of Linux are not there."""
    return arena(*words, env=ELSEWHERE, cwd=cwd, limit=300)


def test_the_calls_of_linux_are_not_there() -> None:
    """What is tested here is tested without affinity, pidfds, epoll, prctl and /proc."""
    program = """
import ctypes, os, select, sys
assert sys.platform == "darwin"
assert not hasattr(os, "sched_setaffinity") and not hasattr(os, "pidfd_open")
assert not hasattr(os, "memfd_create") and not hasattr(select, "epoll")
assert not os.path.exists("/proc/self")
for look in (open, os.listdir, os.stat):
    try:
        look("/proc/self")
    except FileNotFoundError:
        continue
    raise AssertionError(look)
assert not hasattr(ctypes.CDLL(None), "prctl")
from arena.machine.calls import pin
print(pin.__module__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **ELSEWHERE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "arena.machine._portable", done.stderr


def test_a_bot_is_begun_checked_played_and_compared(tmp_path: Path) -> None:
    """An author with a Mac needs nothing but the arena and Python."""

    def run(*words: str, code: int = 0) -> Outcome:
        outcome = elsewhere(*words, cwd=tmp_path)
        assert outcome.code == code, outcome
        assert "Traceback" not in outcome.err
        return outcome

    assert "compare" in run("--help").out
    run("game", "show", "castors")
    run("game", "try", "castors", "--seed", "1")
    run("bot", "new", "mine", "--language", "python", "--game", "castors")
    assert run("bot", "check", "mine").out.endswith("mine passes\n")
    run("play", "castors", "mine", "random", "random", "--games", "6", "--record", "games.jsonl")
    assert "3 games" not in run("replay", "verify", "games.jsonl").out
    assert "result" in run("replay", "show", "games.jsonl", "--game", "2").out
    two = ("play", "castors", "mine", "random", "--games", "8", "--seed", "s", "--json")
    alone, together = run(*two).json, run(*two, "--workers", "2", "--suspend").json
    assert [bot["mean_place"] for bot in alone] == [bot["mean_place"] for bot in together]
    assert [bot["faults"] for bot in together] == [{}, {}]
    against = ("compare", "mine", "random", "--game", "castors", "--design", "swap", "--seed", "s")
    assert "is better" in run(*against).out
    assert "deals were played before" in run(*against).err
    run("bot", "pack", "mine")


def test_a_ladder_without_a_sandbox_is_run_and_verified(tmp_path: Path) -> None:
    """A host who trusts the programs can hold a competition."""
    new = ("ladder", "new", "l.toml", "--game", "castors")
    assert elsewhere(*new, cwd=tmp_path).code == 0
    definition = tmp_path / "l.toml"
    definition.write_text(definition.read_text().replace('sandbox = "auto"', 'sandbox = "none"'))
    run = elsewhere("ladder", "run", "l.toml", "--games", "8", cwd=tmp_path)
    assert run.code == 0, run
    assert elsewhere("ladder", "verify", "l.ladder", cwd=tmp_path).code == 0


@pytest.mark.parametrize("sandbox", ["bwrap", "auto"])
def test_a_sandbox_is_refused_in_one_line(sandbox: str) -> None:
    """Whoever asks for walls learns that they need Linux, and where to read how to have it."""
    refused = elsewhere("play", "castors", "random", "random", "--sandbox", sandbox)
    assert_refused(refused, "needs Linux, and this is macOS", "docs/other-machines.md")


def test_a_sandboxed_ladder_is_refused_in_one_line(tmp_path: Path) -> None:
    """A ladder asks for a sandbox unless its definition says otherwise; then nothing is begun."""
    elsewhere("ladder", "new", "l.toml", "--game", "castors", cwd=tmp_path)
    refused = elsewhere("ladder", "run", "l.toml", cwd=tmp_path)
    assert_refused(refused, "needs Linux, and this is macOS")
    assert not (tmp_path / "l.ladder").exists()


def bot(folder: Path, first: str) -> Path:
    """A right bot that does this first."""
    return write_bot(folder, "bot", first + altered("", ""))


def test_what_a_bot_leaves_in_its_group_is_ended(tmp_path: Path) -> None:
    """A bot's children end with it, as long as they are in its process group."""
    folder = bot(tmp_path, LEAVES)
    played = elsewhere("play", "gargon", str(folder), "random", "random", "--games", "1", "--json")
    assert played.json[0]["faults"] == {}
    left = int((folder / "left").read_text())
    assert not _runs(left)


def test_bots_end_with_a_referee_that_was_killed(tmp_path: Path) -> None:
    """Whatever ends `arena play`, its bots do not run on."""
    folder = bot(tmp_path, 'import os\nopen("mine", "w").write(str(os.getpid()))\n')
    words = ["play", "gargon", str(folder), "random", "random", "--games", "100000"]
    play = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        env={**os.environ, **ELSEWHERE},
        stderr=subprocess.DEVNULL,
    )
    mine = folder / "mine"
    while not mine.exists() or not mine.read_text():
        time.sleep(0.01)
    play.kill()
    play.wait()
    while _runs(int(mine.read_text())):
        time.sleep(0.01)


def test_a_bot_that_writes_much_to_stderr_is_not_held_up(tmp_path: Path) -> None:
    """More than a pipe holds is read while the bot is waited for, and kept if asked for."""
    folder = bot(tmp_path, FLOODS)
    kept = tmp_path / "kept"
    words = ("play", "gargon", str(folder), "random", "random", "--games", "1", "--json")
    played = elsewhere(*words, "--stderr", str(kept))
    assert played.json[0]["faults"] == {}
    assert [each.stat().st_size for each in kept.glob("1-*.log")] == [300_000]


@pytest.mark.parametrize(
    "name",
    [
        "sleeps",
        *(pytest.param(name, marks=pytest.mark.wide) for name in ("does-not-flush", "computes")),
    ],
)
def test_a_silent_bot_is_told_what_it_does(tmp_path: Path, name: str) -> None:
    """What a program has read and whether it computes is found out with `ps`."""
    mistake = MISTAKES[name]
    folder = write_bot(tmp_path, "bot", altered(mistake.old, mistake.new))
    checked = elsewhere("bot", "check", str(folder), "--game", "gargon", *TIMES)
    assert checked.code == 1
    assert mistake.got in " ".join(checked.out.split())


def test_the_lists_of_linux_and_of_macos_are_read() -> None:
    """Both write times and states in their own way, and have children listed before parents."""
    listed = read("  7   3 R+   0:01.25\n  3   1 Ss   1:02.00\n  9   7 S    2-01:00:03\n")
    assert listed[0] == Listed(7, 3, True, 1250)
    assert [each.pid for each in descending(3, listed)] == [7, 9]
    assert [milliseconds(text) for text in ("00:01:05", "2-01:00:03", "61:00.50")] == [
        65_000,
        176_403_000,
        3_660_500,
    ]
    assert os.getpid() in {each.pid for each in below(os.getppid())}


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
