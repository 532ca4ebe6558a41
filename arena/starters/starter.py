"""A starter: real files in `<language>/<game>/`, copied with the new bot's name put in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

TEMPLATES = Path(__file__).parent
PLACEHOLDER = "my-bot"
"""What the bots in the templates are called."""
PASSED_OVER = frozenset({"__pycache__", ".pytest_cache"})


class StarterError(ValueError):
    """A starter that is not there, or a place where it cannot be put."""


def starters() -> dict[str, list[str]]:
    """The games for which there is a starter, by language."""
    return {
        language: [folder.name for folder in _folders(TEMPLATES / language)]
        for language in (folder.name for folder in _folders(TEMPLATES))
    }


def write_starter(folder: Path, language: str, game: str, name: str) -> list[Path]:
    """Put the files of a new bot into a folder that is empty or not there yet."""
    source = _source(language, game)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StarterError(f"{folder}: expected a new or empty directory, got one in use")
        folder.mkdir(parents=True, exist_ok=True)
        return [_copy(path, source, folder, name) for path in sorted(_files(source))]
    except OSError as error:
        raise StarterError(f"{folder}: cannot be written: {error.strerror}") from None


def _source(language: str, game: str) -> Path:
    """Where the templates are."""
    there = starters()
    if game not in there.get(language, ()):
        known = "; ".join(f"{name} ({', '.join(games)})" for name, games in there.items())
        raise StarterError(
            f"there is no starter in {language} for {game}; there are: {known}. In any other "
            "language, write a program that speaks the protocol, and a bot.toml beside it"
        )
    return TEMPLATES / language / game


def _copy(path: Path, source: Path, folder: Path, name: str) -> Path:
    target = folder / path.relative_to(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(path.read_text(encoding="utf-8").replace(PLACEHOLDER, name), encoding="utf-8")
    return target


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not PASSED_OVER.intersection(path.relative_to(folder).parts):
            yield path


def _folders(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.is_dir() and path.name not in PASSED_OVER
    )
