"""Large fields: workers share the games of blocks, and the results are those of whole blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from math import inf

import pytest

from arena.blocks import _block_player, local_runner
from arena.blocks._block_player import BlockPlayer
from arena.blocks.block import Block, BlockResult
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Venue
from arena.games.castors.game import Castors
from arena.programs.contestant import contestant_of
from arena.referee.deals import Deal, Deals
from arena.referee.faults import HostStalled
from arena.referee.match import play_game
from arena.referee.roster import Roster
from arena.referee.table import Played
from arena.referee.terms import Terms
from arena.sandbox.sandbox import Unconfined
from arena_bots.plugin import arena_bots

ONE = next(spec for spec in arena_bots() if spec.name == "castors-hasty")
BOTS = [replace(ONE, name=f"hasty-{number}") for number in range(7)]
CONTESTANTS = tuple(map(contestant_of, BOTS))
TERMS = Terms(Castors(), Castors().rules({"laps": 1}))
DEALS = Deals.of(b"secret", "tests")


def venue(terms: Terms, workers: int) -> Venue:
    """Where these bots play."""
    bots = {each.digest: bot for each, bot in zip(CONTESTANTS, BOTS, strict=True)}
    return Venue(terms, bots, workers)


def blocks(count: int) -> list[Block]:
    """Blocks at tables of 3 and 4 in turn, with other bots each."""
    found: list[Block] = []
    first = 0
    for number in range(count):
        seats = 3 + number % 2
        seated = tuple(CONTESTANTS[(number + at) % 7] for at in range(seats))
        found.append(Block(number, first, seated, DEALS.block(number)))
        first += seats
    return found


def untimed(results: Sequence[BlockResult]) -> list[object]:
    """What the log has of these results, in the order of the blocks."""
    ordered = sorted(results, key=lambda result: result.number)
    return [(each.number, each.attempt, each.games, each.times.first_game) for each in ordered]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_shared_games_are_those_of_whole_blocks(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Whoever plays which of them; and every process runs in one place, so fewer are started."""
    with BlockPlayer(venue(TERMS, 1), None) as player:
        whole = player.play(blocks(40))
    monkeypatch.setattr(local_runner, "FEW", 0)
    runner = LocalRunner()
    shared = list(chain.from_iterable(runner.run(blocks(40), venue(TERMS, workers))))
    assert untimed(shared) == untimed(whole)
    # Each of seven bots has a process for each game of a block: four, or the five of a full table.
    assert runner.starts <= (4 if workers == 1 else 5) * 7


@pytest.mark.source_only
def test_a_block_that_one_worker_stalls_is_played_again_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also the games that others had played already, on the cards of the next attempt."""

    def play_or_stall(
        number: int,
        roster: Roster,
        deal: Deal,
        processes: Sequence[int],
        tolerated: Sequence[bool],
    ) -> Played:
        if number == 3 + 2 and deal.attempt == 0:  # the third game of block 1
            stall = HostStalled(10.5, stopped=0.0)
            stall.seat, stall.decision = 1, 4
            raise stall
        return play_game(number, roster, deal, processes, tolerated)

    with BlockPlayer(venue(TERMS, 1), None) as player:
        plain = untimed(player.play(blocks(6)))
    monkeypatch.setattr(_block_player, "play_game", play_or_stall)
    monkeypatch.setattr(local_runner, "FEW", 0)
    results = list(chain.from_iterable(LocalRunner().run(blocks(6), venue(TERMS, 2))))
    stalled = next(result for result in results if result.number == 1)
    assert stalled.attempt == 1
    assert len(stalled.games) == 4
    (broken_off,) = stalled.times.attempts
    assert (broken_off.rotation, broken_off.decision) == (2, 4)
    found = untimed(results)
    assert [each for each in found if each not in plain] == [found[1]]


class Small(Unconfined):
    """A sandbox that has room for five programs of a referee."""

    @property
    def most_programs(self) -> int:
        """Fewer than any two games need."""
        return 5


@pytest.mark.source_only
def test_where_room_is_short_processes_are_ended_and_results_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Never more run than there is room for, besides those of the game that is played."""
    most = 0

    def play_and_count(
        number: int,
        roster: Roster,
        deal: Deal,
        processes: Sequence[int],
        tolerated: Sequence[bool],
    ) -> Played:
        nonlocal most
        played = play_game(number, roster, deal, processes, tolerated)
        most = max(most, sum(program is not None for program in roster._programs))
        return played

    with BlockPlayer(venue(TERMS, 1), None) as player:
        plain = player.play(blocks(12))
    monkeypatch.setattr(_block_player, "play_game", play_and_count)
    with BlockPlayer(venue(replace(TERMS, sandbox=Small()), 1), None) as player:
        shared = player.play_parts([(each, range(each.games)) for each in blocks(12)])
        starts = player.starts
    assert most <= 5
    assert starts > 28
    for part, wanted in zip(shared, plain, strict=True):
        assert tuple(part.games[at][0] for at in range(len(part.games))) == wanted.games


@pytest.mark.source_only
def test_where_room_is_short_processes_play_more_games_before_they_are_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All blocks that may wait come in one batch, so that fewer processes are started again."""
    monkeypatch.setattr(local_runner, "FEW", 0)
    monkeypatch.setattr(local_runner, "BATCH", 4)
    monkeypatch.setattr(local_runner, "SHARED", 8)
    monkeypatch.setattr(Small, "most_programs", 8)  # each worker wants 14
    small = venue(replace(TERMS, sandbox=Small()), 2)
    starts = []
    for many in (inf, local_runner.MANY_STARTS):
        monkeypatch.setattr(local_runner, "MANY_STARTS", many)
        runner = LocalRunner()
        results = list(chain.from_iterable(runner.run(blocks(40), small)))
        assert sorted(result.number for result in results) == list(range(40))
        starts.append(runner.starts)
    assert starts[1] < starts[0]
