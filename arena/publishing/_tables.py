"""The data of a ladder's pages, from what was read of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from arena.ladder.history import VersionHistory, history
from arena.ladder.labels import labels
from arena.ladder.overview import Overview, overview
from arena.ladder.standings import (
    PairRow,
    Row,
    SeatRow,
    TableRow,
    standings_against,
    standings_by_seat,
    standings_by_table,
)
from arena.pages.ladder_data import (
    BotPage,
    FaultLine,
    GameLine,
    LadderHead,
    Lead,
    PairsPage,
    Seated,
    StandingsPage,
    Stay,
    TablesPage,
    TellingGame,
    TrustPage,
    Verification,
    Version,
)
from arena.pages.legible import legible
from arena.publishing._reading import LadderReading, Passage
from arena.publishing._selection import OfBot, PlayedGame, Selection
from arena.publishing._terms import terms
from arena.records.game_record import GameRecord

LONGEST_VERSION = 60
LONGEST_REASON = 300
LONGEST_FAULT = 1000
MOST_IN_MATRIX = 50
MOST_OPPONENTS = 50
NEWEST = 10
TELLING_EACH = 2


@dataclass(frozen=True)
class Tables:
    """Makes the data of pages; `replays` are the numbers of the games that have one."""

    reading: LadderReading
    selection: Selection
    replays: Collection[int]
    home: str = ""
    """The address of the ladder's page on its site."""

    @cached_property
    def head(self) -> LadderHead:
        """What stands on every page."""
        ledger = self.reading.ledger
        title = legible(self.reading.game.title, LONGEST_VERSION)
        return LadderHead(ledger.contest.name, title, ledger.shows_games, self.home)

    @cached_property
    def overview(self) -> Overview:
        """The overview, with the standings."""
        return overview(self.reading.ledger, self.reading.book)

    @cached_property
    def versions(self) -> Mapping[str, Version]:
        """All contestants by digest."""
        contestants, playing = self.reading.contestants, set(self.reading.ledger.playing)
        names = labels(contestants, tuple(playing))
        return {
            each.digest: Version(
                name=each.name,
                label=names[each.digest],
                version=legible(each.version, LONGEST_VERSION),
                digest=each.digest,
                active=number in playing,
            )
            for number, each in enumerate(contestants)
        }

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {each.digest: number for number, each in enumerate(self.reading.contestants)}

    @cached_property
    def _by_rank(self) -> Sequence[int]:
        return [self._numbers[row.digest] for row in self.overview.standings]

    @cached_property
    def _by_table(self) -> Sequence[TableRow]:
        rows = standings_by_table(self.reading.book, self.reading.contestants)
        return sorted(rows, key=lambda row: (row.table, -row.skill))

    @cached_property
    def _by_seat(self) -> Sequence[SeatRow]:
        return standings_by_seat(self.reading.book, self.reading.contestants, self._by_rank)

    def game(self, record: GameRecord) -> GameLine:
        """Return a game as lists show it."""
        game, verdicts = record.game, record.verdicts
        seats = [
            Seated(
                seat,
                self.versions[bot.digest],
                game.places[seat],
                game.scores[seat],
                verdicts[seat],
            )
            for seat, bot in enumerate(record.bots)
        ]
        return GameLine(
            number=record.number,
            block=record.block,
            seats=sorted(seats, key=lambda each: each.place),
            annulled=record.block in self.reading.ledger.annulled,
            replay=record.number in self.replays,
        )

    def standings(self, verification: Verification | None) -> StandingsPage:
        """Return the data of the standings."""
        newest = list(self.selection.latest)[-NEWEST:] if self.head.shows_games else []
        return StandingsPage(
            overview=self.overview,
            versions=self.versions,
            written=self.reading.written,
            lead=self._lead(),
            newest=[self.game(each.record) for each in reversed(newest)],
            telling=list(self._telling()) if self.head.shows_games else (),
            trust=self._trust(verification),
        )

    def _lead(self) -> Lead | None:
        active = [row for row in self.overview.standings if row.active]
        if not self.reading.book.games or len(active) < 2:
            return None
        first, second = (self._numbers[row.digest] for row in active[:2])
        book, contestants = self.reading.book, self.reading.contestants
        (gap,) = standings_against(book, contestants, [second], first)
        return Lead(self.versions[active[0].digest], self.versions[active[1].digest], gap)

    def _telling(self) -> Iterator[TellingGame]:
        chosen = self.selection
        for each in chosen.closest.games[:TELLING_EACH]:
            spread = max(each.record.game.scores) - min(each.record.game.scores)
            how = f"all within {spread} points" if spread else "all have the same points"
            yield TellingGame(f"A close one: {how}", self.game(each.record))
        for each in chosen.clearest.games[:TELLING_EACH]:
            scores = sorted(each.record.game.scores, reverse=not self.reading.game.low_wins)
            gap = abs(scores[0] - scores[1])
            yield TellingGame(f"A clear one: won by {gap} points", self.game(each.record))
        for each in chosen.upsets.games[:TELLING_EACH]:
            winner = each.record.bots[each.record.game.places.index(1)].name
            yield TellingGame(f"Against the odds: {winner} wins", self.game(each.record))

    def _trust(self, verification: Verification | None) -> str:
        if verification is None:
            if self.head.shows_games:
                return "anybody can download the log and verify it."
            return "the log is published when the ladder is closed; keep its head."
        if not verification.holds:
            return "the log does not hold, as the host itself says."
        upto = "" if verification.current else f", up to entry {verification.size - 1}"
        return f"the host has verified the log{upto}, and anybody can do so again."

    def pairs(self) -> PairsPage:
        """Return the data of the matrix."""
        rows = self.overview.standings[:MOST_IN_MATRIX]
        order = self._by_rank[:MOST_IN_MATRIX]
        book, contestants = self.reading.book, self.reading.contestants
        cells = {
            (each.digest, each.against_digest): each
            for one in order
            for each in standings_against(book, contestants, order, one)
            if each.meetings
        }
        shown = [self.versions[row.digest] for row in rows]
        return PairsPage(shown, cells, len(self.overview.standings) - len(rows))

    def tables(self) -> TablesPage:
        """Return the data of the results by table and seat."""
        return TablesPage(self.versions, self._by_table, self._by_seat)

    @cached_property
    def _histories(self) -> Mapping[str, Sequence[VersionHistory]]:
        reading = self.reading
        names = {each.name for each in reading.contestants}
        found: dict[str, list[VersionHistory]] = {}
        for each in history(reading.book, reading.contestants, reading.ledger.playing, names):
            shown = VersionHistory(
                bot=each.bot,
                version=legible(each.version, LONGEST_VERSION),
                digest=each.digest,
                active=each.active,
                points=each.points,
            )
            found.setdefault(each.bot, []).append(shown)
        return found

    def bots(self) -> Iterator[BotPage]:
        """Yield the data of every bot's page."""
        rows = {row.digest: row for row in self.overview.standings}
        names: dict[str, list[int]] = {}
        for number, each in enumerate(self.reading.contestants):
            names.setdefault(each.name, []).append(number)
        playing = set(self.reading.ledger.playing)
        for name, numbers in names.items():
            main = next((each for each in numbers if each in playing), numbers[-1])
            yield self._bot(name, main, numbers, rows)

    def _bot(
        self, name: str, main: int, numbers: Sequence[int], rows: Mapping[str, Row]
    ) -> BotPage:
        digest = self.reading.contestants[main].digest
        chosen = self.selection.of_bots.get(name, OfBot())
        opponents, more = self._opponents(main)
        shows = self.head.shows_games
        return BotPage(
            version=self.versions[digest],
            row=rows[digest],
            contestants=len(rows),
            by_table=[row for row in self._by_table if row.digest == digest],
            by_seat=[row for row in self._by_seat if row.digest == digest],
            opponents=opponents,
            more_opponents=more,
            versions=self.versions,
            stays=[self._stay(number, rows) for number in reversed(numbers)],
            history=self._histories.get(name, ()),
            faults=list(self._faults(name, chosen)) if shows else (),
            best=[self.game(each.record) for each in chosen.best.games] if shows else (),
            worst=[self.game(each.record) for each in chosen.worst.games] if shows else (),
        )

    def _opponents(self, main: int) -> tuple[Sequence[PairRow], int]:
        """Return those next to a contestant by rank, and how many others there are."""
        order = self._by_rank
        at = order.index(main)
        first = max(0, min(at - MOST_OPPONENTS // 2, len(order) - MOST_OPPONENTS - 1))
        near = order[first : first + MOST_OPPONENTS + 1]
        book, contestants = self.reading.book, self.reading.contestants
        return standings_against(book, contestants, near, main), len(order) - len(near)

    def _faults(self, name: str, chosen: OfBot) -> Iterator[FaultLine]:
        for played in reversed(chosen.faulted):
            for fault in played.record.faults:
                bot = played.record.bots[fault.seat]
                if bot.name == name:
                    yield FaultLine(
                        game=self.game(played.record),
                        seat=fault.seat,
                        version=self.versions[bot.digest].version,
                        decision=fault.decision,
                        verdict=fault.verdict,
                        text=legible(fault.text, LONGEST_FAULT),
                    )

    def _stay(self, number: int, rows: Mapping[str, Row]) -> Stay:
        """Return when a contestant entered, and when it left for the last time."""
        digest = self.reading.contestants[number].digest
        of = self._passages[number]
        leaves = None if self.versions[digest].active else of[-1]
        return Stay(
            version=self.versions[digest],
            row=rows[digest],
            entered=of[0].block,
            left=leaves.block if leaves else None,
            reason=legible(leaves.reason, LONGEST_REASON) if leaves else "",
        )

    @cached_property
    def _passages(self) -> Mapping[int, Sequence[Passage]]:
        found: dict[int, list[Passage]] = {}
        for each in self.reading.passages:
            found.setdefault(each.contestant, []).append(each)
        return found

    def trust(self, verification: Verification | None) -> TrustPage:
        """Return the data of the page on terms and trust."""
        ledger = self.reading.ledger
        return TrustPage(
            contest=ledger.contest,
            overview=self.overview,
            terms=terms(self.reading.game, ledger),
            log_bytes=self.reading.log_bytes if self.head.shows_games else 0,
            secret=ledger.closed.secret if ledger.closed else "",
            verification=verification,
        )


def without_evidence(played: PlayedGame) -> PlayedGame:
    """Return a game without what is kept of its faults for the bots' authors alone."""
    if played.times is None or not played.times.evidence:
        return played
    times = played.times
    kept = type(times)(paces=times.paces, micros=times.micros, waits=times.waits)
    return PlayedGame(played.record, kept)
