"""What the pages of a ladder show, as typed data: whoever makes pages fills these in.

All texts of bots and hosts are legible here already. Nothing here says where pages lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from arena.ladder.claims import Claim
from arena.ladder.history import VersionHistory
from arena.ladder.overview import Overview
from arena.ladder.standings import PairRow, Row, SeatRow, TableRow
from arena.records.entries import Contest


@dataclass(frozen=True)
class LadderHead:
    """What stands on every page of a ladder."""

    name: str
    game: str
    """The title of the game."""
    shows_games: bool
    """Whether its games may be published."""
    home: str = ""
    """The address of its page on the site where it is played, if there is one."""


@dataclass(frozen=True)
class Version:
    """A contestant: one version of a bot."""

    name: str
    label: str
    """What it is called where others of its name are shown, too."""
    version: str
    digest: str
    active: bool


@dataclass(frozen=True)
class Seated:
    """One seat of a game."""

    seat: int
    bot: Version
    place: int
    score: int
    verdict: str


@dataclass(frozen=True)
class GameLine:
    """A game in a list."""

    number: int
    block: int
    seats: Sequence[Seated]
    """By place."""
    annulled: bool
    replay: bool
    """Whether there is a page of it."""

    @property
    def faulty(self) -> bool:
        """Whether somebody did not finish it."""
        return any(each.verdict != "finished" for each in self.seats)


@dataclass(frozen=True)
class TellingGame:
    """A game that is worth a look, and why."""

    why: str
    game: GameLine


@dataclass(frozen=True)
class Lead:
    """Who leads, and whom."""

    first: Version
    second: Version
    gap: PairRow


@dataclass(frozen=True)
class StandingsPage:
    """The standings, and what is new."""

    overview: Overview
    versions: Mapping[str, Version]
    """By digest."""
    written: datetime
    """When the log was last written to."""
    lead: Lead | None
    """None while nobody has played."""
    newest: Sequence[GameLine]
    telling: Sequence[TellingGame]
    trust: str
    """What verification says, in a line."""


@dataclass(frozen=True)
class PairsPage:
    """Who beats whom: of those who are shown, by rank."""

    rows: Sequence[Version]
    cells: Mapping[tuple[str, str], PairRow]
    """By the digests of both."""
    others: int
    """How many are not shown, as they are too many."""


@dataclass(frozen=True)
class TablesPage:
    """The results at each table size, and there in each seat."""

    versions: Mapping[str, Version]
    by_table: Sequence[TableRow]
    by_seat: Sequence[SeatRow]


@dataclass(frozen=True)
class FaultLine:
    """A fault in a game."""

    game: GameLine
    seat: int
    version: str
    decision: int
    verdict: str
    text: str


@dataclass(frozen=True)
class Stay:
    """When a version entered and left, in blocks of the ladder, and why."""

    version: Version
    row: Row
    entered: int
    left: int | None
    reason: str


@dataclass(frozen=True)
class BotPage:
    """A bot with all its versions; rows are of the one that plays, or that played last."""

    version: Version
    row: Row
    contestants: int
    by_table: Sequence[TableRow]
    by_seat: Sequence[SeatRow]
    opponents: Sequence[PairRow]
    more_opponents: int
    """How many are not shown, as they are too many."""
    versions: Mapping[str, Version]
    stays: Sequence[Stay]
    history: Sequence[VersionHistory]
    faults: Sequence[FaultLine]
    """The last ones; none while games are not published."""
    best: Sequence[GameLine]
    worst: Sequence[GameLine]


@dataclass(frozen=True)
class GamesRange:
    """A page of games, by its number and by those of its first and last game."""

    page: int
    first: int
    last: int


@dataclass(frozen=True)
class GamesPage:
    """A list of games, the newest first."""

    page: int | None
    """None for the newest ones."""
    games: Sequence[GameLine]
    ranges: Sequence[GamesRange]
    """Of all pages, the newest first, for the page of the newest; of the neighbours for others."""
    names: Sequence[str]
    """Of all bots that ever took part; for the page of the newest."""
    sizes: Sequence[int]


@dataclass(frozen=True)
class Verification:
    """What `arena ladder verify` has found of the log, up to a head."""

    claims: Sequence[Claim]
    games: int
    size: int
    """Entries of the log."""
    root: str
    holds: bool
    current: bool
    """Whether it is the head that is published with it."""


@dataclass(frozen=True)
class TrustPage:
    """The terms of a ladder, what is published of its log, and what verification says."""

    contest: Contest
    overview: Overview
    terms: Sequence[tuple[str, str]]
    log_bytes: int
    """The size of the log; 0 if it is not published yet."""
    secret: str
    """Empty while it is kept."""
    verification: Verification | None


@dataclass(frozen=True)
class News:
    """An entry of the feed."""

    key: str
    """A name that it keeps."""
    title: str
    text: str
    link: str
    written: datetime
