"""Whose result of a block is right, given what came of it where the host played it twice. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from arena.blocks.block import BlockResult
from arena.cluster._dispatch import Disputed
from arena.cluster._soundness import first_difference
from arena.games.game import Game
from arena.records.entries import Contest


@dataclass
class Judgement:
    """What follows from results that differ."""

    counts: BlockResult
    """The result that counts; it names the machine that it is of, none if it is of this host."""
    differs: str
    """Where the results part."""
    wrong: dict[str, str] = field(default_factory=dict)
    """The machines whose result this host did not come to, twice, and where each parts from it."""
    unsteady: set[str] = field(default_factory=set)
    """The digests of bots that did not repeat themselves here."""


def judgement(
    disputed: Disputed, played: Mapping[int, Sequence[BlockResult]], contest: Contest, game: Game
) -> Judgement:
    """Judge results that differ; `played` are those of the host, by attempt.

    Of those that may be right, one of the earliest attempt counts: that has the cards which the
    block has where nothing is broken off.
    """
    block, results = disputed.block, disputed.results
    seated = block.contestants + block.swapped

    def differs(one: BlockResult, other: BlockResult) -> str:
        found = first_difference(one, other, block, contest, game)
        # A bot that looks at its machine makes an honest one differ, so it is named.
        name = next((bot.name for bot in seated if bot.digest == found.digest), "")
        return f"{found.text}, of bot {name!r}" if name else found.text

    first, second, *_ = results.values()
    found = Judgement(first, _attempts(first, second) or differs(first, second))
    may_count: list[BlockResult] = []
    for attempt in sorted(played):
        mine = [each for each in results.values() if each.attempt == attempt]
        here = played[attempt]
        if len(here) < 2:
            may_count += mine
        elif here[0].games != here[1].games:
            found.unsteady.add(first_difference(here[0], here[1], block, contest, game).digest)
            may_count += mine
        else:
            right = [each for each in mine if each.games == here[0].games]
            for each in mine:
                if each.games != here[0].games:
                    found.wrong[each.times.machine] = differs(each, here[0])
            host = structs.replace(here[0].times, machine="")
            may_count += right or [BlockResult(block.number, attempt, here[0].games, host)]
    found.counts = may_count[0]
    return found


def _attempts(one: BlockResult, other: BlockResult) -> str:
    """Return the attempts that two results are of, if they are not of the same one."""
    if one.attempt == other.attempt:
        return ""
    return f"attempt {one.attempt}, and attempt {other.attempt}"
