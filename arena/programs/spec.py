"""A bot as a program: its name, what it plays, and how to build and run it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import ArenaError
from arena.names import check_name

UNKNOWN = "unknown"
"""The language of a bot that only a command line describes."""


class UnusableBot(ArenaError):
    """A bot that does not exist, cannot be run or does not play the game."""


@dataclass(frozen=True)
class BotSpec:
    """The description of a bot: what a plugin registers, and what a `bot.toml` says.

    `run` and `build` are command lines as lists of words, run with `folder` as working
    directory. If the first word has no slash, it is looked up on the bot's PATH, which
    starts with the directory of the arena's own Python. `files` are glob patterns, relative
    to the folder, of the files that count for the digest, which covers their contents and the
    bot's name, version, run, build and games. `games` are the names of the games that it
    plays; none means any. `searches` says that it takes its time to look ahead, so that it sits
    at a table only if it is asked for by name.
    """

    name: str
    run: tuple[str, ...]
    folder: Path
    games: tuple[str, ...] = ()
    version: str = "0"
    author: str = ""
    summary: str = ""
    language: str = "python"
    build: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=("**/*",))
    sources: Path | None = None
    """Where the files that count lie, if that is not the folder: those of a sealed bot."""
    searches: bool = False

    def __post_init__(self) -> None:
        check_name("bot", self.name)
        for key in ("run", "games", "build", "files"):
            words = getattr(self, key)
            if isinstance(words, str) or not all(isinstance(word, str) for word in words):
                raise ValueError(f"bot {self.name}: {key}: expected texts, got {words!r}")
            object.__setattr__(self, key, tuple(words))
        for key in ("run", "files"):
            if not getattr(self, key):
                raise ValueError(f"bot {self.name}: {key}: expected at least one, got none")
        for key in ("version", "author", "summary", "language"):
            text = getattr(self, key)
            if not isinstance(text, str) or not text.isprintable():
                raise ValueError(
                    f"bot {self.name}: {key}: expected a text of one line, got {text!r}"
                )
        object.__setattr__(self, "folder", Path(self.folder))

    def check_plays(self, game: str) -> None:
        """Raise `UnusableBot` unless the bot plays the game of this name."""
        if self.games and game not in self.games:
            raise UnusableBot(
                f"bot {self.name!r} does not play {game}; it plays {', '.join(self.games)}"
            )
