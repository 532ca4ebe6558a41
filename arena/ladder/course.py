"""The course of a ladder: its schedule as far as its log goes, read once and then saved."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.ladder.schedule import Pairing, Schedule, ScheduleState
from arena.ladder.schedule_terms import ScheduleTerms
from arena.ladder.store import Store
from arena.records.codec import read_entry

TOLD = ("change", "annul", "stage")
"""Entries of which the schedule is told."""

_decoder = msgspec.json.Decoder(ScheduleState)


class _Line(msgspec.Struct):
    """What is read of a line: of most, a small part."""

    entry: str
    number: int = 0
    contestants: msgspec.Raw = msgspec.Raw(b"[]")


_lines = msgspec.json.Decoder(_Line)
_contestants = msgspec.json.Decoder(tuple[int, ...])


def course(store: Store) -> Schedule:
    """Return the schedule of a store up to its last block: the saved one, with what came since."""
    return followed(store)[0]


def followed(store: Store) -> tuple[Schedule, ScheduleTerms]:
    """Return the schedule of a store as `course` does, and what tells it of later entries."""
    schedule = _kept(store)
    if schedule is None or store.kept is None:
        schedule = _new(store)
        terms = ScheduleTerms(schedule, store.contest.tables)
        lines = store.lines()
    else:
        terms = ScheduleTerms(schedule, store.contest.tables, store.kept.ledger)
        lines = store.lines_since_kept()
    for _ in _follow(store, schedule, terms, lines):
        pass
    return schedule, terms


def played(store: Store) -> Iterator[Pairing]:
    """Yield all blocks of a store, as they were scheduled."""
    schedule = _new(store)
    terms = ScheduleTerms(schedule, store.contest.tables)
    return _follow(store, schedule, terms, store.lines())


def groups(lines: Iterable[bytes], blocks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield who played these blocks of a log, in the order of their numbers here."""
    wanted: dict[int, tuple[int, ...]] = dict.fromkeys(blocks, ())
    for line in lines:
        found = _lines.decode(line)
        if found.entry == "block" and found.number in wanted:
            wanted[found.number] = _contestants.decode(found.contestants)
    yield from wanted.values()


def _new(store: Store) -> Schedule:
    return Schedule(store.contest.name, store.contest.tables)


def _follow(
    store: Store, schedule: Schedule, terms: ScheduleTerms, lines: Iterator[bytes]
) -> Iterator[Pairing]:
    """Yield the blocks on these lines, which the schedule follows; then who enters next enters."""
    fields = deque(field for field in store.ledger.fields if field.block >= schedule.blocks)
    for line in lines:
        found = _lines.decode(line)
        if found.entry == "block":
            if fields and fields[0].block == schedule.blocks:
                schedule.enter(fields.popleft().contestants)
            yield schedule.follow(_contestants.decode(found.contestants))
        elif found.entry in TOLD:
            terms.follow(read_entry(line), lambda blocks: groups(store.lines(), blocks))
    if fields:
        schedule.enter(fields.popleft().contestants)


def _kept(store: Store) -> Schedule | None:
    """Return the schedule saved in a store, or None if this version cannot use it."""
    kept = store.kept
    if kept is None:
        return None
    try:
        state = _decoder.decode(kept.schedule)
    except msgspec.DecodeError:
        return None
    if state.blocks != kept.ledger.blocks or not state.blocks:
        return None
    return Schedule.restored(store.contest.name, store.contest.tables, state)
