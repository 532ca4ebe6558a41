"""The course of a ladder: its schedule as far as its log goes, read once and then saved."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from arena.ladder.schedule import Pairing, Schedule, ScheduleState
from arena.ladder.store import Store
from arena.records.codec import read_entry
from arena.records.entries import Changed

_decoder = msgspec.json.Decoder(ScheduleState)


class _Line(msgspec.Struct):
    """What is read of a line: of most, a small part."""

    entry: str
    contestants: msgspec.Raw = msgspec.Raw(b"[]")


_lines = msgspec.json.Decoder(_Line)
_contestants = msgspec.json.Decoder(tuple[int, ...])


def course(store: Store) -> Schedule:
    """Return the schedule of a store up to its last block: the saved one, with what came since."""
    schedule = _kept(store)
    if schedule is None:
        schedule = _new(store)
        lines = store.lines()
    else:
        lines = store.lines_since_kept()
    for _ in _follow(store, schedule, lines):
        pass
    return schedule


def played(store: Store) -> Iterator[Pairing]:
    """Yield all blocks of a store, as they were scheduled."""
    return _follow(store, _new(store), store.lines())


def _new(store: Store) -> Schedule:
    return Schedule(store.contest.name, store.contest.tables)


def _follow(store: Store, schedule: Schedule, lines: Iterator[bytes]) -> Iterator[Pairing]:
    """Yield the blocks on these lines, which the schedule follows; then who enters next enters."""
    fields = deque(field for field in store.ledger.fields if field.block >= schedule.blocks)
    for line in lines:
        found = _lines.decode(line)
        if found.entry == "block":
            if fields and fields[0].block == schedule.blocks:
                schedule.enter(fields.popleft().contestants)
            yield schedule.follow(_contestants.decode(found.contestants))
        elif found.entry == "change":
            entry = read_entry(line)
            if isinstance(entry, Changed) and entry.budget is not None:
                schedule.change(entry.budget.quota)
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
    schedule = Schedule.restored(store.contest.name, store.contest.tables, state)
    schedule.change(kept.ledger.budget.quota)
    return schedule
