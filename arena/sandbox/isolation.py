"""Check that sandboxed bots can read neither records nor the programs of other authors.

A sandbox shows a bot all of its own folder, which holds only what was sealed, and the runtimes
of the host.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from arena.errors import ArenaError
from arena.programs.spec import BotSpec
from arena.sandbox._runtimes import runtimes
from arena.sandbox.sandbox import NONE, Sandbox


class NotIsolated(ArenaError):
    """A bot that could read what it must not; the text says what, where it is and what to do."""


def check_isolation(
    bots: Iterable[BotSpec],
    trusted: Collection[BotSpec],
    sandbox: Sandbox,
    option: str,
    kept: Path | None,
) -> None:
    """Raise `NotIsolated` if a bot would be shown the file `kept`, or a stranger's program.

    `option` is the option that chooses the file, for the message. `trusted` are the registered
    bots. They may share a folder, as the bots of one package do. Without a sandbox nothing is
    checked, as every bot can read everything anyway.
    """
    if sandbox.name == NONE:
        return
    known = {(spec.run, spec.folder) for spec in trusted}
    strangers = [spec for spec in bots if (spec.run, spec.folder) not in known]
    if not strangers:
        return
    if kept is not None:
        _check_kept(strangers, option, kept)
    _check_strangers(strangers)


def _check_kept(strangers: Collection[BotSpec], option: str, kept: Path) -> None:
    """Raise `NotIsolated` if a bot can read `kept`, which has deals that it may still play."""
    file = kept.resolve()
    for spec in strangers:
        if file.is_relative_to(folder := spec.folder.resolve()):
            raise NotIsolated(
                f"{kept}: lies in {folder}, the folder of bot {spec.name!r}, which can read all "
                f"that is there; choose another {option}"
            )
    if place := _runtime_of(file):
        raise NotIsolated(
            f"{kept}: lies in {place}, which all bots can read as part of their runtimes; "
            f"choose another {option}"
        )


def _check_strangers(strangers: Collection[BotSpec]) -> None:
    """Raise `NotIsolated` if a bot's program lies where every bot can read it."""
    for spec in strangers:
        folder = spec.folder.resolve()
        if place := _runtime_of(folder):
            raise NotIsolated(
                f"bot {spec.name!r} lies in {folder}, and all bots can read {place} as part of "
                "their runtimes; choose another vault with ARENA_VAULT"
            )


def _runtime_of(path: Path) -> Path | None:
    """Return the runtime directory that contains this resolved path, if any."""
    return next((place for place in runtimes() if path.is_relative_to(place.resolve())), None)
