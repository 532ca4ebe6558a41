"""The digest of a bot: its files and how it is run, so that a changed bot is another one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from arena.programs.spec import BotSpec

KEPT_BESIDE = frozenset({"__pycache__", ".git", ".venv"})
"""Directories whose contents never count, whatever the patterns say."""
OUTPUTS = frozenset({"build", "node_modules", "target"})
"""Directories that builds write to; of a bot that is built its sources count instead."""
PASSED_OVER = KEPT_BESIDE | OUTPUTS
"""What is no source of a bot's."""


def digest(spec: BotSpec) -> str:
    """SHA-256 over the description and the files that count, in hexadecimal."""
    parts = [b"arena bot 1"]
    for words in ((spec.name, spec.version), spec.run, spec.build, spec.games):
        parts += _with_lengths(*words)
    for path in files(spec):
        parts += _with_lengths(path.relative_to(spec.folder).as_posix())
        parts.append(sha256(_content(path)).digest())
    return sha256(b"".join(parts)).hexdigest()


def _content(path: Path) -> bytes:
    """What a file holds; of a link only where it leads, for that may be anywhere on the host."""
    return b"link to " + os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()


def files(spec: BotSpec) -> Iterator[Path]:
    """The files that count, each once, in the order of their paths."""
    passed_over = PASSED_OVER if spec.build else KEPT_BESIDE
    found = {path for pattern in spec.files for path in spec.folder.glob(pattern)}
    for path in sorted(found, key=lambda path: path.as_posix()):
        inside = path.relative_to(spec.folder)
        if path.is_file() and not passed_over.intersection(inside.parts):
            yield path


def _with_lengths(*words: str) -> Iterator[bytes]:
    """Words that cannot run into each other, and an empty one at their end."""
    for word in (*words, ""):
        data = os.fsencode(word)  # a file's name may be any bytes
        yield len(data).to_bytes(4, "big") + data
