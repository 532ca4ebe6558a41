"""The conclusion of a comparison: in one sentence, and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from arena.records.entries import Contestant, Form
from arena.workbench.designs import DESIGNS, Design
from arena.workbench.evidence import ENOUGH, LEAST, Evidence
from arena.workbench.journal import Question
from arena.workbench.scores import Scores

ASKS: Mapping[Design, str] = {
    "swap": "who does better against this field, in the same seat of the same deal",
    "table": "who does better with the other at the same table",
}
"""The question that each design answers."""


class Figures(Form, frozen=True, kw_only=True):
    """What some deals say."""

    deals: int
    difference: float
    interval: tuple[float, float] | None
    evidence: float
    p: float


class TableFigures(Figures, frozen=True, kw_only=True):
    """What the deals at tables of one size say."""

    seats: int


class SeatFigures(Figures, frozen=True, kw_only=True):
    """What the deals say in which the two had this seat."""

    seat: int


class Compared(Form, frozen=True, kw_only=True):
    """One of the two; `bot` is what it is called here."""

    bot: str
    name: str
    version: str
    digest: str
    faults: int


class PilotFigures(Form, frozen=True, kw_only=True):
    """What the pilot found: the information per game, by design."""

    games: int
    information: Mapping[Design, float]


class ConclusionFigures(Figures, frozen=True, kw_only=True):
    """All of a conclusion, as data for programs."""

    verdict: str
    sentence: str
    new: Compared
    old: Compared
    field: tuple[str, ...]
    game: str
    design: Design | None
    asks: str | None
    games: int
    share_new: float | None
    share_old: float | None
    by_table: tuple[TableFigures, ...]
    by_seat: tuple[SeatFigures, ...]
    pilot: PilotFigures | None


@dataclass(frozen=True)
class Conclusion:
    """What came of a comparison so far. `new` and `old` are what the two are called here."""

    question: Question
    scores: Scores
    new: str
    old: str

    @property
    def verdict(self) -> str:
        """Whether the new bot is better: what is decided, or that nothing is."""
        return self.scores.evidence.verdict or "undecided"

    @property
    def better(self) -> bool:
        """Whether the new bot is surely better."""
        return self.verdict == "better"

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        scores, evidence = self.scores, self.scores.evidence
        if scores.design is None or not evidence.deals:
            return f"undecided between {self.new} and {self.old}: no deal counts so far."
        said = {
            "better": f"{self.new} is better than {self.old}",
            "worse": f"{self.new} is worse than {self.old}",
            "no difference": f"No difference that matters between {self.new} and {self.old}",
        }.get(self.verdict, f"Undecided between {self.new} and {self.old}")
        more = "fewer" if evidence.mean < 0 else "more"
        field = ", ".join(each.name for each in self.question.field)
        tables = ", ".join(map(str, sorted(scores.by_table)))
        among = f" with {field}" if field else ""
        return (
            f"{said}: {self.new} places above {abs(evidence.mean):.1%} {more} of its opponents "
            f"({interval_text(evidence)}), evidence {evidence_text(evidence)}, after "
            f"{evidence.deals} deals ({scores.games} games) at tables of {tables}{among} by the "
            f"design {scores.design!r}, which asks {ASKS[scores.design]}."
        )

    @property
    def failures(self) -> list[str]:
        """What is to be said of bots that failed, whose figures say little of how they play."""
        names = zip((self.new, self.old), self.scores.faults, strict=True)
        return [
            f"{name} has failed in {games} games; arena bot check and arena play say why"
            for name, games in names
            if games
        ]

    @property
    def figures(self) -> ConclusionFigures:
        """All of it as data for programs."""
        question, scores = self.question, self.scores
        pilot, design = scores.pilot, scores.design
        return ConclusionFigures(
            verdict=self.verdict,
            sentence=self.sentence,
            new=_compared(self.new, question.new, scores.faults[0]),
            old=_compared(self.old, question.old, scores.faults[1]),
            field=tuple(each.name for each in question.field),
            game=question.game,
            design=design,
            asks=None if design is None else ASKS[design],
            games=scores.games,
            **_figures(scores.evidence),
            share_new=_mean(scores.new_share, scores.evidence.deals),
            share_old=_mean(scores.old_share, scores.evidence.deals),
            by_table=tuple(
                TableFigures(seats=size, **_figures(found))
                for size, found in sorted(scores.by_table.items())
            ),
            by_seat=tuple(
                SeatFigures(seat=seat, **_figures(found))
                for seat, found in sorted(scores.by_seat.items())
            ),
            pilot=None
            if pilot is None
            else PilotFigures(
                games=pilot.games,
                information={each: _round(pilot.information[each]) for each in DESIGNS},
            ),
        )

    def rows(self) -> list[Sequence[object]]:
        """Return the rows of the table: what the difference is made of."""
        scores = self.scores
        rows: list[Sequence[object]] = [_row("all", scores.evidence)]
        rows += [_row(f"table of {size}", each) for size, each in sorted(scores.by_table.items())]
        rows += [_row(f"seat {seat}", each) for seat, each in sorted(scores.by_seat.items())]
        return rows


COLUMNS = ("where", "deals>", "difference>", "95 % at any time>")
"""The columns of the table."""


def interval_text(evidence: Evidence) -> str:
    """Return the interval in words."""
    interval = evidence.interval
    if interval is None:
        return f"no interval before {LEAST} deals"
    return f"95 % at any time: {_percent(interval[0])} to {_percent(interval[1])}"


def evidence_text(evidence: Evidence) -> str:
    """Return the evidence beside what is enough."""
    shown = f"{evidence.now:.3g}" if evidence.now < 1e6 else f"{evidence.now:.1e}"
    return f"{shown} (p {evidence.p:.2g}; {ENOUGH:g} decides)"


def progress_text(scores: Scores) -> str:
    """Return how a comparison stands, in one line."""
    evidence = scores.evidence
    if scores.in_pilot:
        return f"pilot: {scores.played} deals"
    return (
        f"{evidence.deals} deals: {_percent(evidence.mean)} "
        f"({interval_text(evidence)}), evidence {evidence_text(evidence)}"
    )


def pilot_text(scores: Scores) -> str:
    """Return what the pilot has chosen, in one line."""
    assert scores.pilot is not None
    design = scores.pilot.chosen
    said = ", ".join(f"{each} {scores.pilot.information[each]:.4f}" for each in DESIGNS)
    return (
        f"the pilot of {scores.pilot.games} games, which do not count, chose the design {design!r} "
        f"(information per game: {said}), which asks {ASKS[design]}"
    )


class _Figures(TypedDict):
    """The fields of `Figures`."""

    deals: int
    difference: float
    interval: tuple[float, float] | None
    evidence: float
    p: float


def _figures(evidence: Evidence) -> _Figures:
    interval = evidence.interval
    return {
        "deals": evidence.deals,
        "difference": _round(evidence.mean),
        "interval": None if interval is None else (_round(interval[0]), _round(interval[1])),
        "evidence": _round(evidence.now),
        "p": _round(evidence.p),
    }


def _compared(bot: str, contestant: Contestant, faults: int) -> Compared:
    return Compared(
        bot=bot,
        name=contestant.name,
        version=contestant.version,
        digest=contestant.digest,
        faults=faults,
    )


def _row(where: str, evidence: Evidence) -> Sequence[object]:
    interval = evidence.interval
    shown = "" if interval is None else f"{_percent(interval[0])} … {_percent(interval[1])}"
    return where, evidence.deals, _percent(evidence.mean), shown


def _percent(value: float) -> str:
    return f"{value:+.1%}"


def _mean(total: float, deals: int) -> float | None:
    return _round(total / deals) if deals else None


def _round(value: float) -> float:
    return float(f"{value:.6g}")
