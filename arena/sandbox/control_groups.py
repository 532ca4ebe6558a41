"""Control groups: limits and usage of a bot with all of its processes.

The kernel has two interfaces. Version 1 has a tree of directories for each controller,
version 2 one tree for all of them. Either is used if this process may make groups in it
that limit at least memory and the number of processes.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from arena.machine.system import LINUX
from arena.sandbox.cpu_file import CpuFile
from arena.sandbox.limits import Limits
from arena.sandbox.owner import PREFIX, is_left, own_prefix

NEEDED = ("memory", "pids")
OPTIONAL = ("cpu", "cpuacct", "freezer")
THREADS, TYPE = "cgroup.threads", "cgroup.type"
"""Files of groups of version 2."""
REMOVAL_PAUSES = (0.0, 0.002, 0.01, 0.05, 0.2)
"""Seconds to wait before each attempt to remove a group; its last process may still be ending."""

_numbers = count()


@dataclass(frozen=True)
class Interface:
    """One version of the kernel's interface: the controller and the file for each purpose."""

    label: str
    entry_file: str
    """The file by which a process enters. `tasks` moves one thread, which needs no pause."""
    memory: tuple[str, str]
    swap: tuple[str, str]
    swap_too: bool
    """Whether the swap limit is for memory and swap together."""
    peak: tuple[str, str]
    killed: tuple[str, str]
    cpu: tuple[str, str, str]
    """The controller, the file, and the word before the number there."""
    nanoseconds: int
    """How many nanoseconds make one unit of that number."""


V1 = Interface(
    label="cgroup-v1",
    entry_file="tasks",
    memory=("memory", "memory.limit_in_bytes"),
    swap=("memory", "memory.memsw.limit_in_bytes"),
    swap_too=True,
    peak=("memory", "memory.max_usage_in_bytes"),
    killed=("memory", "memory.oom_control"),
    cpu=("cpuacct", "cpuacct.usage", ""),
    nanoseconds=1,
)
V2 = Interface(
    label="cgroup-v2",
    entry_file="cgroup.procs",
    memory=("memory", "memory.max"),
    swap=("memory", "memory.swap.max"),
    swap_too=False,
    peak=("memory", "memory.peak"),
    killed=("memory", "memory.events"),
    cpu=("cpuacct", "cpu.stat", "usage_usec"),
    nanoseconds=1000,
)


class Cell:
    """The group of one bot, in all hierarchies.

    Its limit of processes is raised by `spare`, for those of the sandbox.
    """

    def __init__(
        self, interface: Interface, parents: Mapping[str, Path], limits: Limits, spare: int
    ) -> None:
        self._interface = interface
        self._limits = limits
        self._spare = spare
        name = f"{own_prefix()}{next(_numbers)}"
        self.groups = {controller: parent / name for controller, parent in parents.items()}
        """The group's directory by controller; with version 2 it is the same for all."""
        controller, file, word = interface.cpu
        self._cpu: CpuFile | None = None
        if controller in self.groups:
            self._cpu = CpuFile(self._path((controller, file)), word, interface.nanoseconds)

    @property
    def unified(self) -> Path | None:
        """The one directory of the group with version 2; None with version 1."""
        return self.groups["memory"] if self._interface == V2 else None

    def make(self) -> None:
        """Make the group with its limits; raise `OSError` if that fails."""
        for group in self._directories():
            group.mkdir()
        memory = str(self._limits.memory_mb << 20)
        self._write(self._interface.memory, memory)
        for setting, value in (
            (self._interface.swap, memory if self._interface.swap_too else "0"),
            (("memory", "memory.oom.group"), "1"),
        ):
            if self._path(setting).exists():  # some kernels have no limit of swap
                self._write(setting, value)
        self._write(("pids", "pids.max"), str(self._limits.processes + self._spare))

    def enter(self) -> None:
        """Move the calling process, which has one thread, into the group; its children follow."""
        for group in self._directories():
            _put(group / self._interface.entry_file, "0")

    def memory_event(self) -> int | None:
        """Return a descriptor that becomes readable once memory has run out; None if there is none.

        In that case version 1 ends only one process, and reports it here. Version 2 ends all
        processes by itself, so nothing has to be watched.
        """
        control = self.groups["memory"] / "cgroup.event_control"
        if self._interface != V1 or not control.exists():
            return None
        event = os.eventfd(0)
        watched = os.open(self._path(self._interface.killed), os.O_RDONLY)
        try:
            _put(control, f"{event} {watched}")
        finally:
            os.close(watched)
        return event

    @property
    def counts_cpu(self) -> bool:
        """Whether the CPU time of all that has ever run in the group is counted."""
        return self._cpu is not None

    def cpu_ns(self) -> int:
        """Return the CPU time of all that has ever run in the group, in nanoseconds."""
        return 0 if self._cpu is None else self._cpu.ns()

    @property
    def peak_kib(self) -> int:
        """The most memory that was in use at a time, in KiB."""
        return self._number(self._interface.peak) >> 10

    @property
    def killed(self) -> bool:
        """Whether a process was ended because memory had run out."""
        return self._number(self._interface.killed, "oom_kill") > 0

    @property
    def most_processes(self) -> int:
        """The most processes and threads that the bot had at a time; 0 if that was not counted."""
        return max(0, self._number(("pids", "pids.peak")) - self._spare)

    @property
    def refused(self) -> int:
        """How often a process or thread could not be started."""
        return self._number(("pids", "pids.events"), "max")

    def remove(self) -> None:
        """Remove the group, if it still exists, and end the processes left in it."""
        if self._cpu is not None:
            self._cpu.close()
        for group in self._directories():
            _remove(group)

    def _directories(self) -> Iterator[Path]:
        yield from dict.fromkeys(self.groups.values())

    def _path(self, setting: tuple[str, str]) -> Path:
        return self.groups[setting[0]] / setting[1]

    def _write(self, setting: tuple[str, str], value: str) -> None:
        _put(self._path(setting), value)

    def _number(self, setting: tuple[str, str], word: str = "") -> int:
        """Return the number in a file, or the one after a word there; 0 if there is none."""
        if setting[0] not in self.groups:
            return 0
        try:
            with open(self._path(setting), "rb") as file:
                for line in file:
                    name, _, number = line.decode().rpartition(" ")
                    if name == word:
                        return int(number)
        except (OSError, ValueError):
            pass
        return 0


@dataclass(frozen=True)
class Cgroups:
    """Where groups can be made: the parent directory for each controller."""

    interface: Interface
    parents: Mapping[str, Path]

    @property
    def label(self) -> str:
        """The name of the kernel's interface."""
        return self.interface.label

    def cell(self, limits: Limits, spare: int) -> Cell:
        """Return a group for one bot; it is not made yet."""
        return Cell(self.interface, self.parents, limits, spare)

    def sweep(self) -> None:
        """Remove what is left of referees that were killed together with their keepers."""
        for parent in dict.fromkeys(self.parents.values()):
            sweep(parent)


def sweep(parent: Path) -> None:
    """Remove groups below `parent` whose referee has ended, with the processes left in them."""
    for group in parent.glob(f"{PREFIX}*"):
        if is_left(group.name):
            _remove(group)


def find_cgroups() -> Cgroups | None:
    """Return where this process may make groups; None if nowhere."""
    if not LINUX:
        return None
    mounts = _mounts()
    own = _own_groups()
    parents = {}
    for controller in (*NEEDED, *OPTIONAL):
        place = _place(mounts.get(controller), own.get(controller))
        if place is not None and _writable(place):
            parents[controller] = place
    if all(controller in parents for controller in NEEDED):
        return Cgroups(V1, parents)
    place = unified_group()
    for parent in () if place is None else (place, *place.parents):
        if not (parent / "cgroup.procs").exists():
            break
        if _delegated(parent):
            return Cgroups(V2, dict.fromkeys((*NEEDED, *OPTIONAL), parent))
    return None


def unified_group() -> Path | None:
    """Return the directory of this process's group of version 2; None if that is not mounted."""
    if not LINUX:
        return None
    return _place(_mounts().get(""), _own_groups().get(""))


def _mounts() -> dict[str, tuple[Path, str]]:
    """Return where each hierarchy is mounted, and which of its groups is there; "" is version 2."""
    found: dict[str, tuple[Path, str]] = {}
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            root, place = before.split()[3:5]
            kind, _, options = after.split(maxsplit=2)
            if kind == "cgroup2":
                found.setdefault("", (Path(place), root))
            elif kind == "cgroup":
                for option in options.strip().split(","):
                    found.setdefault(option, (Path(place), root))
    return found


def _own_groups() -> dict[str, str]:
    """Return the group of this process by controller; "" is version 2."""
    found = {}
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, group = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                found[controller] = group
    return found


def _place(mount: tuple[Path, str] | None, group: str | None) -> Path | None:
    """Return the directory of a group, or that of its mount if the group is not visible."""
    if mount is None or group is None:
        return None
    place, root = mount
    inside = os.path.relpath(group, root)
    seen = place if inside.startswith("..") else place / inside
    return seen if seen.is_dir() else place


def _writable(place: Path) -> bool:
    """Whether groups can be made here."""
    probe = place / f"{own_prefix()}probe"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return True


def _delegated(parent: Path) -> bool:
    """Whether groups below this one can have limits, and this process can move into them."""
    probe = parent / f"{own_prefix()}probe"
    try:
        given = (parent / "cgroup.subtree_control").read_text(encoding="ascii").split()
        if not set(NEEDED) <= set(given):
            return False
        probe.mkdir()
    except OSError:
        return False
    joins = can_join(probe)
    probe.rmdir()
    return joins


def make_unlimited(group: Path) -> None:
    """Make a group of version 2 that sets no limits; raise `OSError` if that fails.

    Before a process moves, the kernel waits until none is being forked or ended anywhere, which
    takes milliseconds. Not so for a single thread, which can move between groups of threads. Such
    a group can be made at the top of the hierarchy without any effect on others.
    """
    group.mkdir()
    if not (group.parent / TYPE).exists():  # all groups but the one at the top have a type
        with suppress(OSError):
            _put(group / TYPE, "threaded")


def enter(group: Path) -> None:
    """Move the calling process, which has one thread, into a group of version 2."""
    try:
        _put(group / THREADS, "0")
    except OSError:
        move(0, group)  # it is no group of threads, or is not to be entered at all


def can_join(group: Path) -> bool:
    """Whether processes can be moved into a group; found out with a child that does nothing."""
    # An interrupt around a fork may be lost, and would leave the child in the group.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        child = os.fork()
        if child == 0:
            try:
                enter(group)
                os._exit(0)
            finally:
                os._exit(1)
        return os.waitpid(child, 0)[1] == 0
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def move(pid: int, group: Path) -> None:
    """Move a process, with all its threads, into a group of version 2; 0 is the calling one."""
    _put(group / V2.entry_file, str(pid))


def _put(path: Path, text: str) -> None:
    """Write the text in one system call, as these files require."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def _remove(group: Path) -> None:
    """Remove a group, if it still exists, and end the processes left in it."""
    for pause in REMOVAL_PAUSES:
        time.sleep(pause)
        try:
            group.rmdir()
        except OSError as error:
            if error.errno == errno.EBUSY:
                _end_all(group)
                continue
        break


def _end_all(group: Path) -> None:
    """End the processes that a killed keeper has left behind."""
    for pid in _members(group):
        try:
            process = os.pidfd_open(pid)
        except OSError:
            continue  # it has just ended
        try:
            if pid in _members(group):  # it is still the same process
                signal.pidfd_send_signal(process, signal.SIGKILL)
        except OSError:
            pass  # ditto
        finally:
            os.close(process)


def _members(group: Path) -> set[int]:
    """Return the processes in a group; none if it is gone."""
    for name in (V2.entry_file, THREADS):  # only the latter can be read of a group of threads
        with suppress(OSError):
            return set(map(int, (group / name).read_text(encoding="ascii").split()))
    return set()
