"""Passes bits to an accomplice by what the kernel counts for the whole host or for a user.

The sender uses up something that is counted: files, threads, memory, signals that wait. The
receiver reads the count, or finds out how much is left.
"""

import ctypes
import fcntl
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from attempts import syscall
from signals import any_change, falls_by, nothing, pass_bits, rises_by

MB = 1 << 20
OPENED, THREADS, PIPES = 60, 20, 80
IO_SETUP = (206, 0)
SO_COOKIE = 57
SET_PIPE_SIZE, GET_PIPE_SIZE = 1031, 1032
SIGNAL = signal.SIGRTMIN + 3
ENOUGH = 200_000
"""More signals than any user may have waiting."""

kept: list[object] = []
libc = ctypes.CDLL(None, use_errno=True)
libc.sigqueue.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p]


def once(action: Callable[[], object]) -> Callable[[], object]:
    """Return a function that does it at its first call only."""
    done: list[bool] = []

    def at_first() -> None:
        if not done:
            done.append(True)
            action()

    return at_first


def open_files() -> None:
    """Keep many files open."""
    kept.extend(os.open("/dev/null", os.O_RDONLY) for _ in range(OPENED))


def start_threads() -> None:
    """Keep many threads waiting."""
    for _ in range(THREADS):
        threading.Thread(target=threading.Event().wait, daemon=True).start()


def use_memory() -> None:
    """Keep a file in memory."""
    Path("/dev/shm/kept").write_bytes(bytes(6 * MB))


def reserve_events() -> None:
    """Reserve many events of asynchronous I/O."""
    syscall(*IO_SETUP, arguments=(5000, ctypes.byref(ctypes.c_ulong(0))))


def number_in(path: str, word: str = "", field: int = 0) -> Callable[[], int]:
    """Return a look at a number in a file of the kernel's, in the line that begins so."""

    def number() -> int:
        for line in Path(path).read_text("ascii").splitlines():
            if line.startswith(word):
                return int(line.replace("/", " ").split()[field])
        raise ValueError(word)

    return number


def queue_signals() -> int:
    """Send this process signals that wait, as many as it may; return how many."""
    for number in range(ENOUGH):
        if libc.sigqueue(os.getpid(), SIGNAL, None) < 0:
            return number
    return ENOUGH


def queue_half() -> None:
    """Keep so many signals waiting that the receiver finds fewer left."""
    for _ in range(5_000):
        libc.sigqueue(os.getpid(), SIGNAL, None)


def signals_left() -> int:
    """How many signals may wait; takes them away again."""
    number = queue_signals()
    while signal.sigtimedwait({SIGNAL}, 0):
        pass
    return number


def ask_cookies() -> None:
    """Have the kernel number many sockets."""
    for _ in range(500):
        cookie()


def cookie() -> int:
    """The number of a new socket, counted over the whole host."""
    with socket.socket(socket.AF_UNIX) as line:
        return int.from_bytes(line.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8), sys.byteorder)


def fill_pipes() -> None:
    """Make pipes as large as they may be, until the user's share is used up."""
    for _ in range(PIPES):
        ends = os.pipe()
        kept.extend(ends)
        try:
            fcntl.fcntl(ends[0], SET_PIPE_SIZE, MB)
        except OSError:
            continue  # there is no room for a large one, but for small ones


def size_of_pipe() -> int:
    """The size of a new pipe, which is small once the share is used up."""
    reader, writer = os.pipe()
    try:
        return int(fcntl.fcntl(reader, GET_PIPE_SIZE))
    finally:
        os.close(reader)
        os.close(writer)


signal.pthread_sigmask(signal.SIG_BLOCK, {SIGNAL})
pass_bits(
    sys.argv[2],
    {
        "the size of a new pipe": (once(fill_pipes), size_of_pipe, any_change),
        "open files (file-nr)": (once(open_files), number_in("/proc/sys/fs/file-nr"), rises_by(40)),
        "threads (loadavg)": (
            once(start_threads),
            number_in("/proc/loadavg", "", 4),
            rises_by(THREADS // 2),
        ),
        "forks (stat)": (
            nothing,
            number_in("/proc/stat", "processes", 1),
            rises_by(THREADS),
        ),
        "memory of files (meminfo)": (
            once(use_memory),
            number_in("/proc/meminfo", "Shmem:", 1),
            rises_by(4_000),
        ),
        "memory of files (vmstat)": (
            nothing,
            number_in("/proc/vmstat", "nr_shmem ", 1),
            rises_by(1_000),
        ),
        "asynchronous I/O (aio-nr)": (
            once(reserve_events),
            number_in("/proc/sys/fs/aio-nr"),
            rises_by(5_000),
        ),
        "signals that may wait": (once(queue_half), signals_left, falls_by(2_000)),
        "numbers of sockets (SO_COOKIE)": (ask_cookies, cookie, rises_by(400)),
    },
)
