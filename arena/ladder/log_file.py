"""The lines of a store's log file, each an entry after its check, and how many of them are sound.

The check of a line is the start of the SHA-256 of the check before it and the line's leaf in the
tree. So a byte that changes anywhere is found, and a line that was not written to its end as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import BinaryIO

from arena.records.codec import read_entry
from arena.records.difference import Difference
from arena.records.ledger import Ledger
from arena.records.tree import LEAF

CHECK = 32
"""Hexadecimal digits of the check before a line."""
START = CHECK + 1
"""Where the entry begins in a line: after the check and a space."""
NO_CHECK = "0" * CHECK
"""Takes the place of the check before the first line."""
ALIKE = 24
"""A damaged check that has this many digits right is that of its line. By chance, two are right."""

_NEXT = re.compile(rb"[0-9a-f]{%d} \{" % CHECK)
"""How a line begins."""


class Unsound(Exception):
    """A line of a log that does not hold; the text says where."""


@dataclass(frozen=True)
class Line:
    """A line of the log: where it begins in the file, its check, and the entry's line."""

    start: int
    check: str
    entry: bytes

    @property
    def end(self) -> int:
        """Where the next line begins."""
        return self.start + START + len(self.entry) + 1


def checked_line(check: str, entry: bytes) -> tuple[str, bytes]:
    """Return the check of an entry's line after this one, and the line as the log has it."""
    leaf = sha256(LEAF + entry).digest()
    now = sha256(check.encode() + leaf).hexdigest()[:CHECK]
    return now, b"%s %s\n" % (now.encode(), entry)


def sound_lines(file: BinaryIO, start: int = 0, check: str = NO_CHECK) -> Iterator[Line]:
    """Yield the lines from here on; raise `Unsound` at one that does not hold.

    A last line without its end is left out: it is being written, or was not written whole.
    """
    file.seek(start)
    for data in file:
        line, whole = _line(start, check, data[START:-1])
        if data != whole:
            if data.endswith(b"\n") or data[:-1] == whole[:-1]:
                raise Unsound(f"the line at byte {start} of the log is not what was written")
            return
        check, start = line.check, line.end
        yield line


@dataclass(frozen=True)
class Survey:
    """How much of a log is sound, and how it is put right."""

    ledger: Ledger
    """What the sound lines say."""
    end: int
    """Where the last sound line ends."""
    check: str
    """The check of the last sound line."""
    mends: tuple[tuple[int, bytes], ...]
    """Bytes of sound lines to be written anew, and where: checks, ends of lines, a first line."""
    damage: str
    """What is wrong with the line after the last sound one, or ""."""
    torn: int
    """How many bytes follow of an entry that was not written whole."""

    @property
    def sound(self) -> bool:
        """Whether all lines are as they were written."""
        return not self.damage and not self.mends


def survey(file: BinaryIO, first: bytes | None = None) -> Survey:
    """Find the last sound line of a log; `first` is a copy of its first line, if there is one.

    A line is sound if its check, or that of the next line, shows that its entry is what was
    written, and if it follows from the lines before it.
    """
    ledger = Ledger()
    mends: list[tuple[int, bytes]] = []
    start, check = 0, NO_CHECK
    while True:
        file.seek(start)
        data = file.read(START) + file.readline()
        found = _sound(file, start, check, data)
        if found is None and start == 0 and first is not None:
            found = _line(0, NO_CHECK, first[START:-1])[0], (0, first)
        if found is None:
            whole = data.endswith(b"\n")
            damage = f"entry {ledger.tree.size}, at byte {start} of the log" if whole else ""
            return Survey(ledger, start, check, tuple(mends), damage, 0 if whole else len(data))
        line, mend = found
        try:
            ledger.follow(line.entry, read_entry(line.entry))
        except Difference as difference:
            damage = f"entry {ledger.tree.size}, at byte {start} of the log: {difference}"
            return Survey(ledger, start, check, tuple(mends), damage, 0)
        if mend is not None:
            mends.append(mend)
        start, check = line.end, line.check


def first_line(data: bytes) -> bytes | None:
    """Return the first line of a log that these bytes end with, if it is sound."""
    for found in _NEXT.finditer(data):
        line = data[found.start() :]
        if line == checked_line(NO_CHECK, line[START:-1])[1]:
            return line
    return None


def _line(start: int, check: str, entry: bytes) -> tuple[Line, bytes]:
    """Return the line that an entry has here, and its bytes."""
    now, whole = checked_line(check, entry)
    return Line(start, now, entry), whole


def _sound(
    file: BinaryIO, start: int, check: str, data: bytes
) -> tuple[Line, tuple[int, bytes] | None] | None:
    """Return the line that these bytes begin with, and how it is mended; None if it is damaged."""
    line, whole = _line(start, check, data[START:-1])
    if data == whole:
        return line, None
    if data[START:] == whole[START:]:  # if it is sound, its check alone is damaged
        right = sum(a == b for a, b in zip(data, whole[:CHECK], strict=False))
        if right >= ALIKE or _follows(file, line):
            return line, (start, whole[:START])
    for at in _lost_ends(data):
        line, whole = _line(start, check, data[START:at])
        if data[:at] == whole[:-1]:
            return line, (start + at, b"\n")
    return None


def _follows(file: BinaryIO, line: Line) -> bool:
    """Whether the line after this one has the check that it has after this one only."""
    file.seek(line.end)
    data = file.read(START) + file.readline()
    return len(data) > START and data == checked_line(line.check, data[START:-1])[1]


def _lost_ends(data: bytes) -> Iterator[int]:
    """Yield where the end of a line could have been that is now another byte."""
    for found in _NEXT.finditer(data, START + 1):
        yield found.start() - 1
    if not data.endswith(b"\n"):
        yield len(data) - 1
