"""The digest of a bot: a hash of its files and how it is run, so that it changes with the bot."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from arena.programs._patterns import Pattern, WrongPattern, read_pattern
from arena.programs.spec import BotSpec
from arena.programs.walk import Entry, Folder, FolderError

NEVER_COUNTED = frozenset({"__pycache__", ".git", ".venv"})
"""Directories whose contents never count for the digest, whatever the patterns say."""
OUTPUTS = frozenset({"build", "node_modules", "target"})
"""Directories that builds write to; for a bot with a build, only its sources count."""
NOT_SOURCES = NEVER_COUNTED | OUTPUTS
"""Directories that hold none of a bot's sources."""


def digest(spec: BotSpec) -> str:
    """Return the SHA-256 of the description and the files that count, in hexadecimal."""
    return digest_and_files(spec)[0]


def files(spec: BotSpec) -> list[Entry]:
    """Return the files and links that count for the digest, in the order of their paths."""
    with Folder(sources(spec)) as folder:
        return counted(spec, folder)


def digest_and_files(spec: BotSpec) -> tuple[str, list[Entry]]:
    """Return the digest, and the files and links that were read for it."""
    with Folder(sources(spec)) as folder:
        found = counted(spec, folder)
        return combined(spec, ((entry, content_digest(folder, entry)) for entry in found)), found


def sources(spec: BotSpec) -> Path:
    """Return the folder with the files that count."""
    return spec.folder if spec.sources is None else spec.sources


def counted(spec: BotSpec, folder: Folder, *, shared: bool = True) -> list[Entry]:
    """Return what counts in the bot's open folder; `shared` as for `Folder.files`."""
    return folder.files(read_patterns(spec.files), left_out(spec.build), shared=shared)


def left_out(build: tuple[str, ...]) -> frozenset[str]:
    """Return the names that never count, for a bot with this build."""
    return NOT_SOURCES if build else NEVER_COUNTED


def read_patterns(texts: Iterable[str]) -> list[Pattern]:
    """Return the patterns; raise `FolderError` for a text that is none."""
    patterns = []
    for text in texts:
        try:
            patterns.append(read_pattern(text))
        except WrongPattern as error:
            raise FolderError(f"files: expected {error}, got {text!a}") from None
    return patterns


def content_digest(folder: Folder, entry: Entry) -> bytes:
    """Return the hash of a file's contents; of a link's target, if it is a link."""
    if entry.target is not None:
        return sha256(link_content(entry.target)).digest()
    found = sha256()
    for chunk in folder.read(entry):
        found.update(chunk)
    return found.digest()


def link_content(target: str) -> bytes:
    """Return what counts of a link."""
    return b"link to " + os.fsencode(target)


def combined(spec: BotSpec, contents: Iterable[tuple[Entry, bytes]]) -> str:
    """Return the digest of a bot, from the hashes of its files in the order of their paths."""
    found = sha256(b"arena bot 1")
    for words in ((spec.name, spec.version), spec.run, spec.build, spec.games):
        for part in _with_lengths(*words):
            found.update(part)
    for entry, content in contents:
        for part in _with_lengths(entry.name):
            found.update(part)
        found.update(content)
    return found.hexdigest()


def _with_lengths(*words: str) -> Iterator[bytes]:
    """Yield words with their lengths, so that they cannot run together, and an empty one last."""
    for word in (*words, ""):
        data = os.fsencode(word)  # a file's name may be any bytes
        yield len(data).to_bytes(4, "big") + data
