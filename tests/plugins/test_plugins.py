"""Plugins: real distributions on the path, good and broken ones, seen through the command."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from command import Outcome, arena, assert_refused
from sandbox.walls import bubblewrap

GOOD_BOT = """
    from arena.plugin import hookimpl
    from arena.programs.spec import BotSpec

    @hookimpl
    def arena_bots():
        yield BotSpec(name="{name}", run=("python3", "bot.py"), folder=".", games=("gargon",))
"""

BROKEN = {
    "no-such-module": ("import nowhere_to_be_found", "nowhere_to_be_found"),
    "syntax": ("def broken(:", "SyntaxError"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "exits": ("import sys; sys.exit(3)", "SystemExit"),
    "no-hooks": ("x = 1", "no hooks"),
    "unknown-hook": (
        "from arena.plugin import hookimpl\n@hookimpl\ndef arena_boats(): return []",
        "unknown hook 'arena_boats'",
    ),
    "wrong-arguments": (
        "from arena.plugin import hookimpl\n@hookimpl\ndef arena_bots(colour): return []",
        "colour",
    ),
    "hook-raises": (
        "from arena.plugin import hookimpl\n@hookimpl\ndef arena_bots(): raise OSError('gone')",
        "OSError: gone",
    ),
    "returns-number": (
        "from arena.plugin import hookimpl\n@hookimpl\ndef arena_games(): return 3",
        "expected a list of Game, got 3",
    ),
    "returns-nonsense": (
        "from arena.plugin import hookimpl\n@hookimpl\ndef arena_bots(): return ['me']",
        "expected BotSpec, got 'me'",
    ),
    "bad-spec": (GOOD_BOT.format(name="No Spaces!"), "expected a name"),
    "bot-clash": (GOOD_BOT.format(name="random"), "the name 'random' is taken"),
    "game-clash": (
        """
        from arena.games.gargon.game import Gargon
        from arena.plugin import hookimpl

        @hookimpl
        def arena_games():
            return [Gargon()]
        """,
        "the name 'gargon' is taken",
    ),
    "half-a-game": (
        """
        from arena.games.game import Game
        from arena.plugin import hookimpl

        class Half(Game):
            name = "half"

        @hookimpl
        def arena_games():
            return [Half()]
        """,
        "abstract",
    ),
}


class Site:
    """A directory of installed distributions, each with one plugin."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def install(self, plugin: str, source: str, distribution: str | None = None) -> None:
        """Install a distribution whose entry point in the group `arena` is this module."""
        distribution = distribution or plugin
        module = f"plugin_of_{distribution}".replace("-", "_")
        (self.path / f"{module}.py").write_text(dedent(source))
        info = self.path / f"{distribution.replace('-', '_')}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n"
        )
        (info / "entry_points.txt").write_text(f"[arena]\n{plugin} = {module}\n")

    def run(self, *words: str, **env: str) -> Outcome:
        """Run `arena` with these distributions on the path."""
        path = os.pathsep.join([str(self.path), os.environ.get("PYTHONPATH", "")])
        return arena(*words, env={"PYTHONPATH": path, **env})

    def plugins(self, **env: str) -> dict[str, Any]:
        """`arena plugin list --json`, by name."""
        outcome = self.run("plugin", "list", "--json", **env)
        assert outcome.code == 0, outcome.err
        return {plugin["name"]: plugin for plugin in outcome.json}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """An empty directory for distributions."""
    return Site(tmp_path)


def test_bundled_games_and_bots_are_plugins_like_any_other() -> None:
    """What comes with the arena is registered through entry points and can be blocked."""
    plugins = {plugin["name"]: plugin for plugin in arena("plugin", "list", "--json").json}
    assert plugins["arena-games"]["games"] == ["gargon", "castors"]
    assert "random" in plugins["arena-bots"]["bots"]
    blocked = arena("game", "list", "--json", env={"ARENA_PLUGINS_BLOCK": "arena-games"})
    assert blocked.json == []


def test_an_installed_plugin_is_found_with_its_version_and_what_it_brings(site: Site) -> None:
    """Installing a distribution with an entry point is all that a plugin needs."""
    site.install("guest", GOOD_BOT.format(name="guest-bot"))
    guest = site.plugins()["guest"]
    assert guest["status"] == "ok"
    assert guest["version"] == "1.5"
    assert guest["bots"] == ["guest-bot"]


@pytest.mark.source_only
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plugin_is_named_and_left_out_and_all_else_works(site: Site, kind: str) -> None:
    """One plugin's failure costs that plugin only, and its error is shown in one line."""
    source, error = BROKEN[kind]
    site.install(kind, source)
    site.install("zz-good", GOOD_BOT.format(name="good-bot"))
    plugins = site.plugins()
    assert plugins[kind]["status"] == "failed"
    assert error in plugins[kind]["error"]
    assert "\n" not in plugins[kind]["error"]
    assert plugins[kind]["bots"] == plugins[kind]["games"] == []
    assert plugins["zz-good"]["bots"] == ["good-bot"]
    assert plugins["arena-games"]["status"] == plugins["arena-bots"]["status"] == "ok"
    listed = site.run("game", "list", "--json")
    assert [game["name"] for game in listed.json] == ["gargon", "castors"]
    assert f"plugin '{kind}' left out" in listed.err


def test_a_plugin_with_a_name_that_is_taken_is_left_out(site: Site) -> None:
    """Two distributions that give their entry point the same name do not mask each other."""
    site.install("same", GOOD_BOT.format(name="one"), "a-first")
    site.install("same", GOOD_BOT.format(name="two"), "b-second")
    listed = site.run("plugin", "list", "--json").json
    status = {p["distribution"]: (p["status"], p["bots"]) for p in listed}
    assert status["a-first"] == ("ok", ["one"])
    assert status["b-second"] == ("failed", [])


def test_what_a_failed_plugin_brought_does_not_take_names_away(site: Site) -> None:
    """A plugin that fails half-way leaves nothing behind that others could clash with."""
    source = GOOD_BOT.format(name="fine")
    site.install("a-clash", dedent(source) + dedent(GOOD_BOT.format(name="random")))
    site.install("b-fine", source)
    plugins = site.plugins()
    assert plugins["a-clash"]["status"] == "failed"
    assert plugins["b-fine"]["bots"] == ["fine"]


def test_strict_makes_a_failure_an_error_of_every_command(site: Site) -> None:
    """CI wants to know at once when a plugin is broken."""
    site.install("raises", "1 / 0")
    assert_refused(site.run("game", "list", ARENA_PLUGINS_STRICT="1"), "'raises'", "ZeroDivision")
    assert site.run("game", "list", ARENA_PLUGINS_STRICT="0").code == 0


def test_a_blocked_plugin_is_not_even_imported(site: Site) -> None:
    """Blocking helps against a plugin that does harm when it is imported."""
    marker = site.path / "imported"
    site.install("evil", f"open({str(marker)!r}, 'w').close()")
    plugins = site.plugins(ARENA_PLUGINS_BLOCK="other, evil")
    assert plugins["evil"]["status"] == "blocked"
    assert not marker.exists()
    site.plugins()
    assert marker.exists()


LATE = """
    from arena.games.gargon.game import Gargon
    from arena.plugin import hookimpl

    class Late(Gargon):
        name = "late"

        def {method}(self, *arguments):
            raise {error}

    @hookimpl
    def arena_games():
        return [Late()]
"""


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("error", "parts"),
    [
        ("KeyError('out of luck')", ["decided: KeyError: 'out of luck' (plugin_of_late.py, line"]),
        ("MemoryError()", ["nothing was decided: MemoryError"]),
        ("OSError(28, 'No space left', 'the/card')", ["arena: the/card: No space left"]),
    ],
)
def test_what_fails_later_ends_in_one_line(site: Site, error: str, parts: list[str]) -> None:
    """What nobody foresaw is said with its place; its exit code is not that of a finding."""
    site.install("late", LATE.format(method="check_seats", error=error))
    failed = site.run("play", "late", "random", "random", "random")
    assert failed.code == 3
    assert failed.out == ""
    assert len(failed.err.splitlines()) == 1
    for part in parts:
        assert part in failed.err


def test_what_fails_in_a_game_is_not_said_of_the_record(site: Site) -> None:
    """A host that is out of descriptors has failed; the file for the records is not wrong."""
    error = "OSError(24, 'Too many open files')"
    site.install("late", LATE.format(method="start", error=error))
    record = str(site.path / "games.jsonl")
    bots = ["python3 -m arena_bots.random_bot"] * 3
    failed = site.run("play", "late", *bots, "--seed", "1", "--record", record)
    assert failed == Outcome(3, "", "arena: Too many open files\n")


NO_ROOM = """
    from arena.plugin import hookimpl
    from arena.sandbox.bubblewrap import Bubblewrap
    from arena.sandbox.sandbox import SandboxError

    class NoRoom(Bubblewrap):
        # Has room for the program that tries out the sandbox, and then no more.

        name = "full"
        tried_out = False

        def launch(self, *arguments, **options):
            if self.tried_out:
                raise SandboxError("no room is left")
            self.tried_out = True
            return super().launch(*arguments, **options)

    @hookimpl
    def arena_sandboxes():
        return [NoRoom()]
"""


@pytest.mark.source_only
@pytest.mark.parametrize(
    "words", [("bot", "build", "b"), ("bot", "check", "b"), ("bench", "sandbox", "--starts", "1")]
)
def test_a_sandbox_that_fails_later_is_a_failure_of_the_host(
    site: Site, words: tuple[str, ...]
) -> None:
    """Neither is the bot to blame nor the command line; it is said in one line."""
    bubblewrap()
    site.install("full", NO_ROOM)
    (site.path / "b" / "build").mkdir(parents=True)
    manifest = 'name = "b"\nrun = ["python3", "b.py"]\nbuild = ["true"]\n'
    (site.path / "b" / "bot.toml").write_text(manifest, "utf-8")
    bot = [str(site.path / word) if word == "b" else word for word in words]
    failed = site.run(*bot, "--sandbox", "full")
    assert failed.code == 3, failed
    said = f"arena {words[0]} {words[1]}: no room is left"
    assert failed.err.splitlines()[-1] == said
    assert "Traceback" not in failed.err
