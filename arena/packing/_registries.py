"""Registries: a packed bot must build without them, so none of its files names one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from arena.packing._draft import VENDOR, Draft, PackError

NOWHERE = "registry.invalid"
"""What a registry's address in a library's own files is replaced by: it leads nowhere."""
CHUNK = 1 << 13


def hosts(text: str) -> set[str]:
    """Return the hosts of the addresses in a text."""
    found = (urlsplit(url).hostname for url in re.findall(r"https?://[^\s,|\"'<>)]+", text))
    return {host for host in found if host}


def clean(draft: Draft) -> None:
    """Replace the registries' addresses in libraries; raise `PackError` if the bot has some.

    Libraries name registries in their descriptions. Nothing is downloaded from there any more,
    but who reads a packed bot shall not have to find that out.
    """
    if not draft.registries:
        return
    named = _pattern(draft.registries)
    changed = 0
    for path in _texts(draft.folder):
        data = path.read_bytes()
        if not named.search(data):
            continue
        inside = path.relative_to(draft.folder)
        if inside.parts[0] != VENDOR:
            host = named.search(data)
            assert host is not None
            raise PackError(
                f"{inside}: names the registry {host[0].decode()}; a packed bot must not need one"
            )
        path.write_bytes(named.sub(NOWHERE.encode(), data))
        changed += 1
    if changed:
        draft.tell(f"took the registries' addresses out of {changed} files of libraries")


def named_in(folder: Path, registries: Iterable[str]) -> Iterator[Path]:
    """Yield the text files in a folder that name one of these registries."""
    pattern = _pattern(registries)
    return (path for path in _texts(folder) if pattern.search(path.read_bytes()))


def _pattern(registries: Iterable[str]) -> re.Pattern[bytes]:
    """Return a pattern for these addresses, the longest first."""
    words = sorted(registries, key=len, reverse=True)
    return re.compile(b"|".join(re.escape(word.encode()) for word in words), re.IGNORECASE)


def _texts(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that are text: those that begin without a zero byte."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if b"\0" not in file.read(CHUNK):
                    yield path
