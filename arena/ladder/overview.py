"""The overview of a ladder: its facts, its standings, and whether a second fit agrees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from arena.ladder.evenness import Evenness, evenness
from arena.ladder.rating.agreement import CrossCheck
from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import DIGITS, Row, standings
from arena.records.entries import EndReason, Form, StageEnd
from arena.records.ledger import Ledger


class DisagreementRow(Form, frozen=True, kw_only=True):
    """Two contestants whom TrueSkill and the second fit rate differently, beyond chance."""

    above: str
    """Who is above by TrueSkill; the probabilities are those that it has the better place."""
    above_digest: str
    below: str
    below_digest: str
    reversed: bool
    """Whether the second fit surely has them the other way round."""
    rated: float
    """TrueSkill's probability."""
    fitted: float
    """The second fit's, with its interval."""
    fitted_low: float
    fitted_high: float


class CrossCheckReport(Form, frozen=True, kw_only=True):
    """Whether a fit that ignores the order of the games agrees with TrueSkill."""

    agrees: bool
    disagreements: tuple[DisagreementRow, ...]


class StageRow(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A stage of a ladder."""

    stage: str
    state: Literal["ended", "on", "to come"]
    ended: StageEnd | None
    """Why it has ended."""
    blocks: int
    """The blocks that it has, or had."""
    players: int | None
    """How many play in it, or did at its end; None while it is to come."""


class Overview(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What is shown of a ladder at first sight."""

    ladder: str
    game: str
    tables: tuple[int, ...]
    games: int
    annulled_blocks: int
    sandbox: str
    seed: str | None
    """None if the deals come from a secret."""
    commitment: str
    closed: EndReason | None
    """Why it has ended; None while more can be played."""
    head: str
    """The size and the root of its log."""
    stages: tuple[StageRow, ...]
    field_changed: bool
    """Whether somebody has entered or left since the first game."""
    meetings: Evenness
    standings: tuple[Row, ...]
    cross_check: CrossCheckReport


def overview(ledger: Ledger, book: Scorebook) -> Overview:
    """Return the overview of a ladder from what its log says, and the scorebook derived from it."""
    contest = ledger.contest
    return Overview(
        ladder=contest.name,
        game=contest.game,
        tables=contest.tables,
        games=ledger.games,
        annulled_blocks=len(ledger.annulled),
        sandbox=ledger.sandbox or contest.sandbox,
        seed=contest.seed,
        commitment=ledger.opened.commitment,
        closed=None if ledger.closed is None else ledger.closed.reason,
        head=f"{ledger.tree.size}:{ledger.root}",
        stages=tuple(_stages(ledger)),
        field_changed=len(ledger.fields) > 1,
        meetings=evenness(book.ratings.tally, ledger.playing),
        standings=tuple(standings(book, ledger)),
        cross_check=_report(book.ratings.check(ledger.playing), ledger),
    )


def _stages(ledger: Ledger) -> Iterator[StageRow]:
    """Yield the stages in their order."""
    stages = ledger.stages
    begins = [0, *(each.block for each in stages.ended), ledger.blocks]
    for number, stage in enumerate(stages.listed):
        if number < len(stages.ended):
            entry = stages.ended[number].entry
            blocks = begins[number + 1] - begins[number]
            players = sum(len(place) for place in entry.places)
            yield StageRow(
                stage=stage.name, state="ended", ended=entry.reason, blocks=blocks, players=players
            )
        elif number == stages.number:
            blocks, players = ledger.blocks - stages.began, len(ledger.playing)
            yield StageRow(stage=stage.name, state="on", ended=None, blocks=blocks, players=players)
        else:
            yield StageRow(stage=stage.name, state="to come", ended=None, blocks=0, players=None)


def _report(check: CrossCheck, ledger: Ledger) -> CrossCheckReport:
    contestants = ledger.contestants
    without = ledger.disqualified
    found = [
        each
        for each in check.disagreements
        if each.above not in without and each.below not in without
    ]
    return CrossCheckReport(
        agrees=not any(each.reversed for each in found),
        disagreements=tuple(
            DisagreementRow(
                above=contestants[each.above].name,
                above_digest=contestants[each.above].digest,
                below=contestants[each.below].name,
                below_digest=contestants[each.below].digest,
                reversed=each.reversed,
                rated=round(each.rated, DIGITS),
                fitted=round(each.fitted, DIGITS),
                fitted_low=round(each.low, DIGITS),
                fitted_high=round(each.high, DIGITS),
            )
            for each in found
        ),
    )
