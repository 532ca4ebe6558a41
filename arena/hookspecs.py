"""What a plugin can bring to the arena: the hooks, on one screen.

A plugin is a module (or object) named by an entry point in the group `arena`:

    [project.entry-points.arena]
    my-plugin = "my_package.plugin"

Its hooks are functions marked with `hookimpl`:

    from arena.hookspecs import hookimpl

    @hookimpl
    def arena_bots():
        yield BotSpec(name="my-bot", ...)
"""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from arena.blocks.runner import Runner
from arena.games.game import Game
from arena.process.sandbox import Sandbox
from arena.process.spec import BotSpec

PROJECT = "arena"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def arena_games() -> Iterable[Game]:  # type: ignore[empty-body]
    """The games that this plugin brings, each under a name of its own."""


@hookspec
def arena_bots() -> Iterable[BotSpec]:  # type: ignore[empty-body]
    """The bots that this plugin brings, each under a name of its own."""


@hookspec
def arena_runners() -> Iterable[Runner]:  # type: ignore[empty-body]
    """What runs the blocks of a ladder, each under a name of its own."""


@hookspec
def arena_sandboxes() -> Iterable[Sandbox]:  # type: ignore[empty-body]
    """The sandboxes that this plugin brings, each under a name of its own."""
