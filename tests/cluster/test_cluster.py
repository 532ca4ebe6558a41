"""Ladders on a cluster: the same log as on one machine, whoever comes and goes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.ladder.store import Store
from cluster.clusters import (
    Overheard,
    below,
    certificates,
    cluster,
    ladder,
    log,
    memory_has,
    run,
    size,
    stranger,
    times,
)
from command import arena, assert_refused
from sandbox.walls import bubblewrap

A_BLOCK = 2500
"""About how many bytes of a log a block takes."""
IN_FULL = 30
"""How often something is killed in the full form of the test."""


def test_a_cluster_of_this_machine_writes_the_log_of_the_local_runner(tmp_path: Path) -> None:
    """`--runner dask` alone needs nothing else, and its log is the same to the byte."""
    definition = ladder(tmp_path)
    assert run(definition, "local").code == 0
    found = run(definition, "dask", "--runner", "dask", "--workers", "2")
    assert found.code == 0, found.err
    assert log(definition, "dask") == log(definition, "local")
    assert "machine 'local' plays, with 2 referees" in found.err


def test_machines_fetch_and_build_programs_over_tls(tmp_path: Path) -> None:
    """A stranger's program comes to two machines by its digest, and is built in their sandboxes.

    Whoever has no certificate of the same authority gets nothing.
    """
    bubblewrap()
    ours, others = certificates(tmp_path), certificates(tmp_path, "others")
    stranger(tmp_path)
    contestants = ("random", "gargon-hand", "gargon-backs", "stranger")
    definition = ladder(tmp_path, contestants, games=40, sandbox="bwrap")
    definition.write_text(
        definition.read_text("utf-8").replace('"stranger"', '"./stranger"'), "utf-8"
    )
    assert run(definition, "local").code == 0
    with cluster(tmp_path, ours) as there:
        for name in "ab":
            there.machine(name, "--sandbox", "bwrap")
        found = run(definition, "dask", *there.options, "--again", "0.3")
        assert found.code == 0, found.err
        assert log(definition, "dask") == log(definition, "local")
        with Store.open(tmp_path / "dask") as store:
            (identity,) = (
                each.digest for each in store.ledger.contestants if each.name == "stranger"
            )
        for name in "ab":
            assert (tmp_path / f"vault-{name}" / identity / "built" / "build" / "bot.py").exists()
        played = times(definition, "dask")
        assert {each["machine"] for each in played} == {"a", "b"}
        assert any("compared" in each for each in played)
        foreign = ("--runner", "dask", "--scheduler", there.address, *others)
        arena_limit = ("--games", "44", *foreign)
        assert nobody_answers(definition, arena_limit)
        checked = arena("ladder", "verify", "dask", *there.options, cwd=tmp_path)
        assert checked.code == 0, checked.err


def nobody_answers(definition: Path, words: tuple[str, ...]) -> bool:
    """Whether a run with a foreign certificate waits without a machine; it is ended then."""
    command = [sys.executable, "-m", "arena", "ladder", "run", definition.name]
    with subprocess.Popen(
        [*command, "--store", "dask", *words],
        cwd=definition.parent,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "no scheduler; waiting" in line:
                process.terminate()
        process.wait()
    return any("no scheduler; waiting" in line for line in lines) and not any(
        "plays, with" in line for line in lines
    )


@pytest.mark.source_only
def test_the_secret_stays_on_the_host(tmp_path: Path) -> None:
    """Neither a machine nor the scheduler ever has the ladder's secret in its memory.

    The key of a block, from which no other follows, is what they have. Nor does the host send the
    secret to anybody: what it says without TLS is searched.
    """
    definition = ladder(tmp_path, games=300)
    text = definition.read_text("utf-8").replace('seed = "gargon"\n', "")
    definition.write_text(text, "utf-8")
    with cluster(tmp_path) as there:
        machine = there.machine("a", "--sandbox", "none")
        overheard = Overheard(there.port)
        options = ("--runner", "dask", "--scheduler", f"tcp://127.0.0.1:{overheard.port}")
        found: set[bytes] = set()
        done = threading.Event()
        runner = threading.Thread(target=lambda: (run(definition, "dask", *options), done.set()))
        runner.start()
        store = tmp_path / "dask"
        while not done.is_set() and not (store / "times").exists():
            time.sleep(0.05)
        secret = bytes.fromhex((store / "secret").read_text("ascii").split("\n")[0])
        wanted = (secret, secret.hex().encode(), b"gargon-majority")
        while not done.wait(0.3):
            for pid in [*below(machine.process.pid), there.scheduler.process.pid]:
                try:
                    found |= memory_has(pid, *wanted)
                except (FileNotFoundError, ProcessLookupError, PermissionError):
                    continue
        runner.join()
        overheard.close()
    assert found == {b"gargon-majority"}
    assert {each for each in wanted if each in overheard.data} == {b"gargon-majority"}


@pytest.mark.source_only
@pytest.mark.parametrize("kills", [6, pytest.param(IN_FULL, marks=pytest.mark.wide)])
def test_machines_and_scheduler_may_be_killed_at_any_time(tmp_path: Path, kills: int) -> None:
    """Whatever is killed is started again, and the log is that of an undisturbed run.

    In full, so is that of one worker and of two on this machine, and of four machines in peace.
    """
    definition = ladder(tmp_path)
    chance = random.Random(7)
    killed: list[str] = []
    games = 0
    with cluster(tmp_path) as there:
        for name in "abcd":
            there.machine(name, "--sandbox", "none")
        stop = threading.Event()

        def kill() -> None:
            due = 0.0
            while len(killed) < kills and not stop.wait(0.02):
                if size(definition, "dask") <= due:
                    continue
                name = chance.choice(["scheduler", *there.machines])
                process = there.scheduler if name == "scheduler" else there.machines[name]
                process.kill()
                killed.append(name)
                process.start()
                due = size(definition, "dask") + chance.uniform(0, 8) * A_BLOCK

        killer = threading.Thread(target=kill)
        killer.start()
        while len(killed) < kills:  # however quickly a run ends
            games += 10 * kills
            found = run(definition, "dask", "--games", str(games), *there.options)
            assert found.code == 0, found.err
        stop.set()
        killer.join()
        if kills == IN_FULL:
            for name in there.machines:
                there.machines[name].wait_for("connected to")
            assert run(definition, "peace", "--games", str(games), *there.options).code == 0
            assert log(definition, "peace") == log(definition, "dask")
    for workers in ("1", "2") if kills == IN_FULL else ("2",):
        store = f"local-{workers}"
        words = ("--games", str(games), "--workers", workers)
        assert run(definition, store, *words).code == 0
        assert log(definition, store) == log(definition, "dask")


def test_nothing_is_imported_from_where_a_command_is_called(tmp_path: Path) -> None:
    """Whoever runs a ladder in a folder with somebody's bot runs nothing of it as the arena."""
    definition = ladder(tmp_path, games=10)
    planted = f"open({str(tmp_path / 'was-here')!r}, 'w')"
    for name in ("arena", "distributed", "msgspec", "click", "json"):
        (tmp_path / f"{name}.py").write_text(planted, "ascii")
    command = [str(Path(sys.executable).with_name("arena")), "ladder", "run", definition.name]
    words = [*command, "--runner", "dask"]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr
    assert not (tmp_path / "was-here").exists()


@pytest.mark.source_only
def test_a_run_that_is_interrupted_leaves_its_machines_free(tmp_path: Path) -> None:
    """What was under way there ends with it, and the next ladder finds them with room for it."""
    definition = ladder(tmp_path, games=100_000)
    with cluster(tmp_path) as there:
        machine = there.machine("a", "--sandbox", "none")
        command = [sys.executable, "-m", "arena", "ladder", "run", definition.name]
        with subprocess.Popen(
            [*command, "--store", "broken-off", *there.options],
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        ) as process:
            played = tmp_path / "broken-off" / "times"
            while not (played.exists() and played.stat().st_size):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
        found = run(definition, "next", "--games", "20", *there.options)
        assert found.code == 0, found.err
        bots = [pid for pid in below(machine.process.pid) if pid != machine.process.pid]
        assert len(bots) <= 2, bots  # its referees' process, and one that may be ending


@pytest.mark.source_only
def test_a_build_that_fails_on_one_machine_alone(tmp_path: Path) -> None:
    """That machine is set aside with the reason; or it takes what the host has built."""
    bubblewrap()
    tool = tmp_path / "shown"
    tool.mkdir(mode=0o755)
    (tool / "part.py").write_text("PART = 0\n", "utf-8")
    (tmp_path / "shown").chmod(0o755)
    tmp_path.chmod(0o755)
    stranger(tmp_path, build=f"cp bot.py {tool}/part.py build/")
    definition = ladder(tmp_path, ("random", "gargon-hand", "./stranger"), sandbox="bwrap")
    text = definition.read_text("utf-8").replace("[3, 4]", "[3]")
    definition.write_text(text.replace("games = 60", "games = 12"), "utf-8")
    shown = {"ARENA_SANDBOX_READ": str(tool)}
    with pytest.MonkeyPatch.context() as patch, cluster(tmp_path) as there:
        patch.setenv("ARENA_SANDBOX_READ", str(tool))
        there.machine("sound", "--sandbox", "bwrap", env=shown)
        there.machine("poor", "--sandbox", "bwrap", env={"ARENA_SANDBOX_READ": ""})
        found = run(definition, "dask", *there.options)
        assert found.code == 0, found.err
        (line,) = (each for each in found.err.splitlines() if " is set aside: " in each)
        assert line.startswith("machine 'poor' is set aside: bot 'stranger': its build ended")
        assert "--host-builds" in line
        found = run(definition, "again", *there.options, "--host-builds")
        assert found.code == 0, found.err
        assert "set aside" not in found.err
        assert "machine 'poor' plays" in found.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--scheduler", "tcp://127.0.0.1:1"), "is for a runner with machines of its own"),
        (("--runner", "dask", "--scheduler", "tcp://10.1.1.1:1"), "without TLS everybody"),
        (("--runner", "dask", "--scheduler", "tls://10.1.1.1:1"), "expected certificates"),
        (("--runner", "dask", "--scheduler", "10.1.1.1"), "expected an address such as"),
        (
            ("--runner", "dask", "--scheduler", "tcp://127.0.0.1:1", "--tls-ca", "none.pem"),
            "--tls-ca none.pem: no such file",
        ),
    ],
)
def test_what_would_not_be_safe_is_refused(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    """Without TLS nothing leaves this machine unasked, and a wrong option is one line."""
    definition = ladder(tmp_path)
    if "none.pem" in words:
        words = (*words, "--tls-cert", "none.pem")
    assert_refused(run(definition, "dask", *words), says)
    assert not (tmp_path / "dask").exists()
