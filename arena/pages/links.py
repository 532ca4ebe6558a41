"""Where pages of a ladder lead: a server has its own addresses, a folder of files has these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Links(Protocol):
    """The addresses of a ladder's pages, as seen from one page."""

    def standings(self, order: str = "rank") -> str:
        """The standings in an order."""

    def pairs(self) -> str:
        """Who beats whom."""

    def tables(self) -> str:
        """The results by table size and seat."""

    def bot(self, name: str) -> str:
        """A bot with all its versions."""

    def games(self) -> str:
        """The newest games."""

    def games_of(self, name: str) -> str:
        """The games of a bot."""

    def games_page(self, number: int) -> str:
        """A page of older games."""

    def replay(self, game: int, decision: int | None = None) -> str:
        """A game, and a decision in it."""

    def trust(self) -> str:
        """The terms, and what verification says."""

    def log(self) -> str:
        """The log as a file."""

    def published(self) -> str:
        """The standings as a file."""

    def feed(self) -> str:
        """The feed of news."""


REPLAYS, GAMES, BOTS = "replays", "games", "bots"
"""The folders of a site."""


@dataclass(frozen=True)
class FileLinks:
    """The addresses within a folder of files, wherever it is put."""

    ladder: str
    """The name of the ladder."""
    up: str = ""
    """What leads from the page to the folder: `../` from a page within another one."""

    def standings(self, order: str = "rank") -> str:
        return f"{self.up}index.html" if order == "rank" else f"{self.up}by-{order}.html"

    def pairs(self) -> str:
        return f"{self.up}pairs.html"

    def tables(self) -> str:
        return f"{self.up}tables.html"

    def bot(self, name: str) -> str:
        return f"{self.up}{BOTS}/{name}.html"

    def games(self) -> str:
        return f"{self.up}{GAMES}/index.html"

    def games_of(self, name: str) -> str:
        return f"{self.games()}#bot={name}"

    def games_page(self, number: int) -> str:
        return f"{self.up}{GAMES}/{number}.html"

    def replay(self, game: int, decision: int | None = None) -> str:
        at = "" if decision is None else f"#decision={decision}"
        return f"{self.up}replay.html?game={game}{at}"

    def trust(self) -> str:
        return f"{self.up}trust.html"

    def log(self) -> str:
        return f"{self.up}{self.ladder}.jsonl.gz"

    def published(self) -> str:
        return f"{self.up}{self.ladder}.standings.json"

    def feed(self) -> str:
        return f"{self.up}feed.xml"
