"""The published pages of ladders: files that the press has made, sent as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.responses import FileResponse, RedirectResponse, Response

from arena.site.play.ladders import Ladder
from arena.site.rules.people import NotThere
from arena.site.web.asking import Ask
from arena.site.web.site import Site

INDEX: Final = "index.html"
KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/atom+xml",
    ".svg": "image/svg+xml",
    ".gz": "application/gzip",
}
"""What is published; anything else is not sent."""
HEADERS: Final = {
    # Each page says itself, by hashes, which style and script it has; it frames its own data.
    "content-security-policy": "frame-ancestors 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'none'",
    "x-frame-options": "SAMEORIGIN",
    "cache-control": "no-cache",
}


def public_start(ask: Ask) -> Response:
    """Lead to the first of the pages, below which the others lie."""
    ladder = ask.site.ladders.get(ask.text("ladder"))
    return RedirectResponse(f"/ladders/{ladder.name}/pages/", 307)


def public_page(ask: Ask) -> Response:
    """Send a published file."""
    ladder = ask.site.ladders.get(ask.text("ladder"))
    root = ask.site.folder.public(ladder.name)
    path = _inside(root, ask.text("path"))
    if path is None or path.suffix not in KINDS or not path.is_file():
        raise NotThere("there is no such page; it may not have been made yet")
    return FileResponse(path, headers=HEADERS, media_type=KINDS[path.suffix])


def is_published(site: Site, ladder: Ladder, name: str = INDEX) -> bool:
    """Whether a page of a ladder has been made."""
    path = _inside(site.folder.public(ladder.name), name)
    return path is not None and path.is_file()


def _inside(root: Path, name: str) -> Path | None:
    """Return the path of a file in a folder; None for a name that leads anywhere else."""
    parts = name.split("/")
    if not name:
        parts = [INDEX]
    if any(part in ("", "..") or part.startswith(".") or "\0" in part for part in parts):
        return None
    return root.joinpath(*parts)
