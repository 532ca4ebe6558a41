"""The overview of a ladder: its facts, its standings, and whether a second fit agrees."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ladder.evenness import Evenness, evenness
from arena.ladder.rating.agreement import CrossCheck
from arena.ladder.scorebook import Scorebook
from arena.ladder.standings import DIGITS, Row, standings
from arena.ladder.store import Store
from arena.records.entries import Contestant, EndReason, Form


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
    field_changed: bool
    """Whether somebody has entered or left since the first game."""
    meetings: Evenness
    standings: tuple[Row, ...]
    cross_check: CrossCheckReport


def overview(store: Store, book: Scorebook) -> Overview:
    """Return the overview of a store, given the scorebook derived from it."""
    ledger, contest = store.ledger, store.contest
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
        field_changed=len(ledger.fields) > 1,
        meetings=evenness(book.ratings.tally.points, ledger.playing),
        standings=tuple(standings(book, ledger.contestants, ledger.playing, contest.anchor)),
        cross_check=_report(book.ratings.check(), ledger.contestants),
    )


def _report(check: CrossCheck, contestants: Sequence[Contestant]) -> CrossCheckReport:
    return CrossCheckReport(
        agrees=check.agrees,
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
            for each in check.disagreements
        ),
    )
