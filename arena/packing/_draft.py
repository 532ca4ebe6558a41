"""The draft of a packed bot: its folder, its build, and the author's tools that fill it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.builds.build import builder_environment
from arena.errors import DOES_NOT_HOLD, ArenaError
from arena.programs.spec import BotSpec
from arena.programs.tools import missing

VENDOR = "vendor"
"""The folder in a packed bot for the libraries that it needs."""
TAIL_LINES = 20


class PackError(ArenaError):
    """A bot that cannot be packed; the text says why, in one line."""


class ToolFailed(PackError):
    """One of the author's tools that failed while packing, with the last lines that it printed."""

    exit_code = DOES_NOT_HOLD

    def __init__(self, reason: str, said: str) -> None:
        super().__init__(reason)
        self.tail = tuple(said.rstrip().splitlines()[-TAIL_LINES:])


@dataclass
class Draft:
    """A packed bot while it is made.

    `spec` is the author's bot, `folder` the new folder. `build` is the command that will build
    it there, `patterns` are added to the files that count. `origins` says where files came from
    that do not lie in the author's folder. `registries` are the addresses that no file may
    contain. `tell` is called with each step.
    """

    spec: BotSpec
    folder: Path
    tell: Callable[[str], object]
    build: tuple[str, ...] = ()
    patterns: list[str] = field(default_factory=list)
    registries: set[str] = field(default_factory=set)
    origins: dict[str, Path] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the packed folder has this file."""
        return (self.folder / name).is_file()

    def take(self, path: Path, name: str) -> None:
        """Copy a file that the build needs but that the author's `files` do not name."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        self.patterns.append(name)
        self.origins[name] = path.parent

    def write(self, name: str, text: str) -> None:
        """Write a file that counts."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.patterns.append(name)

    def run(self, *words: str) -> str:
        """Run one of the author's tools in the folder; return its stdout, or raise `ToolFailed`."""
        return self.run_in(self.folder, *words)

    def run_in(self, folder: Path, *words: str) -> str:
        """Run one of the author's tools in a folder; return its stdout, or raise `ToolFailed`."""
        done = self.attempt(folder, *words)
        if done.returncode:
            reason = f"{' '.join(words[:3])} ended with exit code {done.returncode}"
            raise ToolFailed(reason, done.stdout + done.stderr)
        return done.stdout

    def attempt(
        self, folder: Path, *words: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run one of the author's tools, which may fail."""
        own = builder_environment()
        if lacking := missing(words[:1], own["PATH"]):
            raise PackError(f"packing needs a program that is not on PATH: {lacking[0]}")
        return subprocess.run(
            words,
            cwd=folder,
            env={**own, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
