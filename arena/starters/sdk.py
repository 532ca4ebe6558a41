"""The SDK that a starter needs beside its own files, as `<language>/sdk.toml` describes it.

from = "protocol/rust"             the SDK's folder in the arena's sources; optional
files = ["Cargo.toml", "src/**/*"] the files of the SDK that a bot needs
tools = ["cargo"]                  programs that build the bot and test it
test = ["cargo", "test"]           runs the starter's own test in its folder
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import arena
from arena.builds.build import builder_environment
from arena.programs.digest import NOT_SOURCES, read_patterns
from arena.programs.tools import missing, missing_headers
from arena.programs.walk import Folder

TEMPLATES = Path(__file__).parent
PACKAGE = Path(arena.__file__).parent
PACKED = PACKAGE / "sdks"
"""Where a wheel has the SDKs; a checkout has them in the folder that `from` names."""


@dataclass(frozen=True)
class Sdk:
    """The SDK and the tools that the starters of a language share."""

    folder: Path | None
    patterns: tuple[str, ...]
    tools: tuple[str, ...]
    test: tuple[str, ...]
    headers: Mapping[str, str]

    def missing(self) -> list[str]:
        """Return what building and testing needs but is not installed, and where to get it."""
        return missing(self.tools, builder_environment()["PATH"]) + missing_headers(self.headers)

    def files(self) -> Iterator[tuple[Path, Path]]:
        """Yield each file to copy, and its path in the folder."""
        if self.folder is None:
            return
        with Folder(self.folder) as folder:
            for entry in folder.files(read_patterns(self.patterns), NOT_SOURCES):
                yield self.folder / entry.name, Path(entry.name)


def load_sdk(language: str) -> Sdk:
    """Read the `sdk.toml` of this language."""
    text = (TEMPLATES / language / "sdk.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    source = table.get("from")
    return Sdk(
        folder=None if source is None else _folder(source),
        patterns=tuple(table.get("files", ())),
        tools=tuple(table["tools"]),
        test=tuple(table["test"]),
        headers=table.get("headers", {}),
    )


def _folder(source: str) -> Path:
    packed = PACKED / Path(source).name
    return packed if packed.is_dir() else PACKAGE.parent / source
