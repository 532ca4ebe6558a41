"""Standings: the contestants by rank, with intervals and results."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ladder.rating import Anchor
from arena.ladder.results import Pace, Totals
from arena.ladder.scorebook import Scorebook
from arena.records.entries import Contestant, Form
from arena.records.verdicts import FaultVerdict

ANCHORED_AT = 25.0
DIGITS = 6
"""Decimal places of published figures; the rest may differ from one machine to another."""


class Row(Form, frozen=True, kw_only=True):
    """One contestant in the standings. Skills are in TrueSkill's points."""

    rank: int
    """By the rating; equals share the better rank."""
    rank_best: int
    """The best rank that the intervals allow, with 95 % confidence."""
    rank_worst: int
    bot: str
    version: str
    digest: str
    active: bool
    """Whether it is still being scheduled; one that was changed or taken out is not."""
    rating: float
    """Mu - 3 sigma."""
    mu: float
    sigma: float
    skill: float
    skill_low: float
    """The lower end of the 95 % interval of the skill."""
    skill_high: float
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
    """What one contestant has won of another, and how sure it is who is better."""

    bot: str
    version: str
    digest: str
    against: str
    against_version: str
    against_digest: str
    meetings: int
    share: float
    """The share of the meetings in which the first placed above; a tie counts half."""
    above: float
    """How sure it is that the first is better, from 0 to 1."""


def standings(
    book: Scorebook,
    contestants: Sequence[Contestant],
    active: Sequence[int],
    anchor: str | None = None,
    *,
    timed: bool = True,
) -> list[Row]:
    """Return everybody's row, by rank; without times it is the same wherever it is derived."""
    rows = []
    for standing in book.ratings.standings(_anchor(contestants, active, anchor)):
        number = standing.contestant
        contestant, totals = contestants[number], book.results.total(number)
        pace = book.results.paces.get(number, Pace())
        rows.append(
            Row(
                rank=standing.rank,
                rank_best=standing.rank_low,
                rank_worst=standing.rank_high,
                bot=contestant.name,
                version=contestant.version,
                digest=contestant.digest,
                active=number in active,
                rating=round(standing.conservative, DIGITS),
                mu=round(standing.mu, DIGITS),
                sigma=round(standing.sigma, DIGITS),
                skill=round(standing.skill, DIGITS),
                skill_low=round(standing.low, DIGITS),
                skill_high=round(standing.high, DIGITS),
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
    """Return everybody's row at every table size, the best first."""
    from arena.ladder.rating.skill import fit  # noqa: PLC0415 - numpy, only for this

    found = []
    for size, tally in sorted(book.tables.items()):
        skills = fit(tally)
        for number in sorted(range(tally.contestants), key=skills.points.__getitem__, reverse=True):
            totals = book.results.total(number, size)
            if totals.games:
                contestant = contestants[number]
                found.append(
                    TableRow(
                        table=size,
                        bot=contestant.name,
                        version=contestant.version,
                        digest=contestant.digest,
                        skill=round(skills.points[number], DIGITS),
                        skill_low=round(skills.low[number], DIGITS),
                        skill_high=round(skills.high[number], DIGITS),
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
    points = book.ratings.points
    found = []
    for a in order:
        for b in order:
            met = points[a][b] + points[b][a]
            if a == b or not met:
                continue
            one, other = contestants[a], contestants[b]
            found.append(
                PairRow(
                    bot=one.name,
                    version=one.version,
                    digest=one.digest,
                    against=other.name,
                    against_version=other.version,
                    against_digest=other.digest,
                    meetings=int(met),
                    share=round(points[a][b] / met, DIGITS),
                    above=round(book.ratings.above(a, b), DIGITS),
                )
            )
    return found


def _anchor(
    contestants: Sequence[Contestant], active: Sequence[int], name: str | None
) -> Anchor | None:
    """Return the contestant of this name that plays now, as an anchor."""
    for number, contestant in enumerate(contestants):
        if contestant.name == name and number in active:
            return Anchor(number, ANCHORED_AT)
    return None
