"""The history of a bot: how the skills of its versions went, over the blocks of a ladder.

The counts of a ladder are kept in at most 128 stretches of equally many blocks. So what was
known after each stretch can be fitted again without the log.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from arena.ladder.rating import Estimate, Tally, estimate
from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import DIGITS
from arena.records.entries import Contestant, Form

MOST = 24
"""The most points of a history."""


class HistoryPoint(Form, frozen=True, kw_only=True):
    """What was known of a version at some point of the ladder."""

    blocks: int
    """Blocks of the whole ladder up to there, without those that were annulled."""
    meetings: int
    """How many opponents it had met up to there, counted game by game."""
    skill: float
    skill_low: float
    """The lower end of the 95 % interval of the skill."""
    skill_high: float


class VersionHistory(Form, frozen=True, kw_only=True):
    """One version of a bot: from the first point at which it had played to its last games."""

    bot: str
    version: str
    digest: str
    active: bool
    points: tuple[HistoryPoint, ...]


def history(
    book: Scorebook, contestants: Sequence[Contestant], active: Sequence[int], names: Container[str]
) -> list[VersionHistory]:
    """Return the histories of all versions of these names, in the order in which they entered."""
    from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

    versions = [number for number, each in enumerate(contestants) if each.name in names]
    found: dict[int, list[HistoryPoint]] = {number: [] for number in versions}
    tally = book.ratings.tally
    met = [0] * tally.contestants
    counted = 0
    for stretches in _points(len(tally.stretches)):
        more = tally.opponents_met(counted, stretches)
        counted = stretches
        met = [a + b for a, b in zip(met, more, strict=True)]
        played = [number for number in versions if number < len(more) and more[number]]
        if not played:
            continue
        early = tally.until(stretches)
        skills = fit(early)
        for number in played:
            found[number].append(_point(early, met[number], estimate(skills, number)))
    return [
        VersionHistory(
            bot=contestants[number].name,
            version=contestants[number].version,
            digest=contestants[number].digest,
            active=number in active,
            points=tuple(found[number]),
        )
        for number in versions
    ]


def _points(stretches: int) -> list[int]:
    """Return after how many stretches there is a point, evenly, and one at the end."""
    count = min(MOST, stretches)
    return [stretches * (at + 1) // count for at in range(count)]


def _point(tally: Tally, meetings: int, skill: Estimate) -> HistoryPoint:
    return HistoryPoint(
        blocks=tally.blocks,
        meetings=meetings,
        skill=round(skill.value, DIGITS),
        skill_low=round(skill.low, DIGITS),
        skill_high=round(skill.high, DIGITS),
    )
