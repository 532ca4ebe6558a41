"""The filter of system calls: what it answers to every call, and that its numbers are right."""

from __future__ import annotations

import errno
import shutil
import struct
import subprocess
from collections.abc import Iterator

import pytest

from arena.sandbox import _syscalls as syscalls
from arena.sandbox._seccomp import ALLOW, FAIL, INSTRUCTION, KILL, machine, seccomp_filter
from arena.sandbox._syscalls import DENIED, EXAMINED, LAST, MACHINES, X32

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

WORD = 1 << 64


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What a filter says to a call: the kernel's machine in a few lines."""
    if architecture is None:
        architecture = MACHINES[machine][1]
    given = [argument % WORD for argument in (*arguments, 0, 0, 0, 0, 0, 0)[:6]]
    call = struct.pack("<IIQ6Q", number, architecture, 0, *given)
    code = list(INSTRUCTION.iter_unpack(seccomp_filter(machine)))
    held = at = 0
    while True:
        kind, yes, no, value = code[at]
        at += 1
        if kind == 0x06:
            return int(value)
        if kind == 0x20:
            held = int.from_bytes(call[value : value + 4], "little")
        elif kind == 0x54:
            held &= value
        elif kind == 0x15:
            at += yes if held == value else no
        elif kind == 0x35:
            at += yes if held >= value else no
        else:
            assert kind == 0x45
            at += yes if held & value else no


def numbers(machine: str) -> Iterator[tuple[str, int, int]]:
    """Every call that is denied as a whole: name, number, error."""
    for calls, error in DENIED:
        for name, columns in calls.items():
            number = columns[MACHINES[machine][0]]
            if number is not None:
                yield name, number, error


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_is_answered_as_the_tables_say(machine: str) -> None:
    """Denied calls fail with their error, others pass, and what is not known is not there."""
    denied = {number: error for _, number, error in numbers(machine)}
    examined = {columns[MACHINES[machine][0]] for columns in EXAMINED.values()}
    assert len(denied) > 60
    for number in range(LAST + 50):
        if number in examined:
            continue
        expected = FAIL | denied[number] if number in denied else ALLOW
        assert answer(machine, number) == (expected if number <= LAST else FAIL | errno.ENOSYS)


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_machine_end_the_program(machine: str) -> None:
    """The same number means another call there, so that the tables would not hold."""
    other = 0x40000003  # 32-bit x86
    assert answer(machine, 1, architecture=other) == KILL
    assert answer(machine, X32 + 1) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("socket", (1, 1), None),
        ("socket", (2, 1), errno.EAFNOSUPPORT),
        ("socket", (10, 1), errno.EAFNOSUPPORT),
        ("socket", (16, 3), errno.EAFNOSUPPORT),
        ("socket", (40, 1), errno.EAFNOSUPPORT),
        ("socket", (WORD - (1 << 32) + 1, 1), None),  # the kernel takes the lower half, too
        ("socketpair", (1, 1), None),
        ("socketpair", (2, 1), errno.EAFNOSUPPORT),
        ("clone", (0x01200011,), None),  # a fork
        ("clone", (0x003D0F00,), None),  # a thread
        ("clone", (0x10000011,), errno.EPERM),
        ("clone", (0x20000011,), errno.EPERM),
        ("clone", (0x00020011,), errno.EPERM),
        ("fcntl", (0, 3), None),
        ("fcntl", (0, 6), 0),
        ("fcntl", (0, 38), 0),
        ("fcntl", (0, 5), errno.ENOLCK),
        ("fcntl", (0, 1024), errno.EPERM),
        ("fcntl", (0, 1036), errno.EPERM),
        ("fcntl", (0, 1030), None),  # F_DUPFD_CLOEXEC
        ("ioctl", (0, 0x5401), None),
        ("ioctl", (0, 0x5412), errno.EPERM),
        ("ioctl", (0, 0x40046629), errno.ENOTTY),  # EXT4_IOC_GETSTATE
        ("ioctl", (0, 0x6612), errno.ENOTTY),  # EXT4_IOC_PRECACHE_EXTENTS
        ("ioctl", (0, 0x541B), None),  # FIONREAD
        ("fcntl", (0, 1031), errno.EPERM),  # F_SETPIPE_SZ
        ("fcntl", (0, 1032), None),  # F_GETPIPE_SZ
        ("getsockopt", (0, 1, 57), errno.ENOPROTOOPT),  # SO_COOKIE
        ("getsockopt", (0, 1, 4), None),  # SO_ERROR
        ("madvise", (0, 4096, 4), None),  # MADV_DONTNEED
        ("madvise", (0, 4096, 14), None),  # MADV_HUGEPAGE
        ("madvise", (0, 4096, 21), 0),  # MADV_PAGEOUT
        ("membarrier", (8,), None),  # of the process itself
        ("membarrier", (2,), errno.EINVAL),
        ("prctl", (15,), None),  # PR_SET_NAME
        ("prctl", (67,), errno.EINVAL),  # PR_SET_MEMORY_MERGE
        ("personality", (0xFFFFFFFF,), None),
        ("personality", (0,), None),
        ("personality", (0x0040000,), errno.EPERM),
    ],
)
def test_some_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], error: int | None
) -> None:
    """Sockets within the sandbox, threads and plain flags pass; ways out of it do not."""
    number = EXAMINED[name][MACHINES[machine][0]]
    assert number is not None
    expected = ALLOW if error is None else FAIL | error
    assert answer(machine, number, *arguments) == expected


def test_the_numbers_are_the_kernels() -> None:
    """This machine's headers know every call under the same number."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler, which knows the kernel's numbers")
    done = subprocess.run(
        [compiler, "-E", "-dM", "-x", "c", "-"],
        input="#include <asm/unistd.h>\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("no headers of the kernel")
    known = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1].startswith("__NR_") and words[2].isdigit():
            known[words[1].removeprefix("__NR_")] = int(words[2])
    column = MACHINES[machine()][0]
    tables = [calls for calls, _ in DENIED] + [EXAMINED]
    missing = []
    for calls in tables:
        for name, columns in calls.items():
            if name in known:
                assert columns[column] == known[name], name
            elif columns[column] is not None:
                missing.append(name)
    assert len(missing) < 5, missing  # headers that are a little older than the tables
    assert syscalls.LAST >= 450
