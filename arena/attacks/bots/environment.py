"""Looks for what the referee and other programs know: environments, memory, open files."""

import os
from collections.abc import Iterator
from pathlib import Path

from attempts import attempt, carries_secret, pids, scene, tell

STANDARD = 3


def search(name: str) -> str | None:
    """Look for the secret in this file of every visible process, its own included."""
    for pid in (os.getpid(), *pids()):
        try:
            if carries_secret(Path(f"/proc/{pid}/{name}").read_bytes()):
                return f"in /proc/{pid}/{name}"
        except OSError:
            continue
    return None


@attempt("find the referee's environment in its own")
def own_environment() -> str | None:
    """It may have been inherited."""
    return carries_secret(repr(dict(os.environ)).encode())


@attempt("find the referee's environment in /proc/*/environ")
def environments() -> str | None:
    """This includes the sandbox's own processes, pid 1 among them."""
    return search("environ")


@attempt("find the referee's environment in its own stack")
def stack() -> str | None:
    """The kernel puts the environment there, whatever the C library makes of it."""
    for line in Path("/proc/self/maps").read_text("ascii").splitlines():
        if line.endswith("[stack]"):
            start, end = (int(word, 16) for word in line.split()[0].split("-"))
            with open("/proc/self/mem", "rb", buffering=0) as memory:
                memory.seek(start)
                return carries_secret(memory.read(end - start))
    return None


@attempt("see processes of the host")
def processes() -> str | None:
    """Command lines tell who plays, and for whom."""
    return search("cmdline")


@attempt("see the referee")
def referee() -> str | None:
    """The attempt uses the process id that the referee has outside."""
    pid = scene["referee"]
    name = Path(f"/proc/{pid}/comm").read_text("utf-8").strip()
    own = Path("/proc/self/comm").read_text("utf-8").strip()
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return f"{pid} is {name} (own name {own})" if f"Pid:\t{pid}\n" in status else None


@attempt("find descriptors that were left open")
def descriptors() -> str | None:
    """A bot that starts must have only stdin, stdout and stderr open."""
    return ", ".join(f"{fd}: {what}" for fd, what in BEQUEATHED.items() if fd >= STANDARD)


@attempt("read files that others have open")
def open_files() -> str | None:
    """The attempt goes through /proc/*/fd."""
    for pid in pids():
        try:
            for name in os.listdir(f"/proc/{pid}/fd"):
                path = f"/proc/{pid}/fd/{name}"
                if Path(path).is_file() and carries_secret(Path(path).read_bytes()):
                    return path
        except OSError:
            continue
    return None


def descriptors_now() -> Iterator[tuple[int, str]]:
    """Yield all open descriptors, and what they lead to."""
    for name in os.listdir("/proc/self/fd"):
        try:
            yield int(name), os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue  # the descriptor of the listing itself


BEQUEATHED = dict(descriptors_now())
tell("environment")
