"""The seccomp filter of system calls: a sandbox's second line of defence, after namespaces.

It is a BPF program, assembled here because the Python bindings of libseccomp are either
unmaintained or not in a package index. `bwrap` loads it just before it starts the bot. The
denied calls are in `_syscalls`. They fail with an error if a runtime can do without them. Some
only seem to work and do nothing, like those for locks and times of files. Calls of a foreign
architecture end the program with SIGSYS.
"""

from __future__ import annotations

import errno
import platform
from collections.abc import Iterable
from struct import Struct
from typing import TypeAlias

from arena.sandbox._syscalls import (
    ADVICE,
    AF_UNIX,
    BARRIERS_FOR_ALL,
    COMMAND_TYPE,
    DENIED,
    EXAMINED,
    FEIGNED,
    FEIGNED_INPUT,
    LARGER_PIPES,
    LAST,
    LOCKED,
    LOCKING,
    MACHINES,
    MARKING,
    MERGING,
    NEW_NAMESPACES,
    OF_FILE_SYSTEMS,
    PLAIN,
    SOCKET_NUMBERS,
    X32,
)

INSTRUCTION = Struct("=HBBI")
LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in bytes of these fields in the kernel's description of a call."""
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000

Instruction: TypeAlias = tuple[int, int, int, int]


def machine() -> str:
    """Return the kind of this machine, as the tables in `_syscalls` name it."""
    return platform.machine()


def seccomp_filter(machine: str) -> bytes:
    """Return the filter for this kind of machine, for `bwrap --seccomp`; raise `KeyError`."""
    column, architecture = MACHINES[machine]
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, KILL),
        (AT_LEAST, 0, 1, LAST + 1),
        (RETURN, 0, 0, FAIL | errno.ENOSYS),
    ]
    for calls, error in DENIED:
        for numbers in calls.values():
            number = numbers[column]
            if number is not None:
                code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, FAIL | error)]
    rules = {
        "clone": [*_argument(0), (ANY_BIT, 0, 1, NEW_NAMESPACES), _fail(errno.EPERM)],
        "fcntl": [
            *_argument(1),
            *_each(LOCKING, FEIGNED),
            *_each(LOCKED, errno.ENOLCK),
            *_each(MARKING, errno.EPERM),
            *_each(LARGER_PIPES, errno.EPERM),
        ],
        "getsockopt": [*_argument(2), *_each(SOCKET_NUMBERS, errno.ENOPROTOOPT)],
        "ioctl": [
            *_argument(1),
            *_each(FEIGNED_INPUT, errno.EPERM),
            (AND, 0, 0, COMMAND_TYPE),
            *_each((OF_FILE_SYSTEMS,), errno.ENOTTY),
        ],
        "madvise": [*_argument(2), *_each(ADVICE, FEIGNED)],
        "membarrier": [*_argument(0), *_each(BARRIERS_FOR_ALL, errno.EINVAL)],
        "personality": [*_argument(0), *_only(PLAIN, errno.EPERM)],
        "prctl": [*_argument(0), *_each(MERGING, errno.EINVAL)],
        "socket": [*_argument(0), *_only((AF_UNIX,), errno.EAFNOSUPPORT)],
        "socketpair": [*_argument(0), *_only((AF_UNIX,), errno.EAFNOSUPPORT)],
    }
    for call, rule in rules.items():
        number = EXAMINED[call][column]
        assert number is not None
        code += [(EQUAL, 0, len(rule) + 1, number), *rule, (RETURN, 0, 0, ALLOW)]
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(INSTRUCTION.pack(*instruction) for instruction in code)


def _argument(index: int) -> Iterable[Instruction]:
    """Load the lower half of an argument; the kernel uses no more of these arguments."""
    yield LOAD, 0, 0, ARGUMENTS + 8 * index


def _fail(error: int) -> Instruction:
    return RETURN, 0, 0, FAIL | error


def _each(values: Iterable[int], error: int) -> Iterable[Instruction]:
    """Fail if the loaded value is any of these."""
    for value in values:
        yield EQUAL, 0, 1, value
        yield _fail(error)


def _only(values: tuple[int, ...], error: int) -> Iterable[Instruction]:
    """Fail unless the loaded value is one of these."""
    for at, value in enumerate(values):
        yield EQUAL, len(values) - at, 0, value
    yield _fail(error)
