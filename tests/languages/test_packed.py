"""Packed bots in every language: built in the sandbox without a network, and played there.

Packing may download what the author's tools have not downloaded before. Building cannot: the
sandbox has no network, and a build that lacks a library fails.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from arena.builds.build import builder_environment
from arena.packing._cargo import configured
from arena.packing._registries import hosts, named_in
from arena.starters.starter import starters
from command import arena
from languages.toolchains import (
    BOTS,
    BUILD_SECONDS,
    ROOT,
    need_bot,
    need_language,
    one_of_each_language,
    table,
)
from sandbox.walls import bubblewrap

pytestmark = pytest.mark.source_only

STARTERS = [
    f"starters/{language}/{game}" for language, games in starters().items() for game in games
]
NAMES = [
    *one_of_each_language(STARTERS),
    *(pytest.param(str(path.relative_to(ROOT)), marks=pytest.mark.wide) for path in BOTS),
]
LIBRARY = {
    "go": "github.com",
    "java": "org/msgpack",
    "javascript": "msgpack-*.tgz",
    "rust": "rmp-serde-*",
    "typescript": "typescript-*.tgz",
}
"""For each language with libraries, one of them in the folder `vendor`."""
SANDBOX = ("--sandbox", "bwrap")


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the packed bots are."""
    return tmp_path_factory.mktemp("packed")


@cache
def need_sandbox() -> None:
    """Skip the test where there is no sandbox; in CI fail."""
    bubblewrap()


def need(name: str) -> None:
    """Skip the test where this bot cannot be built or locked up; in CI fail."""
    kind, language, _ = name.split("/")
    if kind == "starters":
        need_language(language)
    else:
        need_bot(ROOT / name)
    need_sandbox()


@cache
def pack(place: Path, name: str) -> Path:
    """The folder of a bot that has been packed, once for all tests."""
    kind, language, last = name.split("/")
    folder = ROOT / name
    if kind == "starters":
        folder = place / f"{language}-{last}"
        words = ["--language", language, "--game", last]
        made = arena("bot", "new", str(folder), *words)
        assert made.code == 0, made.err
    packed = place / name.replace("/", "-")
    told = arena("bot", "pack", str(folder), "--output", str(packed), limit=600)
    assert told.code == 0, told.err
    return packed


def digest(folder: Path) -> str:
    """What identifies the bot in this folder."""
    return str(arena("bot", "show", str(folder), "--json").json["digest"])


@cache
def registries() -> set[str]:
    """The hosts that the tools of all languages would download from."""
    asks = {
        ("npm", "config", "get", "registry"): "",
        ("go", "env", "GOPROXY"): "",
        ("mvn", "-X", "-B", "-f", f"{ROOT}/bots/java/random/pom.xml", "validate"): "Repositories",
    }
    env = builder_environment()
    found = configured()
    for words, part in asks.items():
        if shutil.which(words[0], path=env["PATH"]):
            done = subprocess.run(
                words, env=env, cwd="/", capture_output=True, text=True, check=True
            )
            lines = (line for line in done.stdout.splitlines() if part in line)
            found |= hosts("\n".join(lines))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_packed_bot_is_built_without_a_network_and_plays(name: str, place: Path) -> None:
    """What an author hands in needs nothing but the host's toolchain, and stays the same bot."""
    need(name)
    packed = pack(place, name)
    before = digest(packed)
    built = arena("bot", "build", str(packed), *SANDBOX, "--limit", BUILD_SECONDS, limit=900)
    assert built.code == 0, built.err
    assert digest(packed) == before
    game = (table(packed / "bot.toml").get("games") or ["gargon"])[0]
    played = arena("play", game, *[str(packed)] * 3, *SANDBOX, "--games", "3", "--json", limit=600)
    assert played.code == 0, played.err
    assert [seat["faults"] for seat in played.json] == [{}] * len(played.json)


@pytest.mark.parametrize("language", LIBRARY)
def test_a_build_that_lacks_a_library_fails(language: str, place: Path, tmp_path: Path) -> None:
    """Nothing is downloaded while a bot is built: one library less, and there is no bot."""
    name = f"starters/{language}/castors"
    need(name)
    folder = tmp_path / "lacking"
    left_out = shutil.ignore_patterns("build", "target", "node_modules")
    shutil.copytree(pack(place, name), folder, ignore=left_out)
    gone = list((folder / "vendor").glob(LIBRARY[language]))
    assert gone
    for path in gone:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not any((folder / "vendor").iterdir()):
        (folder / "vendor" / "other.tgz").touch()  # for the pattern in bot.toml
    built = arena("bot", "build", str(folder), *SANDBOX, "--limit", BUILD_SECONDS, limit=900)
    assert built.code == 1, built.out + built.err
    assert "its build ended with exit code" in built.err


@pytest.mark.parametrize("name", NAMES)
def test_packed_bot_names_no_registry(name: str, place: Path) -> None:
    """Neither lock files nor libraries say where anything was downloaded from."""
    need(name)
    folder = pack(place, name)
    assert list(named_in(folder, registries())) == []
    for lock in ("package-lock.json", ".npmrc", ".cargo/config.toml"):
        if (folder / lock).exists():
            assert "://" not in (folder / lock).read_text(), lock
