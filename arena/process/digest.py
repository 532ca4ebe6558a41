"""The digest of a bot: its files and how it is run, so that a changed bot is another one."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from arena.process.spec import BotSpec

PASSED_OVER = frozenset({"__pycache__", ".git", ".venv", "node_modules", "target"})
"""Directories whose contents never count, whatever the patterns say."""


def digest(spec: BotSpec) -> str:
    """SHA-256 over the description and the files that count, in hexadecimal."""
    total = sha256(b"arena bot 1")
    for words in ((spec.name, spec.version), spec.run, spec.build, spec.games):
        _add(total, *words)
    for path in files(spec):
        _add(total, path.relative_to(spec.folder).as_posix())
        total.update(sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files(spec: BotSpec) -> Iterator[Path]:
    """The files that count, each once, in the order of their paths."""
    found = {path for pattern in spec.files for path in spec.folder.glob(pattern)}
    for path in sorted(found, key=lambda path: path.as_posix()):
        inside = path.relative_to(spec.folder)
        if path.is_file() and not PASSED_OVER.intersection(inside.parts):
            yield path


def _add(total: sha256, *words: str) -> None:  # type: ignore[valid-type]
    for word in (*words, ""):
        data = word.encode()
        total.update(len(data).to_bytes(4, "big") + data)  # type: ignore[attr-defined]
