"""The bundled games, sandboxes and runner, registered by the same hooks as those of plugins."""

from __future__ import annotations

from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Runner
from arena.games.castors.game import Castors
from arena.games.game import Game
from arena.games.gargon.game import Gargon
from arena.plugin import hookimpl
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.sandbox import UNCONFINED, Sandbox


@hookimpl
def arena_games() -> list[Game]:
    """Return Gargon and Gang de Castors."""
    return [Gargon(), Castors()]


@hookimpl
def arena_runners() -> list[Runner]:
    """Return the runner that uses the cores of this machine."""
    return [LocalRunner()]


@hookimpl
def arena_sandboxes() -> list[Sandbox]:
    """Return bubblewrap, and the choice of no sandbox."""
    return [Bubblewrap(), UNCONFINED]
