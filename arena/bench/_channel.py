"""One end of a channel between two sandboxed programs that never run at once.

Arguments: the way, and "sender" or "receiver". The sender reads bytes from stdin, leaves them
where the other finds them, and says so. The receiver is told to look, and writes what it found.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path

SHARED = "shared"
PAGE = mmap.PAGESIZE
WINDOW = 16 * PAGE
"""Bytes that the kernel maps around a page that is touched."""
BYTES = {"pagemap": 32, "pipes": 1, "memory": 1, "descriptors": 1}
"""How many bytes each way carries at a time."""
ALONE = 1 << 56
"""The bit of a page that no other program has mapped."""
IN_FLIGHT = 200
PAGES_EACH = 8

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def bits_of(data: bytes) -> list[int]:
    """Return the bits of these bytes."""
    return [byte >> at & 1 for byte in data for at in range(8)]


def bytes_of(bits: list[int]) -> bytes:
    """Return the bytes with these bits."""
    return bytes(
        sum(bit << at for at, bit in enumerate(bits[first : first + 8]))
        for first in range(0, len(bits), 8)
    )


class Pagemap:
    """Which pages of a file the other has mapped."""

    def __init__(self) -> None:
        self.size = BYTES["pagemap"] * 8 * WINDOW
        self.file = os.open(SHARED, os.O_RDONLY)
        self.place = 0

    def map(self) -> None:
        """Map the file anew, without any page."""
        if self.place:
            libc.munmap(self.place, self.size)
        self.place = libc.mmap(None, self.size, mmap.PROT_READ, mmap.MAP_SHARED, self.file, 0)

    def send(self, data: bytes) -> None:
        """Touch the pages of the bits that are set."""
        self.map()
        for at, bit in enumerate(bits_of(data)):
            if bit:
                ctypes.string_at(self.place + at * WINDOW, 1)

    def receive(self) -> bytes:
        """Touch all pages, and read which of them nobody else has mapped."""
        self.map()
        bits = []
        with open("/proc/self/pagemap", "rb", buffering=0) as pages:
            for at in range(BYTES["pagemap"] * 8):
                place = self.place + at * WINDOW
                ctypes.string_at(place, 1)
                (entry,) = struct.unpack("Q", os.pread(pages.fileno(), 8, place // PAGE * 8))
                bits.append(int(not entry & ALONE))
        libc.munmap(self.place, self.size)
        self.place = 0
        return bytes_of(bits)


class Pipes:
    """How many pipes the other has made: their numbers are counted for each core."""

    def __init__(self) -> None:
        self.last = self.number()

    def number(self) -> int:
        """Return the number of a new pipe."""
        reader, writer = os.pipe()
        number = os.fstat(reader).st_ino
        os.close(reader)
        os.close(writer)
        return number

    def send(self, data: bytes) -> None:
        """Make so many pipes."""
        for _ in range(data[0]):
            self.number()

    def receive(self) -> bytes:
        """Count how many were made since."""
        before, self.last = self.last, self.number()
        return bytes([(self.last - before - 1) % 256])


class Memory:
    """How much memory in files the other has, by the count of the whole host (sysinfo)."""

    def __init__(self) -> None:
        Path("/dev/shm/kept").write_bytes(b"")
        self.none = self.shared()

    def shared(self) -> int:
        """Return the pages of files in memory on the host."""
        area = ctypes.create_string_buffer(128)
        libc.sysinfo(area)
        return int(struct.unpack("10Q", area.raw[:80])[6]) // PAGE

    def send(self, data: bytes) -> None:
        """Have so many times some pages in a file."""
        Path("/dev/shm/kept").write_bytes(bytes(data[0] * PAGES_EACH * PAGE))

    def receive(self) -> bytes:
        """Count the pages."""
        return bytes([round((self.shared() - self.none) / PAGES_EACH) % 256])


class Descriptors:
    """Whether the other has used up what a user may have of descriptors on their way."""

    def __init__(self) -> None:
        self.ends = [socket.socketpair() for _ in range(4)]

    def send(self, data: bytes) -> None:
        """Send many descriptors to itself, or take them back; only one bit fits."""
        many = [0] * IN_FLIGHT
        for one, other in self.ends:
            if data[0] & 1:
                try:
                    socket.send_fds(one, [b"."], many)
                except OSError:
                    break
            else:
                other.setblocking(False)
                try:
                    _, fds, _, _ = socket.recv_fds(other, 1, IN_FLIGHT)
                except OSError:
                    continue
                for fd in fds:
                    os.close(fd)

    def receive(self) -> bytes:
        """Try to send one."""
        one, other = self.ends[0]
        try:
            socket.send_fds(one, [b"."], [0])
        except OSError:
            return bytes([1])
        _, fds, _, _ = socket.recv_fds(other, 1, 1)
        for fd in fds:
            os.close(fd)
        return bytes([0])


WAYS: dict[str, Callable[[], Pagemap | Pipes | Memory | Descriptors]] = {
    "pagemap": Pagemap,
    "pipes": Pipes,
    "memory": Memory,
    "descriptors": Descriptors,
}


def main(way: str, role: str) -> None:
    """Send or receive until the input ends."""
    end = WAYS[way]()
    os.write(1, b"ready")
    while data := os.read(0, 1 << 16):
        if role == "sender":
            end.send(data)
            os.write(1, b"sent")
        else:
            os.write(1, end.receive())


if __name__ == "__main__":
    main(*sys.argv[1:])
