"""Control groups: made for a program, gone with it, and never those of another referee."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.process.program import Program, StderrDrain
from arena.process.suspension.freezer import freezer_home
from arena.programs.spec import BotSpec
from arena.sandbox.control_groups import Cell, Cgroups, make_unlimited, sweep
from arena.sandbox.limits import Limits
from arena.sandbox.owner import PREFIX, is_left, own_prefix, prefix_of
from arena.sandbox.sandbox import SandboxError
from referee.matches import assert_soon

from .walls import bubblewrap, shown

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

ENDED = 1 << 22
"""No process has this number."""


@pytest.fixture
def groups() -> Cgroups:
    """Where groups can be made."""
    found = bubblewrap().cgroups
    if found is None:
        pytest.skip("no control groups can be made here")
    return found


def left(cell: Cell) -> list[Path]:
    """The directories that are left of a group."""
    return [path for path in cell.groups.values() if path.exists()]


@pytest.mark.parametrize("killed", [False, True])
def test_a_group_is_gone_with_its_program(groups: Cgroups, tmp_path: Path, *, killed: bool) -> None:
    """Also when somebody has killed the keeper that would have removed it."""
    launch = bubblewrap().launch(BotSpec("waits", ("cat",), shown(tmp_path)), None, Limits())
    assert launch.cell is not None
    errands = StderrDrain()
    program = Program(launch, errands)
    assert len(left(launch.cell)) == len(groups.parents)
    if killed:
        os.kill(program.keeper, signal.SIGKILL)  # before the sandbox stands, too
    program.close()
    errands.close()
    assert left(launch.cell) == []


def test_what_killed_referees_have_left_is_swept_up(groups: Cgroups) -> None:
    """And nothing of those that live."""
    parent = groups.parents["pids"]
    stale = parent / f"{PREFIX}{ENDED}-0"
    alive = parent / f"{PREFIX}{os.getpid()}-alive"
    for group in (stale, alive):
        group.mkdir()
    try:
        groups.sweep()
        assert_soon(stale.exists, "a group is left")
        assert alive.exists()
    finally:
        alive.rmdir()


@contextmanager
def another_owner() -> Iterator[str]:
    """Yield how the names of a process's groups begin, and end it.

    While it lives no start of another sandbox on this machine sweeps them up.
    """
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield prefix_of(process.pid)
        finally:
            process.kill()


def test_processes_in_what_is_left_are_ended(groups: Cgroups) -> None:
    """Only those in the groups of a referee that has ended."""
    parent = groups.parents["pids"]
    alive = parent / f"{own_prefix()}alive"
    with (
        subprocess.Popen(["sleep", "60"]) as left_behind,
        subprocess.Popen(["sleep", "60"]) as another,
    ):
        with another_owner() as owner:
            stale = parent / f"{owner}0"
            for group, process in ((stale, left_behind), (alive, another)):
                group.mkdir()
                (group / "cgroup.procs").write_text(str(process.pid))
        groups.sweep()
        assert left_behind.wait(300) == -signal.SIGKILL
        assert another.poll() is None
        another.kill()
        another.wait(300)
    assert_soon(stale.exists, "a group is left")
    assert_soon((alive / "cgroup.procs").read_text, "a process is left")
    alive.rmdir()


def test_processes_left_in_a_group_without_limits_are_ended() -> None:
    """Though the kernel lists them elsewhere where it is a group of threads, as at the top."""
    home = freezer_home()
    if home is None:
        pytest.skip("no group can be made here")
    with subprocess.Popen(["sleep", "60"]) as left_behind:
        with another_owner() as owner:
            group = home / f"{owner}counted-0"
            make_unlimited(group)
            at_the_top = not (home / "cgroup.type").exists()
            assert ((group / "cgroup.type").read_text() == "threaded\n") == at_the_top
            (group / "cgroup.procs").write_text(str(left_behind.pid))
        sweep(home)
        assert left_behind.wait(300) == -signal.SIGKILL
    assert_soon(group.exists, "a group is left")


@pytest.mark.parametrize(
    ("name", "left"),
    [
        (f"{PREFIX}{ENDED}-0", True),
        (own_prefix().replace(f"{os.getpid()}", f"{ENDED}", 1) + "0", True),
        (own_prefix().replace("-s", "-s1") + "0", True),
        (own_prefix().replace("n4", "n5").replace("-s", "-s1") + "0", False),
        (f"{PREFIX}{os.getpid()}-0", False),
        (f"{own_prefix()}0", False),
        (f"{PREFIX}somebody-0", False),
        (f"other-{ENDED}-0", False),
        (f"{PREFIX}-0", False),
    ],
)
def test_what_is_left_is_known_by_the_name_of_its_owner(name: str, *, left: bool) -> None:
    """The process that made it has ended: no such id, or one that was started later.

    Of a process in another namespace nobody can tell that.
    """
    assert is_left(name) == left


def test_a_group_that_cannot_be_made_is_the_hosts_failure(groups: Cgroups, tmp_path: Path) -> None:
    """No bot is blamed for it, and nothing is left open."""
    launch = bubblewrap().launch(BotSpec("waits", ("cat",), shown(tmp_path)), None, Limits())
    assert launch.cell is not None
    launch.cell.make()
    before = len(os.listdir("/proc/self/fd"))
    errands = StderrDrain()
    with pytest.raises(SandboxError, match="cannot make the group"):
        Program(launch, errands)
    errands.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_container_that_sees_only_its_own_group_can_freeze() -> None:
    """Where no namespace hides that the mounted group is a part of the host's tree."""
    home = freezer_home()
    if os.geteuid() or home is None or shutil.which("unshare") is None:
        pytest.skip("needs root, unshare, and groups of version 2")
    mounted = next(path for path in reversed((home, *home.parents)) if is_group(path))
    group = home / f"{PREFIX}{os.getpid()}-container"
    group.mkdir()
    look = "from arena.process.suspension.freezer import freezer_home; print(freezer_home())"
    script = f'echo $$ >{group}/cgroup.procs && mount --bind {group} {mounted} && exec "$@"'
    try:
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", sys.executable, "-c", look],
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        group.rmdir()
    assert done.stdout == f"{mounted}\n"


def is_group(path: Path) -> bool:
    """Whether this is the directory of a group."""
    return (path / "cgroup.procs").exists()
