"""Passes bits to an accomplice by what the host keeps of files: pages in memory, times, marks.

The sender drops all pages of a file that both see, and reads some of them again in an agreed
pattern. The receiver looks which of them are in memory, by every call that can tell. Both set
and read the times and marks of other files that both see.
"""

import ctypes
import fcntl
import mmap
import os
import resource
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from attempts import syscall
from signals import any_change, nothing, pass_bits

SHARED = "pages-of-both"
PATTERN = tuple(bool(0b1011001110001011 >> at & 1) for at in range(16))
STRIDE = 16 * mmap.PAGESIZE
"""Bytes between two pages of the pattern, more than the kernel reads around a page."""
PREADV2, CACHESTAT = (327, 286), (451, 451)
IO_SETUP, IO_SUBMIT, IO_GETEVENTS = (206, 0), (209, 2), (208, 4)
UTIMENSAT, FUTIMESAT, UTIME, UTIMES = (280, 88), 261, 132, 235
READAHEAD = (187, 213)
NO_WAIT = 8
PAGE_OUT, COLD = 21, 20
PRECACHE, GET_STATE = 0x6612, 0x40046629
"""ext4's commands to load a file's extents, and to tell whether that was done."""
AT_FDCWD = -100

fd = os.open(SHARED, os.O_RDONLY)
buffer = ctypes.create_string_buffer(mmap.PAGESIZE)
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def set_pages() -> None:
    """Drop all pages of the file, in every way that there is, and read those of the pattern."""
    size = os.fstat(fd).st_size
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    place = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
    for advice in (COLD, PAGE_OUT):
        libc.madvise(place, size, advice)
    libc.munmap(ctypes.c_void_p(place), size)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    for at in range(-(-size // STRIDE)):
        if PATTERN[at % len(PATTERN)]:
            os.pread(fd, 1, at * STRIDE)


def by_preadv2(at: int) -> bool:
    """Whether a page is in memory, by reading without waiting."""
    part = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 1)
    try:
        return syscall(*PREADV2, arguments=(fd, part, 1, at * STRIDE, 0, NO_WAIT)) == 1
    except BlockingIOError:
        return False


def by_aio(at: int) -> bool:
    """Whether a page is in memory, by asynchronous reading without waiting."""
    context = aio_context()
    block = ctypes.create_string_buffer(
        struct.pack(
            "QIIHhIQQqQII",
            0,
            0,
            NO_WAIT,
            0,
            0,
            fd,
            ctypes.addressof(buffer),
            1,
            at * STRIDE,
            0,
            0,
            0,
        )
    )
    blocks = (ctypes.c_void_p * 1)(ctypes.addressof(block))
    events = ctypes.create_string_buffer(32)
    try:
        syscall(*IO_SUBMIT, arguments=(context, 1, blocks))
    except BlockingIOError:
        return False
    syscall(*IO_GETEVENTS, arguments=(context, 1, 1, events, None))
    return struct.unpack("QQqq", events.raw[:32])[2] == 1


def aio_context() -> ctypes.c_ulong:
    """Return the context of asynchronous reads, made at the first call."""
    if not contexts:
        context = ctypes.c_ulong(0)
        syscall(*IO_SETUP, arguments=(1, ctypes.byref(context)))
        contexts.append(context)
    return contexts[0]


def by_cachestat(at: int) -> bool:
    """Whether a page is in memory, by the call that counts such pages."""
    area = ctypes.create_string_buffer(struct.pack("QQ", at * STRIDE, mmap.PAGESIZE))
    counts = ctypes.create_string_buffer(40)
    syscall(*CACHESTAT, arguments=(fd, area, counts, 0))
    return struct.unpack("5Q", counts.raw)[0] == 1


def by_faults(at: int) -> bool:
    """Whether a page is in memory, by the count of faults for which the disk was read."""
    place = libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, fd, at * STRIDE)
    libc.madvise(place, mmap.PAGESIZE, mmap.MADV_RANDOM)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    ctypes.string_at(place, 1)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    libc.munmap(ctypes.c_void_p(place), mmap.PAGESIZE)
    return after == before


def pattern_by(way: int, look: Callable[[int], bool]) -> Callable[[], object]:
    """Return a look at a part of the file, one for each way, as a look may load the pages."""
    first = way * len(PATTERN)

    def pattern() -> object:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
        return "".join("01"[look(first + at)] for at in range(len(PATTERN)))

    return pattern


def is_pattern(first: object, now: object) -> bool:
    """Whether the pages in memory are those that the sender has left there."""
    return now == "".join("01"[bit] for bit in PATTERN)


def touch(device: str, *numbers: int) -> Callable[[], object]:
    """Return a function that sets the times of a device to now, by one of the calls for it."""

    def touch_it() -> None:
        name = ctypes.c_char_p(device.encode())
        if numbers == UTIMENSAT:
            syscall(*numbers, arguments=(AT_FDCWD, name, None, 0))
        elif numbers == (FUTIMESAT,):
            syscall(*numbers, arguments=(AT_FDCWD, name, None))
        else:
            syscall(*numbers, arguments=(name, None))

    return touch_it


def use(device: str) -> Callable[[], object]:
    """Return a function that reads and writes a device."""

    def use_it() -> None:
        with open(device, "rb", buffering=0) as file:
            file.read(1)
        with open(device, "wb", buffering=0) as file:
            file.write(b"x")

    return use_it


def times_of(path: str) -> Callable[[], object]:
    """Return a look at the times of a file."""

    def times() -> tuple[int, ...]:
        now = os.stat(path)
        return now.st_atime_ns % 10**12, now.st_mtime_ns % 10**12, now.st_ctime_ns % 10**12

    return times


def marks_of(path: Path) -> Callable[[], object]:
    """Return a look at what ext4 has noted of a file in memory."""

    def marks() -> int:
        with path.open("rb") as file:
            state = fcntl.ioctl(file, GET_STATE, bytes(4))
        return int.from_bytes(state, "little")

    return marks


def mark(path: Path) -> Callable[[], object]:
    """Return a function that has ext4 load the extents of a file."""

    def mark_it() -> None:
        with path.open("rb") as file:
            fcntl.ioctl(file, PRECACHE)

    return mark_it


contexts: list[ctypes.c_ulong] = []
MARKED = Path(SHARED)
pass_bits(
    sys.argv[2],
    {
        "pages in memory (preadv2)": (set_pages, pattern_by(0, by_preadv2), is_pattern),
        "pages in memory (asynchronous I/O)": (nothing, pattern_by(1, by_aio), is_pattern),
        "pages in memory (cachestat)": (nothing, pattern_by(2, by_cachestat), is_pattern),
        "pages in memory (faults)": (nothing, pattern_by(3, by_faults), is_pattern),
        "times of a device (utimensat)": (
            touch("/dev/null", *UTIMENSAT),
            times_of("/dev/null"),
            any_change,
        ),
        "times of a device (futimesat)": (
            touch("/dev/zero", FUTIMESAT),
            times_of("/dev/zero"),
            any_change,
        ),
        "times of a device (utime)": (touch("/dev/full", UTIME), times_of("/dev/full"), any_change),
        "times of a device (utimes)": (
            touch("/dev/random", UTIMES),
            times_of("/dev/random"),
            any_change,
        ),
        "times of a device (reads, writes)": (
            use("/dev/urandom"),
            times_of("/dev/urandom"),
            any_change,
        ),
        "a mark of the file system's (ext4)": (mark(MARKED), marks_of(MARKED), any_change),
    },
)
