"""Workers and runners that fail: the run ends with a line, and what is stored stays right."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from arena.blocks.block import Block
from arena.blocks.runner import RunnerFailed, Venue
from arena.blocks.worker import Whole, Worker
from arena.games.castors.game import Castors
from arena.machine.calls import usable_cores
from arena.records.entries import Contestant
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from command import arena
from ladder.fields import definition, export, run
from plugins.test_plugins import Site

VENUE = Venue(Terms(Castors(), {}), {}, 1)
DEALS = Deals.of(b"", "test")
NOWHERE = 4095
"""A core that no machine has."""


class Deadly:
    """Ends the process that reads it."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


def block(number: int, name: Any) -> Block:
    """A block that holds whatever is sent to a worker, as the name of its contestants."""
    contestants = (Contestant(name, "1", "0" * 64),) * 3
    return Block(number, 3 * number, contestants, DEALS.block(number))


def test_a_worker_that_ends_again_and_again_ends_the_run_with_a_line() -> None:
    """Also where it ends before it has read all that it is given: more than a pipe holds."""
    worker = Worker(VENUE, max(usable_cores()))
    for each in (block(0, Deadly()), block(1, "x" * 10_000_000)):
        worker.give(Whole([each]))
    try:
        for _ in range(2):
            assert worker.take() == []
        with pytest.raises(RunnerFailed, match=r"block 0: the worker ended 3 times .* code 9"):
            worker.take()
    finally:
        worker.end()


def test_what_fails_before_a_worker_plays_is_said() -> None:
    """Without a core to play on, the reason is the message, not an exit code."""
    worker = Worker(VENUE, NOWHERE)
    worker.give(Whole([block(0, "test")]))
    try:
        with pytest.raises(RunnerFailed, match=r"a worker: OSError: .*Invalid argument"):
            worker.take()
    finally:
        worker.end()


RUNNER = """
    import dataclasses

    from arena.blocks.local_runner import LocalRunner
    from arena.blocks.runner import Runner
    from arena.plugin import hookimpl

    class Guest(Runner):
        name = "guest"

        def run(self, blocks, venue):
            for result in (each for some in LocalRunner().run(blocks, venue) for each in some):
                {body}
                yield [result]

    @hookimpl
    def arena_runners():
        return [Guest()]
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of the ladder that another runner has played from its first game to its last."""
    folder = tmp_path_factory.mktemp("whole")
    run(definition(folder, tables=(3,)))
    return export(folder)


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("if result.number == 4: return", "the runner ended before block 4 was played"),
        ("if result.number == 4: continue", "the runner ended before block 4 was played"),
        (
            "result = dataclasses.replace(result, games=result.games[:2])",
            "expected 3 games of block 0 from the runner, got 2 of block 0",
        ),
        (
            "if result.number == 4: yield [dataclasses.replace(result, number=99)]; return",
            "the runner ended before block 4 was played",
        ),
    ],
    ids=["early", "gap", "short", "unasked"],
)
def test_a_runner_that_leaves_something_out_has_failed(
    tmp_path: Path, whole: bytes, body: str, part: str
) -> None:
    """The run says so, exits with 3 and keeps what is whole; another runner goes on from there."""
    site = Site(tmp_path / "site")
    site.path.mkdir()
    site.install("guest", RUNNER.format(body=body))
    path = definition(tmp_path, tables=(3,))
    words = ("ladder", "run", path.name, "--runner", "guest", "--workers", "1")
    done = arena(*words, cwd=tmp_path, env={"PYTHONPATH": str(site.path)})
    assert done.code == 3, done
    assert done.out == ""
    said = done.err.splitlines()
    assert said[-2] == f"arena ladder run: {part}"
    assert said[-1].endswith("games are safe in test.ladder; run the same command to go on")
    run(path)
    assert export(tmp_path) == whole
