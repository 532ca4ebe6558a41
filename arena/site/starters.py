"""The starters of a site: first bots as zips, which build as they are where the host packs them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.packing.pack import PackError, ToolFailed, is_packed, pack
from arena.programs.manifest import load_manifest
from arena.site.folder import SiteFolder
from arena.starters.starter import PLACEHOLDER, starters, write_starter
from arena.starters.starter_archive import lacking, needs_packing, starter_zip

FIRST: Final = "python"
"""The language that is chosen for whoever chooses none."""


@dataclass(frozen=True)
class Offered:
    """A starter that somebody can have."""

    language: str
    game: str
    is_ready: bool
    """Whether what is downloaded can be handed in as it is, as far as libraries go."""
    builds_here: bool
    """Whether the site has the tools that build it."""


class Starters:
    """All starters, packed where the host has done that."""

    def __init__(self, folder: SiteFolder) -> None:
        self._folder = folder

    def offered(self, game: str) -> list[Offered]:
        """Return the starters for a game; those that can be handed in as they are come first."""
        found = [
            Offered(language, game, self._is_ready(language, game), _builds_here(language))
            for language, games in starters().items()
            if game in games
        ]
        return sorted(found, key=lambda each: (not each.is_ready, each.language != FIRST))

    def has(self, language: str, game: str) -> bool:
        """Whether there is a starter in this language for this game."""
        return game in starters().get(language, ())

    def zip(self, language: str, game: str, name: str) -> bytes:
        """Return a starter as a zip; raise `StarterError` for a name that no bot can have."""
        packed = self._folder.starter(language, game)
        return starter_zip(language, game, name, packed if is_packed(packed) else None)

    def _is_ready(self, language: str, game: str) -> bool:
        return not needs_packing(language) or is_packed(self._folder.starter(language, game))


def pack_starters(folder: SiteFolder, tell: Callable[[str], object]) -> Iterator[str]:
    """Pack all starters that need it, with the host's tools; yield what could not be packed."""
    for language, games in starters().items():
        if not needs_packing(language):
            continue
        if missing := lacking(language):
            tell(f"{language}: not packed, as this is not installed: {', '.join(missing)}")
            continue
        for game in games:
            try:
                _pack(folder.starter(language, game), language, game, tell)
            except ToolFailed as failed:
                yield "\n".join((f"{language}, {game}: {failed}", *failed.tail))
            except PackError as error:
                yield f"{language}, {game}: {error}"


def _pack(output: Path, language: str, game: str, tell: Callable[[str], object]) -> None:
    with tempfile.TemporaryDirectory(prefix="arena-starter-") as place:
        made = Path(place) / PLACEHOLDER
        write_starter(made, language, game, PLACEHOLDER)
        pack(
            load_manifest(made),
            output,
            lambda step: tell(f"{language}, {game}: {step}"),
            force=True,
        )


@cache
def _builds_here(language: str) -> bool:
    return not lacking(language)
