"""Verification of a ladder: everything is computed again from its records, on all cores.

For each game, these are checked in this order: the form of the record, the terms, the deal
(if the secret is known), every move and the scores under the rules, the hash, and the place
in the chain and in the schedule. At the end follow the ratings and the standings. The first
mistake is raised as a `Difference`.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import isclose
from multiprocessing import get_context
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import Any

from arena.games.game import Game
from arena.ladder._export_schema import check_timings
from arena.ladder.ladder import published
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.scorebook import CACHE, LoggedGame, Scorebook
from arena.ladder.source import Head, Source, StoreSource, Tail
from arena.ladder.standings import standings
from arena.records.chain import Chain, check_hash
from arena.records.difference import Difference, malformed
from arena.records.record import Record
from arena.records.record_schema import read_record
from arena.referee.deals import Deals
from arena.referee.verification import check_record
from arena.sandbox.sandbox import AUTO, NONE
from arena.wording import brief

CHUNK = 20
"""Games that a process checks at a time."""
AHEAD = 4
"""Chunks for each process that are read ahead."""
TOLERANCE = 1e-4
"""How far published figures may differ from those computed here, on another machine."""
KEYS_AFTER_REPLAY = ("number", "previous", "hash", "deal", "bots", "places", "scores", "verdicts")
"""The keys of a record that are still needed once it is replayed."""

Report = Callable[[int], None]


@dataclass(frozen=True)
class Verified:
    """The result of a verification without mistakes."""

    games: int
    last_hash: str
    dealt: bool
    """Whether the deals were checked against the secret, too."""
    repeated: int
    """How many blocks were played again because the host had stalled."""


def verify_ladder(
    source: Source, games: Mapping[str, Game], workers: int, report: Report
) -> Verified:
    """Check everything; raise `Difference` at the first mistake.

    Raise `BrokenProcessPool` if a checking process is killed from outside.
    """
    head = source.head
    _check_head(head, games)
    chain = Chain(head.ladder.hash)
    log = _Log(head, source)
    with _processes(workers, head, games) as pool:
        for record, timings in _checked(pool, source, workers):
            log.add(record, timings, chain)
            report(record["number"] + 1)
    log.close(source.tail, chain.last)
    return Verified(log.games, chain.last, head.secret is not None, log.repeated)


@contextmanager
def _processes(
    workers: int, head: Head, games: Mapping[str, Game]
) -> Iterator[ProcessPoolExecutor]:
    """Start the processes that check, and end them on exit.

    They ignore Ctrl-C; this process handles it and ends them. Here it is blocked while they are
    started and ended, since an interrupt half-way ends in a traceback.
    """
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        context = get_context("fork")
        pool = ProcessPoolExecutor(workers, context, initializer=_prepare, initargs=(head, games))
        try:
            pool.submit(int)  # starts all of them, and they inherit the blocked signal
            pthread_sigmask(SIG_SETMASK, before)
            yield pool
        finally:
            pthread_sigmask(SIG_BLOCK, {SIGINT})
            pool.shutdown(cancel_futures=True)
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _check_head(head: Head, games: Mapping[str, Game]) -> None:
    ladder = head.ladder
    if ladder.game not in games:
        raise Difference("terms.game", brief(ladder.game), ", ".join(games), "the games here are")
    players = games[ladder.game].players
    if not set(ladder.tables) <= set(players):
        says, wanted = brief(ladder.tables), ", ".join(map(str, sorted(players)))
        raise Difference("terms.tables", says, wanted, f"{ladder.game} takes players in numbers of")
    if head.secret is not None and published(head.secret) != head.secret_sha256:
        raise Difference(
            "secret", head.secret.hex(), f"one with the SHA-256 {head.secret_sha256}", "expected"
        )
    if head.ladder.seed is not None and published(head.ladder.seed.encode()) != head.secret_sha256:
        raise Difference("terms.seed", head.ladder.seed, "that of the secret", "expected")
    if head.closed and head.secret is None:
        raise Difference("secret", "nothing", "the secret, as the ladder is closed", "expected")


class _Log:
    """Compares the games with the schedule, and computes ratings and results from them."""

    def __init__(self, head: Head, source: Source) -> None:
        self._head = head
        self._source = source
        self._schedule = Schedule(head.ladder.name, head.ladder.tables, head.entries)
        self._book = Scorebook(head.contestants)
        self._block: list[LoggedGame] = []
        self._pairing: Pairing | None = None
        self._kept = source.store.kept(CACHE) if isinstance(source, StoreSource) else None
        self._attempt = 0
        self.games = 0
        self.repeated = 0
        """How many blocks were played again, on another deal, because the host had stalled."""

    def add(self, record: Record, timings: Mapping[str, Any], chain: Chain) -> None:
        """Check and count the next game."""
        try:
            chain.link(record)
            if not self._head.entries:
                raise Difference("entries", "nobody", "those who play", "expected")
            if not self._block:
                self._pairing = self._schedule.next()
                self._attempt = record["deal"]["attempt"]
            self._check_place(record)
        except Difference as difference:
            difference.number = record["number"]
            raise
        self._block.append((record, timings))
        self.games += 1
        assert self._pairing is not None
        if len(self._block) == self._pairing.games:
            self._book.add_block(self._block)
            self._block = []
            self.repeated += self._attempt > 0
            self._check_kept()

    def close(self, tail: Tail | None, last_hash: str) -> None:
        """Check the end of the ladder, after its last game."""
        if self._block:
            assert self._pairing is not None
            raise Difference(
                "games",
                f"{len(self._block)} games of block {self._pairing.block}",
                f"{self._pairing.games}; games were removed at the end",
                "the schedule has",
            )
        entries = self._head.entries
        if entries and entries[-1].block > self._schedule.blocks:
            raise Difference(
                f"entries[{len(entries) - 1}].block",
                str(entries[-1].block),
                f"{self._schedule.blocks} blocks",
                "the ladder has",
            )
        if isinstance(self._source, StoreSource):
            self._check_kept()
            if self._kept is not None:
                raise Difference(
                    "cache.games", brief(self._kept[0]), "the end of a block", "expected"
                )
            return
        if tail is None:
            raise Difference("standings", "no such line", "the last line of an export", "expected")
        for key, published_, found in (
            ("games", tail.games, self.games),
            ("last_hash", tail.last_hash, last_hash),
        ):
            if published_ != found:
                raise Difference(key, brief(published_), f"{brief(found)}", "the games come to")
        active = entries[-1].contestants if entries else ()
        rows = standings(self._book, self._head.contestants, active, self._head.ladder.anchor)
        _compare(tail.standings, [row.as_map(timed=False) for row in rows], "standings")

    def _check_place(self, record: Record) -> None:
        """Raise `Difference` unless the schedule has this game here, with these bots."""
        pairing = self._pairing
        assert pairing is not None
        rotation = len(self._block)
        seating = [self._head.contestants[number] for number in pairing.seating(rotation)]
        for place, says, wanted in (
            ("number", record["number"], self.games),
            ("deal.block", record["deal"]["block"], pairing.block),
            ("deal.rotation", record["deal"]["rotation"], rotation),
            ("deal.attempt", record["deal"]["attempt"], self._attempt),
            (
                "bots",
                [bot["name"] for bot in record["bots"]],
                [contestant.name for contestant in seating],
            ),
            ("bots", record["bots"], [contestant.as_map() for contestant in seating]),
        ):
            if says != wanted:
                text = f"{brief(wanted, 200)} in game {self.games}"
                raise Difference(place, brief(says, 200), text, "the schedule has")

    def _check_kept(self) -> None:
        """Raise `Difference` if the scorebook saved at this point is not that of the games."""
        if self._kept is not None and self._kept[0] == self.games:
            found = json.loads(json.dumps(self._book.state()))
            _compare(self._kept[1], found, "cache")
            self._kept = None


def _compare(says: Any, found: Any, place: str) -> None:
    """Raise `Difference` at the first value that is not the computed one."""
    if isinstance(found, dict) and isinstance(says, dict):
        for key in found.keys() | says.keys():
            where = f"{place}.{key}"
            if key not in says or key not in found:
                wanted = brief(found[key]) if key in found else "no such key"
                got = brief(says[key]) if key in says else "no such key"
                raise Difference(where, got, wanted, "the games come to")
        for key, value in found.items():
            _compare(says[key], value, f"{place}.{key}")
    elif isinstance(found, list) and isinstance(says, list) and len(found) == len(says):
        for at, value in enumerate(found):
            _compare(says[at], value, f"{place}[{at}]")
    elif not _same(says, found):
        raise Difference(place, brief(says), brief(found), "the games come to")


def _same(says: Any, found: Any) -> bool:
    if isinstance(found, float) and type(says) in (int, float):
        return isclose(says, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(says) is type(found) and bool(says == found)


# In the checking processes

_head_and_games: tuple[Head, Mapping[str, Game]]


def _prepare(head: Head, games: Mapping[str, Game]) -> None:
    global _head_and_games  # noqa: PLW0603 - an initializer can pass data to its process in no other way
    _head_and_games = (head, games)


def _checked(
    pool: ProcessPoolExecutor, source: Source, workers: int
) -> Iterator[tuple[Record, Mapping[str, Any]]]:
    """Yield the games in order, each checked by itself."""
    chunks = _chunks(source.games())
    waiting: deque[Future[_Chunk]] = deque(
        pool.submit(_check_chunk, chunk) for chunk in islice(chunks, AHEAD * workers)
    )
    while waiting:
        done = waiting.popleft().result()
        yield from done.games
        if done.difference is not None:
            raise done.difference.restored()
        waiting.extend(pool.submit(_check_chunk, chunk) for chunk in islice(chunks, 1))


def _chunks(games: Iterable[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    rest = iter(games)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


@dataclass(frozen=True)
class _Found:
    """A `Difference` in a form that can be sent between processes."""

    arguments: tuple[str, ...]
    number: int | None
    decision: int | None

    def restored(self) -> Difference:
        difference = Difference(*self.arguments)
        difference.number = self.number
        difference.decision = self.decision
        return difference


@dataclass(frozen=True)
class _Chunk:
    """The games of a chunk that are right, up to the first difference."""

    games: list[tuple[Record, Mapping[str, Any]]]
    difference: _Found | None


def _check_chunk(chunk: list[tuple[bytes, bytes]]) -> _Chunk:
    games: list[tuple[Record, Mapping[str, Any]]] = []
    for line, timings in chunk:
        record = None
        try:
            record = read_record(line)
            times = _read_timings(timings, len(record["bots"])) if timings else {}
            _check_game(record)
        except Difference as difference:
            by = (difference.place, difference.says, difference.wanted, difference.by)
            number = None if record is None else record["number"]
            return _Chunk(games, _Found(by, number, difference.decision))
        kept = {key: record[key] for key in KEYS_AFTER_REPLAY}
        games.append((kept, times))
    return _Chunk(games, None)


def _read_timings(data: bytes, seats: int) -> Mapping[str, Any]:
    """Parse the timings beside a record, and check those that are counted."""
    try:
        timings: dict[str, Any] = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise malformed("timings", brief(data), f"JSON ({error})") from None
    check_timings(timings, seats)
    return timings


def _check_game(record: Record) -> None:
    """Raise `Difference` unless a game is right by itself."""
    head, games = _head_and_games
    ladder = head.ladder
    for place, says, wanted in (
        ("game", record["game"], ladder.game),
        ("version", record["version"], ladder.version),
        ("rules", record["rules"], ladder.rules),
        ("time", record["time"], ladder.control.as_map()),
        ("deal.ladder", record["deal"]["ladder"], ladder.name),
        ("deal.secret_sha256", record["deal"]["secret_sha256"], head.secret_sha256),
    ):
        if says != wanted:
            raise Difference(place, brief(says), brief(wanted), "the ladder's terms have")
    _check_sandbox(record["sandbox"], ladder.sandbox)
    stream = None
    if head.secret is not None:
        deal = record["deal"]
        deals = Deals(head.secret, ladder.name)
        stream = deals.deal(deal["block"], deal["rotation"], deal["attempt"]).stream
    check_record(record, games, stream)
    check_hash(record)


def _check_sandbox(label: str, terms: str) -> None:
    """Raise `Difference` unless a game was played in a sandbox that the terms allow."""
    kind = label.partition(" ")[0]
    if kind != terms and (terms != AUTO or kind == NONE):
        wanted = f"{AUTO}, which is never {NONE}" if terms == AUTO else brief(terms)
        raise Difference("sandbox", brief(label), wanted, "the ladder's terms have")
