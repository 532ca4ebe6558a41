"""Verification of a ladder: what its log shows, claim by claim, and what it cannot show.

All is computed again from the entries, on all cores. A claim holds, or fails at an entry, or is
not shown: then it says what would be needed from outside. What a host who rewrites its log can
make consistent is never said to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from math import isclose
from typing import TypeVar

from arena.games.game import Game
from arena.ladder._ending import Due, Ending
from arena.ladder._replays import CHUNK, Batch, Followed, checked, processes
from arena.ladder._second_rater import RaterEnded, SecondRater
from arena.ladder.claims import (
    ATTEMPTS,
    FAILS,
    FORM,
    KEYS,
    LABEL,
    RATINGS,
    RULES,
    STANDINGS,
    TABLES,
    WHOLE,
    Claim,
    Findings,
)
from arena.ladder.labels import labels
from arena.ladder.margins import Scale, scale_of
from arena.ladder.published import Published, published
from arena.ladder.rating.tally import Placing
from arena.ladder.schedule import Schedule
from arena.ladder.scorebook import Scorebook
from arena.ladder.source import Source
from arena.ladder.stalls import Stalls
from arena.ladder.standings import DIGITS
from arena.records.canonical import canonical
from arena.records.codec import read_entry
from arena.records.difference import Difference, malformed
from arena.records.entries import (
    Beacon,
    BlockPlayed,
    Changed,
    Closed,
    Entered,
    Entry,
    Form,
)
from arena.records.game_record import rotated
from arena.records.ledger import Ledger
from arena.referee.attempts import MOST
from arena.referee.deals import Deals, commitment
from arena.referee.replay import game_of
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import AUTO, NONE
from arena.wording import brief, counted

SAME = 1e-9
"""How far the two raters may differ."""

T = TypeVar("T")

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
    place = FORM
    try:
        _begin(lines, ledger)
        place = RULES
        game = game_of(ledger.contest, games)
    except Difference as difference:
        findings.fails(place, 0, difference)
        return Verified(findings.claims(), 0, Head(ledger.tree.size, ledger.root))
    log = _Log(ledger, scale_of(game), source, findings, kept)
    try:
        with SecondRater() as rater:
            with processes(workers, ledger.contest, game) as pool:
                for batch in checked(pool, _followed(lines, log), workers):
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
        raise malformed("contest.limits", canonical(limits), str(error)) from None


def _followed(lines: Iterator[bytes], log: _Log) -> Iterator[Batch]:
    """Follow the log, and yield its blocks in batches, until an entry does not hold."""
    blocks = []
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            entry = read_entry(line)
            first = log.ledger.games
            due = log.follow(number, line, entry)
            if isinstance(entry, BlockPlayed):
                blocks.append(Followed(number, first, line, entry, due))
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
        kept: Head | None,
    ) -> None:
        self.ledger = ledger
        self.findings = findings
        self._source = source
        self._kept = kept
        self._agrees = False
        """Whether the log has the head that was kept."""
        self._secret = source.secret
        if self._secret is None and ledger.contest.seed is not None:
            self._secret = ledger.contest.seed.encode()
        self._schedule: Schedule | None = None
        self._ending = Ending()
        self._book = Scorebook(0, scale)
        self._deals: tuple[str, Deals] | None = None
        self._stalls = Stalls()
        self._beacons = 0
        if self._secret is not None and commitment(self._secret) != ledger.opened.commitment:
            wanted = f"one whose SHA-256 is {ledger.opened.commitment}"
            findings.fails(KEYS, None, malformed("secret", self._secret.hex(), wanted))
        seed = ledger.contest.seed
        if seed is not None and commitment(seed.encode()) != ledger.opened.commitment:
            wanted = "the seed that the commitment is of"
            findings.fails(KEYS, 0, malformed("contest.seed", brief(seed), wanted))
        self._check_kept()

    def follow(self, number: int, line: bytes, entry: Entry) -> Due | None:
        """Follow an entry; raise `Difference` if it cannot follow those before it.

        Return what is due after a block, if it ends at a balanced point.
        """
        ledger = self.ledger
        ledger.follow(line, entry)
        due = None
        match entry:
            case BlockPlayed():
                for key, check in (
                    (KEYS, self._check_key),
                    (ATTEMPTS, _check_attempt),
                    (LABEL, self._check_labelled),
                ):
                    self._decide(key, number, check, entry)
                due = self._next_table(number, entry)
                self._stalls.add_block(entry.contestants, entry.attempt)
            case Entered():
                self._enter(entry)
            case Changed():
                if entry.sandbox is not None:
                    self._decide(LABEL, number, self._check_label, entry.sandbox)
                if self._schedule is not None and entry.budget is not None:
                    self._schedule.change(entry.budget.quota)
                self._ending.change(number, entry, ledger)
            case Beacon():
                self._beacons += 1
            case Closed():
                self._check_end(number, entry)
        self._check_kept()
        return due

    def count(self, batch: Batch, rater: SecondRater) -> None:
        """Count blocks whose games were played again."""
        if batch.wrong is not None:
            self.findings.fails(RULES, *batch.wrong)
        for block in batch.blocks:
            self._book.add_block(block.entry)
            rater.add_block(_outcomes(block.entry))
            if block.due is not None:
                self._ending.count(block.due, self._book.ratings)

    def close(self, rater: SecondRater) -> None:
        """Decide on what depends on the whole log."""
        found = self.findings
        if found.failed(FORM):
            return
        self._check_whole()
        ledger = self.ledger
        found.holds(FORM, f"{ledger.tree.size} entries, root {ledger.root}")
        found.holds(RULES, f"{ledger.games} games")
        found.holds(TABLES)
        if self._secret is None:
            found.not_shown(KEYS, "would need the secret, which the entry `close` reveals")
        elif self._beacons:
            says = f"they come from the secret and {self._beacons} beacons: would need their source"
            found.not_shown(KEYS, says)
        found.holds(KEYS)
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
        contest = ledger.contest
        self._ending.enter(entry)
        if self._schedule is None:
            self._schedule = Schedule(contest.name, contest.tables)
            self._schedule.change(ledger.budget.quota)
        self._schedule.enter(ledger.playing)

    def _next_table(self, number: int, entry: BlockPlayed) -> Due | None:
        """Compare the table with the one of the schedule, and return what is due after it."""
        if self._schedule is None:
            missing = malformed("contestants", "nobody has entered", "an entry `enter`")
            self.findings.fails(TABLES, number, missing)
            return None
        pairing = self._schedule.next()
        if tuple(pairing.contestants) != entry.contestants:
            says, wanted = brief(list(entry.contestants)), brief(list(pairing.contestants))
            difference = Difference("contestants", says, wanted, "the schedule has")
            self.findings.fails(TABLES, number, difference)
        return self._ending.next(pairing, self._schedule, self.ledger.budget)

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

    def _check_end(self, number: int, entry: Closed) -> None:
        """Decide on the reason for which a ladder has ended, and on its secret."""
        found = self.findings
        secret = bytes.fromhex(entry.secret)
        if commitment(secret) != self.ledger.opened.commitment:
            wanted = f"one whose SHA-256 is {self.ledger.opened.commitment}"
            found.fails(KEYS, number, malformed("secret", entry.secret, wanted))
        self._ending.close(number)

    def _recount(self, rater: SecondRater) -> None:
        """Count again without what was annulled."""
        self._book = Scorebook(len(self.ledger.contestants), self._book.scale)
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
        found = published(self.ledger, self._book)
        try:
            _compare(said, found)
        except Difference as difference:
            self.findings.fails(STANDINGS, None, difference)
        by = "places and margins" if self._book.scale else "places"
        self.findings.holds(
            STANDINGS,
            f"{counted(len(found.standings), 'contestant')}, {len(found.by_table)} rows by table "
            f"size: ratings, ranks, results, and skills by {by} with their intervals",
        )

    def _check_kept(self) -> None:
        """Compare the log so far with the head that somebody has kept, if it is of its size."""
        kept, ledger = self._kept, self.ledger
        if kept is None or kept.size != ledger.tree.size:
            return
        if kept.root == ledger.root:
            self._agrees = True
        else:
            says = f"the root of {kept.size} entries is {ledger.root}"
            difference = malformed("log", says, f"{kept.root}, as the head has")
            self.findings.fails(WHOLE, None, difference)

    def _check_whole(self) -> None:
        """Decide, at the end of the log, on the head that somebody has kept."""
        kept, size = self._kept, self.ledger.tree.size
        if kept is None:
            return
        if self._agrees and kept.size == size:
            self.findings.holds(WHOLE, f"all {size} entries, by the head that was given")
        elif self._agrees:
            detail = f"up to entry {kept.size - 1}; those after it would need a later head"
            self.findings.holds(WHOLE, detail)
        elif kept.size > size:
            wanted = f"{kept.size} at least, as the head has"
            difference = malformed("log", f"{size} entries", wanted)
            self.findings.fails(WHOLE, None, difference)


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


def _compare(said: Published, found: Published) -> None:
    """Raise `Difference` at the first figure that is not the computed one, to its last digit."""
    for place, here, there in (
        ("ladder", said.ladder, found.ladder),
        ("entries", said.entries, found.entries),
        ("root", said.root, found.root),
        ("games", said.games, found.games),
        ("standings", len(said.standings), len(found.standings)),
        ("by_table", len(said.by_table), len(found.by_table)),
    ):
        if here != there:
            raise Difference(place, brief(here), brief(there), "the log comes to")
    _compare_rows("standings", said.standings, found.standings)
    _compare_rows("by_table", said.by_table, found.by_table)


def _compare_rows(place: str, said: Sequence[Form], found: Sequence[Form]) -> None:
    for at, (row, wanted) in enumerate(zip(said, found, strict=True)):
        for key, says, value in _figures(row, wanted):
            if not _same(says, value):
                where = f"{place}[{at}].{key}"
                raise Difference(where, brief(says), brief(value), "the log comes to")


def _figures(row: Form, wanted: Form) -> Iterator[tuple[str, object, object]]:
    """Yield the figures of a row by name, as they are said and as they should be."""
    for name in wanted.__struct_fields__:
        yield name, getattr(row, name), getattr(wanted, name)


def _same(says: object, found: object) -> bool:
    """Whether a printed figure is the computed one, give or take one in its last digit."""
    if isinstance(found, float):
        return isinstance(says, float) and abs(says - found) < 1.5 * 10**-DIGITS
    return canonical(says) == canonical(found)
