"""The bundled games, sandboxes and runner, registered through the same door as anybody's."""

from __future__ import annotations

from arena.blocks.local import LocalRunner
from arena.blocks.runner import Runner
from arena.games.castors.game import Castors
from arena.games.game import Game
from arena.games.gargon.game import Gargon
from arena.hookspecs import hookimpl
from arena.process.bubblewrap import Bubblewrap
from arena.process.sandbox import UNCONFINED, Sandbox


@hookimpl
def arena_games() -> list[Game]:
    """Gargon and Gang de Castors."""
    return [Gargon(), Castors()]


@hookimpl
def arena_runners() -> list[Runner]:
    """The cores of this machine."""
    return [LocalRunner()]


@hookimpl
def arena_sandboxes() -> list[Sandbox]:
    """bubblewrap, and none."""
    return [Bubblewrap(), UNCONFINED]
