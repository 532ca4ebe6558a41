"""The audit of a ladder for collusion: pairs that do something to each other's results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.labels import labels
from arena.ladder.margins import Scale, points, scale_of
from arena.ladder.source import Source
from arena.ladder.standings import DIGITS
from arena.records.entries import BlockPlayed, Contest, Form
from arena.records.game_record import rotated
from arena.records.ledger import Ledger, follow_lines

CAVEATS = (
    "A flag asks for a look, never for a penalty: honest styles can suit each other, too.",
    "The margin was measured among the game's bundled bots; other styles can have larger effects.",
    "Confirm it by playing the same deals with the partner replaced.",
    "No flag is no proof: what two bots do seldom, or in too few blocks, is not seen.",
    "Only pairs are looked at: what three do together shows as pairs, or not at all.",
)
SHOWN = 5
"""How many of the strongest effects are shown beside the flags."""


class CannotAudit(ArenaError):
    """A ladder in which no pair can be told from the rest; the text says why."""


class PairEffect(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What one contestant's presence does to another's share, or both to both together."""

    of: str
    """Whose presence."""
    of_digest: str
    on: str
    """Whose share."""
    on_digest: str
    both: bool
    """Whether it is the sum of what they do to each other."""
    blocks: int
    """Blocks in which they met."""
    effect: float
    """In shares of the opponents, from -1 to 1: by margins, if the game has them."""
    error: float
    """Its standard error, over blocks."""
    p: float
    """How probable so large an effect would be within the margin, corrected for all effects."""


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
    caveats: tuple[str, ...]


def contest_of(source: Source) -> Contest:
    """Return what is played in the ladder of a source."""
    ledger = Ledger()
    next(follow_lines(source.lines(), ledger))
    return ledger.contest


def audit(source: Source, game: Game) -> CollusionAudit:
    """Look for collusion in the log of a ladder; raise `CannotAudit` if nothing can be told."""
    from arena.ladder.rating import collusion  # noqa: PLC0415 - numpy, only for this

    ledger = Ledger()
    played = list(_blocks(source, ledger))
    annulled = ledger.annulled
    scale = scale_of(game)
    blocks = [mean_shares(each, scale) for each in played if each.number not in annulled]
    contestants = ledger.contestants
    if not blocks:
        raise CannotAudit(f"{source.path}: no block was played; play the ladder first")
    if all(len(players) == len(contestants) for players, _ in blocks):
        raise CannotAudit(
            f"{source.path}: everybody sits at every table, so no pair can be told from the rest; "
            "play smaller tables, or more contestants"
        )
    found = collusion.audit(blocks, len(contestants), game.interaction)
    names = labels(contestants, ledger.playing)

    def named(each: collusion.Effect) -> PairEffect:
        of, on = contestants[each.source], contestants[each.target]
        return PairEffect(
            of=names[of.digest],
            of_digest=of.digest,
            on=names[on.digest],
            on_digest=on.digest,
            both=each.both,
            blocks=each.blocks,
            effect=round(each.value, DIGITS),
            error=round(each.error, DIGITS),
            p=round(each.p, DIGITS),
        )

    return CollusionAudit(
        ladder=ledger.contest.name,
        game=ledger.contest.game,
        blocks=len(blocks),
        contestants=len(contestants),
        margin=game.interaction,
        tested=found.tested,
        too_few=found.skipped,
        flags=tuple(map(named, found.flags)),
        others=tuple(map(named, found.others[:SHOWN])),
        caveats=CAVEATS,
    )


def _blocks(source: Source, ledger: Ledger) -> Iterator[BlockPlayed]:
    for entry in follow_lines(source.lines(), ledger):
        if isinstance(entry, BlockPlayed):
            yield entry


def mean_shares(block: BlockPlayed, scale: Scale | None) -> tuple[Sequence[int], Sequence[float]]:
    """Return the players of a block, and each one's mean share of his opponents, by margins."""
    won = dict.fromkeys(block.contestants, 0.0)
    for rotation, game in enumerate(block.games):
        faulty = {fault.seat for fault in game.faults}
        had = points(scale, game.scores, game.places, faulty)
        for player, each in zip(rotated(block.contestants, rotation), had, strict=True):
            won[player] += each
    most = len(block.games) * (len(block.contestants) - 1)
    return block.contestants, [each / most for each in won.values()]
