"""A run of a ladder: it plays blocks as scheduled, and stores results in the same order.

The records in the store are the same, to the byte, however many workers there are, in
whatever order they finish, and however often the run is killed and started again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import tee
from pathlib import Path
from secrets import token_bytes
from time import monotonic

from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Runner, RunnerFailed, Venue
from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.contest import changes
from arena.ladder.course import course
from arena.ladder.definition import Definition
from arena.ladder.forecast import Forecast
from arena.ladder.goal import Goal
from arena.ladder.schedule import Pairing
from arena.ladder.scorebook import Scorebook, keep, scorebook
from arena.ladder.store import Store
from arena.ladder.store_files import StoreError
from arena.process.suspension.turn_gate import TurnGate
from arena.records.entries import (
    BlockPlayed,
    Budget,
    Changed,
    Contest,
    Contestant,
    EndReason,
    Entered,
    Leaving,
)
from arena.records.ledger import Ledger
from arena.referee.deals import Deals
from arena.referee.terms import Terms, label
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox
from arena.version import VERSION

KEEP_EVERY = 10.0
"""Seconds between saves of the scorebook, for those who look on and for later runs."""
SECRET_BYTES = 32
FORESEEN_AT_ONCE = 20_000
"""Blocks of the schedule that a run goes through at its start, to say how many games it plays."""
FORESEEN_EACH = 20
"""Blocks that it goes through after each that is stored, until it knows."""

Report = Callable[["Progress"], None]
"""Called with the progress of the run whenever blocks have been stored."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    games: int
    """All games in the store."""
    played: int
    """Games of this run."""
    total: int | None
    """All games in the store when the run ends by its games; None if no count ends it, or while
    that is not known yet."""
    seconds: float
    contestants: Sequence[Contestant]
    """All that ever took part."""
    active: Sequence[int]
    """The numbers of those that play now."""
    book: Scorebook


def check_store(definition: Definition, path: Path) -> None:
    """Raise `StoreError` if there is a store at `path` that this ladder cannot use.

    If there is none, check the anchor of the new ladder.
    """
    if path.exists():
        with Store.open(path) as store:
            _check(store, definition.contest)
    else:
        definition.check_anchor()


def open_store(definition: Definition, path: Path) -> Store:
    """Open the store of this ladder, or create it; `check_store` comes first."""
    contest = definition.contest
    if path.exists():
        return Store.open(path, write=True)
    secret = token_bytes(SECRET_BYTES) if contest.seed is None else contest.seed.encode()
    return Store.create(path, contest, secret)


def _check(store: Store, contest: Contest) -> None:
    path = store.path
    found = changes(store.contest, contest)
    if found:
        raise StoreError(
            f"{path}: holds this ladder on other terms ({'; '.join(found)}); the terms of a "
            "ladder do not change: undo that, or give the new ladder another --store"
        )
    if store.ledger.closed:
        raise StoreError(f"{path}: this ladder is closed; give a new one another --store")


@dataclass(frozen=True)
class Planned:
    """A block of the schedule, and whether it is the last one that the budget has games for."""

    pairing: Pairing
    enough: bool


class Run:
    """One run: from where the store stands to the goal. Call `enter` first."""

    def __init__(self, store: Store, definition: Definition, game: Game, goal: Goal) -> None:
        self._store = store
        self._bots = definition.bots
        self._game = game
        self._goal = goal
        self.newcomers = _newcomers(store.ledger)
        """The contestants that have entered since the last game."""
        self.book = scorebook(store)
        self._contestants = store.ledger.contestants
        self._stored = course(store)
        """The schedule up to the last block that is stored."""
        self._planned = self._stored.copy()
        """The schedule up to the last block that is handed out."""
        self._planned.change(goal.budget.quota)
        self._planned.settle()
        self._playing = self._planned.contestants
        self._forecast = Forecast(self._planned, goal)
        self.reason = self._resume()

    def play(self, runner: Runner, sandbox: Sandbox, workers: int, report: Report) -> None:
        """Play until the goal is reached; raise `RunnerFailed` if that is not possible."""
        if self.reason:
            return
        began = kept = monotonic()
        store = self._store
        ledger = store.ledger
        before = ledger.games
        first = ledger.blocks
        self._announce(sandbox)
        terms = _terms(store.contest, self._game, sandbox)
        venue = Venue(terms, self._bots, workers, self._goal.seconds_left)
        deals = Deals.of(store.secret, store.contest.name, ledger.beacon)
        # Two iterators over one plan: the runner is ahead, and its results are stored in order.
        to_play, to_store = tee(self._plan())
        results = runner.run(self._blocks(to_play, deals), venue)
        try:
            for together in in_order(results, first):
                for result, planned in zip(together, to_store, strict=False):
                    entry = _entry(result, planned.pairing, deals)
                    store.write(entry, result.times)
                    self.book.add_block(entry, result.times)
                    self._stored.follow(entry.contestants)
                    self._forecast.go_on(FORESEEN_EACH)
                    self.reason = self._reached(planned)
                    if self.reason:
                        break
                store.sync()
                now = monotonic()
                report(self._progress(ledger.games - before, now - began))
                if self.reason:
                    break
                if now - kept >= KEEP_EVERY:
                    self._keep()
                    kept = now
            if not self.reason:
                raise RunnerFailed(f"the runner ended before block {ledger.blocks} was played")
        finally:
            results.close()
            with suppress(ArenaError):  # if this error ended the run, it is reported already
                store.sync()
                # An interrupt may have come while a block was counted: the last state stays then.
                if self.book.blocks == self._stored.blocks == ledger.blocks:
                    self._keep()

    def _announce(self, sandbox: Sandbox) -> None:
        """Say in the log what plays from here on, where it is not what played before."""
        ledger, budget = self._store.ledger, self._goal.budget
        held = label(sandbox, TurnGate().kind if ledger.contest.suspend else None)
        change = Changed(
            arena=VERSION if ledger.arena != VERSION else None,
            sandbox=held if ledger.sandbox != held else None,
            budget=budget if ledger.budget != budget else None,
        )
        if change != Changed():
            self._store.append(change)
            self._stored.change(budget.quota)

    def _keep(self) -> None:
        keep(self._store, self.book, self._stored)

    def _progress(self, played: int, seconds: float) -> Progress:
        return Progress(
            self._store.ledger.games,
            played,
            self._forecast.total,
            seconds,
            self._contestants,
            self._playing,
            self.book,
        )

    def _reached(self, planned: Planned) -> EndReason | None:
        pairing, enough = planned.pairing, planned.enough
        return self._goal.reached(pairing, self.book.ratings, self._playing, enough=enough)

    def _resume(self) -> EndReason | None:
        """Return why there is nothing more to play, if so."""
        self._forecast.go_on(FORESEEN_AT_ONCE)
        if self._forecast.total == self._store.ledger.games:
            return "budget"
        last = self._stored.last
        if last is None or self.newcomers:
            return None
        return self._goal.reached(last, self.book.ratings, self._playing, enough=False)

    def _plan(self) -> Iterator[Planned]:
        """Yield the blocks that are still to be played, up to the budget."""
        enough = False
        while not enough:
            pairing = self._planned.next()
            enough = self._goal.enough(self._planned, pairing)
            yield Planned(pairing, enough)

    def _blocks(self, plan: Iterator[Planned], deals: Deals) -> Iterator[Block]:
        """Yield the blocks of a plan in the form that runners take."""
        for planned in plan:
            pairing = planned.pairing
            seated = tuple(self._contestants[number] for number in pairing.contestants)
            yield Block(pairing.block, pairing.first_game, seated, deals.block(pairing.block))


def _terms(contest: Contest, game: Game, sandbox: Sandbox) -> Terms:
    """The terms of a ladder's games, with the game and the sandbox that the ladder names."""
    return Terms(
        game,
        contest.rules,
        contest.time,
        sandbox,
        Limits(**contest.limits),
        contest.suspend,
        contest.fresh,
    )


def enter(store: Store, definition: Definition) -> None:
    """Let the definition's contestants play from the next block on."""
    ledger = store.ledger
    wanted = {each.digest: each for each in definition.contestants}
    playing = {ledger.contestants[number].digest: number for number in ledger.playing}
    named = {each.name: each for each in definition.contestants}
    leave = []
    for digest, number in playing.items():
        if digest in wanted:
            continue
        gone = ledger.contestants[number]
        other = named.get(gone.name)
        reason = f"replaced by version {other.version}" if other else "taken out of the definition"
        leave.append(Leaving(contestant=number, reason=reason))
    come = tuple(each for each in definition.contestants if each.digest not in playing)
    if come or leave:
        store.append(Entered(contestants=come, leave=tuple(leave)))


def end_reason(store: Store) -> EndReason | None:
    """Return why this ladder may end here by what its log says; None if only its host says so."""
    ledger = store.ledger
    schedule = course(store)
    last = schedule.last
    if last is None or ledger.budget == Budget() or _newcomers(ledger):
        return None
    goal = Goal(ledger.budget)
    ratings = scorebook(store).ratings
    enough = goal.enough(schedule, last)
    reason = goal.reached(last, ratings, schedule.contestants, enough=enough)
    return None if reason == "time" else reason


def _newcomers(ledger: Ledger) -> list[Contestant]:
    """Return those that enter after the last block, in this run or in one that played nothing."""
    *earlier, last = ledger.fields
    if last.block < ledger.blocks:
        return []
    before = earlier[-1].contestants if earlier else ()
    return [ledger.contestants[number] for number in last.contestants if number not in before]


def _entry(result: BlockResult, pairing: Pairing, deals: Deals) -> BlockPlayed:
    """Return a result as the log has it; raise `RunnerFailed` unless it is that of this block."""
    if result.number != pairing.block or len(result.games) != pairing.games:
        raise RunnerFailed(
            f"expected {pairing.games} games of block {pairing.block} from the runner, "
            f"got {len(result.games)} of block {result.number}"
        )
    deal = deals.block(pairing.block).deal(0, result.attempt)
    return BlockPlayed(
        number=pairing.block,
        attempt=result.attempt,
        key=deal.key.hex(),
        contestants=tuple(pairing.contestants),
        games=result.games,
    )


def in_order(results: Iterator[Sequence[BlockResult]], first: int) -> Iterator[list[BlockResult]]:
    """Yield results in the order of their blocks, in whatever order they arrive.

    Those whose turn comes at the same moment come together.
    """
    waiting: dict[int, BlockResult] = {}
    for arrived in results:
        waiting.update((result.number, result) for result in arrived)
        together = []
        while first in waiting:
            together.append(waiting.pop(first))
            first += 1
        if together:
            yield together
