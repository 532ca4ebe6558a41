"""The standings that were published, compared with those of the log, figure by figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.ladder.published import Published
from arena.ladder.standings import DIGITS
from arena.records.canonical import canonical
from arena.records.difference import Difference
from arena.records.entries import Form
from arena.wording import brief


def check_figures(said: Published, found: Published) -> None:
    """Raise `Difference` at the first figure that is not the computed one, to its last digit."""
    for place, here, there in (
        ("ladder", said.ladder, found.ladder),
        ("entries", said.entries, found.entries),
        ("root", said.root, found.root),
        ("games", said.games, found.games),
        ("standings", len(said.standings), len(found.standings)),
        ("by_table", len(said.by_table), len(found.by_table)),
    ):
        if here != there:
            raise Difference(place, brief(here), brief(there), "the log comes to")
    _compare_rows("standings", said.standings, found.standings)
    _compare_rows("by_table", said.by_table, found.by_table)


def _compare_rows(place: str, said: Sequence[Form], found: Sequence[Form]) -> None:
    for at, (row, wanted) in enumerate(zip(said, found, strict=True)):
        for key, says, value in _figures(row, wanted):
            if not _same(says, value):
                where = f"{place}[{at}].{key}"
                raise Difference(where, brief(says), brief(value), "the log comes to")


def _figures(row: Form, wanted: Form) -> Iterator[tuple[str, object, object]]:
    """Yield the figures of a row by name, as they are said and as they should be."""
    for name in wanted.__struct_fields__:
        yield name, getattr(row, name), getattr(wanted, name)


def _same(says: object, found: object) -> bool:
    """Whether a printed figure is the computed one, give or take one in its last digit."""
    if isinstance(found, float):
        return isinstance(says, float) and abs(says - found) < 1.5 * 10**-DIGITS
    return canonical(says) == canonical(found)
