"""Places for those who watch: so many in all, and so many for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from arena.site.rules.people import Refused


class NoPlace(Refused):
    """No place is free; the text says why."""

    status = 429


class Places:
    """Counts who is there; nobody takes so many places that none are left for others."""

    def __init__(self, most: int, most_each: int, what: str = "streams are open") -> None:
        self._most = most
        self._most_each = most_each
        self._what = what
        self._taken: Counter[Hashable] = Counter()
        self._all = 0

    @contextmanager
    def taken(self, who: Hashable) -> Iterator[None]:
        """Take a place for as long as this lasts; raise `NoPlace` if there is none."""
        if self._all >= self._most:
            raise NoPlace(f"{self._most:,} {self._what} here, which is as many as can be")
        if self._taken[who] >= self._most_each:
            raise NoPlace(
                f"{self._most_each:,} {self._what} for you, which is as many as one can have; "
                "close some windows, or try again later"
            )
        self._taken[who] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]  # who left long ago takes no memory
