"""The ladders of a site: definitions in its folder, and how each stands by its store."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from arena.discovery import Plugins
from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.definition import Definition, read_definition
from arena.ladder.overview import Overview, overview
from arena.ladder.scorebook import scorebook
from arena.ladder.status import run_that_is_on
from arena.ladder.store import Store
from arena.ladder.store_files import LOG, is_store
from arena.names import check_name
from arena.programs.contestant import contestant_of
from arena.programs.finding import BotFinder
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.vault import Vault
from arena.records.entries import Contest, Contestant
from arena.sandbox.sandbox import NONE
from arena.site.folder import SiteFolder
from arena.site.rules.people import NotNow, NotThere, NotUnderstood

SUFFIX: Final = ".toml"
FRESH: Final = 1.0
"""Seconds for which standings are shown as they were computed."""
SHARE: Final = 5
"""They are computed for at most one second in so many, however many look on."""
LONGEST: Final = 64 << 10
"""Bytes of a definition that comes by the browser."""


class LadderRefused(NotUnderstood):
    """A definition that the site does not take; the text has a line for each mistake."""


@dataclass(frozen=True)
class Ladder:
    """A ladder of the site."""

    name: str
    path: Path
    """The file with its definition."""
    store: Path
    contest: Contest
    game: str
    """The title of its game."""
    host_bots: tuple[str, ...]
    """The names of the bots in its definition."""

    @property
    def begun(self) -> bool:
        """Whether its store is there."""
        return is_store(self.store)

    @property
    def takes_strangers(self) -> bool:
        """Whether it locks up what plays on it."""
        return self.contest.sandbox != NONE

    def open_for_entries(self) -> bool:
        """Whether bots can still enter, as far as the log says."""
        if not self.begun:
            return True
        with Store.open(self.store) as store:
            return store.ledger.can_enter and store.ledger.closed is None

    def is_over(self) -> bool:
        """Return whether it is closed, and no run is on that could answer a wish."""
        if not self.begun or run_that_is_on(self.store) is not None:
            return False
        with Store.open(self.store) as store:
            return store.ledger.closed is not None

    def names(self) -> frozenset[str]:
        """Return the names of all that have ever played on it."""
        found = set(self.host_bots)
        if self.begun:
            with Store.open(self.store) as store:
                found.update(each.name for each in store.ledger.contestants)
        return frozenset(found)

    def playing(self) -> list[Contestant]:
        """Return the contestants that play on it now; none before it has begun."""
        if not self.begun:
            return []
        with Store.open(self.store) as store:
            ledger = store.ledger
            return [ledger.contestants[number] for number in ledger.playing]


@dataclass(frozen=True)
class BrokenLadder:
    """A definition that cannot be read, as its host should know."""

    name: str
    reason: str


@dataclass(frozen=True)
class LogState:
    """What a ladder's log had when somebody last looked."""

    contestants: tuple[Contestant, ...]
    shows_games: bool
    """Whether its games, and with them its log, may be published by now."""
    games: int
    entries: int
    root: str
    """What stands for all of these entries."""
    end: int
    """Where the last of them ends in the file of the log."""
    paused: bool
    closed: bool
    commitment: str
    """What its first entry commits to, which no other log has."""
    contest: Contest
    annulled: frozenset[int]
    """The numbers of the blocks that do not count."""


@dataclass
class _Shown:
    """How a ladder stood when somebody last looked; whoever comes meanwhile sees the same."""

    overview: Overview | None = None
    log: LogState | None = None
    mark: tuple[int, int] = (0, 0)
    until: float = 0.0
    busy: Lock = field(default_factory=Lock)


class Ladders:
    """All ladders in a site's folder."""

    def __init__(self, folder: SiteFolder, plugins: Plugins) -> None:
        self._folder = folder
        self._plugins = plugins
        self._lock = Lock()
        self._read: dict[str, tuple[tuple[int, int], Ladder | BrokenLadder]] = {}
        self._shown: dict[str, _Shown] = {}
        self._bundled: dict[str, list[Contestant]] = {}

    @property
    def games(self) -> Mapping[str, Game]:
        """The games that can be played."""
        return self._plugins.games

    def bundled(self, game: str) -> list[Contestant]:
        """Return the bots for a game that plugins bring."""
        found = self._bundled.get(game)
        if found is None:
            bots = [
                bot for bot in self._plugins.bots.values() if not bot.games or game in bot.games
            ]
            found = self._bundled[game] = [contestant_of(bot) for bot in bots]
        return found

    def all(self) -> list[Ladder]:
        """Return all ladders that can be played, by name."""
        return [each for each in self._look() if isinstance(each, Ladder)]

    def broken(self) -> list[BrokenLadder]:
        """Return the definitions that cannot be read."""
        return [each for each in self._look() if isinstance(each, BrokenLadder)]

    def get(self, name: str) -> Ladder:
        """Return the ladder of this name; raise `NotThere` if there is none."""
        found = self.all()
        for each in found:
            if each.name == name:
                return each
        names = ", ".join(each.name for each in found[:10])
        there = f"; there is {names}" if names else ""
        raise NotThere(f"there is no ladder {name!r} here{there}")

    def overview(self, ladder: Ladder) -> Overview | None:
        """Return how a ladder stands; None if it has not begun."""
        return self._look_at(ladder).overview if ladder.begun else None

    def log(self, ladder: Ladder) -> LogState | None:
        """Return what the log of a ladder has; None if it has not begun."""
        return self._look_at(ladder).log if ladder.begun else None

    def _look_at(self, ladder: Ladder) -> _Shown:
        """Return how a ladder stands, or stood a short time ago."""
        with self._lock:
            shown = self._shown.setdefault(ladder.name, _Shown())
        kept = shown.overview is not None
        if kept and time.monotonic() < shown.until:
            return shown
        if not shown.busy.acquire(blocking=not kept):
            return shown  # somebody computes them now
        try:
            began, mark = time.monotonic(), _mark(ladder.store / LOG)
            if shown.overview is None or mark != shown.mark:
                with Store.open(ladder.store) as store:
                    shown.log = _log_state(store)
                    shown.overview = overview(store.ledger, scorebook(store))
                shown.mark = mark
            took = time.monotonic() - began
            shown.until = time.monotonic() + max(FRESH, took * SHARE)
            return shown
        finally:
            shown.busy.release()

    def make(self, name: str, text: str) -> Ladder:
        """Make a ladder from its definition, as it comes from a browser.

        Its contestants can only be bots that plugins bring, and it has a sandbox: whoever takes
        over a host's session should not thereby run programs. Raise `Refused` otherwise.
        """
        try:
            check_name("name", name)
        except ValueError as error:
            raise LadderRefused(str(error)) from None
        if len(text.encode("utf-8", "replace")) > LONGEST:
            raise LadderRefused(f"a definition may have {LONGEST:,} bytes")
        path = self._folder.ladders / f"{name}{SUFFIX}"
        if path.exists() or path.with_suffix(".ladder").exists():
            raise NotNow(f"there is a ladder {name!r} already; choose another name")
        made = path.with_suffix(".part")
        made.write_text(text, encoding="utf-8", errors="replace")
        try:
            definition = self._definition(made, registered=self._plugins.bots)
            if definition.contest.name != name and 'name = "' in text:
                raise LadderRefused(
                    f"name: expected {name!r}, as the ladder is called here, got "
                    f"{definition.contest.name!r}"
                )
            if definition.contest.sandbox == NONE:
                raise LadderRefused('sandbox: expected "auto", as strangers\' bots are to play')
            definition.check_anchor()
            made.rename(path)
        except (ArenaError, OSError) as error:
            made.unlink(missing_ok=True)
            if isinstance(error, NotUnderstood | OSError):
                raise
            raise LadderRefused(str(error).replace(f"{made}: ", "")) from None
        return self.get(name)

    def _look(self) -> list[Ladder | BrokenLadder]:
        found = []
        for path in sorted(self._folder.ladders.glob(f"*{SUFFIX}")):
            mark = _mark(path)
            kept = self._read.get(path.stem)
            if kept is None or kept[0] != mark:
                kept = mark, self._ladder(path)
                self._read[path.stem] = kept
            found.append(kept[1])
        return found

    def _ladder(self, path: Path) -> Ladder | BrokenLadder:
        try:
            definition = self._definition(path)
        except ArenaError as error:
            return BrokenLadder(path.stem, str(error))
        return Ladder(
            name=path.stem,
            path=path,
            store=path.with_suffix(".ladder"),
            contest=definition.contest,
            game=self.games[definition.contest.game].title,
            host_bots=tuple(each.name for each in definition.contestants),
        )

    def _definition(
        self, path: Path, registered: Mapping[str, BotSpec] | None = None
    ) -> Definition:
        finder = BotFinder(self._plugins.bots, _unheard, Vault(self._folder.vault))

        def find(text: str, here: Path) -> BotSpec:
            if registered is not None and text not in registered:
                raise UnusableBot(
                    f"{text!r}: expected a bot that is installed here, one of "
                    f"{', '.join(_names(registered))}; others are handed in"
                )
            return finder.find(text, here, to_run=False)

        return read_definition(path, self.games, self._plugins.sandboxes, find)


def _log_state(store: Store) -> LogState:
    ledger = store.ledger
    return LogState(
        contestants=tuple(ledger.contestants),
        shows_games=ledger.shows_games,
        games=ledger.games,
        entries=ledger.tree.size,
        root=ledger.root,
        end=store.mark.end,
        paused=ledger.paused,
        closed=ledger.closed is not None,
        commitment=ledger.opened.commitment,
        contest=ledger.contest,
        annulled=frozenset(ledger.annulled),
    )


def _names(bots: Mapping[str, BotSpec]) -> Collection[str]:
    return sorted(bots)


def _unheard(_: str) -> None:
    """Pass over warnings about bots, which the commands give."""


def _mark(path: Path) -> tuple[int, int]:
    """Return what changes when a file does."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size
