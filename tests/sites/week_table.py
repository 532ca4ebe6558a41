"""The table of what came of a trial of a site: submissions, wishes, ladders, what was wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from .authors import Handed, Week
from .ordering import Host
from .reckoning import LogFacts

WIDE: Final = 120
"""Characters of a reason."""


@dataclass
class Outcome:
    """What came of a trial."""

    seconds: float
    """For how long people did what they do."""
    authors: int
    took: float = 0.0
    """Seconds with all that followed."""
    week: Week | None = None
    host: Host | None = None
    logs: dict[str, LogFacts] = field(default_factory=dict)
    overviews: dict[str, Any] = field(default_factory=dict)
    verified: dict[str, str] = field(default_factory=dict)
    streams: int = 0
    wrong: list[str] = field(default_factory=list)


def table(outcome: Outcome) -> str:
    """Return in lines what came of a trial."""
    week, host = outcome.week, outcome.host
    if week is None or host is None:
        return "\n".join(["it did not begin", *outcome.wrong])
    fair = [each for each in week.handed if not each.hostile]
    bad = [each for each in week.handed if each.hostile]
    seen = week.seen
    statuses = ", ".join(
        f"{count} with {status}" for status, count in sorted(seen.statuses.items())
    )
    parts: list[tuple[str, Iterable[str]]] = [
        (f"{len(fair)} submissions of those who keep to the rules", _counted(map(_state, fair))),
        ("why some of these were refused", _counted(map(_why, filter(_refused, fair)))),
        ("by which way", _counted(each.way for each in week.handed)),
        (
            f"{len(bad)} hostile submissions, and what became of each",
            sorted(f"{each.kind:36} {_state(each):15} {_why(each)[-WIDE:]}" for each in bad),
        ),
        (
            "hostile acts that hand nothing in",
            [f"{what:36} {came}" for what, came in sorted(week.tricks.items())],
        ),
        (
            "what the host has wished",
            [f"{each.wish:22} {each.state:18} {each.answer[:WIDE]}" for each in host.ordered],
        ),
    ]
    for name, log in outcome.logs.items():
        rows = _ladder(log, outcome.overviews[name])
        parts.append((f"ladder {name}", [*rows, f"verified: {outcome.verified.get(name)}"]))
    parts += [
        (
            "requests",
            [
                f"{seen.statuses.total()} answers: {statuses}",
                f"{outcome.streams} streams held, {seen.events} events",
                f"{seen.refused_streams} streams refused",
                f"{week.matches} challenges and test games",
                f"{week.logins} logins, {week.commands} commands of authors",
            ],
        ),
        ("not tried, as the machine was too slow", week.left_out or ["-"]),
        ("wrong", outcome.wrong or ["nothing"]),
    ]
    first = (
        f"{outcome.authors} authors, {len(week.handed)} submissions, {outcome.seconds:.0f} s; "
        f"{outcome.took:.0f} s with all that followed"
    )
    return "\n".join(
        [first, *(line for title, rows in parts for line in ("", title, *(f"  {r}" for r in rows)))]
    )


def _ladder(log: LogFacts, overview: Mapping[str, Any]) -> Sequence[str]:
    rows = overview["standings"]
    faults: Counter[str] = Counter()
    for row in rows:
        faults.update(row["faults"])
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(faults.items())) or "none"
    return [
        f"{log.blocks} blocks, {log.games} games, {log.annulled} blocks annulled",
        f"faults: {said}",
        f"{len(log.contestants)} contestants entered, {log.entered.total()} times in all",
        f"{log.set_aside} set aside by the rule",
        *(
            f"stage {each['stage']}: ended by {each['ended']}, {each['blocks']} blocks, "
            f"{each['players']} players"
            for each in overview["stages"]
        ),
        *(
            f"{place}. {row['bot']} {row['version']}: {row['games']} games, skill {row['skill']:+}"
            for place, row in enumerate(rows[:4], 1)
        ),
        f"closed: {log.closed}",
    ]


def _refused(handed: Handed) -> bool:
    return not handed.number or handed.state == "failed"


def _state(handed: Handed) -> str:
    return handed.state if handed.number else "refused at once"


def _why(handed: Handed) -> str:
    text = handed.refusal or handed.reason
    return re.sub(r"\S*zz[0-9a-f]{8}|[0-9a-f]{8,}", "NAME", " ".join(text.split()))[:300]


def _counted(texts: Iterable[str]) -> list[str]:
    return [f"{count:4} {text[-WIDE:]}" for text, count in sorted(Counter(texts).items())]
