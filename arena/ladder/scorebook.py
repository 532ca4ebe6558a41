"""The scorebook: everything that is derived from the blocks of a log, block by block."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.game import Game
from arena.ladder.failures import Failures, FailuresState
from arena.ladder.margins import Scale, points, scale_of
from arena.ladder.rating import Ratings, RatingsState, Tally, TallyState
from arena.ladder.results import Results, ResultsState
from arena.ladder.schedule import Schedule
from arena.ladder.store import Store
from arena.records.canonical import canonical_bytes
from arena.records.entries import BlockPlayed, Form
from arena.records.game_record import rotated
from arena.records.times import BlockTimes


class ScorebookState(Form, frozen=True, kw_only=True):
    """All of a scorebook, so that it can be saved."""

    blocks: int
    games: int
    annulled: int
    scale: Scale | None
    ratings: RatingsState
    results: ResultsState
    tables: Sequence[tuple[int, TallyState]]
    """The counts for skills, by table size."""
    failures: FailuresState
    stages: Sequence[RatingsState]


_decoder = msgspec.json.Decoder(ScorebookState)


class Scorebook:
    """Ratings and results up to some point of the log."""

    def __init__(self, contestants: int, scale: Scale | None) -> None:
        self.scale = scale
        """How points become margins; None if only places count."""
        self.ratings = Ratings(contestants)
        self.results = Results()
        self.tables: dict[int, Tally] = {}
        """The counts for skills, by table size."""
        self.failures = Failures()
        self.stages: list[Ratings] = []
        """The ratings from the games of each stage alone; none, if there are no stages."""
        self.blocks = 0
        """Blocks of the log up to here, those that are annulled as well."""
        self.games = 0
        """Games that count."""
        self.annulled = 0
        """How many blocks were left out."""

    def stage(self, number: int) -> Ratings:
        """Return the ratings from the games of a stage, which may not have begun."""
        while len(self.stages) <= number:
            self.stages.append(Ratings(self.ratings.contestants))
        return self.stages[number]

    def add_block(
        self, block: BlockPlayed, times: BlockTimes | None = None, stage: int | None = None
    ) -> None:
        """Count all games of a block, which is one of this stage if there are stages."""
        outcomes, margins = [], []
        for rotation, game in enumerate(block.games):
            players = tuple(rotated(block.contestants, rotation))
            outcomes.append((players, game.places))
            if self.scale is not None:
                faulty = {fault.seat for fault in game.faults}
                margins.append(points(self.scale, game.scores, game.places, faulty))
            timed = times is not None and rotation < len(times.games)
            self.results.add(players, game, times.games[rotation] if times and timed else None)
            self.failures.add(players, {players[fault.seat] for fault in game.faults})
        self.ratings.add_block(outcomes, margins)
        if stage is not None:
            self.stage(stage).add_block(outcomes, margins)
        self.tables.setdefault(len(block.contestants), Tally()).add(outcomes, margins)
        self.games += len(block.games)
        self.blocks += 1  # last, so that it says whether all else is counted

    def leave_out(self) -> None:
        """Go past a block that is annulled."""
        self.blocks += 1
        self.annulled += 1

    def state(self) -> ScorebookState:
        """Return all state; `from_state` restores it exactly, even through JSON."""
        return ScorebookState(
            blocks=self.blocks,
            games=self.games,
            annulled=self.annulled,
            scale=self.scale,
            ratings=self.ratings.state(),
            results=self.results.state(),
            tables=[(size, tally.state()) for size, tally in self.tables.items()],
            failures=self.failures.state(),
            stages=[ratings.state() for ratings in self.stages],
        )

    @classmethod
    def from_state(cls, state: ScorebookState, contestants: int) -> Scorebook:
        """Return the scorebook that gave this state, with room for those who came later."""
        book = cls(contestants, state.scale)
        book.blocks = state.blocks
        book.games = state.games
        book.annulled = state.annulled
        book.ratings = Ratings.from_state(state.ratings)
        book.ratings.grow(contestants)
        book.results = Results.from_state(state.results)
        book.tables = {size: Tally.from_state(tally) for size, tally in state.tables}
        book.failures = Failures(state.failures)
        book.stages = [Ratings.from_state(ratings) for ratings in state.stages]
        return book


def scorebook(store: Store, game: Game | None = None) -> Scorebook:
    """Return the scorebook of a store: the saved one, with the blocks since then added.

    Margins are counted on the scale of the game. If that is not installed, they are counted on
    the saved one's, if there is one.
    """
    ledger = store.ledger
    annulled = ledger.annulled
    book = _kept(store)
    if book is not None and bool(ledger.stages.listed) != bool(book.stages) and book.blocks:
        book = None
    if book is not None and game is not None and book.scale != scale_of(game):
        book = None
    if book is None or book.annulled != sum(block < book.blocks for block in annulled):
        scale = None if game is None else scale_of(game)
        book = Scorebook(len(store.ledger.contestants), scale)
    for block, times in store.blocks(book.blocks):
        if block.number in annulled:
            book.leave_out()
        else:
            book.add_block(block, times, ledger.stages.of(block.number))
    return book


def is_kept(store: Store, book: Scorebook) -> bool:
    """Whether a scorebook is saved in its store as it is, so that the next one need not count."""
    kept = store.kept
    if kept is None or kept.ledger.blocks != book.blocks:
        return False
    return set(kept.ledger.annulled) == store.ledger.annulled


def keep(store: Store, book: Scorebook, schedule: Schedule) -> None:
    """Save a scorebook and a schedule in their store, so that they need not be derived again."""
    store.keep(canonical_bytes(book.state()), canonical_bytes(schedule.state()))


def _kept(store: Store) -> Scorebook | None:
    """Return the scorebook saved in a store, or None if this version cannot use it."""
    if store.kept is None:
        return None
    try:
        state = _decoder.decode(store.kept.scorebook)
    except msgspec.DecodeError:
        return None
    return Scorebook.from_state(state, len(store.ledger.contestants))
