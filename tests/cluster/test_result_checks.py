"""The host's check of results: the same in processes beside the host as within it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from arena.blocks.block import Block, BlockResult
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Venue
from arena.cluster._job import contest_of
from arena.cluster._result_checks import ResultChecks, Unsound, result_checks
from arena.discovery import discover
from arena.programs.contestant import contestant_of
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from cluster.altered import RESULTS

PLUGINS = discover()
GAME = PLUGINS.games["gargon"]
TERMS = Terms(GAME, GAME.rules({}))


@pytest.fixture(scope="module")
def played() -> list[tuple[BlockResult, Block]]:
    """Some blocks with their results."""
    specs = [PLUGINS.bots[name] for name in ("random", "gargon-hand", "gargon-backs")]
    seated = tuple(map(contestant_of, specs))
    deals = Deals.of(bytes(32), "checks")
    blocks = {number: Block(number, 3 * number, seated, deals.block(number)) for number in range(3)}
    bots = {each.digest: spec for each, spec in zip(seated, specs, strict=True)}
    running = LocalRunner().run(iter(blocks.values()), Venue(TERMS, bots, 1))
    return [(result, blocks[result.number]) for results in running for result in results]


@pytest.fixture(params=[1, 2])
def checks(request: pytest.FixtureRequest) -> Iterator[ResultChecks]:
    """The check of a host with one core, and with two."""
    with result_checks(contest_of(TERMS), GAME, request.param) as found:
        yield found


def first_unsound(checks: ResultChecks, played: list[tuple[BlockResult, Block]]) -> Unsound | None:
    """Have results checked."""
    results, blocks = zip(*played, strict=True)
    return asyncio.run(checks.first_unsound(results, blocks))


def test_the_first_result_that_is_wrong_is_named(
    checks: ResultChecks, played: list[tuple[BlockResult, Block]]
) -> None:
    """What came before it counts, so its place matters; sound results have none."""
    assert first_unsound(checks, played) is None
    lies = [played[0], *((RESULTS["score"](result), block) for result, block in played[1:])]
    found = first_unsound(checks, lies)
    assert found is not None
    assert found.at == 1
    assert "scores" in found.reason
    of_another = [(played[0][0], played[1][1])]
    found = first_unsound(checks, of_another)
    assert found is not None
    assert "games from 0 on, expected 3" in found.reason


def test_the_host_goes_on_if_a_process_ends(
    played: list[tuple[BlockResult, Block]], caplog: pytest.LogCaptureFixture
) -> None:
    """A process that is killed, as for want of memory, costs neither the run nor a check."""
    with result_checks(contest_of(TERMS), GAME, 2) as checks:
        assert checks._pool is not None
        for process in checks._pool._processes.values():
            process.kill()
        assert first_unsound(checks, played) is None
        lies = [(RESULTS["score"](result), block) for result, block in played]
        assert first_unsound(checks, lies) is not None
    assert "the host goes on alone" in caplog.text
