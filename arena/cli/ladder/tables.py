"""The tables of a ladder: standings for people, for programs and for spreadsheets."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size

import click

from arena.cli.interval import axis_head
from arena.cli.interval import drawn as interval
from arena.cli.output import print_table, table_fits
from arena.ladder.history import VersionHistory
from arena.ladder.labels import labels
from arena.ladder.overview import Overview, StageRow, overview
from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import (
    PairRow,
    Row,
    SeatRow,
    TableRow,
    standings_against,
    standings_by_pair,
    standings_by_seat,
    standings_by_table,
)
from arena.ladder.store import Store
from arena.pages.axis import Axis
from arena.records.entries import Contestant, Form, StageEnd
from arena.records.ledger import Ledger
from arena.wording import counted

FULL_WIDTH = 120
"""On terminals with fewer columns, tables are cut to the main figures."""
NARROW = ("stage", "place", "table", "rank", "bot", "rating", "95 %", "games", "share", "faults")
WIDEST_DRAWN, LEAST_DRAWN = 32, 16
"""The widths of drawn intervals, in columns; where neither fits there are none."""
MARKS = {"set-aside": "set aside", "disqualified": "disqualified", "not-qualified": "out"}
"""What is said beside the name of who has left, by how; of others it is that they are gone."""
STAGE_ENDS: dict[StageEnd, str] = {
    "budget": "ended as its games were played",
    "width": "ended as its intervals were narrow enough",
    "certain": "ended as what it was to show was certain",
    "few": "ended as too few were left for a table",
}
_BY_MARGINS = ("margins>", "its 95 %>")
"""The columns of skills by margins."""


@dataclass(frozen=True)
class LadderView:
    """A ladder as it is shown: its overview, and the scorebook that more follows from."""

    overview: Overview
    contestants: Sequence[Contestant]
    active: Sequence[int]
    book: Scorebook
    left: Mapping[int, str]
    """In what way those have left who are marked as more than gone."""

    @classmethod
    def of(cls, store: Store, book: Scorebook) -> LadderView:
        """Return the ladder of a store, given the scorebook derived from it."""
        ledger = store.ledger
        return cls(overview(ledger, book), ledger.contestants, ledger.playing, book, _left(ledger))

    @property
    def labels(self) -> dict[str, str]:
        """The display names of the contestants, by digest."""
        return labels(self.contestants, self.active, self.left)

    @property
    def by_rank(self) -> list[int]:
        """The numbers of the contestants by rank."""
        numbers = {each.digest: number for number, each in enumerate(self.contestants)}
        return [numbers[row.digest] for row in self.overview.standings]

    def print(self) -> None:
        """Print the standings for people."""
        print_standings(self.overview)


def print_standings(shown: Overview) -> None:
    """Print the standings of a ladder for people."""
    tables = ", ".join(map(str, shown.tables))
    title = f"{shown.ladder}: {shown.games} games of {shown.game} at tables of {tables}"
    staged = bool(shown.stages)
    columns = [
        *(("stage", "place>") if staged else ()),
        "rank>",
        "bot",
        "version",
        "rating>",
        "skill>",
        "95 %>",
        *(_BY_MARGINS if any(row.margin_skill is not None for row in shown.standings) else ()),
        "games>",
        "mean place>",
        "share>",
        "wins>",
        "faults",
        "ms/decision>",
    ]
    names = labels_of(shown)
    rows = [
        ((row.stage or "-", row.place or "-") if staged else ()) + _row(row, names[row.digest])
        for row in shown.standings
    ]
    _print_fitting(columns, rows, title, shown.standings)
    for line in _remarks(shown, names):
        click.echo(line)


def labels_of(shown: Overview) -> dict[str, str]:
    """Return the display names of the contestants in standings, by digest."""
    rows = shown.standings
    return labels(
        [Contestant(row.bot, row.version, row.digest) for row in rows],
        [at for at, row in enumerate(rows) if row.active],
        {at: MARKS[row.left] for at, row in enumerate(rows) if row.left in MARKS},
    )


def _remarks(shown: Overview, names: Mapping[str, str]) -> list[str]:
    origin = f'the seed "{shown.seed}"'
    if shown.seed is None:
        kept = "revealed" if shown.closed else "kept"
        origin = f"a secret that is {kept}, SHA-256 {shown.commitment}"
    remarks = [
        f"deals from {origin}",
        f"head of the log: {shown.head}",
        f"sandbox: {shown.sandbox}",
    ]
    if shown.annulled_blocks:
        remarks.append(f"{counted(shown.annulled_blocks, 'block')} annulled: they do not count")
    remarks += [f"stage {_stage(each)}" for each in shown.stages]
    remarks += [
        f"{names[row.digest]}: {row.left_reason}"
        for row in shown.standings
        if row.left in MARKS and row.left_reason
    ]
    if shown.field_changed and not shown.stages:
        remarks.append(f"the field has changed: {shown.meetings}")
    remarks += [
        f"cross-check: TrueSkill has {names[each.above_digest]} above "
        f"{names[each.below_digest]}; a fit that knows no order has them the other "
        "way round"
        for each in shown.cross_check.disagreements
        if each.reversed
    ]
    return remarks


def _left(ledger: Ledger) -> dict[int, str]:
    return {number: MARKS[gone.kind] for number, gone in ledger.left.items() if gone.kind in MARKS}


def _stage(row: StageRow) -> str:
    """Return how a stage stands, in words."""
    if row.ended is not None:
        return f"{row.stage}: {STAGE_ENDS[row.ended]}, after {counted(row.blocks, 'block')}"
    if row.state == "on":
        return f"{row.stage}: {row.players} play, {counted(row.blocks, 'block')} so far"
    return f"{row.stage}: to come"


def _row(row: Row, label: str) -> tuple[object, ...]:
    ranks = "-" if row.rank is None else str(row.rank)
    if row.rank_best != row.rank_worst:
        ranks += f" ({row.rank_best}–{row.rank_worst})"
    faults = ", ".join(f"{count} {verdict}" for verdict, count in row.faults.items())
    return (
        ranks,
        label,
        row.version,
        f"{row.rating:.2f}",
        *_interval(row.skill, row.skill_low, row.skill_high),
        *_margins(row.margin_skill, row.margin_skill_low, row.margin_skill_high),
        row.games,
        f"{row.mean_place:.2f}",
        f"{row.share:.1%}",
        row.wins,
        faults or "none",
        f"{row.ms_per_decision:.2f}" if row.slowest_ms else "-",
    )


def by_seat(shown: LadderView) -> list[SeatRow]:
    """Return the results of everybody in every seat, in order of rank."""
    return standings_by_seat(shown.book, shown.contestants, shown.by_rank)


def by_table(shown: LadderView) -> list[TableRow]:
    """Return the results of everybody at every table size, with skills from those games alone."""
    rows = standings_by_table(shown.book, shown.contestants)
    return sorted(rows, key=lambda row: (row.table, -row.skill))


def by_pair(shown: LadderView) -> list[PairRow]:
    """Return for every pair the share of meetings won, and how much better one is."""
    return standings_by_pair(shown.book, shown.contestants, shown.by_rank)


def against(shown: LadderView, chosen: int) -> list[PairRow]:
    """Return one contestant against each of the others, in order of rank."""
    return standings_against(shown.book, shown.contestants, shown.by_rank, chosen)


def print_pairs(shown: LadderView) -> None:
    """Print the matrix of who beats whom."""
    cells = {(each.digest, each.against_digest): each for each in by_pair(shown)}
    names = shown.labels
    everybody = shown.overview.standings
    rows = []
    for one in everybody:
        found = [cells.get((one.digest, other.digest)) for other in everybody]
        shares = (f"{each.share:.0%}" if each else "·" for each in found)
        rows.append([names[one.digest], one.version, *shares])
    columns = ["share of meetings won", "version", *(f"{names[one.digest]}>" for one in everybody)]
    print_table(columns, rows)


def print_against(shown: LadderView, chosen: int) -> None:
    """Print how much better one contestant is than each of the others."""
    names = shown.labels
    rows = against(shown, chosen)
    margins = any(row.margin_difference is not None for row in rows)
    columns = ["against", "version", "meetings>", "share>", "difference>", "95 %>", "better>"]
    columns += _BY_MARGINS if margins else ()
    cells = [
        (
            names[row.against_digest],
            row.against_version,
            row.meetings,
            "-" if row.share is None else f"{row.share:.1%}",
            *_interval(row.difference, row.difference_low, row.difference_high),
            f"{row.probability_above:.1%}",
            *_margins(row.margin_difference, row.margin_difference_low, row.margin_difference_high),
        )
        for row in rows
    ]
    one = shown.contestants[chosen]
    _print_fitting(columns, cells, f"{names[one.digest]} {one.version} against the others")
    click.echo(
        "difference: points of skill above the other (25/6 more place above it in 76 % of games); "
        "better: how probable it is that the skill is higher"
    )


def print_history(shown: LadderView, versions: Sequence[VersionHistory]) -> None:
    """Print how the skills of a bot's versions went."""
    names = shown.labels
    rows = [
        (
            names[version.digest] if at == 0 else "",
            version.version if at == 0 else "",
            point.blocks,
            point.meetings,
            *_interval(point.skill, point.skill_low, point.skill_high),
        )
        for version in versions
        for at, point in enumerate(version.points)
    ]
    print_table(["bot", "version", "after blocks>", "meetings>", "skill>", "95 %>"], rows)


def _interval(value: float, low: float, high: float) -> tuple[str, str]:
    """Return a figure and its interval as cells."""
    return f"{value:+.2f}", f"{low:+.2f} … {high:+.2f}"


def _margins(value: float | None, low: float | None, high: float | None) -> tuple[str, ...]:
    """Return a figure by margins as cells; none if in this game only places count."""
    if value is None or low is None or high is None:
        return ()
    return _interval(value, low, high)


def print_tables(shown: LadderView) -> None:
    """Print the results at every table size."""
    columns = ["table>", "bot", "version", "skill>", "95 %>"]
    columns += [*(_BY_MARGINS if shown.book.scale else ()), "games>", "mean place>", "share>"]
    names = shown.labels
    rows = [
        (
            row.table,
            names[row.digest],
            row.version,
            *_interval(row.skill, row.skill_low, row.skill_high),
            *_margins(row.margin_skill, row.margin_skill_low, row.margin_skill_high),
            row.games,
            f"{row.mean_place:.2f}",
            f"{row.share:.1%}",
            row.wins,
            f"{row.mean_score:.1f}",
        )
        for row in by_table(shown)
    ]
    _print_fitting([*columns, "wins>", "mean score>"], rows)


def _print_fitting(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    title: str = "",
    drawn: Sequence[Row] = (),
) -> None:
    """Print the whole table, or what of it fits: without margins, or only its main columns.

    On a terminal with room for it, the intervals of these rows are drawn beside their figures.
    """
    kept = list(range(len(columns)))
    says = ""
    if sys.stdout.isatty() and get_terminal_size().columns < FULL_WIDTH:
        kept = [at for at in kept if columns[at].rstrip(">") in NARROW]
        says = f"a terminal of {FULL_WIDTH} columns shows more of each"
    elif not table_fits(columns, rows):
        kept = [at for at in kept if columns[at] not in _BY_MARGINS]
        if len(kept) < len(columns):
            says = "skills by margins do not fit in here; --json and --csv have them"
    heads = [columns[at] for at in kept]
    cells = [[row[at] for at in kept] for row in rows]
    if sys.stdout.isatty() and drawn:
        _draw(heads, cells, drawn)
    print_table(heads, cells, title)
    if says:
        click.echo(says)


def _draw(columns: list[str], rows: Sequence[list[object]], drawn: Sequence[Row]) -> None:
    """Add a column with drawn intervals after their figures, if the terminal is wide enough."""
    axis = Axis.of((row.skill_low, row.skill_high) for row in drawn)
    at = columns.index("95 %>") + 1
    for width in (WIDEST_DRAWN, LEAST_DRAWN):
        head = axis_head(axis, width)
        heads = [*columns[:at], head, *columns[at:]]
        cells = [
            [*row[:at], interval(axis, of.skill_low, of.skill, of.skill_high, width), *row[at:]]
            for row, of in zip(rows, drawn, strict=True)
        ]
        if table_fits(heads, cells):
            columns[:] = heads
            for row, wider in zip(rows, cells, strict=True):
                row[:] = wider
            return


def print_seats(shown: LadderView) -> None:
    """Print the results in every seat."""
    names = shown.labels
    columns = ["bot", "version", "table>", "seat>", "games>", "mean place>", "share>", "wins>"]
    rows = [
        (
            names[row.digest],
            row.version,
            row.table,
            row.seat,
            row.games,
            f"{row.mean_place:.2f}",
            f"{row.share:.1%}",
            row.wins,
            f"{row.mean_score:.1f}",
        )
        for row in by_seat(shown)
    ]
    print_table([*columns, "mean score>"], rows)


def print_csv(rows: Sequence[Form]) -> None:
    """Print rows as CSV, with faults as text."""
    if not rows:
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(rows[0].__struct_fields__)
    for row in rows:
        writer.writerow([_cell(getattr(row, name)) for name in row.__struct_fields__])


def _cell(value: object) -> object:
    """Return a value as a cell of a spreadsheet."""
    if isinstance(value, dict):
        return " ".join(f"{verdict}:{count}" for verdict, count in value.items())
    return value
