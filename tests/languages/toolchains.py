"""The languages that there are, the programs that they need, and bots that are built once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.builds.build import builder_environment
from arena.programs.manifest import MANIFEST
from arena.programs.tools import missing
from arena.starters.sdk import TEMPLATES, load_sdk
from command import arena

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

ROOT = Path(__file__).parent.parent.parent
BUILD_SECONDS = "600"
SDK_TESTS = {path.parent.name: path for path in sorted(ROOT.glob("protocol/*/sdk-tests.toml"))}
BOTS = sorted(path.parent for path in ROOT.glob("bots/*/*/bot.toml"))
RULE_BOTS = {path.parts[-2]: path for path in sorted(ROOT.glob("protocol/*/rule-bot"))}


def one_of_each_language(names: Sequence[str]) -> list[ParameterSet]:
    """Names of bots, of which the first of each language is not `wide`: the others are built alike.

    A bot's language is the folder that its own lies in.
    """
    first = {name.rpartition("/")[0]: name for name in reversed(names)}
    return [
        pytest.param(name, marks=() if name in first.values() else pytest.mark.wide)
        for name in names
    ]


def table(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    return tomllib.loads(path.read_text())


def need(language: str, lacking: list[str]) -> None:
    """Skip the test where something is missing, and say what; in CI nothing may be."""
    if lacking:
        text = f"{language}: not installed: {', '.join(lacking)}"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)


def need_language(language: str) -> None:
    """Skip the test where bots in this language cannot be built."""
    need(language, load_sdk(language).missing())


def need_bot(folder: Path) -> None:
    """Skip the test where this bot cannot be built and run; it lies in its language's folder."""
    language = folder.parent.name
    if (TEMPLATES / language).is_dir():
        need_language(language)
    else:
        told = table(folder / MANIFEST)
        programs = {words[0] for key in ("build", "run") if (words := told.get(key))}
        need(language, missing(sorted(programs), builder_environment()["PATH"]))


@cache
def _build(folder: Path) -> str:
    outcome = arena("bot", "build", str(folder), "--limit", BUILD_SECONDS, limit=900)
    return "" if outcome.code == 0 else outcome.err


def built(folder: Path) -> Path:
    """The folder of a bot that has been built, once for all tests."""
    said = _build(folder)
    if said:
        pytest.fail(said)
    return folder


def assert_passes_check(folder: Path) -> None:
    """A bot in which `arena bot check` finds nothing wrong, and nothing to warn of."""
    checked = arena("bot", "check", str(folder), "--json", limit=300)
    assert checked.code == 0, checked.out + checked.err
    assert {step["status"] for step in checked.json["steps"]} == {"pass"}, checked.out
