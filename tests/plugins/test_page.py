"""The examples on the page about plugins work as they stand, with `arena.plugin` alone."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from arena import plugin
from arena.plugin import Block, BlockDeals, BlockResult, Contestant, Venue

from .test_plugins import Site

pytestmark = pytest.mark.source_only

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"

LAST = """
from arena_sdk import run
run(lambda question: len(question.actions) - 1, name="last")
"""


def example(hook: str) -> str:
    """The example on the page that has this hook."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (found,) = (block for block in blocks if f"def {hook}(" in block)
    return str(found)


@pytest.mark.parametrize("hook", ["arena_bots", "arena_games", "arena_runners"])
def test_an_example_needs_nothing_else_of_the_arena(hook: str, tmp_path: Path) -> None:
    """`arena.plugin` is all that a plugin imports, and what the example brings is registered."""
    for node in ast.walk(ast.parse(example(hook))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("arena"):
            assert node.module == "arena.plugin"
            assert {name.name for name in node.names} <= set(plugin.__all__)
    site = Site(tmp_path)
    site.install("example", example(hook))
    found = site.plugins()["example"]
    assert (found["status"], found["error"]) == ("ok", "")


def test_the_game_is_played_recorded_and_verified(tmp_path: Path) -> None:
    """Bots that know nothing of it play it, in every seat, and its log holds."""
    site = Site(tmp_path)
    site.install("example", example("arena_games"))
    log = str(tmp_path / "games.jsonl")
    shown = site.run("game", "show", "highest", "--json")
    assert shown.code == 0, shown.err
    (tmp_path / "last.py").write_text(LAST)
    bot = f"python3 {tmp_path / 'last.py'}"
    played = site.run("play", "highest", *[bot] * 3, "--games", "6", "--record", log, "--json")
    assert played.code == 0, played.err
    assert [row["faults"] for row in played.json] == [{}] * 3
    verified = site.run("replay", "verify", log)
    assert verified.out.startswith("6 games verified"), verified
    told = site.run("replay", "show", log, "--game", "0")
    assert "chosen: seat 0, swapped " in told.out
    checked = site.run("bot", "check", bot, "--game", "highest")
    assert checked.code == 0, checked


def test_the_runner_plays_a_ladder(tmp_path: Path) -> None:
    """It is chosen by its name, and the log is that of the bundled runner."""
    site = Site(tmp_path)
    site.install("example", example("arena_runners"))
    path = tmp_path / "test.toml"
    path.write_text(
        'name = "test"\ngame = "castors"\ntables = [3]\nseed = "1"\nsandbox = "none"\n'
        'contestants = ["random", { bot = "random", name = "b" }, { bot = "random", name = "c" }]\n'
        "[budget]\ngames = 6\n"
    )
    for name, runner in (("one", "watched"), ("two", "local")):
        store = str(tmp_path / name)
        done = site.run("ladder", "run", str(path), "--store", store, "--runner", runner)
        assert done.code == 0, done.err
        assert ("block 1: 3 games, 0 faults" in done.err) == (runner == "watched")
    assert (tmp_path / "one" / "log").read_bytes() == (tmp_path / "two" / "log").read_bytes()


def types_of(annotations: Iterable[object]) -> set[type]:
    """All classes of the arena in these annotations."""
    found: set[type] = set()
    for each in annotations:
        if isinstance(each, type) and each.__module__.startswith("arena."):
            found.add(each)
        found |= types_of(get_args(each))
    return found


@pytest.mark.parametrize("shape", [Block, BlockResult, Venue])
def test_what_a_runner_is_given_and_returns_can_be_named(shape: type) -> None:
    """Every type of a field of blocks, results and venues is one of `arena.plugin`'s."""
    assert is_dataclass(shape)
    hints = get_type_hints(shape)
    exported = {getattr(plugin, name) for name in plugin.__all__}
    assert types_of(hints[field.name] for field in fields(shape)) <= exported


def test_a_block_can_be_sent_to_another_machine() -> None:
    """It is plain data: what arrives is equal, and deals the same cards."""
    seated = tuple(Contestant(name=name, version="1", digest="0" * 64) for name in ("a", "b"))
    block = Block(3, 6, seated, BlockDeals(bytes(32)))
    sent = pickle.loads(pickle.dumps(block))
    assert sent == block
    assert sent.deals.deal(1) == block.deals.deal(1)
