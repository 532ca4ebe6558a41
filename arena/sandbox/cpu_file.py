"""The file in which a control group counts its CPU time, read for every game."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FIRST_BYTES = 64
"""How many bytes of the file to read: the figure stands at its beginning."""


class CpuFile:
    """The CPU time of a group. The file stays open, as opening it takes longer than reading it."""

    def __init__(self, path: Path, word: str = "", nanoseconds: int = 1) -> None:
        self._path = path
        self._word = f"{word} ".encode() if word else b""
        self._nanoseconds = nanoseconds
        self._file: int | None = None
        self._used = 0
        self._closed = False

    def ns(self) -> int:
        """Return the CPU time in nanoseconds; what it was last, once the group is gone."""
        if self._closed:
            return self._used
        with suppress(OSError, ValueError):
            if self._file is None:
                self._file = os.open(self._path, os.O_RDONLY)
            first = os.pread(self._file, FIRST_BYTES, 0).partition(b"\n")[0]
            self._used = int(first.removeprefix(self._word)) * self._nanoseconds
        return self._used

    def close(self) -> None:
        """Close the file; from here on the figure stays what it was last."""
        self._closed = True
        if self._file is not None:
            os.close(self._file)
            self._file = None
