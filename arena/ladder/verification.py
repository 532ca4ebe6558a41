"""Verification of a ladder: what its log shows, claim by claim, and what it cannot show.

All is computed again from the entries, on all cores. A claim holds, or fails at an entry, or is
not shown: then it says what would be needed from outside. What a host who rewrites its log can
make consistent is never said to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from math import isclose
from typing import TypeVar

from arena.blocks.checking import Checking, checking_here
from arena.games.game import Game
from arena.ladder._decided import Decided, check_decision, is_decision
from arena.ladder._ending import Ending
from arena.ladder._figures import check_figures
from arena.ladder._keys import Keys
from arena.ladder._replays import CHUNK, Batch, Followed, checked
from arena.ladder._second_rater import RaterEnded, SecondRater
from arena.ladder.claims import (
    ATTEMPTS,
    DECISIONS,
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
from arena.ladder.course import groups
from arena.ladder.decisions import due
from arena.ladder.kept_head import Head, KeptHead
from arena.ladder.labels import labels
from arena.ladder.margins import Scale, scale_of
from arena.ladder.published import published
from arena.ladder.rating.tally import Placing
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.schedule_terms import ScheduleTerms
from arena.ladder.scorebook import Scorebook
from arena.ladder.source import Source
from arena.ladder.stalls import Stalls
from arena.records.codec import read_entry
from arena.records.difference import Difference, malformed
from arena.records.entries import (
    Annulled,
    Beacon,
    BlockPlayed,
    Changed,
    Closed,
    Entered,
    Entry,
    StageEnded,
)
from arena.records.game_record import rotated
from arena.records.ledger import Ledger
from arena.referee.attempts import MOST
from arena.referee.replay import game_of
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import AUTO, NONE
from arena.wording import brief, counted

SAME = 1e-9
"""How far the two raters may differ."""

T = TypeVar("T")

Report = Callable[[int], None]


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
    checking: Checking = checking_here,
) -> Verified:
    """Decide on all claims; `kept` is a head that was published earlier.

    `checking` starts what plays the games again; all else is computed here. Raise
    `BrokenProcessPool` if a checking process of this machine is killed from outside.
    """
    ledger = Ledger()
    findings = Findings()
    lines = source.lines()
    place = FORM
    try:
        _begin(lines, ledger)
        place = RULES
        game = game_of(ledger.contest, games)
    except Difference as difference:
        findings.fails(place, 0, difference)
        return Verified(findings.claims(), 0, Head(ledger.tree.size, ledger.root))
    log = _Log(ledger, scale_of(game), source, findings, KeptHead(kept))
    try:
        with SecondRater() as rater:
            with checking(ledger.contest, game, workers) as checker:
                for batch in checked(checker, _followed(lines, log)):
                    log.count(batch, rater)
                    report(ledger.games)
            log.close(rater)
    except RaterEnded:
        raise BrokenProcessPool("the second rater was ended") from None
    return Verified(findings.claims(), ledger.games, Head(ledger.tree.size, ledger.root))


def _begin(lines: Iterator[bytes], ledger: Ledger) -> None:
    """Follow the first entry."""
    line = next(lines, None)
    if line is None:
        raise malformed("entry", "no entry", "`open`, with which a log begins")
    ledger.follow(line, read_entry(line))
    limits = ledger.contest.limits
    try:
        Limits().changed(f"{name}={value}" for name, value in limits.items())
    except ValueError as error:
        raise Difference("contest.limits", brief(limits), str(error), "the sandbox") from None


def _followed(lines: Iterator[bytes], log: _Log) -> Iterator[Batch]:
    """Follow the log, and yield its blocks in batches, until an entry does not hold."""
    blocks = []
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            entry = read_entry(line)
            first = log.ledger.games
            log.follow(number, line, entry)
            if isinstance(entry, BlockPlayed):
                blocks.append(Followed(number, first, line, entry))
            if len(blocks) == CHUNK:
                yield Batch(blocks)
                blocks = []
    except Difference as difference:
        at = max(number, log.ledger.tree.size)  # a line that has no end is not counted
        log.findings.fails(FORM, at, difference)
    yield Batch(blocks)


class _Log:
    """Compares entries with the schedule and the secret, and derives the standings from them."""

    def __init__(
        self,
        ledger: Ledger,
        scale: Scale | None,
        source: Source,
        findings: Findings,
        kept: KeptHead,
    ) -> None:
        self.ledger = ledger
        self.findings = findings
        self._source = source
        self._kept = kept
        self._keys = Keys(source.secret, ledger, findings)
        self._schedule = Schedule(ledger.contest.name, ledger.contest.tables)
        self._terms = ScheduleTerms(self._schedule, ledger.contest.tables)
        self._decided = Decided()
        self._ending = Ending()
        self._book = Scorebook(0, scale)
        self._stale = False
        """Whether the book has blocks that were annulled since."""
        self._lines = 1
        """How many lines were followed."""
        self._stalls = Stalls()
        self._kept.follow(ledger, findings)

    def follow(self, number: int, line: bytes, entry: Entry) -> None:
        """Follow an entry; raise `Difference` if it cannot follow those before it."""
        ledger = self.ledger
        wanted = None
        if isinstance(entry, BlockPlayed | Closed) or is_decision(entry):
            wanted = due(ledger, self._schedule, self._counted())
        ledger.follow(line, entry)
        self._decide(DECISIONS, number, lambda said: check_decision(said, wanted), entry)
        self._decided.follow(number, entry, ledger)
        self._lines = number + 1
        match entry:
            case BlockPlayed():
                for key, check in (
                    (KEYS, self._keys.check),
                    (ATTEMPTS, _check_attempt),
                    (LABEL, self._check_labelled),
                ):
                    self._decide(key, number, check, entry)
                pairing = self._next_table(number, entry)
                self._stalls.add_block(entry.contestants, entry.attempt)
                self._book.add_block(entry, stage=ledger.stages.of(entry.number))
                if not ledger.stages.listed:
                    ratings = self._book.ratings
                    self._ending.look(pairing, self._schedule, ledger.budget, ratings)
            case Entered():
                self._enter(entry)
            case Changed():
                if entry.sandbox is not None:
                    self._decide(LABEL, number, self._check_label, entry.sandbox)
                self._ending.change(number, entry, ledger)
            case StageEnded():
                self._schedule.enter(ledger.playing)
                self._ending.stage(entry, ledger.blocks - 1)
            case Annulled():
                self._stale = True
            case Beacon():
                self._keys.beacons += 1
            case Closed():
                self._decide(KEYS, number, self._keys.check_end, entry)
                self._ending.close(number)
        if not isinstance(entry, BlockPlayed | Entered):
            self._terms.follow(entry, lambda blocks: groups(self._followed(), blocks))
        self._kept.follow(ledger, self.findings)

    def count(self, batch: Batch, rater: SecondRater) -> None:
        """Count blocks whose games were played again."""
        if batch.wrong is not None:
            self.findings.fails(RULES, *batch.wrong)
        for block in batch.blocks:
            rater.add_block(_outcomes(block.entry))

    def close(self, rater: SecondRater) -> None:
        """Decide on what depends on the whole log."""
        found = self.findings
        if found.failed(FORM):
            return
        ledger = self.ledger
        self._kept.decide(ledger, found)
        found.holds(FORM, f"{ledger.tree.size} entries, root {ledger.root}")
        found.holds(RULES, f"{ledger.games} games")
        found.holds(TABLES)
        self._keys.decide(found)
        self._check_attempts()
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
        self._decided.decide(ledger, found)
        self._ending.decide(ledger, found)
        self._check_standings()

    def _decide(self, key: str, number: int, check: Callable[[T], None], checked: T) -> None:
        """Let a claim fail at this entry if the check finds a difference."""
        try:
            check(checked)
        except Difference as difference:
            self.findings.fails(key, number, difference)

    def _enter(self, entry: Entered) -> None:
        ledger = self.ledger
        self._ending.enter(entry)
        self._schedule.enter(ledger.playing)

    def _next_table(self, number: int, entry: BlockPlayed) -> Pairing:
        """Compare the table with the one of the schedule, and return that."""
        self._schedule.settle()
        if not self._schedule.sizes:
            self.findings.fails(TABLES, number, malformed("contestants", "a table", "too few play"))
            return Pairing(entry.number, self.ledger.games, entry.contestants, False, 0, False)
        pairing = self._schedule.next()
        if tuple(pairing.contestants) != entry.contestants:
            says, wanted = brief(list(entry.contestants)), brief(list(pairing.contestants))
            difference = Difference("contestants", says, wanted, "the schedule has")
            self.findings.fails(TABLES, number, difference)
        return pairing

    def _check_label(self, label: str) -> None:
        """Raise `Difference` unless games in this sandbox are allowed where another was wanted."""
        wanted = self.ledger.contest.sandbox
        kind = label.partition(" ")[0]
        if kind != wanted and (wanted != AUTO or kind == NONE):
            terms = f"{AUTO}, which is never {NONE}" if wanted == AUTO else brief(wanted)
            raise Difference("sandbox", brief(label), terms, "the ladder's terms have")

    def _check_labelled(self, entry: BlockPlayed) -> None:
        """Raise `Difference` unless the log has said in what sandbox this block was played."""
        if not self.ledger.sandbox:
            wanted = "an entry `change` with the label, before the first block"
            raise malformed("sandbox", "nothing", wanted)

    def _check_attempts(self) -> None:
        """Say for whom there were more attempts than chance allows."""
        stalls, ledger = self._stalls, self.ledger
        if not stalls.anew:
            self.findings.holds(ATTEMPTS, "no block was dealt anew")
            return
        if excess := stalls.excess():
            names = labels(ledger.contestants, ledger.playing)
            name = names[ledger.contestants[excess.contestant].digest]
            says = f"{excess.anew} of {excess.blocks} blocks with {name} were dealt anew"
            wanted = f"about {excess.expected:.1f}, as with others (p = {excess.chance:.1e})"
            self.findings.fails(ATTEMPTS, None, malformed("attempt", says, wanted))
        share = f"{stalls.anew} of {ledger.blocks} blocks were dealt anew"
        if stalls.decidable():
            self.findings.holds(ATTEMPTS, share)
        needs = "too few blocks, or bots that sit in too many of them, to tell chance from choice"
        self.findings.not_shown(ATTEMPTS, f"{share}; {needs}: would need a second machine")

    def _followed(self) -> Iterator[bytes]:
        """Yield the lines that were followed, again."""
        return islice(self._source.lines(), self._lines)

    def _counted(self) -> Scorebook:
        """Return the scorebook of the blocks so far that count."""
        if self._stale:
            self._recount()
        return self._book

    def _recount(self, rater: SecondRater | None = None) -> None:
        """Count again without what was annulled."""
        self._stale = False
        self._book = Scorebook(len(self.ledger.contestants), self._book.scale)
        for line in self._followed():
            entry = read_entry(line)
            if not isinstance(entry, BlockPlayed):
                continue
            if entry.number in self.ledger.annulled:
                self._book.leave_out()
            else:
                self._book.add_block(entry, stage=self.ledger.stages.of(entry.number))
                if rater is not None:
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
        found = published(self.ledger, self._book)
        try:
            check_figures(said, found)
        except Difference as difference:
            self.findings.fails(STANDINGS, None, difference)
        by = "places and margins" if self._book.scale else "places"
        self.findings.holds(
            STANDINGS,
            f"{counted(len(found.standings), 'contestant')}, {len(found.by_table)} rows by table "
            f"size: ratings, ranks, results, and skills by {by} with their intervals",
        )


def _outcomes(entry: BlockPlayed) -> list[Placing]:
    """Return who sat where in the games of a block, and their places."""
    return [
        (tuple(rotated(entry.contestants, rotation)), game.places)
        for rotation, game in enumerate(entry.games)
    ]


def _check_attempt(entry: BlockPlayed) -> None:
    """Raise `Difference` if there were more attempts than a host makes."""
    if entry.attempt >= MOST:
        wanted = f"{MOST - 1} at most, since a host that stalls more often has failed"
        raise malformed("attempt", str(entry.attempt), wanted)
