"""A run of a ladder: it plays blocks as scheduled, and stores results in the same order.

The records in the store are the same, to the byte, however many workers there are, in
whatever order they finish, and however often the run is killed and started again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import tee
from time import monotonic

from arena.blocks.block import Block, BlockResult
from arena.blocks.runner import Crew, Runner, RunnerFailed, Venue
from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.contest import terms_of
from arena.ladder.course import followed, groups
from arena.ladder.decisions import due, waits_for_deadline
from arena.ladder.forecast import Forecast
from arena.ladder.goal import Goal, RunEnd, newcomers
from arena.ladder.schedule import Pairing
from arena.ladder.scorebook import Scorebook, keep, scorebook
from arena.ladder.store import Store
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.spec import BotSpec
from arena.records.entries import (
    BlockPlayed,
    Changed,
    Contestant,
    EndReason,
    Entered,
    Entry,
    StageEnded,
)
from arena.referee.deals import Deals
from arena.referee.terms import label
from arena.sandbox.sandbox import Sandbox
from arena.version import VERSION

KEEP_EVERY = 10.0
"""Seconds between saves of the scorebook, for those who look on and for later runs."""
KEEP_SHARE = 0.02
"""The share of the time that saves may take; where one takes long, the next comes later."""
FORESEEN_AT_ONCE = 20_000
"""Blocks of the schedule that a run goes through at its start, to say how many games it plays."""
FORESEEN_EACH = 20
"""Blocks that it goes through after each that is stored, until it knows."""

Report = Callable[["Progress"], None]
"""Called with the progress of the run whenever blocks have been stored."""


def _never() -> bool:
    return False


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
    status: str = ""
    """What those do at the moment who play, if they say so."""
    starts: int = 0
    """How many processes of bots they have started, where they count them."""


@dataclass(frozen=True)
class Planned:
    """A block of the schedule, and whether it is the last one that the budget has games for."""

    pairing: Pairing
    enough: bool


class Run:
    """One run: from where the store stands to the goal. Call `field.enter` first.

    `bots` has the programs of all who play, by digest.
    """

    def __init__(self, store: Store, bots: Mapping[str, BotSpec], game: Game, goal: Goal) -> None:
        self._store = store
        self._bots = dict(bots)
        self._game = game
        self._goal = goal
        self.book = scorebook(store, game)
        self._stored, self._terms = followed(store)
        """The schedule up to the last block that is stored, and what tells it of entries."""
        self._before = store.ledger.games
        self._seconds = 0.0
        """How long it has played."""
        self._keep_at = monotonic() + KEEP_EVERY
        self._kept_up_to: tuple[int, ...] = ()
        """What was in the log at the last save, as far as it decides what is derived."""
        self._at_checkpoint = False
        """Whether the last stretch came to a checkpoint."""
        self._replan()
        self._forecast.go_on(FORESEEN_AT_ONCE)
        self.reason: RunEnd | None = self._resume()

    def play(self, runner: Runner, sandbox: Sandbox, workers: int, report: Report) -> None:
        """Play until the goal is reached; raise `RunnerFailed` if that is not possible."""
        if self.reason:
            return
        self.announce(sandbox)
        with runner.crew(self.venue(sandbox, workers)) as crew:
            self.go_on(crew, report)

    def venue(self, sandbox: Sandbox, workers: int) -> Venue:
        """Return where this run plays; its `bots` follow the field."""
        terms = terms_of(self._store.contest, self._game, sandbox)
        return Venue(terms, self._bots, workers, self._goal.seconds_left)

    def announce(self, sandbox: Sandbox) -> Changed | None:
        """Say in the log what plays from here on, where it is not what played before."""
        ledger, budget = self._store.ledger, self._goal.budget
        held = label(sandbox, TurnGate().kind if ledger.contest.suspend else None)
        change = Changed(
            arena=VERSION if ledger.arena != VERSION else None,
            sandbox=held if ledger.sandbox != held else None,
            budget=budget if ledger.budget != budget else None,
        )
        if change == Changed():
            return None
        self._store.append(change)
        self._follow(change)
        return change

    def go_on(self, crew: Crew, report: Report, stop: Callable[[], bool] = _never) -> None:
        """Play until the goal is reached, or something else is to be done first.

        `stop` is asked before each block but the first; then those that are handed out are played
        and stored. At checkpoints all is played and stored, too, and what follows from results is
        decided before play goes on. Raise `RunnerFailed` if blocks cannot be played.
        """
        self._decide()
        while not self.reason:
            self._stretch(crew, report, stop)
            if not self.reason:
                self._decide()
            if not self._at_checkpoint:
                return

    def _decide(self) -> None:
        """Write into the log what is due, and go on from there."""
        decided = False
        while decision := due(self._store.ledger, self._stored, self.book):
            self._store.append(decision)
            self._follow(decision)
            decided = True
        if decided:
            playing = {self._contestants[each].digest for each in self._store.ledger.playing}
            for digest in self._bots.keys() - playing:
                del self._bots[digest]
            self._replan()
        if decided or self._at_checkpoint:
            self.reason = self._resume()

    def _stretch(self, crew: Crew, report: Report, stop: Callable[[], bool]) -> None:
        """Play up to the next checkpoint, or to the goal, or until it is to stop.

        Without stages nothing waits for looks at widths and at certainty. If one ends the run, what
        is under way behind it is given up, and the crew with it, as after a kill: a run that goes
        on plays it on the same deals, with processes that have not seen them. So the log is the
        same whatever was under way.
        """
        began = monotonic()
        store = self._store
        ledger = store.ledger
        first = ledger.blocks
        self._at_checkpoint = False
        # Two iterators over one plan: the runner is ahead, and its results are stored in order.
        to_play, to_store = tee(self._plan(stop))
        results = crew.play(self._blocks(to_play))
        try:
            for together in in_order(results, first):
                for result, planned in zip(together, to_store, strict=False):
                    entry = _entry(result, planned.pairing, self._deals)
                    store.write(entry, result.times)
                    stage = ledger.stages.of(entry.number)
                    self.book.add_block(entry, result.times, stage)
                    self._stored.follow(entry.contestants)
                    self.reason = self._reached(planned)
                    self._forecast.go_on(FORESEEN_EACH)
                    if self.reason:
                        break
                store.sync()
                now = monotonic()
                report(self._progress(self._seconds + now - began, crew))
                if self.reason:
                    break
                if now >= self._keep_at:
                    self.keep()
            if not self.reason and ledger.blocks < self._planned.blocks:
                raise RunnerFailed(f"the runner ended before block {ledger.blocks} was played")
        except BaseException:
            self._save(results)
            raise
        self._seconds += monotonic() - began
        last = self._stored.last
        self._at_checkpoint = last is not None and last.checkpoint
        if self.reason:
            self._save(results)

    def _save(self, results: Generator[object, None, None]) -> None:
        """End what is under way, and save what follows from the blocks that are stored."""
        results.close()
        with suppress(ArenaError):  # if this error ended the run, it is reported already
            self._store.sync()
            self.keep()

    def take_up(self, entries: Iterable[Entry], bots: Mapping[str, BotSpec], goal: Goal) -> None:
        """Go on after these entries, which others have had written, to this goal.

        `bots` are the programs of all who play now.
        """
        self._goal = goal
        for entry in entries:
            self._follow(entry)
        self._count_anew()
        for digest in self._bots.keys() - bots.keys():
            del self._bots[digest]
        self._bots.update(bots)
        self._replan()
        self._forecast.go_on(FORESEEN_EACH)
        self.reason = self._resume()

    def _follow(self, entry: Entry) -> None:
        """Follow an entry that is in the log now, and is no block."""
        store = self._store
        self._terms.follow(entry, lambda blocks: groups(store.lines(), blocks))
        if isinstance(entry, Entered | StageEnded):
            self._stored.enter(store.ledger.playing)
            self.book.ratings.grow(len(store.ledger.contestants))

    def _count_anew(self) -> None:
        """Go through the log again if blocks were annulled, or stages were named at last.

        Ratings depend on the order of all games, so that nothing can be taken off them. What comes
        of it is saved at once, so that whoever looks on need not do the same.
        """
        stages = bool(self._store.ledger.stages.listed)
        same = not self.book.blocks or stages is bool(self.book.stages)
        if same and self.book.annulled == len(self._store.ledger.annulled):
            return
        self.book = scorebook(self._store, self._game)
        self.keep()

    def _replan(self) -> None:
        """Plan from the last block that is stored."""
        self.newcomers = newcomers(self._store.ledger)
        """The contestants that have entered since the last game."""
        store = self._store
        self._deals = Deals.of(store.secret, store.contest.name, store.ledger.beacon)
        self._contestants = store.ledger.contestants
        self._planned = self._stored.copy()
        """The schedule up to the last block that is handed out."""
        if not self._planned.staged:
            self._planned.change(self._goal.budget)
        self._planned.settle()
        self._playing = self._planned.contestants
        self._forecast = Forecast(self._planned, self._goal)

    def keep(self) -> None:
        """Save what follows from the blocks that are stored, for those who look on."""
        ledger = self._store.ledger
        now = ledger.blocks, len(ledger.annulled), len(ledger.stages.listed)
        began = monotonic()
        # An interrupt may have come while a block was counted: the last state stays then.
        if self.book.blocks == self._stored.blocks == ledger.blocks and now != self._kept_up_to:
            keep(self._store, self.book, self._stored)
            self._kept_up_to = now
        took = monotonic() - began
        self._keep_at = monotonic() + max(KEEP_EVERY, took / KEEP_SHARE)

    def _progress(self, seconds: float, crew: Crew) -> Progress:
        games = self._store.ledger.games
        return Progress(
            games,
            games - self._before,
            self._forecast.total,
            seconds,
            self._contestants,
            self._playing,
            self.book,
            crew.status,
            crew.starts,
        )

    def _reached(self, planned: Planned) -> EndReason | None:
        pairing, enough = planned.pairing, planned.enough
        return self._goal.reached(pairing, self.book.ratings, self._playing, enough=enough)

    def _resume(self) -> RunEnd | None:
        """Return why there is nothing more to play, if so."""
        ledger = self._store.ledger
        if ledger.stages.over:
            return "stages"
        if due(ledger, self._stored, self.book) is not None:
            return None  # it is written before the next block
        if not self._planned.playable:
            return "few"
        if self._planned.stage_played and waits_for_deadline(ledger):
            return "deadline"
        if self._forecast.total == ledger.games:
            return "budget"
        last = self._stored.last
        if last is None or self.newcomers:
            return None
        return self._goal.reached(last, self.book.ratings, self._playing, enough=False)

    def _plan(self, stop: Callable[[], bool]) -> Iterator[Planned]:
        """Yield the blocks that are to be played, up to the budget, or until it is to stop."""
        enough = False
        first = self._planned.blocks
        checkpoint = False
        while not (enough or checkpoint) and (self._planned.blocks == first or not stop()):
            pairing = self._planned.next()
            enough = self._goal.enough(self._planned, pairing)
            checkpoint = pairing.checkpoint
            yield Planned(pairing, enough)

    def _blocks(self, plan: Iterator[Planned]) -> Iterator[Block]:
        """Yield the blocks of a plan in the form that runners take."""
        for planned in plan:
            pairing = planned.pairing
            seated = tuple(self._contestants[number] for number in pairing.contestants)
            cards = self._deals.block(pairing.block)
            yield Block(pairing.block, pairing.first_game, seated, cards)


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
