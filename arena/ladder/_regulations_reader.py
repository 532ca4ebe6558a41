"""Reads what a definition says of the course of its competition: stages, rules, times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from typing import Any, get_args
from zoneinfo import ZoneInfo

from arena.games.game import Game
from arena.ladder.definition_values import (
    MOST_GAMES,
    count_up_to,
    each_of,
    name_of,
    number_between,
    one_of,
    sizes_of,
    table_of,
    truth_of,
)
from arena.ladder.hours import DAYS, Hours, HoursOfPlay
from arena.ladder.regulations import Regulations, written
from arena.programs.manifest import Mistake
from arena.records.difference import Difference
from arena.records.entries import DAY, MOST_LAST_GAMES, Budget, Figure, SetAside, Stage
from arena.records.stages import Stages
from arena.wording import brief

Wrong = Callable[[str, object], None]
"""Notes a mistake: the key, and what is wrong."""
Read = Callable[[Any], Any]

BUDGET = ("games", "each", "width", "minutes", "certain")
FIGURES: tuple[Figure, ...] = get_args(Figure)
MOST_STAGES = 20


def budget_in(
    values: Mapping[str, object], place: str, tables: Sequence[int], wrong: Wrong
) -> Budget:
    """Return a budget; what is wrong in it is noted and left out."""
    reads: dict[str, Read] = {
        "games": count_up_to(MOST_GAMES),
        "each": each_of(tables),
        "width": number_between("points, more than 0", 0, 1000),
        "minutes": number_between("minutes, more than 0", 0, DAY),
        "certain": number_between("a probability above 0.5 and below 1", 0.5, 1),
    }
    found = _values(values, place, reads, wrong)
    if isinstance(found.get("each"), dict):
        found["each_at"] = found.pop("each")
    return Budget(**found)


class RegulationsReader:
    """Reads the keys `stages`, `set_aside`, `deadline`, `zone` and `play` of a definition."""

    def __init__(
        self,
        table: Mapping[str, object],
        tables: Sequence[int],
        game: Game | None,
        wrong: Wrong,
    ) -> None:
        self._table = table
        self._tables = tables
        self._game = game
        self._wrong = wrong
        self._mistakes = 0
        """How many mistakes there are in stages."""

    def regulations(self) -> Regulations:
        """Return what it says that is to stand in the log."""
        return Regulations(
            stages=self._stages(), set_aside=self._set_aside(), deadline=self._deadline()
        )

    def hours(self) -> HoursOfPlay:
        """Return when the ladder is played."""
        zone = self._read("zone", _zone, ZoneInfo("UTC"))
        hours = []
        for at, values in enumerate(self._list("play")):
            reads: dict[str, Read] = {"days": _days, "from": _clock, "to": _clock}
            found = _values(values, f"play[{at}]", reads, self._wrong)
            days = found.get("days", frozenset(range(len(DAYS))))
            hours.append(Hours(days, found.get("from", time()), found.get("to", time())))
        return HoursOfPlay(tuple(hours), zone)

    def _stages(self) -> tuple[Stage, ...]:
        listed = self._list("stages")
        if "stages" in self._table and not self._mistakes and not 1 <= len(listed) <= MOST_STAGES:
            self._wrong("stages", f"expected 1 to {MOST_STAGES} stages, got {len(listed)}")
            return ()
        stages = tuple(self._stage(values, at) for at, values in enumerate(listed))
        if not self._mistakes and stages and self._tables:
            try:
                Stages().list(stages, self._tables, 0)
            except Difference as found:
                self._note(found.place, f"expected {found.wanted}, got {found.says}")
        return stages

    def _stage(self, values: Mapping[str, object], at: int) -> Stage:
        place = f"stages[{at}]"
        reads: dict[str, Read] = {
            "name": name_of,
            "best": count_up_to(MOST_GAMES),
            "allowed": truth_of,
            "tables": sizes_of("this ladder", list(self._tables)),
            "order": _figures,
            "counts": one_of(("all", "stage")),
            "prizes": count_up_to(MOST_GAMES),
        }
        own = {key: value for key, value in values.items() if key in reads}
        rest = {key: value for key, value in values.items() if key not in reads}
        for key in rest.keys() - set(BUDGET):
            known = ", ".join((*reads, *(each for each in BUDGET if each != "minutes")))
            self._note(f"{place}.{brief(key)[1:-1]}", f"unknown key; the keys are: {known}")
            del rest[key]
        found = _values(own, place, reads, self._note)
        tables = tuple(sorted(found.pop("tables", ())))
        if "name" not in own:
            self._note(f"{place}.name", 'expected a name such as "final", got no such key')
        if (
            self._game is not None
            and self._game.margin is None
            and "margins" in found.get("order", ())
        ):
            self._note(f"{place}.order", f"in {self._game.name} there are no margins, only places")
        budget = budget_in(rest, place, tables or self._tables, self._note)
        found.setdefault("name", f"stage-{at}")
        return Stage(**found, tables=tables, budget=budget)

    def _set_aside(self) -> SetAside | None:
        if "set_aside" not in self._table:
            return None
        reads: dict[str, Read] = {
            "faults": _whole(MOST_LAST_GAMES),
            "games": count_up_to(MOST_LAST_GAMES),
        }
        values = self._read("set_aside", table_of, {})
        found = _values(values, "set_aside", reads, self._wrong)
        if set(found) != set(reads):
            if set(values) != set(reads):
                self._wrong("set_aside", "expected { faults = 5, games = 20 }, both of them")
            return None
        return SetAside(**found)

    def _deadline(self) -> str:
        value = self._table.get("deadline")
        if value is None:
            return ""
        if isinstance(value, datetime) and value.tzinfo is not None:
            return written(value)
        self._wrong("deadline", f"expected a time as 2027-01-31T18:00:00+01:00, got {brief(value)}")
        return ""

    def _note(self, place: str, text: object) -> None:
        self._mistakes += 1
        self._wrong(place, text)

    def _list(self, key: str) -> list[dict[str, object]]:
        value = self._table.get(key, [])
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return value
        self._note(key, f"expected tables [[{key}]], got {brief(value)}")
        return []

    def _read(self, key: str, read: Read, default: Any) -> Any:
        return _values(
            {key: self._table[key]} if key in self._table else {}, "", {key: read}, self._wrong
        ).get(key, default)


def _values(
    values: Mapping[str, object], place: str, reads: Mapping[str, Read], wrong: Wrong
) -> dict[str, Any]:
    """Return the values by key; what is wrong is noted and left out."""
    found = {}
    for key, value in values.items():
        at = f"{place}.{key}" if place else key
        if key not in reads:
            wrong(at, f"unknown key; the keys are: {', '.join(reads)}")
            continue
        try:
            found[key] = reads[key](value)
        except Mistake as mistake:
            wrong(at if mistake.at is None else f"{at}[{mistake.at}]", mistake)
    return found


def _whole(most: int) -> Read:
    def read(value: object) -> int:
        if type(value) is int and 0 <= value <= most:
            return value
        raise Mistake(f"an integer from 0 to {most}", brief(value))

    return read


def _figures(value: object) -> tuple[Figure, ...]:
    if isinstance(value, list) and value and all(each in FIGURES for each in value):
        return tuple(value)
    raise Mistake(f"a list of some of {', '.join(FIGURES)}", brief(value))


def _days(value: object) -> frozenset[int]:
    if isinstance(value, list) and value and all(each in DAYS for each in value):
        return frozenset(DAYS.index(each) for each in value)
    raise Mistake(f"a list of some of {', '.join(DAYS)}", brief(value))


def _clock(value: object) -> time:
    if isinstance(value, time):
        return value
    raise Mistake("a time of the day as 18:00:00, without quotes", brief(str(value)))


def _zone(value: object) -> ZoneInfo:
    try:
        return ZoneInfo(value if isinstance(value, str) else "")
    except (ValueError, OSError, KeyError):
        raise Mistake('a time zone such as "Europe/Zurich"', brief(value)) from None
