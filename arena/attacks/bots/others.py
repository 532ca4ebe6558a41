"""Tries to trace, read, signal, limit, slow down and move other processes."""

import ctypes
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

from attempts import add, attempt, carries_secret, pids, scene, syscall, tell

PTRACE = (101, 117)
PTRACE_SEIZE = 0x4206
PROCESS_VM_READV = (310, 270)
PIDFD_GETFD = (438,)
KCMP = (312, 272)
IOPRIO_SET = (251, 30)
REAL_TIME_IO = 1 << 13
WHO_PROCESS = 1


def everybody() -> Iterator[int]:
    """Yield pid 1, its parent, the referee and the victim by outside pids, and all it can see."""
    yield from dict.fromkeys(
        (1, PARENT, scene["referee"], scene["victim"], *pids()),
    )


def on_everybody(action: Callable[[int], object]) -> Callable[[], object]:
    """Return an attempt on every process but the bot itself, up to the first that succeeds."""

    def attempt() -> str | None:
        for pid in everybody():
            if pid in {OWN, os.getpid()}:
                continue
            try:
                got = action(pid)
            except OSError:
                continue
            if got is not None and got is not False:
                return f"process {pid}"
        return None

    return attempt


def trace(pid: int) -> int:
    """Become its tracer, for a moment."""
    result = syscall(*PTRACE, arguments=(PTRACE_SEIZE, pid, 0, 0))
    os.kill(pid, 0)
    return result


def read_memory(pid: int) -> bool:
    """Read its memory; in the sandbox's own processes only the host's secret counts."""
    data = b""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text("utf-8").splitlines():
            start, end = (int(word, 16) for word in line.split()[0].split("-"))
            try:
                memory.seek(start)
                data += memory.read(min(end - start, MOST))
            except (OSError, OverflowError):
                continue  # not readable
    return carries_secret(data) is not None if pid in WALLS else bool(data)


def read_memory_by_call(pid: int) -> int:
    """The same by a system call, from an address that need not exist."""
    buffer = ctypes.create_string_buffer(16)
    near = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 16)
    far = (ctypes.c_void_p * 2)(0x400000, 16)
    return syscall(*PROCESS_VM_READV, arguments=(pid, near, 1, far, 1, 0))


def take_descriptor(pid: int) -> int:
    """Take its stdin, through a pidfd of the process."""
    return syscall(*PIDFD_GETFD, arguments=(os.pidfd_open(pid), 0, 0))


def compare(pid: int) -> int:
    """Learn whether it shares memory with this one, which tells where its objects lie."""
    return syscall(*KCMP, arguments=(os.getpid(), pid, 1, 0, 0))


def limit(pid: int) -> bool:
    """Set its limit of open files, but only to the value that it has."""
    now = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, now)
    return pid not in WALLS


def slow_down(pid: int) -> bool:
    """Set its priority, but only to the one that it has; that takes the same right as another."""
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
    return pid not in WALLS


def displace(pid: int) -> bool:
    """Set its cores, but only to those that it has."""
    os.sched_setaffinity(pid, os.sched_getaffinity(pid))
    return True


def knock(pid: int) -> bool:
    """Whether it can be signalled."""
    os.kill(pid, 0)
    return pid not in WALLS


@attempt("real-time priority")
def real_time() -> str:
    """With it the bot would run before everything else, the referee included."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return "SCHED_FIFO"


@attempt("a better priority")
def better_priority() -> str:
    """This is a lower nice value."""
    os.setpriority(os.PRIO_PROCESS, 0, -5)
    return f"nice {os.getpriority(os.PRIO_PROCESS, 0)}"


@attempt("real-time priority on disks")
def real_time_io() -> str:
    """With it everybody else's reads would wait."""
    syscall(*IOPRIO_SET, arguments=(WHO_PROCESS, 0, REAL_TIME_IO))
    return "real-time class"


@attempt("another core")
def other_core() -> str | None:
    """On it nobody waits, or another game is played."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    cores = os.sched_getaffinity(0) - {scene["core"]}
    return f"cores {sorted(cores)}" if cores else None


@attempt("higher limits than it was given")
def raise_limits() -> str | None:
    """Hard limits can only be lowered."""
    raised = []
    for name in ("NOFILE", "FSIZE", "CORE", "NPROC", "DATA", "MEMLOCK", "NICE", "RTPRIO"):
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        if hard == resource.RLIM_INFINITY:
            continue
        try:
            resource.setrlimit(kind, (hard, hard + 1))
            raised.append(name)
        except (OSError, ValueError):
            continue
    return ", ".join(raised)


PARENT = os.getppid()
WALLS = {1, PARENT} if scene["sandboxed"] else set()
"""The sandbox's own processes; an ordinary user's have the bot's uid and hide nothing."""
MOST = 1 << 20
OWN = os.getpid()
for name, action in {
    "trace": trace,
    "read the memory of": read_memory,
    "read, by a call, the memory of": read_memory_by_call,
    "take a descriptor of": take_descriptor,
    "compare itself with": compare,
    "limit": limit,
    "set the priority of": slow_down,
    "set the core of": displace,
    "signal": knock,
}.items():
    add(f"{name} another process", on_everybody(action))
tell("others")
