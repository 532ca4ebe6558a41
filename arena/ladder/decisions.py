"""Decisions: what follows from the results of a log by the rules in it, and at which block.

Who fails too often is set aside. A stage ends when what it was to show is certain, its intervals
are narrow enough, or its games are played. Both happen only at checkpoints of the schedule. A run
writes what is due into the log before it plays on, and verification finds by the same function
whether it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from arena.ladder.rating import Ratings
from arena.ladder.rating.ranks import rank_intervals
from arena.ladder.rating.skill import LEVEL, Skills
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.scorebook import Scorebook
from arena.records.entries import (
    Budget,
    Entered,
    Figure,
    Leaving,
    SetAside,
    Stage,
    StageEnd,
    StageEnded,
)
from arena.records.ledger import Ledger

DIGITS = 6
"""Figures are compared to this many decimals; further ones differ from machine to machine."""

Decision = Entered | StageEnded
Places = tuple[tuple[int, ...], ...]
"""Contestants by place, the best first; those who share a place together."""


def due(ledger: Ledger, schedule: Schedule, book: Scorebook) -> Decision | None:
    """Return the entry that has to come before the next block, if one has to.

    The schedule and the scorebook are up to the last block of the ledger.
    """
    last = schedule.last
    if last is None or ledger.closed is not None:
        return None
    if last.checkpoint and (leaving := _failing(ledger, book)):
        return Entered(leave=tuple(leaving))
    stage = ledger.stages.current
    if stage is None:
        return None
    book.ratings.grow(len(ledger.contestants))
    book.stage(ledger.stages.number).grow(len(ledger.contestants))
    reason = _stage_end(stage, ledger, schedule, book, last)
    return None if reason is None else stage_ended(reason, ledger, book)


def waits_for_deadline(ledger: Ledger) -> bool:
    """Whether the first stage cannot end yet, as bots can still enter until a time that is said."""
    return bool(ledger.deadline) and ledger.can_enter


def stage_ended(reason: StageEnd, ledger: Ledger, book: Scorebook) -> StageEnded:
    """Return the end of the stage that is on, for this reason, by the results so far."""
    stages = ledger.stages
    stage, following = stages.current, stages.next
    assert stage is not None
    placed = stage_places(stage, stages.number, ledger.playing, book)
    chosen: tuple[int, ...] = ()
    if following is not None:
        ratings = stage_ratings(stage, stages.number, book)
        chosen = qualified(following, placed, _skills(stage, ratings))
    return StageEnded(stage=stages.number, reason=reason, places=placed, qualified=chosen)


def stage_ratings(stage: Stage, number: int, book: Scorebook) -> Ratings:
    """Return the ratings by which a stage is decided: of all games so far, or of its own."""
    return book.ratings if stage.counts == "all" else book.stage(number)


def stage_places(stage: Stage, number: int, playing: Sequence[int], book: Scorebook) -> Places:
    """Return the places of those who play, as the figures that the stage names decide them."""
    ratings = stage_ratings(stage, number, book)
    ratings.grow(max(playing, default=-1) + 1)
    figures = [_figures(figure, ratings) for figure in stage.order]

    def key(contestant: int) -> tuple[float, ...]:
        return tuple(-round(each[contestant], DIGITS) for each in figures)

    ranked = sorted(playing, key=lambda contestant: (key(contestant), contestant))
    return tuple(tuple(group) for _, group in groupby(ranked, key))


def qualified(following: Stage, places: Places, skills: Skills) -> tuple[int, ...]:
    """Return who plays in the next stage, in ascending order."""
    best = following.best or 0
    chosen: set[int] = set()
    for place in places:
        if len(chosen) >= best:
            break
        chosen.update(place)
    if following.allowed:
        field = [contestant for place in places for contestant in place]
        found = rank_intervals(skills, field, 1 - LEVEL, field)
        chosen.update(each for each, (low, _) in zip(field, found, strict=True) if low <= best)
    return tuple(sorted(chosen))


def _stage_end(
    stage: Stage, ledger: Ledger, schedule: Schedule, book: Scorebook, last: Pairing
) -> StageEnd | None:
    """Return why the stage that is on ends here, or None if it goes on."""
    fewest = min(ledger.stages.tables(ledger.contest.tables))
    if len(ledger.playing) < fewest:
        return "few"
    if last.block < ledger.stages.began or not last.checkpoint or waits_for_deadline(ledger):
        return None
    settled = (last.balanced or schedule.changed) and not schedule.coming
    if settled and schedule.has_played(stage.budget):
        return "budget"
    return _shown(stage, ledger, book, last)


def _shown(stage: Stage, ledger: Ledger, book: Scorebook, last: Pairing) -> StageEnd | None:
    """Return what the results show of what the stage's budget wants, if anything."""
    budget: Budget = stage.budget
    number = ledger.stages.number
    ratings = stage_ratings(stage, number, book)
    measured = last.measured and budget.width is not None
    if measured and ratings.widest(ledger.playing) <= (budget.width or 0):
        return "width"
    if last.look and budget.certain is not None:
        skills = _skills(stage, ratings)
        places = stage_places(stage, number, ledger.playing, book)
        needed = 1 - (1 - budget.certain) / 2 / (last.look * (last.look + 1))
        pairs = list(deciding_pairs(stage, ledger.stages.next, places))
        if all(skills.confidence_above(above, below) >= needed for above, below in pairs):
            return "certain"
    return None


def deciding_pairs(
    stage: Stage, following: Stage | None, places: Places
) -> Iterator[tuple[int, int]]:
    """Yield the pairs whose order has to be certain for what the stage is to show.

    That is who plays on: each of these above each of the others. In the last stage it is who has
    the first places: each of these above all that are behind. Two who share such a place are a
    pair in either order, so that they cannot both be certain.
    """
    behind = [contestant for place in places for contestant in place]
    if following is not None:
        chosen: list[int] = []
        for place in places:
            if len(chosen) >= (following.best or 0):
                break
            chosen += place
        if len(chosen) > (following.best or 0):
            yield chosen[-1], chosen[-2]
            yield chosen[-2], chosen[-1]
        yield from ((a, b) for a in chosen for b in behind[len(chosen) :])
        return
    prizes = len(behind) if stage.prizes is None else stage.prizes
    for place in places:
        if prizes <= 0:
            return
        del behind[: len(place)]
        yield from ((a, b) for a in place for b in place if a != b)
        yield from ((a, b) for a in place for b in behind)
        prizes -= len(place)


def _figures(figure: Figure, ratings: Ratings) -> Sequence[float]:
    """Return a figure of everybody; more is better."""
    match figure:
        case "rating":
            return [mu - 3 * sigma for mu, sigma in ratings.rated()]
        case "skill":
            return ratings.skills().points
        case "margins":
            return ratings.skills(margins=True).points
        case "share":
            return ratings.tally.shares()


def _skills(stage: Stage, ratings: Ratings) -> Skills:
    """Return the skills by which a stage is certain: by margins, if these decide its places."""
    return ratings.skills(margins=stage.order[0] == "margins")


def _failing(ledger: Ledger, book: Scorebook) -> list[Leaving]:
    """Return who is to be set aside, those who fail most first, while enough play for a table."""
    rule = ledger.set_aside
    if rule is None:
        return []
    found = [
        (failed, contestant, of)
        for contestant in ledger.playing
        for failed, of in [book.failures.among_last(contestant, rule.games)]
        if failed > rule.faults
    ]
    found.sort(key=lambda each: (-each[0], each[1]))
    spare = len(ledger.playing) - min(ledger.stages.tables(ledger.contest.tables))
    return [_set_aside(contestant, failed, of, rule) for failed, contestant, of in found[:spare]]


def _set_aside(contestant: int, failed: int, of: int, rule: SetAside) -> Leaving:
    games = f"{failed} of its last {of} games, more than {rule.faults} of {rule.games}"
    return Leaving(contestant=contestant, kind="set-aside", reason=f"it failed in {games}")
