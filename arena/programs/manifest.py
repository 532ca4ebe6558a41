"""The manifest of a bot: the file `bot.toml` in its folder, in which its author describes it.

    name = "my-bot"
    version = "1"
    games = ["gargon"]
    run = ["python3", "bot.py"]

All mistakes are reported at once, each with its key, what was expected and what was found,
so that an author can fix them in one go.
"""

from __future__ import annotations

import stat
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.names import LONGEST, check_name
from arena.programs._patterns import EVERYTHING, WrongPattern, read_pattern
from arena.programs.digest import left_out
from arena.programs.spec import UNKNOWN, BotSpec
from arena.programs.walk import Folder, kind_of, printable
from arena.wording import brief, short

MANIFEST = "bot.toml"
LARGEST = 1 << 20
"""The most bytes of a manifest."""
MOST_PATTERNS = 256
COMMAND = '["python3", "bot.py"]'


class ManifestError(ArenaError):
    """A manifest with mistakes; the text has the file and every mistake, in one line."""


class Mistake(ValueError):
    """A wrong value: what was expected and what was found."""

    def __init__(self, expected: str, got: str, at: int | None = None) -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.at = at


def load_manifest(folder: Path) -> BotSpec:
    """Return the bot that this folder's `bot.toml` describes.

    Raise `ManifestError` for mistakes in it, and `FolderError` for a folder that has among the
    files that count what no bot may have.
    """
    path = folder / MANIFEST
    with Folder(folder) as opened:
        table = _table(opened, path)
        values, mistakes = _read(table)
        build = values.get("build", ())
        if "files" not in table:
            opened.files(EVERYTHING, left_out(build), shared=False)
        elif "files" in values:
            mistakes += _idle(values["files"], opened, left_out(build))
    if mistakes:
        raise ManifestError(f"{printable(path)}: " + "; ".join(mistakes))
    return BotSpec(folder=folder.resolve(), **values)


def described_games(spec: BotSpec) -> tuple[str, ...]:
    """Return the games of the `bot.toml` beside the file that a command line runs; () if none.

    A registered bot, or one that a manifest describes, has said by itself what it plays.
    """
    if spec.language != UNKNOWN:
        return ()
    named = (spec.folder / word for word in reversed(spec.run))
    places = dict.fromkeys(path.parent for path in named if path.is_file())
    for place in places:
        if (place / MANIFEST).is_file():
            return load_manifest(place).games
    return ()


def _table(folder: Folder, path: Path) -> dict[str, Any]:
    """Return the contents of a manifest."""
    try:
        return tomllib.loads(_content(folder, path).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ManifestError(f"{path}: expected UTF-8, got other bytes at {error.start}") from None
    except (ValueError, RecursionError) as error:  # also for numbers and nesting that are too large
        raise ManifestError(f"{path}: expected TOML: {error}") from None


def _content(folder: Folder, path: Path) -> bytes:
    """Return the bytes of a manifest, which has to be a file, and no large one."""
    entry = folder.look(MANIFEST)
    if entry is None:
        raise ManifestError(
            f'{path}: no such file; expected one with at least name = "..." and run = {COMMAND}'
        )
    if not stat.S_ISREG(entry.state.st_mode):
        raise ManifestError(f"{path}: expected a file, got {kind_of(entry)}")
    if entry.state.st_size > LARGEST:
        raise ManifestError(f"{path}: expected {LARGEST} bytes at most, got {entry.state.st_size}")
    return b"".join(folder.read(entry))


def _read(table: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the values by key, and the mistakes."""
    values: dict[str, Any] = {}
    mistakes = [
        f"{short(key)}: unknown key; the keys are: {', '.join(_KEYS)}"
        for key in table
        if key not in _KEYS
    ]
    for key, (read, expected) in _KEYS.items():
        if key in table:
            try:
                values[key] = read(table[key])
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
    if len(patterns) > MOST_PATTERNS:
        raise Mistake(f"{MOST_PATTERNS} patterns at most", str(len(patterns)))
    for at, pattern in enumerate(patterns):
        try:
            read_pattern(pattern)
        except WrongPattern as error:
            raise Mistake(str(error), brief(pattern), at) from None
    return patterns


def _idle(texts: tuple[str, ...], folder: Folder, left_out: Collection[str]) -> list[str]:
    """Return a mistake for the first pattern that finds nothing that counts, if there is one.

    With such a pattern, a bot whose files have changed would count as the old bot.
    """
    patterns = [read_pattern(text) for text in texts]
    found = folder.files(patterns, left_out, shared=False)
    for at, pattern in enumerate(patterns):
        if not any(pattern.matches(entry.parts) for entry in found):
            got = f"{brief(pattern.text)}, which finds none"
            return [f"files[{at}]: {Mistake('a pattern that finds files', got)}"]
    return []


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
