"""Blocks that the host has stalled: played again as a whole, on cards of their own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.blocks import _block_player
from arena.blocks._block_player import BlockPlayer
from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Venue
from arena.games.castors.game import Castors
from arena.programs.contestant import contestant_of
from arena.referee.deals import Deal, Deals
from arena.referee.faults import HostStalled
from arena.referee.match import play_game
from arena.referee.roster import Roster
from arena.referee.table import Played
from arena.referee.terms import Terms
from arena_bots.plugin import arena_bots

NAMES = ("random", "castors-hasty", "castors-thresholds")
BOTS = [spec for spec in arena_bots() if spec.name in NAMES]
CONTESTANTS = tuple(map(contestant_of, BOTS))
VENUE = Venue(
    Terms(Castors(), Castors().rules({"laps": 1})),
    {each.digest: bot for each, bot in zip(CONTESTANTS, BOTS, strict=True)},
    1,
)
DEALS = Deals.of(b"secret", "tests")
BLOCKS = [Block(number, 3 * number, CONTESTANTS, DEALS.block(number)) for number in range(3)]


def play(monkeypatch: pytest.MonkeyPatch, *stalls: tuple[int, int, int]) -> list[BlockResult]:
    """Play the blocks; the host stalls in these games: block, attempt and rotation."""

    def play_or_stall(
        number: int,
        roster: Roster,
        deal: Deal,
        processes: Sequence[int],
        tolerated: Sequence[bool],
    ) -> Played:
        if (number // 3, deal.attempt, deal.rotation) in stalls and tolerated[1]:
            stall = HostStalled(10.5, stopped=0.0)
            stall.seat, stall.decision = 1, 4
            raise stall
        return play_game(number, roster, deal, processes, tolerated)

    monkeypatch.setattr(_block_player, "play_game", play_or_stall)
    with BlockPlayer(VENUE, None) as player:
        return player.play(BLOCKS)


def test_a_stalled_block_is_played_again_as_a_whole_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All its games are of the new attempt, whose cards nobody has seen; the others stay."""
    plain = play(monkeypatch)
    stalled = play(monkeypatch, (1, 0, 2))
    assert [result.number for result in stalled] == [0, 1, 2]
    for before, after in zip(plain, stalled, strict=True):
        assert after.attempt == (1 if after.number == 1 else 0)
        assert (before.games == after.games) == (after.number != 1)
        assert before.times.first_game == after.times.first_game
    (broken_off,) = stalled[1].times.attempts
    seated = CONTESTANTS[(1 + 2) % 3]
    assert broken_off.bot == seated.name
    assert (broken_off.attempt, broken_off.rotation, broken_off.seat) == (0, 2, 1)
    assert (broken_off.decision, broken_off.seconds) == (4, 10.5)
    assert not stalled[0].times.attempts


def test_a_bot_cannot_stop_a_ladder_by_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two attempts that broke off while it was asked, a stall is no longer the host's."""
    always = [(0, attempt, rotation) for attempt in range(9) for rotation in range(3)]
    results = play(monkeypatch, *always)
    assert len(results) == 3
    assert results[0].attempt < 7
    assert not any(game.faults for result in results for game in result.games)
