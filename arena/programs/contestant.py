"""A contestant: one version of a bot, identified by its digest."""

from __future__ import annotations

from arena.programs.digest import digest
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant


def contestant_of(spec: BotSpec) -> Contestant:
    """Return the contestant for this bot; its files are read for the digest."""
    return Contestant(name=spec.name, version=spec.version, digest=digest(spec))
