"""The audit of a ladder for collusion: pairs who change each other's results, or spare each other.

Results are in the log. Moves are looked at by playing the games again, if the game says what it is
that one player does to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.labels import labels
from arena.ladder.margins import Scale, points, scale_of
from arena.ladder.source import Source
from arena.ladder.standings import DIGITS
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Contest, Form
from arena.records.game_record import rotated
from arena.records.ledger import Ledger, follow_lines
from arena.referee.replay import game_of

if TYPE_CHECKING:  # they import numpy
    from arena.ladder.rating.collusion import Effect, Shares
    from arena.ladder.rating.partiality import Aims, Bias

CAVEATS = (
    "A flag asks for a look, never for a penalty: honest styles can suit each other, too.",
    "Margin and factor were measured among the game's bundled bots; other styles can go beyond.",
    "Who acts seldom against another may do so without his knowing.",
    "Confirm it by playing the same deals with the partner replaced.",
    "No flag is no proof: what two bots do seldom, or in too few blocks, is not seen.",
    "Nor is it seen if they act against each other as others do, but where it does no harm.",
    "Only pairs are looked at: what three do together shows as pairs, or not at all.",
)
SHOWN = 5
"""How many of the strongest effects, and ratios, are shown beside the flags."""

Report = Callable[[int], None]
"""Called with the number of blocks that were looked at so far."""


class CannotAudit(ArenaError):
    """A ladder in which no pair can be told from the rest; the text says why."""


class Pair(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Two contestants, and what was found of them."""

    of: str
    """Whose presence counts, or who acts."""
    of_digest: str
    on: str
    """Whose share counts, or who is acted against."""
    on_digest: str
    both: bool
    """Whether it is the sum of both directions."""
    blocks: int
    """Blocks in which they met."""
    p: float
    """How probable it would be within what is put down to style, corrected for all that are
    looked at."""


class PairEffect(Pair, frozen=True, kw_only=True, omit_defaults=False):
    """What one contestant's presence does to another's share, or both to both together."""

    effect: float
    """In shares of the opponents, from -1 to 1: by margins, if the game has them."""
    error: float
    """Its standard error, over blocks."""


class PairActs(Pair, frozen=True, kw_only=True, omit_defaults=False):
    """How often one contestant acted against another, or both against each other."""

    acts: int
    expected: float
    """How many acts the habits of both lead to expect."""
    ratio: float
    """Acts of those expected."""


class MovesAudit(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What an audit found in the moves."""

    factor: float
    """How many times as often, or as seldom, is put down to style in this game."""
    tested: int
    """How many ratios were looked at."""
    too_few: int
    """How many pairs met too seldom, or never act against anybody."""
    flags: tuple[PairActs, ...]
    others: tuple[PairActs, ...]
    """The strongest ratios of other pairs."""


class CollusionAudit(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What an audit found."""

    ladder: str
    game: str
    blocks: int
    contestants: int
    margin: float
    """The largest effect that is put down to style in this game."""
    tested: int
    """How many effects were looked at."""
    too_few: int
    """How many pairs met too seldom to be looked at."""
    flags: tuple[PairEffect, ...]
    others: tuple[PairEffect, ...]
    """The strongest effects of other pairs."""
    moves: MovesAudit | None
    """Who acts against whom; None if the game does not say, or moves were left out."""
    caveats: tuple[str, ...]


def contest_of(source: Source) -> Contest:
    """Return what is played in the ladder of a source."""
    ledger = Ledger()
    next(follow_lines(source.lines(), ledger))
    return ledger.contest


def tells_aims(game: Game) -> bool:
    """Whether a game says what it is that one player does to another."""
    return type(game).aims is not Game.aims


def audit(
    source: Source, game: Game, report: Report = lambda _blocks: None, *, moves: bool = True
) -> CollusionAudit:
    """Look for collusion in the log of a ladder; raise `CannotAudit` if nothing can be told.

    With `moves`, all games are played again, if the game says who acts against whom.
    """
    from arena.ladder.rating import collusion  # noqa: PLC0415 - numpy, only for this

    ledger = Ledger()
    moves = moves and tells_aims(game)
    read = list(_read(source, ledger, game, report, moves=moves))
    counted = [each for each in read if each.number not in ledger.annulled]
    if not counted:
        raise CannotAudit(f"{source.path}: no block was played; play the ladder first")
    contestants = len(ledger.contestants)
    aims = [each.aims for each in counted if each.aims is not None]
    if not aims and all(len(each.shares[0]) == contestants for each in counted):
        raise CannotAudit(
            f"{source.path}: everybody sits at every table, so by results no pair can be told from "
            "the rest; play smaller tables, or more contestants"
        )
    found = collusion.audit([each.shares for each in counted], contestants, game.interaction)
    names = _Names(ledger)
    return CollusionAudit(
        ladder=ledger.contest.name,
        game=ledger.contest.game,
        blocks=len(counted),
        contestants=contestants,
        margin=game.interaction,
        tested=found.tested,
        too_few=found.skipped,
        flags=tuple(map(names.effect, found.flags)),
        others=tuple(map(names.effect, found.others[:SHOWN])),
        moves=_moves(aims, contestants, game.partiality, names) if aims else None,
        caveats=CAVEATS,
    )


@dataclass(frozen=True)
class _Block:
    """What an audit takes from a block."""

    number: int
    shares: Shares
    aims: Aims | None


def _read(
    source: Source, ledger: Ledger, game: Game, report: Report, *, moves: bool
) -> Iterator[_Block]:
    """Yield what counts of each block; raise `CannotAudit` if its games cannot be played again."""
    from arena.ladder.aims import aims_in  # noqa: PLC0415 - numpy, only for this

    scale = scale_of(game)
    for entry in follow_lines(source.lines(), ledger):
        if not isinstance(entry, BlockPlayed):
            continue
        aims = None
        if moves:
            try:
                game_of(ledger.contest, {game.name: game})
                aims = aims_in(ledger.records(entry), game)
            except Difference as difference:
                raise CannotAudit(
                    f"{source.path}: {difference}; --no-moves looks at the results alone"
                ) from None
        yield _Block(entry.number, mean_shares(entry, scale), aims)
        report(entry.number + 1)


def _moves(aims: Sequence[Aims], contestants: int, factor: float, names: _Names) -> MovesAudit:
    from arena.ladder.rating import partiality  # noqa: PLC0415 - numpy, only for this

    found = partiality.audit(aims, contestants, factor)
    return MovesAudit(
        factor=factor,
        tested=found.tested,
        too_few=found.skipped,
        flags=tuple(map(names.acts, found.flags)),
        others=tuple(map(names.acts, found.others[:SHOWN])),
    )


class _Names:
    """Turns the numbers of contestants into their names, as commands show them."""

    def __init__(self, ledger: Ledger) -> None:
        self._everybody = ledger.contestants
        self._names = labels(ledger.contestants, ledger.playing)

    def effect(self, each: Effect) -> PairEffect:
        of, on = self._everybody[each.source].digest, self._everybody[each.target].digest
        return PairEffect(
            of=self._names[of],
            of_digest=of,
            on=self._names[on],
            on_digest=on,
            both=each.both,
            blocks=each.blocks,
            effect=round(each.value, DIGITS),
            error=round(each.error, DIGITS),
            p=round(each.p, DIGITS),
        )

    def acts(self, each: Bias) -> PairActs:
        of, on = self._everybody[each.source].digest, self._everybody[each.target].digest
        return PairActs(
            of=self._names[of],
            of_digest=of,
            on=self._names[on],
            on_digest=on,
            both=each.both,
            blocks=each.blocks,
            acts=each.acts,
            expected=round(each.expected, DIGITS),
            ratio=round(each.ratio, DIGITS),
            p=round(each.p, DIGITS),
        )


def mean_shares(block: BlockPlayed, scale: Scale | None) -> Shares:
    """Return the players of a block, and each one's mean share of his opponents, by margins."""
    won = dict.fromkeys(block.contestants, 0.0)
    for rotation, game in enumerate(block.games):
        faulty = {fault.seat for fault in game.faults}
        had = points(scale, game.scores, game.places, faulty)
        for player, each in zip(rotated(block.contestants, rotation), had, strict=True):
            won[player] += each
    most = len(block.games) * (len(block.contestants) - 1)
    return block.contestants, [each / most for each in won.values()]
