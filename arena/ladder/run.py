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
from arena.games.game import Game
from arena.ladder._export_schema import MOST_CONTESTANTS
from arena.ladder.definition import Definition
from arena.ladder.goal import Goal
from arena.ladder.ladder import Ladder
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.scorebook import Scorebook, keep, scorebook
from arena.ladder.source import head_of
from arena.ladder.store import Store, StoreError
from arena.programs.contestant import Contestant
from arena.records.record import chain
from arena.referee.deals import Deals
from arena.referee.terms import Terms
from arena.sandbox.sandbox import Sandbox

KEEP_EVERY = 10.0
"""Seconds between saves of the scorebook, for those who look on and for later runs."""
SECRET_BYTES = 32

Report = Callable[["Progress"], None]
"""Called with the progress of the run after every block."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    games: int
    """All games in the store."""
    played: int
    """Games of this run."""
    total: int | None
    """The number of games at which it ends at the latest, if the definition has one."""
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
            head_of(store, secret=None)  # raises an error if the store's parts do not fit together
            _check(store, definition.ladder)
    else:
        definition.check_anchor()


def open_store(definition: Definition, path: Path) -> Store:
    """Open the store of this ladder, or create it; `check_store` comes first."""
    ladder = definition.ladder
    if path.exists():
        return Store.open(path, write=True)
    secret = token_bytes(SECRET_BYTES) if ladder.seed is None else ladder.seed.encode()
    return Store.create(path, ladder, secret)


def _check(store: Store, ladder: Ladder) -> None:
    path = store.path
    changes = store.ladder.changes(ladder)
    if changes:
        raise StoreError(
            f"{path}: holds this ladder on other terms ({'; '.join(changes)}); the terms of a "
            "ladder do not change: undo that, or give the new ladder another --store"
        )
    if store.closed:
        raise StoreError(f"{path}: this ladder is closed; give a new one another --store")


@dataclass(frozen=True)
class Planned:
    """A block of the schedule, and the look that is due when it is stored."""

    pairing: Pairing
    look: int
    """The number of the look (test of certainty) that is due after it, or 0."""


class Run:
    """One run: from where the store stands to the goal. Call `enter` first."""

    def __init__(self, store: Store, definition: Definition, game: Game, goal: Goal) -> None:
        self._store = store
        self._bots = definition.bots
        self._game = game
        self._goal = goal
        self.newcomers = _newcomers(store)
        """The contestants that have entered since the last game."""
        self.book = scorebook(store)
        self._contestants = store.contestants()
        ladder = store.ladder
        self._schedule = Schedule(ladder.name, ladder.tables, store.entries())
        self.reason = self._resume()

    def play(self, runner: Runner, sandbox: Sandbox, workers: int, report: Report) -> None:
        """Play until the goal is reached; raise `RunnerFailed` if that is not possible."""
        if self.reason:
            return
        began = kept = monotonic()
        before = self.book.games
        store = self._store
        first = store.blocks
        terms = _terms(store.ladder, self._game, sandbox)
        venue = Venue(terms, Deals(store.secret, store.ladder.name), self._bots, workers)
        # Two iterators over one plan: the runner is ahead, and its results are stored in order.
        to_play, to_store = tee(self._plan())
        results = runner.run(self._blocks(to_play), venue)
        try:
            for planned, result in zip(to_store, in_order(results, first), strict=False):
                _check_result(result, planned.pairing)
                self._commit(result)
                self.reason = self._reached(planned)
                now = monotonic()
                report(self._progress(self.book.games - before, now - began))
                if self.reason:
                    break
                if now - kept >= KEEP_EVERY:
                    keep(store, self.book)
                    kept = now
            if not self.reason:
                raise RunnerFailed(f"the runner ended before block {store.blocks} was played")
        finally:
            results.close()
            with suppress(StoreError):  # if this error ended the run, it is reported already
                keep(store, self.book)

    def _progress(self, played: int, seconds: float) -> Progress:
        return Progress(
            self.book.games,
            played,
            self._goal.games,
            seconds,
            self._contestants,
            self._schedule.contestants,
            self.book,
        )

    def _reached(self, planned: Planned) -> str:
        playing = self._schedule.contestants
        return self._goal.reached(planned.pairing, self.book.ratings, playing, planned.look)

    def _resume(self) -> str:
        """Go through the stored blocks; return why there is nothing more to play, or ""."""
        reason = ""
        while self._schedule.games < self._store.games:
            planned = self._next()
            if self._schedule.games == self._store.games and not self.newcomers:
                reason = self._reached(planned)
        return reason

    def _next(self) -> Planned:
        pairing = self._schedule.next()
        return Planned(pairing, self._goal.passed(pairing, len(self._schedule.contestants)))

    def _plan(self) -> Iterator[Planned]:
        """Yield the blocks that are still to be played, up to the budget."""
        enough = False
        while not enough:
            planned = self._next()
            enough = self._goal.enough(planned.pairing)
            yield planned

    def _blocks(self, plan: Iterator[Planned]) -> Iterator[Block]:
        """Yield the blocks of a plan in the form that runners take."""
        for planned in plan:
            pairing = planned.pairing
            seated = tuple(self._contestants[number] for number in pairing.contestants)
            yield Block(pairing.block, pairing.first_game, seated)

    def _commit(self, result: BlockResult) -> None:
        """Add a block to the log and to the scorebook."""
        previous = self._store.last_hash
        games = []
        for game in result.games:
            record = chain(game.record, previous)
            previous = record["hash"]
            games.append((record, game.timings))
        self._store.add(games)
        self.book.add_block(games)


def _terms(ladder: Ladder, game: Game, sandbox: Sandbox) -> Terms:
    """The terms of a ladder's games, with the game and the sandbox that the ladder names."""
    return Terms(
        game,
        ladder.rules,
        ladder.control,
        sandbox,
        ladder.limits,
        ladder.suspend,
        ladder.fresh,
    )


def enter(store: Store, definition: Definition) -> None:
    """Let the definition's contestants play from the next block on."""
    entries = store.entries()
    known = store.contestants()
    before = {known[number] for number in entries[-1].contestants} if entries else set()
    ever = len({*known, *definition.contestants})
    if ever > MOST_CONTESTANTS:
        raise StoreError(
            f"{store.path}: expected {MOST_CONTESTANTS} contestants at most over the whole "
            f"ladder, got {ever}; begin a new one with another --store"
        )
    if before != set(definition.contestants):
        store.enter(store.blocks, definition.contestants)


def _newcomers(store: Store) -> list[Contestant]:
    """Return those that enter after the last block, in this run or in one that played nothing."""
    *earlier, last = store.entries()
    if last.block < store.blocks:
        return []
    before = earlier[-1].contestants if earlier else ()
    known = store.contestants()
    return [known[number] for number in last.contestants if number not in before]


def _check_result(result: BlockResult, pairing: Pairing) -> None:
    """Raise `RunnerFailed` unless this is the result of this block."""
    if result.number != pairing.block or len(result.games) != pairing.games:
        raise RunnerFailed(
            f"expected {pairing.games} games of block {pairing.block} from the runner, "
            f"got {len(result.games)} of block {result.number}"
        )


def in_order(results: Iterator[BlockResult], first: int) -> Iterator[BlockResult]:
    """Yield results in the order of their blocks, in whatever order they arrive."""
    waiting: dict[int, BlockResult] = {}
    for result in results:
        waiting[result.number] = result
        while first in waiting:
            yield waiting.pop(first)
            first += 1
