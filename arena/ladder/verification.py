"""Verification of a ladder: what its log shows, claim by claim, and what it cannot show.

All is computed again from the entries, on all cores. A claim holds, or fails at an entry, or is
not shown: then it says what would be needed from outside. What a host who rewrites its log can
make consistent is never said to hold.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import comb, isclose
from multiprocessing import get_context
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import Any

from arena.games.game import Game
from arena.ladder._second_rater import SecondRater
from arena.ladder.claims import (
    ATTEMPTS,
    END,
    FAILS,
    FORM,
    KEYS,
    LABEL,
    RATINGS,
    RULES,
    STANDINGS,
    TABLES,
    Claim,
    Findings,
)
from arena.ladder.goal import Goal
from arena.ladder.labels import labels
from arena.ladder.published import Published, published
from arena.ladder.rating.tally import Placing
from arena.ladder.schedule import Schedule
from arena.ladder.scorebook import Scorebook
from arena.ladder.source import Source
from arena.ladder.standings import DIGITS
from arena.records.codec import read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Changed, Closed, Contest, Entered, Entry
from arena.records.game_record import GameRecord, rotated
from arena.records.ledger import Ledger
from arena.referee.deals import Deals, commitment
from arena.referee.replay import game_of
from arena.referee.verification import check_game
from arena.sandbox.sandbox import AUTO, NONE
from arena.wording import brief

CHUNK = 5
"""Blocks that a process checks at a time."""
AHEAD = 4
"""Chunks for each process that are read ahead."""
SAME = 1e-9
"""How far the two raters may differ."""
UNLIKELY = 0.01
"""How unlikely, for all contestants together, attempts have to be to count as too many."""

Report = Callable[[int], None]


@dataclass(frozen=True)
class Head:
    """The size of a log and the root that stands for it, as somebody has kept it."""

    size: int
    root: str


@dataclass(frozen=True)
class Verified:
    """What was found."""

    claims: list[Claim]
    games: int
    head: Head

    @property
    def holds(self) -> bool:
        """Whether no claim fails."""
        return all(claim.state != FAILS for claim in self.claims)


def verify_ladder(
    source: Source,
    games: Mapping[str, Game],
    workers: int,
    report: Report,
    kept: Head | None = None,
) -> Verified:
    """Decide on all claims; `kept` is a head that was published earlier.

    Raise `BrokenProcessPool` if a checking process is killed from outside.
    """
    ledger = Ledger()
    findings = Findings()
    lines = source.lines()
    try:
        game = _begin(lines, ledger, games)
    except Difference as difference:
        findings.fails(FORM, ledger.tree.size, difference)
        return Verified(findings.claims(), 0, Head(ledger.tree.size, ledger.root))
    log = _Log(ledger, source, findings, kept)
    with SecondRater() as rater, _processes(workers, ledger.contest, game) as pool:
        for batch in _checked(pool, _followed(lines, log), workers):
            log.count(batch, rater)
            report(ledger.games)
        log.close(rater)
    return Verified(findings.claims(), ledger.games, Head(ledger.tree.size, ledger.root))


def _begin(lines: Iterator[bytes], ledger: Ledger, games: Mapping[str, Game]) -> Game:
    """Follow the first entry, and return the game that is played."""
    line = next(lines, None)
    if line is None:
        raise Difference("entry", "no entry", "`open`, with which a log begins", "expected")
    ledger.follow(line, read_entry(line))
    return game_of(ledger.contest, games)


@dataclass(frozen=True)
class _Batch:
    """Blocks that follow from what is before them; their games are still to be played again."""

    blocks: list[tuple[int, int, bytes, BlockPlayed]]
    """The number of the entry, that of the first game, the line and the entry."""
    wrong: tuple[int, Difference] | None = None
    """The entry, and what is wrong with its first game that does not follow the rules."""


def _followed(lines: Iterator[bytes], log: _Log) -> Iterator[_Batch]:
    """Follow the log, and yield its blocks in batches, until an entry does not hold."""
    blocks = []
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
            first = log.ledger.games
            log.follow(number, line, entry)
        except Difference as difference:
            log.findings.fails(FORM, number, difference)
            break
        if isinstance(entry, BlockPlayed):
            blocks.append((number, first, line, entry))
        if len(blocks) == CHUNK:
            yield _Batch(blocks)
            blocks = []
    yield _Batch(blocks)


class _Log:
    """Compares entries with the schedule and the secret, and derives the standings from them."""

    def __init__(
        self, ledger: Ledger, source: Source, findings: Findings, kept: Head | None
    ) -> None:
        self.ledger = ledger
        self.findings = findings
        self._source = source
        self._kept = kept
        self._secret = source.secret
        self._schedule: Schedule | None = None
        self._fields = 0
        self._balanced = True
        self._look = 0
        self._goal = Goal(ledger.budget)
        self._book = Scorebook(0)
        self._deals: tuple[str, Deals] | None = None
        self._reason = ""
        """The reason that the entry `close` gives, if the log itself can show it."""
        self._closed_at = 0
        self._broken_off = 0
        self._attempts: Counter[int] = Counter()
        """How many blocks of each contestant were broken off before they counted."""
        self._seated: Counter[int] = Counter()
        """How many blocks each contestant has."""
        if self._secret is not None and commitment(self._secret) != ledger.opened.commitment:
            wanted = f"one whose SHA-256 is {ledger.opened.commitment}"
            findings.fails(KEYS, None, Difference("secret", self._secret.hex(), wanted, "expected"))
        seed = ledger.contest.seed
        if seed is not None and commitment(seed.encode()) != ledger.opened.commitment:
            wanted = "the seed that the commitment is of"
            findings.fails(KEYS, 0, Difference("contest.seed", brief(seed), wanted, "expected"))
        self._check_kept()

    def follow(self, number: int, line: bytes, entry: Entry) -> None:
        """Follow an entry; raise `Difference` if it cannot follow those before it."""
        ledger = self.ledger
        ledger.follow(line, entry)
        if isinstance(entry, BlockPlayed):
            for key, check in ((TABLES, self._check_table), (KEYS, self._check_key)):
                try:
                    check(entry)
                except Difference as difference:
                    self.findings.fails(key, number, difference)
            self._broken_off += entry.attempt > 0
            self._seated.update(entry.contestants)
            if entry.attempt:
                self._attempts.update(entry.contestants)
        elif isinstance(entry, Entered):
            self._enter(number)
        elif isinstance(entry, Changed):
            self._goal = Goal(ledger.budget)
            try:
                _check_label(ledger.sandbox, ledger.contest.sandbox)
            except Difference as difference:
                self.findings.fails(LABEL, number, difference)
        elif isinstance(entry, Closed):
            self._check_end(number, entry)
        self._check_kept()

    def count(self, batch: _Batch, rater: SecondRater) -> None:
        """Count blocks whose games were played again."""
        if batch.wrong is not None:
            self.findings.fails(RULES, *batch.wrong)
        for _, _, _, entry in batch.blocks:
            self._book.add_block(entry)
            rater.add_block(_outcomes(entry))

    def close(self, rater: SecondRater) -> None:
        """Decide on what depends on the whole log."""
        found = self.findings
        if found.failed(FORM):
            return
        ledger = self.ledger
        found.holds(FORM, f"{ledger.tree.size} entries, root {ledger.root}")
        found.holds(RULES, f"{ledger.games} games")
        found.holds(TABLES)
        if self._secret is None:
            found.not_shown(KEYS, "would need the secret, which the entry `close` reveals")
        found.holds(KEYS)
        self._check_attempts()
        if ledger.closed is None:
            found.not_shown(END, "would need an entry `close`: it is still running")
        if ledger.sandbox:
            found.holds(LABEL, ledger.sandbox)
        else:
            found.not_shown(LABEL, "would need a game")
        if ledger.annulled:
            with SecondRater() as again:
                self._recount(again)
                self._check_ratings(again)
        else:
            self._check_ratings(rater)
        self._check_reason()
        self._check_standings()
        if self._kept is not None and self._kept.size > ledger.tree.size:
            wanted = f"{self._kept.size} at least, as the head has"
            says = f"{ledger.tree.size} entries"
            found.fails("whole", None, Difference("log", says, wanted, "expected"))

    def _enter(self, number: int) -> None:
        ledger = self.ledger
        contest = ledger.contest
        if self._schedule is None:
            self._schedule = Schedule(contest.name, contest.tables, [ledger.fields[-1]])
        else:
            self._schedule.enter_next(ledger.fields[-1])

    def _check_table(self, entry: BlockPlayed) -> None:
        """Raise `Difference` unless the schedule has this table here."""
        if self._schedule is None:
            raise Difference("contestants", "nobody has entered", "an entry `enter`", "expected")
        pairing = self._schedule.next()
        self._balanced = pairing.balanced
        self._look = self._goal.passed(pairing, len(self._schedule.contestants))
        if tuple(pairing.contestants) != entry.contestants:
            says, wanted = brief(list(entry.contestants)), brief(list(pairing.contestants))
            raise Difference("contestants", says, wanted, "the schedule has")

    def _check_key(self, entry: BlockPlayed) -> None:
        """Raise `Difference` unless the block's key comes from the secret, if that is known."""
        if self._secret is None:
            return
        beacon = self.ledger.beacon
        if self._deals is None or self._deals[0] != beacon:
            self._deals = beacon, Deals.of(self._secret, self.ledger.contest.name, beacon)
        deal = self._deals[1].block(entry.number).deal(0, entry.attempt)
        if deal.key.hex() != entry.key:
            raise Difference("key", entry.key, deal.key.hex(), "the secret comes to")

    def _check_attempts(self) -> None:
        """Say for whom there were more attempts than chance allows."""
        ledger = self.ledger
        if not self._broken_off:
            self.findings.holds(ATTEMPTS, "no block was broken off")
            return
        share = self._broken_off / ledger.blocks
        names = labels(ledger.contestants, ledger.playing)
        for number, count in self._attempts.most_common():
            blocks = self._seated[number]
            chance = _at_least(count, blocks, share)
            if chance * len(self._seated) < UNLIKELY:
                name = names[ledger.contestants[number].digest]
                says = f"{count} of {blocks} blocks with {name} were broken off"
                wanted = f"about {share * blocks:.1f}, as with others (p = {chance:.1e})"
                self.findings.fails(ATTEMPTS, None, Difference("attempt", says, wanted, "expected"))
                return
        detail = (
            f"{self._broken_off} of {ledger.blocks} blocks were broken off and dealt anew; that "
            "the host stalled would need a second machine"
        )
        self.findings.holds(ATTEMPTS, detail)

    def _check_end(self, number: int, entry: Closed) -> None:
        """Decide on the reason for which a ladder has ended, and on its secret."""
        found = self.findings
        secret = bytes.fromhex(entry.secret)
        if commitment(secret) != self.ledger.opened.commitment:
            wanted = f"one whose SHA-256 is {self.ledger.opened.commitment}"
            found.fails(KEYS, number, Difference("secret", entry.secret, wanted, "expected"))
        if entry.reason == "host":
            found.not_shown(END, "the host ended it: would need his reason")
        elif entry.reason == "time":
            found.not_shown(
                END, "the time was up, says its host: would need a clock of somebody else"
            )
        else:
            self._reason, self._closed_at = entry.reason, number

    def _check_reason(self) -> None:
        """Decide whether the budget, or the certainty, allows the end."""
        if not self._reason or self._schedule is None:
            return
        budget = self.ledger.budget
        reached = False
        if self._reason == "budget":
            reached = budget.games is not None and self.ledger.games >= budget.games
            says = f"{self.ledger.games} games of {budget.games}"
        else:
            level = budget.certain
            says = f"certain to {level}"
            if level is not None and self._look:
                playing = self.ledger.playing
                reached = self._book.ratings.certainty(playing, level, self._look).certain
        if reached and self._balanced:
            self.findings.holds(END, says)
            return
        wanted = "the end of a round, and what the budget says"
        difference = Difference("reason", f"{self._reason} ({says})", wanted, "expected")
        self.findings.fails(END, self._closed_at, difference)

    def _recount(self, rater: SecondRater) -> None:
        """Count again without what was annulled."""
        self._book = Scorebook(len(self.ledger.contestants))
        for line in self._source.lines():
            entry = read_entry(line)
            if not isinstance(entry, BlockPlayed):
                continue
            if entry.number in self.ledger.annulled:
                self._book.leave_out()
            else:
                self._book.add_block(entry)
                rater.add_block(_outcomes(entry))

    def _check_ratings(self, rater: SecondRater) -> None:
        """Compare the ratings with those of the trueskill package."""
        contestants = len(self.ledger.contestants)
        self._book.ratings.grow(contestants)
        mine = self._book.ratings.rated()
        for number, (here, there) in enumerate(zip(mine, rater.ratings(contestants), strict=True)):
            if any(
                not isclose(a, b, rel_tol=SAME, abs_tol=SAME)
                for a, b in zip(here, there, strict=True)
            ):
                place = f"rating of {self.ledger.contestants[number].name}"
                says, wanted = f"mu {here[0]!r}", f"mu {there[0]!r}"
                difference = Difference(place, says, wanted, "the trueskill package has")
                self.findings.fails(RATINGS, None, difference)
                return
        self.findings.holds(RATINGS, f"{contestants} contestants")

    def _check_standings(self) -> None:
        try:
            said = self._source.published
        except Difference as difference:
            self.findings.fails(STANDINGS, None, difference)
            return
        if said is None:
            self.findings.not_shown(STANDINGS, "would need the standings in a file beside the log")
            return
        try:
            _compare(said, published(self.ledger, self._book))
        except Difference as difference:
            self.findings.fails(STANDINGS, None, difference)
        self.findings.holds(STANDINGS)

    def _check_kept(self) -> None:
        """Compare the log so far with the head that somebody has kept, if it is of its size."""
        kept, ledger = self._kept, self.ledger
        if kept is None or kept.size != ledger.tree.size:
            return
        if kept.root == ledger.root:
            detail = f"up to entry {kept.size - 1}, by the head that was given"
            self.findings.holds("whole", detail)
        else:
            says = f"the root of {kept.size} entries is {ledger.root}"
            difference = Difference("log", says, f"{kept.root}, as the head has", "expected")
            self.findings.fails("whole", None, difference)


def _outcomes(entry: BlockPlayed) -> list[Placing]:
    """Return who sat where in the games of a block, and their places."""
    return [
        (tuple(rotated(entry.contestants, rotation)), game.places)
        for rotation, game in enumerate(entry.games)
    ]


def _at_least(count: int, blocks: int, share: float) -> float:
    """Return how likely it is that at least `count` of so many blocks are broken off."""
    below = sum(comb(blocks, k) * share**k * (1 - share) ** (blocks - k) for k in range(count))
    return max(0.0, 1 - below)


def _check_label(label: str, wanted: str) -> None:
    """Raise `Difference` unless games in this sandbox are allowed where this one was asked for."""
    kind = label.partition(" ")[0]
    if kind != wanted and (wanted != AUTO or kind == NONE):
        terms = f"{AUTO}, which is never {NONE}" if wanted == AUTO else brief(wanted)
        raise Difference("sandbox", brief(label), terms, "the ladder's terms have")


def _compare(said: Published, found: Published) -> None:
    """Raise `Difference` at the first figure that is not the computed one, to its last digit."""
    for place, here, there in (
        ("ladder", said.ladder, found.ladder),
        ("entries", said.entries, found.entries),
        ("root", said.root, found.root),
        ("games", said.games, found.games),
        ("standings", len(said.standings), len(found.standings)),
    ):
        if here != there:
            raise Difference(place, brief(here), brief(there), "the log comes to")
    for at, (row, wanted) in enumerate(zip(said.standings, found.standings, strict=True)):
        if row.keys() != wanted.keys():
            keys = ", ".join(wanted)
            raise Difference(f"standings[{at}]", brief(list(row)), keys, "expected")
        for key, value in wanted.items():
            if not _same(row[key], value):
                place = f"standings[{at}].{key}"
                raise Difference(place, brief(row[key]), brief(value), "the log comes to")


def _same(says: Any, found: Any) -> bool:
    """Whether a printed figure is the computed one, give or take one in its last digit."""
    if isinstance(found, float) and isinstance(says, int | float) and not isinstance(says, bool):
        return bool(abs(says - found) < 1.5 * 10**-DIGITS)
    return type(says) is type(found) and bool(says == found)


# On all cores


@contextmanager
def _processes(workers: int, contest: Contest, game: Game) -> Iterator[ProcessPoolExecutor]:
    """Start the processes that check, and end them on exit.

    They ignore Ctrl-C; this process handles it and ends them. Here it is blocked while they are
    started and ended, since an interrupt half-way ends in a traceback.
    """
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        context = get_context("fork")
        pool = ProcessPoolExecutor(workers, context, initializer=_prepare, initargs=(contest, game))
        try:
            pool.submit(int)  # starts all of them, and they inherit the blocked signal
            pthread_sigmask(SIG_SETMASK, before)
            yield pool
        finally:
            pthread_sigmask(SIG_BLOCK, {SIGINT})
            pool.shutdown(cancel_futures=True)
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _checked(
    pool: ProcessPoolExecutor, batches: Iterable[_Batch], workers: int
) -> Iterator[_Batch]:
    """Yield the batches in order, with what is wrong with their games."""
    rest = iter(batches)
    waiting: deque[tuple[_Batch, Future[_Wrong | None]]] = deque()
    for batch in islice(rest, AHEAD * workers):
        waiting.append((batch, _submit(pool, batch)))
    while waiting:
        batch, checked = waiting.popleft()
        wrong = checked.result()
        if wrong is None:
            yield batch
        else:
            yield _Batch(batch.blocks, (wrong.entry, wrong.restored()))
        for more in islice(rest, 1):
            waiting.append((more, _submit(pool, more)))


def _submit(pool: ProcessPoolExecutor, batch: _Batch) -> Future[_Wrong | None]:
    return pool.submit(_check_blocks, [(at, first, line) for at, first, line, _ in batch.blocks])


@dataclass(frozen=True)
class _Wrong:
    """A `Difference` in a form that can be sent between processes."""

    entry: int
    arguments: tuple[str, ...]
    number: int | None
    decision: int | None

    def restored(self) -> Difference:
        difference = Difference(*self.arguments)
        difference.number = self.number
        difference.decision = self.decision
        return difference


_contest_and_game: tuple[Contest, Game]


def _prepare(contest: Contest, game: Game) -> None:
    global _contest_and_game  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    _contest_and_game = (contest, game)


def _check_blocks(blocks: list[tuple[int, int, bytes]]) -> _Wrong | None:
    """Play the games of some blocks again; return the first thing that is wrong."""
    contest, game = _contest_and_game
    for at, first, line in blocks:
        entry = read_entry(line)
        assert isinstance(entry, BlockPlayed)
        for rotation, played in enumerate(entry.games):
            record = GameRecord(
                first + rotation,
                contest,
                "",
                entry.number,
                rotation,
                entry.attempt,
                bytes.fromhex(entry.key),
                rotated(entry.contestants, rotation),
                (),
                played,
            )
            try:
                check_game(record, game)
            except Difference as difference:
                by = (difference.place, difference.says, difference.wanted, difference.by)
                return _Wrong(at, by, difference.number, difference.decision)
    return None
