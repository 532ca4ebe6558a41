"""Publish a ladder as a folder of files: what is in it, in which order, and what is made anew."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from time import monotonic

from msgspec import DecodeError, Struct, json, structs

from arena.games.game import Game
from arena.ladder.claims import Claim
from arena.ladder.published import published
from arena.ladder.rating import estimate
from arena.ladder.source import Source, games_in
from arena.pages.ladder_data import GamesPage, GamesRange, Verification
from arena.pages.ladder_pages import ORDERS, LadderPages
from arena.pages.legible import legible
from arena.pages.links import BOTS, GAMES, FileLinks
from arena.pages.replay_page import loading_page
from arena.pages.standings_picture import standings_picture
from arena.publishing._folder import CannotPublish, SiteFolder, site_folder
from arena.publishing._news import news
from arena.publishing._reading import LadderReading, read_ladder
from arena.publishing._replays import DoesNotHold, Report, replay_key, replay_name, replay_pages
from arena.publishing._selection import PlayedGame, Selection
from arena.publishing._tables import Tables, without_evidence
from arena.records.canonical import canonical_bytes
from arena.records.game_record import GameRecord

__all__ = ["CannotPublish", "DoesNotHold", "PublishReport", "Verified", "publish", "read_verified"]

GAMES_A_PAGE = 200
LONGEST_DETAIL = 600
SAVE_EVERY = 2.0
"""Seconds between two saves of the list of files while replays are made."""


class Verified(Struct, frozen=True, forbid_unknown_fields=True):
    """What `arena ladder verify --json` prints."""

    file: str
    holds: bool
    games: int
    head: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class PublishReport:
    """What was done."""

    ladder: str
    games: int
    shows_games: bool
    files: int
    written: int
    bytes_written: int
    removed: int


def read_verified(path: Path) -> Verified:
    """Read what was found by verification; raise `CannotPublish` if this is something else."""
    try:
        found = json.decode(path.read_bytes(), type=Verified)
        size, _, root = found.head.partition(":")
        if size.isdecimal() and root:
            return found
    except OSError as error:
        raise CannotPublish(f"--verified {path}: cannot be read: {error.strerror}") from None
    except DecodeError:
        pass
    raise CannotPublish(
        f"--verified {path}: expected what `arena ladder verify --json` prints, got something else"
    )


def publish(
    source: Source,
    game: Game,
    path: Path,
    workers: int,
    report: Report,
    verified: Verified | None = None,
    home: str = "",
) -> PublishReport:
    """Write the site of a ladder, or what has changed of it.

    With `home`, every page leads to that address.
    Every file is replaced whole, those to which others lead before these. Raise `CannotPublish`
    if the folder or the ladder cannot be used, `DoesNotHold` if a game is not as the rules say.
    """
    _check_apart(source.path, path)
    size = int(verified.head.partition(":")[0]) if verified else 0
    reading = read_ladder(source, game, size)
    verification = _verification(verified, reading) if verified else None
    with site_folder(path, reading.ledger.opened.commitment) as folder:
        site = _Site(reading, folder, verification, home)
        site.write(workers, report)
        return PublishReport(
            ladder=reading.ledger.contest.name,
            games=reading.ledger.games,
            shows_games=reading.ledger.shows_games,
            files=len(site.names),
            written=folder.written,
            bytes_written=folder.bytes_written,
            removed=folder.removed,
        )


def _check_apart(store: Path, path: Path) -> None:
    """Raise `CannotPublish` if a store would lie in what is served, or the site in the store."""
    here, there = path.resolve(), store.resolve()
    if here.is_relative_to(there):
        raise CannotPublish(f"{path}: lies in the ladder's store; name another folder")
    if there.is_relative_to(here):
        raise CannotPublish(
            f"{path}: {store} lies in it, and all in it would be served; name another folder"
        )


def _verification(verified: Verified, reading: LadderReading) -> Verification:
    """Return what was found of this log; raise `CannotPublish` if it is of another."""
    said, _, root = verified.head.partition(":")
    size = int(said)
    if reading.roots.get(size) != root:
        raise CannotPublish(f"--verified: the head {verified.head} is not one of this log")
    return Verification(
        claims=[
            structs.replace(each, detail=legible(each.detail, LONGEST_DETAIL))
            for each in verified.claims
        ],
        games=verified.games,
        size=size,
        root=root,
        holds=verified.holds,
        current=size == reading.ledger.tree.size,
    )


class _Site:
    """All files of a site."""

    def __init__(
        self,
        reading: LadderReading,
        folder: SiteFolder,
        verification: Verification | None,
        home: str,
    ) -> None:
        self._reading = reading
        self._folder = folder
        self._verification = verification
        skills = reading.book.ratings.skills()
        numbers = range(len(reading.contestants))
        played = {each for each in numbers if reading.book.results.total(each).games}
        self._selection = Selection(
            reading.game, {each: estimate(skills, each).value for each in played}
        )
        self._replays: Mapping[int, PlayedGame] = {}
        if reading.ledger.shows_games:
            for record, times in games_in(reading.source):
                counts = record.block not in reading.ledger.annulled
                self._selection.add(without_evidence(PlayedGame(record, times)), counts=counts)
            self._replays = self._selection.with_replays()
        self._tables = Tables(reading, self._selection, self._replays, home)
        self._pages = LadderPages(self._tables.head)
        name = reading.ledger.contest.name
        self._links = FileLinks(name)
        self._within = FileLinks(name, "../")
        self._bots = sorted({each.name for each in reading.contestants})
        self.names = list(self._names())
        """The names of all files."""

    def _names(self) -> Iterator[str]:
        yield from map(replay_name, self._replays)
        if self._reading.ledger.shows_games:
            yield from (name for name, _ in self._game_ranges())
            yield from ("replay.html", f"{GAMES}/index.html", self._links.log())
        yield from (f"{BOTS}/{name}.html" for name in self._bots)
        yield from (self._links.standings(each.key) for each in ORDERS)
        yield from (self._links.pairs(), self._links.tables(), self._links.trust())
        yield from (self._links.feed(), self._links.published(), "standings.svg")

    def _game_ranges(self) -> Iterator[tuple[str, GamesRange]]:
        games = self._reading.ledger.games
        for page in range((games + GAMES_A_PAGE - 1) // GAMES_A_PAGE):
            first = page * GAMES_A_PAGE
            last = min(first + GAMES_A_PAGE, games) - 1
            yield f"{GAMES}/{page}.html", GamesRange(page, first, last)

    def write(self, workers: int, report: Report) -> None:
        """Write all files that are not there as they should be, and remove what is left over."""
        self._folder.expect(self.names)
        if self._reading.ledger.shows_games:
            self._write_replays(workers, report)
            self._put("replay.html", loading_page(self._reading.game, "replays/"))
            self._write_games()
            self._write_log()
        self._write_bots()
        self._write_standings()
        self._folder.finish(self.names)

    def _put(self, name: str, text: str) -> None:
        self._folder.put(name, text.encode())

    def _write_replays(self, workers: int, report: Report) -> None:
        keys = {number: replay_key(played) for number, played in self._replays.items()}
        missing = {
            number: played
            for number, played in self._replays.items()
            if not self._folder.has(replay_name(number), keys[number])
        }
        saved = monotonic()
        pages = replay_pages(missing, self._reading.game, self._within, workers)
        for made, (number, page) in enumerate(pages, 1):
            self._folder.put(replay_name(number), page, keys[number])
            report(made, len(missing))
            if monotonic() - saved > SAVE_EVERY:
                self._folder.save()
                saved = monotonic()

    def _write_games(self) -> None:
        """Write the lists of games: those of older pages change only where replays are removed."""
        ranges = list(self._game_ranges())
        games: list[GameRecord] = []
        at = 0
        for record, _ in games_in(self._reading.source):
            games.append(record)
            if record.number == ranges[at][1].last:
                neighbours = [each for _, each in (*ranges[at + 1 : at + 2], *ranges[:at][-1:])]
                self._put(ranges[at][0], self._games_page(at, games, neighbours))
                games = []
                at += 1
        newest = [each.record for each in self._selection.latest][-GAMES_A_PAGE:]
        every = [each for _, each in reversed(ranges)]
        self._put(f"{GAMES}/index.html", self._games_page(None, newest, every))

    def _games_page(
        self, page: int | None, records: Sequence[GameRecord], ranges: Sequence[GamesRange]
    ) -> str:
        data = GamesPage(
            page=page,
            games=[self._tables.game(each) for each in reversed(records)],
            ranges=ranges,
            names=self._bots if page is None else (),
            sizes=self._reading.ledger.contest.tables,
        )
        return self._pages.games(data, self._within)

    def _write_log(self) -> None:
        ledger = self._reading.ledger
        head = f"{ledger.tree.size}:{ledger.root}"
        lines = (line + b"\n" for line in self._reading.source.lines())
        self._folder.put_lines(self._links.log(), _compressed(lines), head)

    def _write_bots(self) -> None:
        for data in self._tables.bots():
            name = data.version.name
            self._put(f"{BOTS}/{name}.html", self._pages.bot(data, self._within))

    def _write_standings(self) -> None:
        tables, pages, links = self._tables, self._pages, self._links
        verification = self._verification
        self._put(links.pairs(), pages.pairs(tables.pairs(), links))
        self._put(links.tables(), pages.tables(tables.tables(), links))
        self._put(links.trust(), pages.trust(tables.trust(verification), links))
        figures = published(self._reading.ledger, self._reading.book)
        self._folder.put(links.published(), canonical_bytes(figures) + b"\n")
        self._put("standings.svg", standings_picture(tables.overview))
        key, items = news(tables, links, self._folder.text(links.feed()))
        self._put(links.feed(), pages.feed(items, key, self._reading.written, links))
        data = tables.standings(verification)
        for order in reversed(ORDERS):  # the first one is what people open
            self._put(links.standings(order.key), pages.standings(data, order, links))


def _compressed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Compress lines; the same lines give the same bytes."""
    made = BytesIO()
    with gzip.GzipFile("", "wb", 6, made, mtime=0) as packer:
        for line in lines:
            packer.write(line)
            if made.tell() > 1 << 20:
                yield made.getvalue()
                made.seek(0)
                made.truncate()
    yield made.getvalue()
