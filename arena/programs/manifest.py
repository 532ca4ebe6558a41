"""The manifest of a bot: the file `bot.toml` in its folder, in which its author describes it.

    name = "my-bot"
    version = "1"
    games = ["gargon"]
    run = ["python3", "bot.py"]

All mistakes are reported at once, each with its key, what was expected and what was found,
so that an author can fix them in one go.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.names import LONGEST, check_name
from arena.programs.spec import BotSpec
from arena.wording import brief

MANIFEST = "bot.toml"
COMMAND = '["python3", "bot.py"]'


class ManifestError(ArenaError):
    """A manifest with mistakes; the text has the file and every mistake, in one line."""


class Mistake(ValueError):
    """A wrong value: what was expected and what was found."""

    def __init__(self, expected: str, got: str, at: int | None = None) -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.at = at


def load_manifest(folder: Path) -> BotSpec:
    """Return the bot that this folder's `bot.toml` describes; raise `ManifestError`."""
    path = folder / MANIFEST
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ManifestError(
            f'{path}: no such file; expected one with at least name = "..." and run = {COMMAND}'
        ) from None
    except OSError as error:
        raise ManifestError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ManifestError(f"{path}: expected UTF-8, got other bytes at {error.start}") from None
    except (ValueError, RecursionError) as error:  # also for numbers and nesting that are too large
        raise ManifestError(f"{path}: expected TOML: {error}") from None
    values, mistakes = _read(table, folder)
    if mistakes:
        raise ManifestError(f"{path}: " + "; ".join(mistakes))
    return BotSpec(folder=folder.resolve(), **values)


def _read(table: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the values by key, and the mistakes."""
    values: dict[str, Any] = {}
    mistakes = [
        f"{key}: unknown key; the keys are: {', '.join(_KEYS)}" for key in table if key not in _KEYS
    ]
    for key, (read, expected) in _KEYS.items():
        if key in table:
            try:
                values[key] = read(table[key])
                if key == "files":
                    _check_patterns(values[key], folder)
            except Mistake as mistake:
                place = key if mistake.at is None else f"{key}[{mistake.at}]"
                mistakes.append(f"{place}: {mistake}")
        elif key in ("name", "run"):
            mistakes.append(f"{key}: expected {expected}, got no such key")
    return values, mistakes


def _name(value: object) -> str:
    try:
        return check_name("name", value)
    except ValueError:
        expected = f"lower-case letters and digits, joined by '-', '_' or '.', {LONGEST} at most"
        raise Mistake(expected, brief(value)) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Mistake('a text in quotes, such as "1"', brief(value))
    if not value.isprintable():
        raise Mistake("a text of one line, without control characters", brief(value))
    return value


def _words(value: object, example: str = COMMAND) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Mistake(f"a list of words, such as {example}", brief(value))
    for at, word in enumerate(value):
        if not isinstance(word, str) or "\0" in word:
            raise Mistake("a word in quotes", brief(word), at)
    return tuple(value)


def _command(value: object) -> tuple[str, ...]:
    words = _words(value)
    if not words:
        raise Mistake(f"at least one word, such as {COMMAND}", "an empty list")
    if not words[0]:
        raise Mistake("the name of a program", '""', 0)
    return words


def _games(value: object) -> tuple[str, ...]:
    games = _words(value, '["gargon"]')
    for at, game in enumerate(games):
        try:
            check_name("game", game)
        except ValueError:
            raise Mistake('the name of a game, such as "gargon"', brief(game), at) from None
        if game in games[:at]:
            raise Mistake("each game once", f"{brief(game)} again", at)
    return games


def _patterns(value: object) -> tuple[str, ...]:
    patterns = _words(value, '["*.py"]')
    if not patterns:
        raise Mistake('at least one pattern, such as "*.py"', "an empty list")
    return patterns


def _check_patterns(patterns: tuple[str, ...], folder: Path) -> None:
    """Raise `Mistake` for a pattern that is wrong or finds no file.

    With such a pattern, a bot whose files have changed would count as the old bot.
    """
    for at, pattern in enumerate(patterns):
        parts = Path(pattern).parts
        if not parts or pattern.startswith("/") or ".." in parts:
            raise Mistake("a pattern of files in the bot's folder", brief(pattern), at)
        if any("**" in part != "**" for part in parts):
            raise Mistake("a glob pattern in which ** stands alone", brief(pattern), at)
        if not any(path.is_file() for path in folder.glob(pattern)):
            raise Mistake("a pattern that finds files", f"{brief(pattern)}, which finds none", at)


_KEYS: dict[str, tuple[Callable[[object], Any], str]] = {
    "name": (_name, "a name in quotes"),
    "version": (_text, ""),
    "author": (_text, ""),
    "summary": (_text, ""),
    "language": (_text, ""),
    "games": (_games, ""),
    "build": (_words, ""),
    "run": (_command, f"a list of words, such as {COMMAND}"),
    "files": (_patterns, ""),
}
