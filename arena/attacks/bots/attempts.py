"""The common part of the attacks: make attempts, report the result of each, and play on.

An attempt is a function that returns what it got hold of, or something false if it got
nothing, and raises an error if it is refused. Each runs in a child of its own, so that one that
is killed does not end the others. The bot's notes have a line for each attempt: "held" or
"DOWN", its name, and what was seen; the last line has the number of attempts.
"""

import ctypes
import errno
import json
import os
import platform
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from arena_sdk import Question, run

LONGEST_NOTE_BYTES = 480
LONGEST_SIGHT = 90
SECONDS = 20.0
"""How long an attempt may take before it counts as held."""

scene: dict[str, Any] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
"""The targets on the host, as the host has described them."""

Attempt = Callable[[], object]
_attempts: list[tuple[str, Attempt]] = []
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def attempt(name: str) -> Callable[[Attempt], Attempt]:
    """Add the decorated function as an attempt of this name."""

    def mark(action: Attempt) -> Attempt:
        add(name, action)
        return action

    return mark


def add(name: str, action: Attempt) -> None:
    """Add an attempt."""
    _attempts.append((name, action))


def tell(name: str) -> None:
    """Make all attempts at the first question; report them in its note and the next ones."""
    lines: list[str] = []
    asked = False

    def choose(question: Question) -> int:
        nonlocal asked
        if not asked:
            asked = True
            lines.extend(results(_attempts))
        question.note = note_of(lines)
        return 0

    run(choose, name=name)


def results(attempts: Iterable[tuple[str, Attempt]]) -> Iterator[str]:
    """Make the attempts; yield a line for each, and one with their number at the end."""
    number = 0
    for number, (name, action) in enumerate(attempts, 1):  # noqa: B007 - the last one is used below
        through, seen = in_child(action)
        yield line_of(name, seen, through=through)
    yield f"made {number}"


def line_of(name: str, seen: str, *, through: bool) -> str:
    """Return the line that reports an attempt."""
    sight = " ".join(seen.split())[:LONGEST_SIGHT]
    return f"{'DOWN' if through else 'held'}\t{name}\t{sight}"


def note_of(lines: list[str]) -> str:
    """Remove as many lines as fit into a note, and return them as one text."""
    note = ""
    while lines and len(f"{note}{lines[0]}".encode()) < LONGEST_NOTE_BYTES:
        note += lines.pop(0) + "\n"
    return note.rstrip("\n")


def in_child(action: Attempt) -> tuple[bool, str]:
    """Make an attempt in a child; return whether it got through, and what was seen."""
    reader, writer = os.pipe()
    try:
        child = os.fork()
    except OSError as error:
        return False, name_of(error)
    if child == 0:
        os.close(reader)
        try:
            os.write(writer, "\t".join(_outcome(action)).encode(errors="replace")[:4096])
        finally:
            os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], SECONDS)
    told = os.read(reader, 4096).decode(errors="replace") if ready else ""
    os.close(reader)
    if not ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if told:
        through, _, seen = told.partition("\t")
        return through == "DOWN", seen
    if not ready:
        return False, f"nothing in {SECONDS:.0f} s"
    if os.WIFSIGNALED(status):
        return False, f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return False, f"ended with exit code {os.waitstatus_to_exitcode(status)}"


def _outcome(action: Attempt) -> tuple[str, str]:
    try:
        got = action()
    except OSError as error:
        return "held", name_of(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it got nothing
        return "held", f"{type(error).__name__}: {error}"
    return ("DOWN", str(got)) if got else ("held", "nothing")


def name_of(error: OSError) -> str:
    """Return the name of a system call's error."""
    return errno.errorcode.get(error.errno or 0, str(error))


def syscall(*numbers: int, arguments: Iterable[object] = ()) -> int:
    """Make a system call by its number on x86-64 and on aarch64, which may be the same."""
    number = numbers[0] if platform.machine() == "x86_64" else numbers[-1]
    words = [_word(argument) for argument in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _word(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def carries_secret(data: bytes) -> str | None:
    """Return the host's secret if the data contains it.

    The attack gets the secret backwards, so that its own arguments do not contain it.
    """
    secret: str = scene["secret backwards"][::-1]
    return secret if secret.encode() in data else None


def pids() -> Iterator[int]:
    """Yield all visible processes but this one."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            yield int(entry.name)
