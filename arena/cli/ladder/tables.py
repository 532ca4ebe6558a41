"""The tables of a ladder: standings for people, for programs and for spreadsheets."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any

import click

from arena.cli.output import print_table
from arena.ladder.evenness import evenness
from arena.ladder.labels import labels
from arena.ladder.results import Totals
from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import DIGITS, Row, standings, standings_by_table
from arena.ladder.store import Store
from arena.records.entries import Contestant

FULL_WIDTH = 120
"""On terminals with fewer columns, tables are cut to the main figures."""
NARROW = ("table", "rank", "bot", "rating", "95 %", "games", "share", "faults")


@dataclass(frozen=True)
class LadderView:
    """A ladder as it is shown: its facts, its contestants and its standings."""

    facts: dict[str, Any]
    contestants: Sequence[Contestant]
    active: Sequence[int]
    book: Scorebook
    rows: list[Row]

    @classmethod
    def of(cls, store: Store, book: Scorebook) -> LadderView:
        """Return the ladder of a store, given the scorebook derived from it."""
        ledger, contest = store.ledger, store.contest
        facts = {
            "ladder": contest.name,
            "game": contest.game,
            "tables": list(contest.tables),
            "games": ledger.games,
            "annulled_blocks": len(ledger.annulled),
            "sandbox": ledger.sandbox or contest.sandbox,
            "seed": contest.seed,
            "commitment": ledger.opened.commitment,
            "closed": None if ledger.closed is None else ledger.closed.reason,
            "head": f"{ledger.tree.size}:{ledger.root}",
            "field_changed": len(ledger.fields) > 1,
            "meetings": evenness(book.ratings.points, ledger.playing).as_map(),
        }
        rows = standings(book, ledger.contestants, ledger.playing, contest.anchor)
        return cls(facts, ledger.contestants, ledger.playing, book, rows)

    @property
    def labels(self) -> dict[str, str]:
        """The display names of the contestants, by digest."""
        return labels(self.contestants, self.active)

    def as_map(self) -> dict[str, Any]:
        """Return the ladder as data for programs."""
        check = self.book.ratings.check()
        return {
            **self.facts,
            "standings": [row.as_map() for row in self.rows],
            "cross_check": {
                "agrees": check.agrees,
                "disagreements": [
                    {
                        "above": self.contestants[each.above].name,
                        "above_digest": self.contestants[each.above].digest,
                        "below": self.contestants[each.below].name,
                        "below_digest": self.contestants[each.below].digest,
                        "reversed": each.reversed,
                        "rated": round(each.rated, DIGITS),
                        "fitted": round(each.fitted, DIGITS),
                        "fitted_low": round(each.low, DIGITS),
                        "fitted_high": round(each.high, DIGITS),
                    }
                    for each in check.disagreements
                ],
            },
        }

    def print(self) -> None:
        """Print the standings for people."""
        facts = self.facts
        tables = ", ".join(map(str, facts["tables"]))
        title = (
            f"{facts['ladder']}: {facts['games']} games of {facts['game']} at tables of {tables}"
        )
        columns = [
            "rank>",
            "bot",
            "version",
            "rating>",
            "skill>",
            "95 %>",
            "games>",
            "mean place>",
            "share>",
            "wins>",
            "faults",
            "ms/decision>",
        ]
        names = self.labels
        rows = [_row(row, names[row.contestant.digest]) for row in self.rows]
        _print_fitting(columns, rows, title)
        for line in self._remarks():
            click.echo(line)

    def _remarks(self) -> list[str]:
        facts = self.facts
        origin = f'the seed "{facts["seed"]}"'
        if facts["seed"] is None:
            kept = "revealed" if facts["closed"] else "kept"
            origin = f"a secret that is {kept}, SHA-256 {facts['commitment']}"
        remarks = [
            f"deals from {origin}",
            f"head of the log: {facts['head']}",
            f"sandbox: {facts['sandbox']}",
        ]
        if facts["field_changed"]:
            even = evenness(self.book.ratings.points, self.active)
            remarks.append(f"the field has changed: {even}")
        check = self.book.ratings.check()
        called = self.labels
        names = [called[contestant.digest] for contestant in self.contestants]
        remarks += [
            f"cross-check: TrueSkill has {names[each.above]} above "
            f"{names[each.below]}; a fit that knows no order has them the other "
            "way round"
            for each in check.disagreements
            if each.reversed
        ]
        return remarks


def _row(row: Row, label: str) -> Sequence[object]:
    standing = row.standing
    ranks = str(standing.rank)
    if standing.rank_low != standing.rank_high:
        ranks += f" ({standing.rank_low}–{standing.rank_high})"
    faults = ", ".join(f"{count} {verdict}" for verdict, count in sorted(row.faults.items()))
    return (
        ranks,
        label,
        row.contestant.version,
        f"{standing.conservative:.2f}",
        f"{standing.skill:+.2f}",
        f"{standing.low:+.2f} … {standing.high:+.2f}",
        row.totals.games,
        f"{row.totals.mean_place:.2f}",
        f"{row.totals.share:.1%}",
        row.totals.wins,
        faults or "none",
        f"{row.pace.milliseconds:.2f}" if row.pace.decisions else "-",
    )


def by_seat(shown: LadderView) -> list[dict[str, Any]]:
    """Return the results of everybody in every seat, in order of rank."""
    results = shown.book.results
    found = []
    for row in shown.rows:
        for size in results.sizes():
            for seat in range(size):
                line = results.total(row.standing.contestant, size, seat)
                if line.games:
                    place = {"table": size, "seat": seat}
                    found.append({**_who(row.contestant), **place, **_figures(line)})
    return found


def by_table(shown: LadderView) -> list[dict[str, Any]]:
    """Return the results of everybody at every table size, with skills from those games alone."""
    return [
        {
            "table": row.size,
            **_who(row.contestant),
            "skill": round(row.skill, DIGITS),
            "skill_low": round(row.low, DIGITS),
            "skill_high": round(row.high, DIGITS),
            **_figures(row.totals),
        }
        for row in standings_by_table(shown.book, shown.contestants)
    ]


def _who(contestant: Contestant) -> dict[str, str]:
    return {
        "bot": contestant.name,
        "version": contestant.version,
        "digest": contestant.digest,
    }


def _figures(totals: Totals) -> dict[str, Any]:
    return {
        "games": totals.games,
        "mean_place": round(totals.mean_place, DIGITS),
        "share": round(totals.share, DIGITS),
        "wins": totals.wins,
        "mean_score": round(totals.mean_score, DIGITS),
    }


def pairs(shown: LadderView) -> list[dict[str, Any]]:
    """Return for every pair the share of meetings won, and how sure it is who is better."""
    points = shown.book.ratings.points
    found = []
    for row in shown.rows:
        for other in shown.rows:
            a, b = row.standing.contestant, other.standing.contestant
            met = points[a][b] + points[b][a]
            if a != b and met:
                found.append(
                    {
                        **_who(row.contestant),
                        "against": other.contestant.name,
                        "against_version": other.contestant.version,
                        "against_digest": other.contestant.digest,
                        "meetings": int(met),
                        "share": round(points[a][b] / met, DIGITS),
                        "above": round(shown.book.ratings.above(a, b), DIGITS),
                    }
                )
    return found


def print_pairs(shown: LadderView) -> None:
    """Print the matrix of who beats whom."""
    cells = {(each["digest"], each["against_digest"]): each for each in pairs(shown)}
    names = shown.labels
    everybody = [row.contestant for row in shown.rows]
    rows = []
    for one in everybody:
        found = [cells.get((one.digest, other.digest)) for other in everybody]
        shares = (f"{each['share']:.0%}" if each else "·" for each in found)
        rows.append([names[one.digest], one.version, *shares])
    columns = ["share of meetings won", "version", *(f"{names[one.digest]}>" for one in everybody)]
    print_table(columns, rows)


def print_tables(shown: LadderView) -> None:
    """Print the results at every table size."""
    columns = ["table>", "bot", "version", "skill>", "95 %>", "games>", "mean place>", "share>"]
    names = shown.labels
    rows = [
        (
            row["table"],
            names[row["digest"]],
            row["version"],
            f"{row['skill']:+.2f}",
            f"{row['skill_low']:+.2f} … {row['skill_high']:+.2f}",
            row["games"],
            f"{row['mean_place']:.2f}",
            f"{row['share']:.1%}",
            row["wins"],
            f"{row['mean_score']:.1f}",
        )
        for row in by_table(shown)
    ]
    _print_fitting([*columns, "wins>", "mean score>"], rows)


def _print_fitting(
    columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = ""
) -> None:
    """Print the whole table, or on a narrow terminal only its main columns."""
    narrow = sys.stdout.isatty() and get_terminal_size().columns < FULL_WIDTH
    if narrow:
        kept = [at for at, column in enumerate(columns) if column.rstrip(">") in NARROW]
        columns = [columns[at] for at in kept]
        rows = [[row[at] for at in kept] for row in rows]
    print_table(columns, rows, title)
    if narrow:
        click.echo(f"a terminal of {FULL_WIDTH} columns shows more of each")


def print_seats(shown: LadderView) -> None:
    """Print the results in every seat."""
    names = shown.labels
    columns = ["bot", "version", "table>", "seat>", "games>", "mean place>", "share>", "wins>"]
    rows = [
        (
            names[row["digest"]],
            row["version"],
            row["table"],
            row["seat"],
            row["games"],
            f"{row['mean_place']:.2f}",
            f"{row['share']:.1%}",
            row["wins"],
            f"{row['mean_score']:.1f}",
        )
        for row in by_seat(shown)
    ]
    print_table([*columns, "mean score>"], rows)


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV, with faults as text."""
    if not rows:
        return
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        faults = row.get("faults", {})
        text = " ".join(f"{verdict}:{count}" for verdict, count in faults.items())
        writer.writerow({**row, "faults": text} if "faults" in row else row)
