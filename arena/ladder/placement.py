"""Placement: the stage that everybody has come to, and the place in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.ladder.decisions import Places, stage_places
from arena.ladder.scorebook import Scorebook
from arena.records.ledger import Ledger


@dataclass(frozen=True)
class Placement:
    """How far a contestant has come."""

    stage: int
    """The number of the stage."""
    place: int | None
    """The place at the end of that stage, or so far; None if he has left it before its end."""


def placements(ledger: Ledger, book: Scorebook) -> dict[int, Placement]:
    """Return how far everybody has come, but those who are disqualified; nobody without stages.

    Whoever is disqualified has no place, and those behind him move up.
    """
    found: dict[int, Placement] = {}
    if not ledger.stages.listed:
        return found
    gone = ledger.disqualified
    for number, left in ledger.left.items():
        stage = ledger.stages.of(left.block)
        if stage is not None and number not in gone:
            found[number] = Placement(min(stage, len(ledger.stages.listed) - 1), None)
    for stage, places in _stages(ledger, book):
        above = 0
        for place in places:
            valid = [number for number in place if number not in gone]
            found.update((number, Placement(stage, above + 1)) for number in valid)
            above += len(valid)
    return found


def _stages(ledger: Ledger, book: Scorebook) -> Iterator[tuple[int, Places]]:
    """Yield the places of all stages that have ended, and of the one that is on, in their order."""
    for ended in ledger.stages.ended:
        yield ended.entry.stage, ended.entry.places
    stage = ledger.stages.current
    if stage is not None and ledger.playing:
        yield ledger.stages.number, stage_places(stage, ledger.stages.number, ledger.playing, book)
