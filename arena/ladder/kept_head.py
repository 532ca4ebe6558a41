"""A head of a log that somebody has kept, compared with the log as it grows."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ladder.claims import WHOLE, Findings
from arena.records.difference import malformed
from arena.records.ledger import Ledger


@dataclass(frozen=True)
class Head:
    """The size of a log and the root that stands for it, as somebody has kept it."""

    size: int
    root: str


class KeptHead:
    """Waits until a log has the size of the head, if there is one."""

    def __init__(self, head: Head | None) -> None:
        self._head = head
        self._agrees = False
        """Whether the log has that head."""

    def follow(self, ledger: Ledger, found: Findings) -> None:
        """Compare the log so far with the head, if it is of its size."""
        head = self._head
        if head is None or head.size != ledger.tree.size:
            return
        if head.root == ledger.root:
            self._agrees = True
        else:
            says = f"the root of {head.size} entries is {ledger.root}"
            found.fails(WHOLE, None, malformed("log", says, f"{head.root}, as the head has"))

    def decide(self, ledger: Ledger, found: Findings) -> None:
        """Decide on the claim, at the end of the log."""
        head, size = self._head, ledger.tree.size
        if head is None:
            return
        if self._agrees and head.size == size:
            found.holds(WHOLE, f"all {size} entries, by the head that was given")
        elif self._agrees:
            detail = f"up to entry {head.size - 1}; those after it would need a later head"
            found.holds(WHOLE, detail)
        elif head.size > size:
            wanted = f"{head.size} at least, as the head has"
            found.fails(WHOLE, None, malformed("log", f"{size} entries", wanted))
