"""Standings: the contestants by rank, with intervals and results."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from arena.ladder.placement import Placement, placements
from arena.ladder.rating import Anchor, Estimate, difference, estimate
from arena.ladder.results import Pace, Totals
from arena.ladder.scorebook import Scorebook
from arena.records.entries import Contestant, Form
from arena.records.ledger import Ledger
from arena.records.verdicts import FaultVerdict

ANCHORED_AT = 25.0
DIGITS = 6
"""Decimal places of published figures; the rest may differ from one machine to another."""


class Row(Form, frozen=True, kw_only=True):
    """One contestant in the standings. Skills are in TrueSkill's points."""

    rank: int | None
    """By the rating; equals share the better rank. None for who is disqualified."""
    rank_best: int | None
    """The best rank that the intervals allow, with 95 % confidence. None also for those who have
    left, where more than 1,000 are ranked."""
    rank_worst: int | None
    stage: str | None = None
    """The stage that it has come to; None if there are no stages, or if it is disqualified."""
    place: int | None = None
    """Its place in that stage, at its end or so far; None if it has left it before."""
    bot: str
    version: str
    digest: str
    active: bool
    """Whether it is still being scheduled; one that was changed or taken out is not."""
    left: str | None = None
    """In what way it has left, if it has and the log says it: see `LeavingKind`; or
    `not-qualified`."""
    left_reason: str | None = None
    rating: float
    """Mu - 3 sigma."""
    mu: float
    sigma: float
    skill: float
    skill_low: float
    """The lower end of the 95 % interval of the skill."""
    skill_high: float
    margin_skill: float | None = None
    """The skill by margins, on a scale of its own; None if in this game only places count."""
    margin_skill_low: float | None = None
    margin_skill_high: float | None = None
    games: int
    mean_place: float
    share: float
    """The share of the opponents that placed below; a tie counts half."""
    wins: int
    mean_score: float
    faults: dict[FaultVerdict, int]
    ms_per_decision: float | None = None
    """None in published standings, as times differ from run to run; 0 if nothing was timed."""
    slowest_ms: float | None = None


class TableRow(Form, frozen=True, kw_only=True):
    """One contestant at tables of one size, with a skill from the games there alone."""

    table: int
    bot: str
    version: str
    digest: str
    skill: float
    skill_low: float
    """The lower end of the 95 % interval of the skill."""
    skill_high: float
    margin_skill: float | None = None
    """The skill by margins; None if in this game only places count."""
    margin_skill_low: float | None = None
    margin_skill_high: float | None = None
    games: int
    mean_place: float
    share: float
    wins: int
    mean_score: float


class SeatRow(Form, frozen=True, kw_only=True):
    """The results of one contestant in one seat at tables of one size."""

    bot: str
    version: str
    digest: str
    table: int
    seat: int
    games: int
    mean_place: float
    share: float
    wins: int
    mean_score: float


class PairRow(Form, frozen=True, kw_only=True):
    """One contestant against another: what it has won, and how much better it is."""

    bot: str
    version: str
    digest: str
    against: str
    against_version: str
    against_digest: str
    meetings: int
    share: float | None
    """The share of the meetings in which the first placed above, a tie counts half; None if they
    never met."""
    difference: float
    """The skill of the first less that of the other."""
    difference_low: float
    """The lower end of the 95 % interval of the difference."""
    difference_high: float
    confidence_above: float
    """The highest confidence level at which the first is better, one-sided: 1 - p of a test."""
    probability_above: float
    """How probable it is that the first is better, given how far apart the bots are here."""
    margin_difference: float | None = None
    """The difference of the skills by margins; None if in this game only places count."""
    margin_difference_low: float | None = None
    margin_difference_high: float | None = None


def standings(book: Scorebook, ledger: Ledger, *, timed: bool = True) -> list[Row]:
    """Return everybody's row; without times it is the same wherever it is derived.

    They are by rank. With stages, those come first who have come furthest, by their places.
    """
    contestants, active = ledger.contestants, ledger.playing
    book.ratings.grow(len(contestants))
    by_margins = book.ratings.skills(margins=True) if book.scale else None
    placed = placements(ledger, book)
    rows = []
    anchor = _anchor(contestants, active, ledger.contest.anchor)
    playing = frozenset(active)
    ranked = book.ratings.standings(anchor, ledger.disqualified, playing)
    ranked.sort(key=lambda each: _further(placed.get(each.contestant)))
    for standing in ranked:
        number = standing.contestant
        placement = placed.get(number)
        gone = ledger.left.get(number)
        contestant, totals = contestants[number], book.results.total(number)
        pace = book.results.paces.get(number, Pace())
        skill = _rounded(standing.skill)
        margin = _parts(estimate(by_margins, number) if by_margins else None)
        rows.append(
            Row(
                rank=standing.rank,
                rank_best=standing.rank_low,
                rank_worst=standing.rank_high,
                stage=ledger.stages.listed[placement.stage].name if placement else None,
                place=placement.place if placement else None,
                bot=contestant.name,
                version=contestant.version,
                digest=contestant.digest,
                active=number in playing,
                left=gone.kind if gone else None,
                left_reason=(gone.reason or None) if gone and gone.kind else None,
                rating=round(standing.conservative, DIGITS),
                mu=round(standing.mu, DIGITS),
                sigma=round(standing.sigma, DIGITS),
                skill=skill.value,
                skill_low=skill.low,
                skill_high=skill.high,
                margin_skill=margin[0],
                margin_skill_low=margin[1],
                margin_skill_high=margin[2],
                games=totals.games,
                mean_place=round(totals.mean_place, DIGITS),
                share=round(totals.share, DIGITS),
                wins=totals.wins,
                mean_score=round(totals.mean_score, DIGITS),
                faults=dict(sorted(book.results.faults.get(number, {}).items())),
                ms_per_decision=round(pace.milliseconds, 4) if timed else None,
                slowest_ms=round(pace.slowest / 1000, 3) if timed else None,
            )
        )
    return rows


def standings_by_table(book: Scorebook, contestants: Sequence[Contestant]) -> list[TableRow]:
    """Return everybody's row at every table size, in the order in which they entered."""
    from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

    found = []
    for size, tally in sorted(book.tables.items()):
        skills = fit(tally)
        by_margins = fit(tally, margins=True) if book.scale else None
        for number in range(tally.contestants):
            totals = book.results.total(number, size)
            if totals.games:
                contestant = contestants[number]
                skill = _rounded(estimate(skills, number))
                margin = _parts(estimate(by_margins, number) if by_margins else None)
                found.append(
                    TableRow(
                        table=size,
                        bot=contestant.name,
                        version=contestant.version,
                        digest=contestant.digest,
                        skill=skill.value,
                        skill_low=skill.low,
                        skill_high=skill.high,
                        margin_skill=margin[0],
                        margin_skill_low=margin[1],
                        margin_skill_high=margin[2],
                        games=totals.games,
                        mean_place=round(totals.mean_place, DIGITS),
                        share=round(totals.share, DIGITS),
                        wins=totals.wins,
                        mean_score=round(totals.mean_score, DIGITS),
                    )
                )
    return found


def standings_by_seat(
    book: Scorebook, contestants: Sequence[Contestant], order: Sequence[int]
) -> list[SeatRow]:
    """Return the results of everybody in every seat, the contestants in this order."""
    results = book.results
    return [
        _seat_row(contestants[number], size, seat, totals)
        for number in order
        for size in results.sizes()
        for seat in range(size)
        if (totals := results.total(number, size, seat)).games
    ]


def _seat_row(contestant: Contestant, size: int, seat: int, totals: Totals) -> SeatRow:
    return SeatRow(
        bot=contestant.name,
        version=contestant.version,
        digest=contestant.digest,
        table=size,
        seat=seat,
        games=totals.games,
        mean_place=round(totals.mean_place, DIGITS),
        share=round(totals.share, DIGITS),
        wins=totals.wins,
        mean_score=round(totals.mean_score, DIGITS),
    )


def standings_by_pair(
    book: Scorebook, contestants: Sequence[Contestant], order: Sequence[int]
) -> list[PairRow]:
    """Return everybody against everybody whom he has met, the contestants in this order."""
    points = book.ratings.tally.points
    return [
        row
        for a in order
        for row in standings_against(book, contestants, [b for b in order if b in points[a]], a)
    ]


def standings_against(
    book: Scorebook, contestants: Sequence[Contestant], order: Sequence[int], chosen: int
) -> list[PairRow]:
    """Return one contestant against each of the others, in this order."""
    tally = book.ratings.tally
    skills = book.ratings.skills()
    by_margins = book.ratings.skills(margins=True) if book.scale else None
    one = contestants[chosen]
    found = []
    for b in order:
        if b == chosen:
            continue
        other = contestants[b]
        won = tally.took(chosen, b)
        met = won + tally.took(b, chosen)
        gap = _rounded(difference(skills, chosen, b))
        margin = _parts(difference(by_margins, chosen, b) if by_margins else None)
        found.append(
            PairRow(
                bot=one.name,
                version=one.version,
                digest=one.digest,
                against=other.name,
                against_version=other.version,
                against_digest=other.digest,
                meetings=int(met),
                share=round(won / met, DIGITS) if met else None,
                difference=gap.value,
                difference_low=gap.low,
                difference_high=gap.high,
                confidence_above=round(skills.confidence_above(chosen, b), DIGITS),
                probability_above=round(skills.probability_above(chosen, b), DIGITS),
                margin_difference=margin[0],
                margin_difference_low=margin[1],
                margin_difference_high=margin[2],
            )
        )
    return found


def _further(placement: Placement | None) -> tuple[float, float]:
    """A sort key: who has come to a later stage comes first, then who has the better place."""
    if placement is None:
        return 1, 0
    return -placement.stage, inf if placement.place is None else placement.place


def _rounded(found: Estimate) -> Estimate:
    """Return a figure and its interval as they are published."""
    return Estimate(*(round(each, DIGITS) for each in (found.value, found.low, found.high)))


def _parts(found: Estimate | None) -> tuple[float, float, float] | tuple[None, None, None]:
    """Return a figure and the ends of its interval as they are published, if there is one."""
    if found is None:
        return None, None, None
    rounded = _rounded(found)
    return rounded.value, rounded.low, rounded.high


def _anchor(
    contestants: Sequence[Contestant], active: Sequence[int], name: str | None
) -> Anchor | None:
    """Return the contestant of this name that plays now, as an anchor."""
    for number, contestant in enumerate(contestants):
        if contestant.name == name and number in active:
            return Anchor(number, ANCHORED_AT)
    return None
