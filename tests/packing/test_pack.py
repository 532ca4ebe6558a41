"""`arena bot pack`: what is copied, what is refused, and what is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.packing._draft import Draft, PackError
from arena.packing._registries import clean, hosts
from arena.programs.manifest import load_manifest
from command import Outcome, arena, assert_refused

pytestmark = pytest.mark.source_only


def bot(folder: Path, more: str = "", **files: str) -> Path:
    """A bot in a folder, with further lines in its bot.toml and further files."""
    folder.mkdir(exist_ok=True)
    told = f'name = "b"\nversion = "2"\nrun = ["perl", "bot.pl"]\nlanguage = "perl"\n{more}'
    (folder / "bot.toml").write_text(told)
    (folder / "bot.pl").write_text("print 1;\n")
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def tool(folder: Path, name: str, script: str) -> dict[str, str]:
    """A tool of the author's that a test controls, and the environment in which it is found."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def assert_fails(outcome: Outcome, *parts: str) -> None:
    """A refusal that comes after steps: its last line has these parts."""
    assert outcome.code == 2, outcome
    assert "Traceback" not in outcome.err
    for part in parts:
        assert part in outcome.err.splitlines()[-1], outcome.err


def test_a_packed_bot_has_the_files_that_count_and_no_others(tmp_path: Path) -> None:
    """What an author hands in holds nothing that he did not mean to hand in."""
    bot(tmp_path / "b", 'files = ["*.pl", "bot.toml"]\n', notes__txt="my password")
    packed = arena("bot", "pack", "b", cwd=tmp_path)
    assert packed.code == 0, packed.err
    folder = tmp_path / "b-packed"
    assert sorted(path.name for path in folder.iterdir()) == ["bot.pl", "bot.toml"]
    assert packed.out == f"b is in {folder}: nothing to build\n"
    assert packed.err == "b: copied 1 files that bot.toml names\n"


def test_a_packed_bot_is_described_as_before(tmp_path: Path) -> None:
    """Its name, version and games stay; whoever runs it need not know that it was packed."""
    bot(tmp_path / "b", 'summary = "says \\"é\\""\ngames = ["gargon"]\n')
    assert arena("bot", "pack", "b", "--output", "out/it", cwd=tmp_path).code == 0
    one, other = load_manifest(tmp_path / "b"), load_manifest(tmp_path / "out" / "it")
    for key in ("name", "version", "author", "summary", "language", "games", "build", "run"):
        assert getattr(one, key) == getattr(other, key), key


def test_a_packed_bot_in_python_has_the_sdk_beside_it(tmp_path: Path) -> None:
    """It plays where the SDK of the arena is another one, or none."""
    folder = tmp_path / "b"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "b"\nrun = ["python3", "bot.py"]\nfiles = ["*.py"]\n')
    (folder / "bot.py").write_text("from arena_sdk import run\nrun(lambda question: 0)\n")
    told = arena("bot", "pack", "b", "--json", cwd=tmp_path).json
    packed = tmp_path / "b-packed"
    assert (told["folder"], told["build"]) == (str(packed), [])
    assert "arena_sdk/line.py" in arena("bot", "show", str(packed), "--json").json["files"]
    assert arena("play", "gargon", *[str(packed)] * 3, "--json").json[0]["faults"] == {}
    (packed / "arena_sdk" / "__init__.py").write_text("raise SystemExit('own SDK')\n")
    assert arena("play", "gargon", *[str(packed)] * 3, "--json").json[0]["faults"] != {}


def test_a_packed_bot_keeps_the_sdk_that_it_came_with(tmp_path: Path) -> None:
    """What an author has tested is what he hands in."""
    made = arena("bot", "new", "b", "--game", "gargon", cwd=tmp_path)
    assert made.code == 0, made.err
    own = tmp_path / "b" / "arena_sdk" / "line.py"
    own.write_text(f"# mine\n{own.read_text()}")
    assert arena("bot", "pack", "b", cwd=tmp_path).code == 0
    assert (tmp_path / "b-packed" / "arena_sdk" / "line.py").read_text() == own.read_text()


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    """Without --force nothing is replaced; with it only what packing has made."""
    bot(tmp_path / "b")
    words = ["bot", "pack", "b", "--output", "out"]
    assert arena(*words, cwd=tmp_path).code == 0
    (tmp_path / "out" / "old").write_text("x")
    assert_refused(arena(*words, cwd=tmp_path), "out: exists; --force replaces it")
    assert (tmp_path / "out" / "old").exists()
    assert arena(*words, "--force", cwd=tmp_path).code == 0
    assert not (tmp_path / "out" / "old").exists()
    bot(tmp_path / "mine")
    other = ["bot", "pack", "b", "--output", "mine", "--force"]
    assert_refused(arena(*other, cwd=tmp_path), "mine: is no packed bot")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nothing"], ["nothing: no such directory"]),
        (["b", "--output", "b/packed"], ["expected a place outside of the bot's folder"]),
        (["b", "--output", "."], ["expected a place outside of the bot's folder"]),
        (["packed"], ["is packed already"]),
    ],
)
def test_wrong_usage_is_refused_in_one_line(
    tmp_path: Path, words: list[str], parts: list[str]
) -> None:
    """Nothing is written where it does not belong."""
    bot(tmp_path / "b")
    assert arena("bot", "pack", "b", "--output", "packed", cwd=tmp_path).code == 0
    assert_refused(arena("bot", "pack", *words, cwd=tmp_path), *parts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "packed"]


@pytest.mark.parametrize(
    ("name", "text", "build", "parts"),
    [
        ("Makefile", "all: ../lib/x.h\n", "make", ["Makefile: refers to ../lib/x.h"]),
        ("pom.xml", "<project/>\n", "make", ["build: expected mvn", "pom.xml"]),
        ("vendor", "", "make", ["vendor: packing puts libraries there"]),
    ],
)
def test_a_bot_that_cannot_stand_alone_is_refused(
    tmp_path: Path, name: str, text: str, build: str, parts: list[str]
) -> None:
    """Its author learns it, not whoever builds it; and nothing half done is left."""
    bot(tmp_path / "b", f'build = ["{build}"]\n', **{name.replace(".", "__"): text})
    assert_fails(arena("bot", "pack", "b", cwd=tmp_path), *parts)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_tool_that_fails_is_shown_by_its_last_lines(tmp_path: Path) -> None:
    """The author sees what his own tool says, and which one it was; exit code 1."""
    bot(tmp_path / "b", Cargo__toml="[package]\n")
    env = tool(tmp_path / "bin", "cargo", "echo 'no such crate' >&2; exit 101")
    failed = arena("bot", "pack", "b", cwd=tmp_path, env=env)
    assert failed.code == 1
    end = ["  no such crate", "b: cargo vendor --versioned-dirs ended with exit code 101"]
    assert failed.err.splitlines()[-2:] == end
    assert not (tmp_path / "b-packed").exists()


def test_a_tool_that_is_missing_is_named(tmp_path: Path) -> None:
    """Whoever lacks it learns what to install."""
    bot(tmp_path / "b", Cargo__toml="[package]\n")
    failed = arena("bot", "pack", "b", cwd=tmp_path, env={"PATH": "/bin-of-nothing"})
    assert_fails(failed, "not on PATH: cargo (for Rust; Debian's package is cargo)")


def draft(folder: Path) -> tuple[Draft, list[str]]:
    """A draft whose registry is crates.example, and what it tells."""
    told: list[str] = []
    made = Draft(load_manifest(bot(folder)), folder, told.append)
    made.registries |= {"crates.example", "index.crates.example"}
    return made, told


def test_no_library_in_a_packed_bot_names_a_registry(tmp_path: Path) -> None:
    """Descriptions of libraries are full of addresses; those that builds must not need go."""
    made, told = draft(tmp_path)
    library = tmp_path / "vendor" / "library"
    library.mkdir(parents=True)
    (library / "README").write_text("see https://Index.Crates.Example/x and crates.examples\n")
    (library / "data").write_bytes(b"\0crates.example")
    clean(made)
    assert (library / "README").read_text() == (
        "see https://registry.invalid/x and registry.invalids\n"
    )
    assert (library / "data").read_bytes() == b"\0crates.example"
    assert told == ["took the registries' addresses out of 1 files of libraries"]


def test_a_bot_that_names_a_registry_itself_is_refused(tmp_path: Path) -> None:
    """The author's own files are never changed; he is told which one it is."""
    made, _ = draft(tmp_path)
    (tmp_path / "get.sh").write_text("curl https://crates.example/it\n")
    with pytest.raises(PackError, match=r"get\.sh: names the registry crates\.example"):
        clean(made)


def test_hosts_of_addresses_are_found_in_what_tools_print() -> None:
    """Each tool writes its registries in a form of its own."""
    text = "[one (https://a.example/m2, default)], http://u:p@b.example:81|direct"
    assert hosts(text) == {"a.example", "b.example"}
