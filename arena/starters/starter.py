"""Starters: files in `<language>/<game>/`, copied with the new bot's name filled in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.errors import ArenaError
from arena.programs.digest import NOT_SOURCES
from arena.programs.walk import Folder
from arena.starters.sdk import TEMPLATES, keep_executable, load_sdk

PLACEHOLDER = "my-bot"
"""The name of the bots in the templates."""
NOT_COPIED = NOT_SOURCES | {".pytest_cache"}


class StarterError(ArenaError):
    """A starter that does not exist, or a place where it cannot be put."""


def starters() -> dict[str, list[str]]:
    """Return the games for which there is a starter, by language."""
    found = {
        language.name: [folder.name for folder in _folders(language)]
        for language in _folders(TEMPLATES)
    }
    return {language: games for language, games in found.items() if games}


def write_starter(folder: Path, language: str, game: str, name: str) -> list[Path]:
    """Write a new bot into a folder that is empty or does not exist; return the files' paths."""
    source = _source(language, game)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StarterError(f"{folder}: expected a new or empty directory, got one in use")
        folder.mkdir(parents=True, exist_ok=True)
        own = [_copy(path, source, folder, name) for path in sorted(_files(source))]
        return own + load_sdk(language).copy_into(folder)
    except OSError as error:
        raise StarterError(f"{folder}: cannot be written: {error.strerror}") from None


def _source(language: str, game: str) -> Path:
    """Return the folder with the templates."""
    there = starters()
    if game not in there.get(language, ()):
        known = "; ".join(f"{name} ({', '.join(games)})" for name, games in there.items())
        other = "; --language none begins one in any other language" if "none" in there else ""
        raise StarterError(
            f"there is no starter in {language} for {game}; there are: {known}{other}"
        )
    return TEMPLATES / language / game


def _copy(path: Path, source: Path, folder: Path, name: str) -> Path:
    """Copy one of the starter's own files, with the name filled in and executable if it was."""
    target = folder / path.relative_to(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(path.read_text(encoding="utf-8").replace(PLACEHOLDER, name), encoding="utf-8")
    keep_executable(path, target)
    return target


def _files(path: Path) -> Iterator[Path]:
    with Folder(path) as folder:
        for entry in folder.files(left_out=NOT_COPIED):
            yield path / entry.name


def _folders(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.is_dir() and path.name not in NOT_COPIED
    )
