"""The bundled games, sandboxes and runner, registered through the same door as anybody's."""

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
