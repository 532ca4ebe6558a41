"""A comparison as it is run: its deals are played by a runner, kept in the journal and counted.

Results are counted in the order of the deals, so what comes out does not depend on how many
are played at a time, nor on how often it is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count

from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Runner, RunnerFailed, Venue
from arena.ladder.run import in_order
from arena.records.entries import Contestant
from arena.workbench.designs import Design
from arena.workbench.journal import DealPlayed, GamePlayed, Journal, JournalError
from arena.workbench.scores import Plan, Scores

Report = Callable[[Scores], None]
"""Called with the state of the comparison after every deal."""


def resume(journal: Journal, scores: Scores) -> None:
    """Count the deals of a journal, up to the end of the comparison."""
    for deal in journal.deals:
        if scores.ended:
            return
        try:
            scores.add(deal)
        except ValueError as error:
            raise JournalError(f"{journal.path}: {error}; begin anew with --fresh") from None


def play(
    journal: Journal, scores: Scores, plan: Plan, runner: Runner, venue: Venue, report: Report
) -> None:
    """Play deals until the comparison has ended; raise `RunnerFailed` if that is not possible."""
    while not scores.ended:
        first, pilot = scores.played, scores.in_pilot
        numbers: Iterable[int] = range(first, plan.pilot) if pilot else count(first)
        to_play = blocks(journal.question.contestants, plan, numbers, scores.design)
        results = runner.run(to_play, venue)
        try:
            for result in chain.from_iterable(in_order(results, first)):
                deal = deal_played(result)
                journal.write(deal)
                scores.add(deal)
                report(scores)
                if scores.ended or scores.in_pilot != pilot:
                    break
        finally:
            results.close()
        if not scores.ended and scores.in_pilot == pilot:
            raise RunnerFailed(f"the runner ended before deal {scores.played} was played")


def blocks(
    contestants: Sequence[Contestant], plan: Plan, numbers: Iterable[int], chosen: Design | None
) -> Iterator[Block]:
    """Yield deals of a plan as runners take them; `chosen` is what the pilot has chosen, if any."""
    for number in numbers:
        table = plan.seating(number, chosen)
        first, second = (tuple(contestants[bot] for bot in game) for game in table.games[:2])
        swapped = second if table.design == "swap" else ()
        yield Block(number, number * plan.most, first, plan.deals.block(number), swapped)


def deal_played(result: BlockResult) -> DealPlayed:
    """Return what the journal keeps of a deal."""
    return DealPlayed(
        number=result.number,
        games=tuple(
            GamePlayed(
                scores=game.scores,
                places=game.places,
                faulty=tuple(sorted({fault.seat for fault in game.faults})),
            )
            for game in result.games
        ),
    )
