"""The digest of a bot: a hash of its files and how it is run, so that it changes with the bot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from arena.programs.spec import BotSpec

NEVER_COUNTED = frozenset({"__pycache__", ".git", ".venv"})
"""Directories whose contents never count for the digest, whatever the patterns say."""
OUTPUTS = frozenset({"build", "node_modules", "target"})
"""Directories that builds write to; for a bot with a build, only its sources count."""
NOT_SOURCES = NEVER_COUNTED | OUTPUTS
"""Directories that hold none of a bot's sources."""


def digest(spec: BotSpec) -> str:
    """Return the SHA-256 of the description and the files that count, in hexadecimal."""
    parts = [b"arena bot 1"]
    for words in ((spec.name, spec.version), spec.run, spec.build, spec.games):
        parts += _with_lengths(*words)
    for path in files(spec):
        parts += _with_lengths(path.relative_to(spec.folder).as_posix())
        parts.append(sha256(_content(path)).digest())
    return sha256(b"".join(parts)).hexdigest()


def _content(path: Path) -> bytes:
    """Return a file's contents; for a link only its target, which may be anywhere on the host."""
    return b"link to " + os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()


def files(spec: BotSpec) -> Iterator[Path]:
    """Yield the files that count for the digest, each once, in the order of their paths."""
    not_counted = NOT_SOURCES if spec.build else NEVER_COUNTED
    found = {path for pattern in spec.files for path in spec.folder.glob(pattern)}
    for path in sorted(found, key=lambda path: path.as_posix()):
        inside = path.relative_to(spec.folder)
        if path.is_file() and not not_counted.intersection(inside.parts):
            yield path


def _with_lengths(*words: str) -> Iterator[bytes]:
    """Yield words with their lengths, so that they cannot run together, and an empty one last."""
    for word in (*words, ""):
        data = os.fsencode(word)  # a file's name may be any bytes
        yield len(data).to_bytes(4, "big") + data
