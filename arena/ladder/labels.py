"""Labels: what people see contestants called, where several can have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.programs.contestant import Contestant

BEGINNING = 6
"""Digits of a digest by which people tell versions apart that have the same number."""


def labels(contestants: Sequence[Contestant], active: Sequence[int]) -> dict[str, str]:
    """What people see contestants called, by digest: whoever was changed has one name twice.

    Of several who are gone each has the beginning of its digest, too.
    """
    gone = [each for number, each in enumerate(contestants) if number not in active]
    several = Counter(each.name for each in gone)
    found = {each.digest: each.name for each in contestants}
    for each in gone:
        mark = f"gone, {each.digest[:BEGINNING]}" if several[each.name] > 1 else "gone"
        found[each.digest] = f"{each.name} ({mark})"
    return found
