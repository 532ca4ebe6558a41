"""Who is right where results differ: what the host came to, twice, on the cards of each attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from msgspec import structs

from arena.blocks._block_player import BlockPlayer
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Venue
from arena.cluster._dispatch import Disputed
from arena.cluster._job import contest_of
from arena.cluster._judgement import Judgement, judgement
from arena.discovery import discover
from arena.programs.contestant import contestant_of
from arena.referee.attempts import Attempts
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from cluster.altered import RESULTS, STALL

PLUGINS = discover()
GAME = PLUGINS.games["gargon"]
TERMS = Terms(GAME, GAME.rules({}))


@dataclass(frozen=True)
class Played:
    """A block with its results: undisturbed, and on the cards that follow a stall."""

    block: Block
    right: BlockResult
    stalled: BlockResult


@pytest.fixture(scope="module")
def played() -> Played:
    """What the host comes to."""
    specs = [PLUGINS.bots[name] for name in ("random", "gargon-hand", "gargon-backs")]
    seated = tuple(map(contestant_of, specs))
    block = Block(0, 0, seated, Deals.of(bytes(32), "judgement").block(0))
    bots = {each.digest: spec for each, spec in zip(seated, specs, strict=True)}
    with BlockPlayer(Venue(TERMS, bots, 1), None) as player:
        (right,) = player.play([block])
        (stalled,) = player.play([block], {0: Attempts([STALL])})
    return Played(block, right, stalled)


def of(machine: str, result: BlockResult) -> BlockResult:
    """The result as one of a machine."""
    return replace(result, times=structs.replace(result.times, machine=machine))


def judged(
    block: Block, results: list[BlockResult], played: dict[int, list[BlockResult]]
) -> Judgement:
    """What follows."""
    disputed = Disputed(block, {each.times.machine: each for each in results})
    return judgement(disputed, played, contest_of(TERMS), GAME)


def test_the_one_that_differs_from_the_host_is_wrong(played: Played) -> None:
    """The other one's result counts, whichever came first; if both differ, that of the host."""
    block, right = played.block, played.right
    lie, other = RESULTS["note"](right), RESULTS["score"](right)
    for results in ([of("liar", lie), of("sound", right)], [of("sound", right), of("liar", lie)]):
        found = judged(block, results, {0: [right, right]})
        assert list(found.wrong) == ["liar"]
        assert "decision" in found.wrong["liar"]
        assert any(f"of bot {bot.name!r}" in found.wrong["liar"] for bot in block.contestants)
        assert found.counts.times.machine == "sound"
    found = judged(block, [of("one", lie), of("two", other)], {0: [right, right]})
    assert set(found.wrong) == {"one", "two"}
    assert found.counts.times.machine == ""
    assert found.counts.games == right.games


def test_a_bot_that_does_not_repeat_itself_is_named(played: Played) -> None:
    """Nobody is wrong then, and the bot is not looked at in this way any more."""
    block, right = played.block, played.right
    lie = RESULTS["note"](right)
    found = judged(block, [of("one", lie), of("two", right)], {0: [right, lie]})
    assert not found.wrong
    assert len(found.unsteady) == 1
    assert found.unsteady <= {each.digest for each in block.contestants}


def test_a_claimed_stall_hides_no_lie(played: Played) -> None:
    """Results of two attempts are each compared with what the host plays on those cards.

    The earlier attempt counts, so nobody chooses cards where he is compared.
    """
    block, right = played.block, played.right
    later = played.stalled
    here = {0: [right, right], 1: [later, later]}
    found = judged(block, [of("liar", RESULTS["note"](later)), of("sound", right)], here)
    assert list(found.wrong) == ["liar"]
    assert found.counts.times.machine == "sound"
    assert found.differs == "attempt 1, and attempt 0"
    found = judged(block, [of("stalled", later), of("sound", right)], here)
    assert not found.wrong
    assert found.counts.times.machine == "sound"


def test_a_host_that_stalls_itself_judges_nobody(played: Played) -> None:
    """It had no two results on the same cards, so one of the machines' results counts."""
    block, right = played.block, played.right
    lie = of("one", RESULTS["note"](right))
    found = judged(block, [lie, of("two", right)], {0: [right]})
    assert not found.wrong
    assert not found.unsteady
    assert found.counts.times.machine == "one"
