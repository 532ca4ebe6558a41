"""Where a link leads, found without following it: each step is looked up and checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

MOST_LINKS = 40
"""How many links the kernel follows on one way."""


@dataclass(frozen=True)
class Link:
    """A link, and what it says."""

    target: str


@dataclass(frozen=True)
class Known:
    """Anything else that a name can stand for."""

    what: str


FILE = Known("a file")
DIRECTORY = Known("a directory")
UNKNOWN = Known("a place that is not looked at")
Node: TypeAlias = Link | Known | None
"""What a path stands for; None for nothing."""
Look: TypeAlias = Callable[[tuple[str, ...]], Node]
"""Tells what a path stands for; its directories are no links."""


class WayOut(ValueError):
    """A way that leads out, or could; the text says how."""


@dataclass(frozen=True)
class Way:
    """Where a path leads: its end, and the links on the way."""

    end: tuple[str, ...]
    links: tuple[tuple[str, ...], ...]


def way(look: Look, start: tuple[str, ...], path: str) -> Way:
    """Return where a path leads from this directory; raise `WayOut` if it leaves the root.

    The end may be missing, but no `..` may come after something that is missing or not looked
    at: nobody can say where that leads.
    """
    at = start
    todo = _steps(path)
    links: list[tuple[str, ...]] = []
    while todo:
        step = todo.pop()
        if step == "..":
            if not at:
                raise WayOut("leads out of the folder")
            at = at[:-1]
            continue
        here = (*at, step)
        node = look(here)
        if isinstance(node, Link):
            links.append(here)
            if len(links) > MOST_LINKS:
                raise WayOut("leads in a circle")
            todo += _steps(node.target)
        elif node == DIRECTORY:
            at = here
        else:
            if ".." in todo:
                raise WayOut(f"leads through {'/'.join(here)!a}, which is no directory")
            return Way((*here, *reversed(todo)), tuple(links))
    return Way(at, tuple(links))


def _steps(path: str) -> list[str]:
    """Return the steps of a path, the first one last."""
    if path.startswith("/"):
        raise WayOut("leads out of the folder")
    return [step for step in reversed(path.split("/")) if step not in ("", ".")]
