"""Discover plugins, so that the failure of one does not affect the others.

Entry points are loaded one by one. A plugin is left out as a whole, with its error, if it
cannot be imported, does not match the hook specifications, returns something of the wrong type
or uses a name that is taken. Everything else works.

`ARENA_PLUGINS_BLOCK` names plugins, separated by commas, that are not even imported.
`ARENA_PLUGINS_STRICT=1` makes any failure an error of the command, as CI needs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

import pluggy

from arena import plugin as hookspecs
from arena.blocks.runner import Runner
from arena.errors import ArenaError
from arena.games.game import Game
from arena.names import check_name
from arena.programs.spec import BotSpec
from arena.sandbox.sandbox import Sandbox

OWN_DISTRIBUTION = "bot-arena"
BLOCK = "ARENA_PLUGINS_BLOCK"
STRICT = "ARENA_PLUGINS_STRICT"

T = TypeVar("T", Game, BotSpec, Runner, Sandbox)


@dataclass
class Plugin:
    """One entry point, its status, and the names of what it brings."""

    name: str
    distribution: str
    version: str
    target: str
    status: str = "ok"
    error: str = ""
    games: list[str] = field(default_factory=list)
    bots: list[str] = field(default_factory=list)
    runners: list[str] = field(default_factory=list)
    sandboxes: list[str] = field(default_factory=list)

    def fail(self, error: str) -> None:
        """Mark the plugin as left out, because of this error."""
        self.status = "failed"
        self.error = error


@dataclass
class Plugins:
    """All plugins with their status, and everything that they have brought, by name."""

    plugins: list[Plugin] = field(default_factory=list)
    games: dict[str, Game] = field(default_factory=dict)
    bots: dict[str, BotSpec] = field(default_factory=dict)
    runners: dict[str, Runner] = field(default_factory=dict)
    sandboxes: dict[str, Sandbox] = field(default_factory=dict)

    @property
    def failures(self) -> list[Plugin]:
        """The plugins that were left out because of an error."""
        return [plugin for plugin in self.plugins if plugin.status == "failed"]


class PluginError(ArenaError):
    """A plugin failed, and `ARENA_PLUGINS_STRICT` is set."""


def discover(environ: Mapping[str, str] | None = None) -> Plugins:
    """Load all installed plugins, the arena's own first, the others by name."""
    environ = os.environ if environ is None else environ
    found = load(entry_points(group=hookspecs.PROJECT), _words(environ.get(BLOCK, "")))
    if environ.get(STRICT, "") not in ("", "0") and found.failures:
        texts = [f"plugin {plugin.name!r}: {plugin.error}" for plugin in found.failures]
        raise PluginError("; ".join(texts))
    return found


def load(points: Iterable[EntryPoint], blocked: Sequence[str] = ()) -> Plugins:
    """Load these entry points one by one."""
    found = Plugins()
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    for point in _in_order(points):
        plugin = _describe(point)
        taken = {other.name for other in found.plugins if other.status != "failed"}
        found.plugins.append(plugin)
        if plugin.name in blocked:
            plugin.status = "blocked"
        elif plugin.name in taken:
            plugin.fail("another plugin has this name; rename the entry point of one of them")
        else:
            _load_one(manager, point, plugin, found)
    return found


def _load_one(
    manager: pluggy.PluginManager, point: EntryPoint, plugin: Plugin, found: Plugins
) -> None:
    module: Any = None
    try:
        module = point.load()
        manager.register(module, plugin.name)
        _check_hooks(manager, module)
        games = _named("arena_games", _brought(manager, module, "arena_games", Game), found.games)
        bots = _named("arena_bots", _brought(manager, module, "arena_bots", BotSpec), found.bots)
        runners = _named(
            "arena_runners", _brought(manager, module, "arena_runners", Runner), found.runners
        )
        sandboxes = _named(
            "arena_sandboxes",
            _brought(manager, module, "arena_sandboxes", Sandbox),
            found.sandboxes,
        )
        for game in games.values():
            _check_game(game)
        for kind, named in (("sandbox", sandboxes), ("runner", runners)):
            for name in named:
                check_name(kind, name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin must not affect others
        plugin.fail(_explain(error))
        if module is not None and manager.is_registered(module):
            manager.unregister(module)
        return
    found.games |= games
    found.bots |= bots
    found.runners |= runners
    found.sandboxes |= sandboxes
    plugin.games = list(games)
    plugin.bots = list(bots)
    plugin.runners = list(runners)
    plugin.sandboxes = list(sandboxes)


def _check_hooks(manager: pluggy.PluginManager, module: object) -> None:
    callers = manager.get_hookcallers(module) or []
    known = ", ".join(name for name in vars(manager.hook) if name.startswith("arena_"))
    for caller in callers:
        if not caller.has_spec():
            raise ValueError(f"unknown hook {caller.name!r}; the hooks are: {known}")
    if not callers:
        raise ValueError(f"no hooks; mark functions with arena.plugin.hookimpl, named: {known}")


def _brought(
    manager: pluggy.PluginManager, module: object, hook: str, kind: type[Any]
) -> Iterator[Any]:
    """Yield what one plugin's hook returns; raise `TypeError` if an item is of another kind."""
    others = [other for other in manager.get_plugins() if other is not module]
    for result in manager.subset_hook_caller(hook, others)():
        if isinstance(result, str | kind) or not isinstance(result, Iterable):
            raise TypeError(f"{hook}: expected a list of {kind.__name__}, got {result!r}")
        for item in result:
            if not isinstance(item, kind):
                raise TypeError(f"{hook}: expected {kind.__name__}, got {item!r}")
            yield item


def _named(hook: str, items: Iterable[T], taken: Mapping[str, T]) -> dict[str, T]:
    """Return items by name; raise `ValueError` if a name is taken."""
    named: dict[str, T] = {}
    for item in items:
        if item.name in taken or item.name in named:
            raise ValueError(f"{hook}: the name {item.name!r} is taken")
        named[item.name] = item
    return named


def _check_game(game: Game) -> None:
    check_name("game", game.name)
    players = list(game.players)
    if not players or players != sorted(set(players)) or players[0] < 1:
        raise ValueError(f"game {game.name}: players: expected ascending numbers, got {players}")
    for name in ("title", "summary", "version"):
        if not isinstance(getattr(game, name), str):
            raise TypeError(f"game {game.name}: {name}: expected a text")
    if game.margin is not None and not game.margin > 0:
        raise ValueError(f"game {game.name}: margin: expected more than 0, got {game.margin}")
    if not game.partiality >= 1:
        raise ValueError(
            f"game {game.name}: partiality: expected a factor of 1 or more, got {game.partiality}"
        )
    for name in ("decisions", "view_schema", "event_forms"):
        if not isinstance(getattr(game, name), Mapping):
            raise TypeError(f"game {game.name}: {name}: expected a map")
    game.rules({})


def _explain(error: BaseException) -> str:
    """Return an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _describe(point: EntryPoint) -> Plugin:
    if point.dist is None:
        return Plugin(point.name, "", "", point.value)
    return Plugin(point.name, point.dist.name, point.dist.version, point.value)


def _in_order(points: Iterable[EntryPoint]) -> list[EntryPoint]:
    """Return each entry point once, the arena's own first."""
    unique = {(p.dist.name if p.dist else "", p.name, p.value): p for p in points}
    ranked = sorted(unique.items(), key=lambda item: (item[0][0] != OWN_DISTRIBUTION, item[0]))
    return [point for _, point in ranked]


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
