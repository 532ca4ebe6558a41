"""Takes more memory than it may have, at the first question, in one of several ways.

The way is the second argument. A bot that gets twice what is allowed reports it, one that is
refused plays on, and one that is killed has reached its limit.
"""

import ctypes
import mmap
import os
import socket
import sys
import time
from pathlib import Path

from attempts import line_of, name_of, note_of, scene, syscall

from arena_sdk import Question, run

MB = 1 << 20
STEP = 8 * MB
ALLOWED: int = scene["limits"]["memory_mb"]
ENOUGH = 2 * ALLOWED * MB
PAGE = b"x" * mmap.PAGESIZE
SHMGET, SHMAT, SHMCTL = (29, 194), (30, 196), (31, 195)
IPC_RMID = 0
kept: list[object] = []


def heap() -> int:
    """Take it in one process, page by page."""
    while len(kept) * STEP < ENOUGH:
        kept.append(bytearray(PAGE) * (STEP // mmap.PAGESIZE))
    return len(kept) * STEP


def children() -> int:
    """Start eight children, each of which takes less than is allowed."""
    reader, writer = os.pipe()
    share = ENOUGH // 8
    for _ in range(8):
        if os.fork() == 0:
            try:
                kept.append(bytearray(PAGE) * (share // mmap.PAGESIZE))
                os.write(writer, b".")
                time.sleep(60)
            finally:
                os._exit(0)
    os.close(writer)
    time.sleep(3)
    os.set_blocking(reader, False)
    return len(os.read(reader, 8)) * share


def nameless() -> int:
    """Fill files that exist only in memory."""
    done = 0
    while done < ENOUGH:
        fd = os.memfd_create("memory")
        for _ in range(STEP // MB):
            done += os.write(fd, PAGE * (MB // mmap.PAGESIZE))
    return done


def files() -> int:
    """Fill files in /tmp and /dev/shm, as many as fit, and take the rest on the heap."""
    done = 0
    for place in ("/tmp", "/dev/shm"):
        try:
            for number in range(ENOUGH // MB):
                with open(f"{place}/memory-{number}", "wb") as file:
                    file.write(os.urandom(MB))
                done += MB
        except OSError:
            continue
    while done < ENOUGH:
        kept.append(bytearray(PAGE) * (STEP // mmap.PAGESIZE))
        done += STEP
    for place in ("/tmp", "/dev/shm"):
        for path in Path(place).glob("memory-*"):
            path.unlink()
    return done


def shared() -> int:
    """Take memory that is shared with children, and belongs to no process alone."""
    while len(kept) * STEP < ENOUGH:
        area = mmap.mmap(-1, STEP)
        for at in range(0, STEP, mmap.PAGESIZE):
            area[at] = 1
        kept.append(area)
    return len(kept) * STEP


def segments() -> int:
    """Take System V shared memory, which outlives processes."""
    done = 0
    numbers = []
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    try:
        while done < ENOUGH:
            numbers.append(syscall(*SHMGET, arguments=(0, STEP, 0o1600)))
            place = libc.shmat(numbers[-1], None, 0)
            ctypes.memset(place, 1, STEP)
            done += STEP
    finally:
        for number in numbers:
            syscall(*SHMCTL, arguments=(number, IPC_RMID, 0))
    return done


def pipes() -> int:
    """Fill the kernel's buffers of pipes and sockets that nobody reads."""
    done = 0
    while done < ENOUGH:
        try:
            _, writer = os.pipe()
            os.set_blocking(writer, False)
            one, other = socket.socketpair()
        except OSError:
            return done  # no more files are allowed, and each of them holds little
        kept.extend((one, other))
        one.setblocking(False)
        for write in (lambda data, fd=writer: os.write(fd, data), one.send):
            try:
                while True:
                    done += write(PAGE)
            except BlockingIOError:
                continue
    return done


WAYS = (heap, children, nameless, files, shared, segments, pipes)
way = next(way for way in WAYS if way.__name__ == sys.argv[2])
lines: list[str] = []
begun = False


def choose(question: Question) -> int:
    """Take the memory at the first question, and report how much it was."""
    global begun
    if not begun:
        begun = True
        name = f"memory by {way.__name__}"
        try:
            done = way()
        except OSError as error:
            lines.append(line_of(name, name_of(error), through=False))
        except MemoryError:
            lines.append(line_of(name, "MemoryError", through=False))
        else:
            seen = f"{done // MB} MB, {ALLOWED} allowed"
            lines.append(line_of(name, seen, through=done > ALLOWED * MB))
        lines.append("made 1")
        kept.clear()
    question.note = note_of(lines)
    return 0


run(choose, name="memory")
