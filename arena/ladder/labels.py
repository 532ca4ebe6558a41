"""Labels: display names of contestants, as several can have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from arena.records.entries import Contestant

NOBODY: Mapping[int, str] = {}
BEGINNING = 6
"""How many digits of a digest are shown to tell contestants of one name apart."""


def labels(
    contestants: Sequence[Contestant], active: Sequence[int], left: Mapping[int, str] = NOBODY
) -> dict[str, str]:
    """Return the display names of contestants by digest.

    A bot that was changed is two contestants of one name, so those that no longer play are
    marked as gone, or as `left` says by number. If several of one name are gone, the start of
    the digest is added.
    """
    gone = [each for number, each in enumerate(contestants) if number not in active]
    several = Counter(each.name for each in gone)
    found = {each.digest: each.name for each in contestants}
    marks = {contestants[number].digest: mark for number, mark in left.items()}
    for each in gone:
        mark = marks.get(each.digest, "gone")
        mark = f"{mark}, {each.digest[:BEGINNING]}" if several[each.name] > 1 else mark
        found[each.digest] = f"{each.name} ({mark})"
    return found
