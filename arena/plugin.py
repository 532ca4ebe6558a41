"""All that a plugin needs from the arena: the hooks, and the classes that it uses.

A plugin is a module (or object) named by an entry point in the group `arena`:

    [project.entry-points.arena]
    my-plugin = "my_package.plugin"

Its hooks are functions marked with `hookimpl`:

    from arena.plugin import BotSpec, hookimpl

    @hookimpl
    def arena_bots():
        yield BotSpec(name="my-bot", ...)
"""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from arena.blocks.block import Block, BlockResult
from arena.blocks.local_runner import LocalRunner
from arena.blocks.runner import Crew, Runner, RunnerFailed, Venue
from arena.games import schema
from arena.games.events import Event, EventForm
from arena.games.game import (
    ONLOOKER,
    Action,
    Game,
    Rules,
    Sampler,
    Shuffler,
    State,
    View,
    Viewer,
)
from arena.games.illegal import IllegalAction
from arena.games.rare import RareGame, first_at
from arena.games.score_parts import ScorePart
from arena.games.table import Card, Cell, Scene, SeatScene, Suit, TableLayout, Zone
from arena.games.telling import Face, Seat, Segment, listed
from arena.games.variants import Variant
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant, TimeControl
from arena.records.entries import Game as LoggedGame
from arena.records.times import BlockTimes
from arena.referee.deals import BlockDeals
from arena.referee.terms import Terms
from arena.sandbox.launch import Launch, StartError
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox, SandboxError

__all__ = [
    "ONLOOKER",
    "Action",
    "Block",
    "BlockDeals",
    "BlockResult",
    "BlockTimes",
    "BotSpec",
    "Card",
    "Cell",
    "Contestant",
    "Crew",
    "Event",
    "EventForm",
    "Face",
    "Game",
    "IllegalAction",
    "Launch",
    "Limits",
    "LocalRunner",
    "LoggedGame",
    "RareGame",
    "Rules",
    "Runner",
    "RunnerFailed",
    "Sampler",
    "Sandbox",
    "SandboxError",
    "Scene",
    "ScorePart",
    "Seat",
    "SeatScene",
    "Segment",
    "Shuffler",
    "StartError",
    "State",
    "Suit",
    "TableLayout",
    "Terms",
    "TimeControl",
    "Variant",
    "Venue",
    "View",
    "Viewer",
    "Zone",
    "first_at",
    "hookimpl",
    "listed",
    "schema",
]

PROJECT = "arena"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def arena_games() -> Iterable[Game]:  # type: ignore[empty-body]
    """Return the games that this plugin brings, each with a name of its own."""


@hookspec
def arena_bots() -> Iterable[BotSpec]:  # type: ignore[empty-body]
    """Return the bots that this plugin brings, each with a name of its own."""


@hookspec
def arena_runners() -> Iterable[Runner]:  # type: ignore[empty-body]
    """Return runners, which play the blocks of a ladder, each with a name of its own."""


@hookspec
def arena_sandboxes() -> Iterable[Sandbox]:  # type: ignore[empty-body]
    """Return the sandboxes that this plugin brings, each with a name of its own."""
