"""A nursery forks the keepers of a worker: they hold what they always held, and take little."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.process.nursery import FORKED_HERE, Keepers, Nursery
from arena.process.process_tree import children, descendants
from arena.process.program import Program, StderrDrain
from arena.sandbox.launch import Launch
from arena.sandbox.limits import Limits
from referee.matches import assert_soon, new_mark, open_files

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

TESTS = Path(__file__).parents[1]
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
BURN = """
import time
while input():
    until = time.process_time() + 0.6
    while time.process_time() < until:
        pass
    print("done", flush=True)
"""
CHANGED = 16 << 20
"""Bytes that a worker writes to after its keeper was forked."""


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    """A nursery of this process, of which nothing is left."""
    files, processes = open_files(), children(os.getpid())
    with Nursery() as nursery:
        yield nursery
    assert open_files() == files
    assert children(os.getpid()) == processes


@pytest.fixture
def drain() -> Iterator[StderrDrain]:
    """What programs need beside."""
    drain = StderrDrain()
    yield drain
    drain.close()


def started(
    keepers: Keepers,
    drain: StderrDrain,
    *words: str,
    prepare: Callable[[], None] | None = None,
) -> Program:
    """A program, by default one that writes back what it reads, whose keeper is forked there."""
    launch = Launch(words or ("cat",), ENVIRONMENT, Path("/"), *([prepare] if prepare else []))
    return Program(launch, drain, keepers=keepers)


def answers(program: Program) -> bool:
    """Whether it writes back what it is sent."""
    assert program.write(b"hello", 10) == 0
    return program.read(10) == b"hello"


def private(pid: int) -> int:
    """How many bytes of memory a process has alone."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))


def test_a_keeper_does_not_hold_what_its_worker_has_changed_since(
    nursery: Nursery, drain: StderrDrain
) -> None:
    """Else a large field takes twice the memory, and its processes have to be ended again."""
    held = bytearray(os.urandom(CHANGED))
    programs = [started(keepers, drain) for keepers in (FORKED_HERE, nursery)]
    for at in range(0, CHANGED, 1 << 10):
        held[at] ^= 1
    here, there = (private(program.keeper) for program in programs)
    assert here > CHANGED
    assert there < CHANGED / 4
    for program in programs:
        assert answers(program)
        program.close()


def test_a_program_gets_nothing_of_its_keeper(nursery: Nursery, drain: StderrDrain) -> None:
    """Only its pipes: not the end by which its keeper is told to end it, nor the reports."""
    program = started(nursery, drain)
    assert answers(program)
    assert set(os.listdir(f"/proc/{program.pid}/fd")) == {"0", "1", "2"}
    program.close()


@pytest.mark.parametrize("victim", [signal.SIGKILL, signal.SIGSTOP])
def test_a_nursery_that_somebody_ends_or_stops_costs_nothing(
    nursery: Nursery, drain: StderrDrain, victim: signal.Signals
) -> None:
    """A bot without a sandbox can do that: the others play on, and the next can be started."""
    first = started(nursery, drain)
    os.kill(nursery._process.pid, victim)
    assert answers(first)
    second = started(nursery, drain)
    assert answers(second)
    for program in (first, second):
        program.close()
        assert program.ending is not None
        assert program.ending.number == -signal.SIGKILL
        assert_soon(Path(f"/proc/{program.pid}").exists, "a program runs")


def test_an_ended_program_leaves_no_keeper(nursery: Nursery, drain: StderrDrain) -> None:
    """Once it is closed; so a worker can start and end programs for months."""
    for _ in range(5):
        program = started(nursery, drain)
        program.close()
        assert not Path(f"/proc/{program.keeper}").exists()


def test_what_cannot_be_sent_to_a_nursery_is_started_all_the_same(
    nursery: Nursery, drain: StderrDrain, tmp_path: Path
) -> None:
    """Sandboxes of plugins may prepare programs by any function."""

    def prepare() -> None:
        (tmp_path / "prepared").touch()

    program = started(nursery, drain, prepare=prepare)
    assert program.keeper in children(os.getpid())
    assert (tmp_path / "prepared").exists()
    assert answers(program)
    program.close()
    assert program.keeper not in children(os.getpid())


def test_what_fails_before_a_program_runs_is_told(nursery: Nursery, drain: StderrDrain) -> None:
    """By the host's fault or that of the program, in the same words as without a nursery."""
    with pytest.raises(OSError, match="No such file"):
        started(nursery, drain, "no-such-program")
    with pytest.raises(HostError, match="cannot start a bot: "):
        started(nursery, drain, prepare=partial(os.chdir, "/no-such-group"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("nursery_too", [False, True])
def test_nothing_outlives_a_worker_that_is_killed(
    number: signal.Signals, *, nursery_too: bool
) -> None:
    """Nor a nursery that is killed a moment before: no bot, no keeper, no process of a bot."""
    mark = new_mark()
    words = [sys.executable, "-m", "process.nursed_programs", mark]
    with subprocess.Popen(words, cwd=TESTS, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "3 answer\n"
            running = [Path(f"/proc/{pid}") for pid in descendants(process.pid)]
            assert len(running) == 1 + 3 + 3 + 3
            if nursery_too:
                os.kill(children(process.pid)[0], signal.SIGKILL)
        finally:
            process.send_signal(number)
            process.wait(300)
    assert_soon(lambda: [path for path in running if path.exists()], "processes are left")


def test_processor_time_counts_anew_in_each_game(nursery: Nursery, drain: StderrDrain) -> None:
    """A program that plays many games may use in each what it is allowed in one."""
    limits = Limits(cpu_seconds=1)
    words = (sys.executable, "-c", BURN)
    launch = Launch(words, ENVIRONMENT, Path("/"), limits=limits)
    with closing(Program(launch, drain, keepers=nursery)) as program:
        for _ in range(2):
            program.begin_game()
            assert program.write(b"x\n", 10) == 0
            assert program.read(300) == b"done\n"
        # The second game goes on. What a game uses before the keeper looks again is not counted.
        assert program.write(b"x\n" * 8, 10) == 0
        ending = program.await_ending(300)
        assert ending is not None
        assert str(ending) == "more CPU time than allowed: 1 s"
