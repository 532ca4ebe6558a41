"""The tree of hashes over a log: the Merkle tree of RFC 6962, whose leaves are its lines.

Its root stands for all lines, in their order. Of the tree only the peaks are kept (the roots of
its complete parts), so that a line costs a few hashes however long the log is.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

LEAF, NODE = b"\0", b"\1"


class Tree:
    """The tree over the lines so far."""

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        self.size = 0
        """The number of lines."""
        self._peaks: list[bytes] = []

    def add(self, line: bytes) -> bytes:
        """Add a line, without its end, and return its hash."""
        leaf = node = sha256(LEAF + line).digest()
        part = self.size
        while part & 1:
            node = sha256(NODE + self._peaks.pop() + node).digest()
            part >>= 1
        self._peaks.append(node)
        self.size += 1
        return leaf

    @property
    def root(self) -> str:
        """The root, in hexadecimal; that of no lines is the SHA-256 of nothing."""
        if not self._peaks:
            return sha256().hexdigest()
        *rest, node = self._peaks
        for peak in reversed(rest):
            node = sha256(NODE + peak + node).digest()
        return node.hex()

    def peaks(self) -> tuple[str, ...]:
        """Return the peaks in hexadecimal, from which `restored` makes the tree again."""
        return tuple(peak.hex() for peak in self._peaks)

    @classmethod
    def restored(cls, size: int, peaks: Sequence[str]) -> Tree:
        """Return the tree of this many lines that has these peaks."""
        if len(peaks) != size.bit_count():
            raise ValueError(f"expected {size.bit_count()} peaks of {size} lines, got {len(peaks)}")
        tree = cls()
        tree.size = size
        tree._peaks = [bytes.fromhex(peak) for peak in peaks]
        return tree
