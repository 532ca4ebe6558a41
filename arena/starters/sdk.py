"""The SDK that a starter needs beside its own files, as `<language>/sdk.toml` describes it.

from = "protocol/rust"             the SDK's folder in the arena's sources; optional
package = "arena_sdk"              for Python in place of `from`: the SDK as a package
files = ["Cargo.toml", "src/**/*"] the files of the SDK that a bot needs
tools = ["cargo"]                  programs that build the bot and test it
test = ["cargo", "test"]           runs the starter's own test in its folder
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
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
SDK = "sdk"
"""The folder in a bot for what it needs of its language's SDK, unless that is a package."""


@dataclass(frozen=True)
class Sdk:
    """The SDK and the tools that the starters of a language share.

    `folder` has the SDK, and `place` is the folder in a bot that gets a copy of its files.
    """

    folder: Path | None
    place: str
    patterns: tuple[str, ...]
    tools: tuple[str, ...]
    test: tuple[str, ...]
    headers: Mapping[str, str]

    def missing(self) -> list[str]:
        """Return what building and testing needs but is not installed, and where to get it."""
        return missing(self.tools, builder_environment()["PATH"]) + missing_headers(self.headers)

    def files(self) -> Iterator[tuple[Path, Path]]:
        """Yield each file to copy, and its path in `place`."""
        if self.folder is None:
            return
        with Folder(self.folder) as folder:
            for entry in folder.files(read_patterns(self.patterns), NOT_SOURCES):
                yield self.folder / entry.name, Path(entry.name)

    def copy_into(self, folder: Path) -> list[Path]:
        """Copy the files unchanged into a bot's folder; return the copies."""
        written = []
        for path, inside in self.files():
            target = folder / self.place / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            keep_executable(path, target)
            written.append(target)
        return written


def load_sdk(language: str) -> Sdk:
    """Read the `sdk.toml` of this language."""
    text = (TEMPLATES / language / "sdk.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    package = table.get("package")
    return Sdk(
        folder=_folder(table.get("from")) if package is None else _package(package),
        place=package or SDK,
        patterns=tuple(table.get("files", ())),
        tools=tuple(table["tools"]),
        test=tuple(table["test"]),
        headers=table.get("headers", {}),
    )


def keep_executable(path: Path, target: Path) -> None:
    """Make a copy executable if its source is; its other permissions follow the author's umask."""
    executable = path.stat().st_mode & 0o111
    if executable:
        target.chmod(target.stat().st_mode | executable)


def _folder(source: str | None) -> Path | None:
    """Return the folder of an SDK in a wheel or in a checkout."""
    if source is None:
        return None
    packed = PACKED / Path(source).name
    return packed if packed.is_dir() else PACKAGE.parent / source


def _package(name: str) -> Path:
    """Return the folder of an SDK that is installed as a package beside the arena."""
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {name} is a part of the arena, but not installed")
    return Path(found.submodule_search_locations[0])
