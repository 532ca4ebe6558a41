"""The manifest: what a `bot.toml` may say, and what its author reads when it is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.programs.digest import digest
from arena.programs.manifest import ManifestError, load_manifest
from command import arena

pytestmark = pytest.mark.source_only

FULL = """
name = "beaver"
version = "2.1"
author = "Ada"
summary = "Gnaws."
language = "rust"
games = ["castors", "gargon"]
build = ["cargo", "build", "--release"]
run = ["./beaver", "--fast"]
files = ["*.rs", "bot.toml"]
"""
LEAST = 'name = "beaver"\nrun = ["./beaver"]\n'


def write(folder: Path, text: str) -> Path:
    """A folder with this manifest and a source file."""
    (folder / "bot.toml").write_text(text)
    (folder / "main.rs").write_text("fn main() {}\n")
    return folder


def test_manifest_says_all_that_a_bot_is(tmp_path: Path) -> None:
    """Every field of a bot's description can be written down."""
    spec = load_manifest(write(tmp_path, FULL))
    assert (spec.name, spec.version, spec.author) == ("beaver", "2.1", "Ada")
    assert (spec.summary, spec.language) == ("Gnaws.", "rust")
    assert spec.games == ("castors", "gargon")
    assert spec.build == ("cargo", "build", "--release")
    assert spec.run == ("./beaver", "--fast")
    assert spec.files == ("*.rs", "bot.toml")
    assert spec.folder == tmp_path


def test_a_name_and_a_command_line_are_enough(tmp_path: Path) -> None:
    """The rest has defaults: version 0, any game, all files count."""
    spec = load_manifest(write(tmp_path, LEAST))
    assert (spec.version, spec.games, spec.build, spec.files) == ("0", (), (), ("**/*",))


def test_folder_is_absolute_wherever_it_was_named_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot does not change when the arena changes its directory."""
    write(tmp_path, LEAST)
    monkeypatch.chdir(tmp_path)
    assert load_manifest(Path()).folder == tmp_path


def test_a_changed_file_that_counts_is_another_bot(tmp_path: Path) -> None:
    """The digest depends on the files that the patterns find, and on no others."""
    spec = load_manifest(write(tmp_path, FULL))
    before = digest(spec)
    (tmp_path / "notes.txt").write_text("to do")
    assert digest(spec) == before
    (tmp_path / "main.rs").write_text("fn main() { play() }\n")
    assert digest(spec) != before


@pytest.mark.parametrize("folder", ["build", "node_modules", "target"])
def test_what_a_build_makes_counts_only_where_there_is_none(tmp_path: Path, folder: str) -> None:
    """Of a built bot the sources count; a program that is handed in as it is counts wherever."""
    (tmp_path / folder).mkdir()
    for build in ("", 'build = ["make"]'):
        program = tmp_path / folder / "bot"
        program.write_bytes(b"first")
        spec = load_manifest(write(tmp_path, f"{LEAST}{build}"))
        first = digest(spec)
        program.write_bytes(b"second")
        assert (digest(spec) == first) == bool(build)


def test_names_of_files_may_be_any_bytes(tmp_path: Path) -> None:
    """A folder that was handed in can bring names that are not UTF-8; they count like others."""
    spec = load_manifest(write(tmp_path, LEAST))
    before = digest(spec)
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).touch()
    assert digest(spec) != before
    shown = arena("bot", "show", str(tmp_path))
    assert shown.code == 0
    assert "caf" in shown.out


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["name: expected a name in quotes, got no such key"]),
        ("", ['run: expected a list of words, such as ["python3", "bot.py"], got no such key']),
        (LEAST + 'rum = "x"', ["rum: unknown key; the keys are: name, version, author"]),
        (LEAST + f'{"rum" * 30} = "x"', [f"{'rum' * 19}...: unknown key; the keys"]),
        ('name = "A bot"\nrun = ["x"]', ["name: expected lower-case letters", 'got "A bot"']),
        ('name = 7\nrun = ["x"]', ["name: expected lower-case letters", "got 7"]),
        (LEAST + "version = 1.5", ['version: expected a text in quotes, such as "1", got 1.5']),
        (LEAST + "games = 'gargon'", ['games: expected a list of words, such as ["gargon"]']),
        (LEAST + "games = ['x', 'Y']", ["games[1]: expected the name of a game", 'got "Y"']),
        (LEAST + "games = ['x', 'x']", ['games[1]: expected each game once, got "x" again']),
        ("name = 'b'\nrun = './b'", ["run: expected a list of words", 'got "./b"']),
        ("name = 'b'\nrun = []", ["run: expected at least one word", "got an empty list"]),
        ("name = 'b'\nrun = ['']", ["run[0]: expected the name of a program"]),
        ("name = 'b'\nrun = ['b', 2]", ["run[1]: expected a word in quotes, got 2"]),
        (LEAST + "build = {}", ["build: expected a list of words", "got a map of 0"]),
        (LEAST + "files = []", ["files: expected at least one pattern", "got an empty list"]),
        (
            LEAST + "files = ['*.rs', '*.sr']",
            ['files[1]: expected a pattern that finds files, got "*.sr"'],
        ),
        (LEAST + "files = ['../*']", ["files[0]: expected a pattern of files in the bot's folder"]),
        (
            LEAST + "files = ['/etc/*']",
            ["files[0]: expected a pattern of files in the bot's folder"],
        ),
        (
            LEAST + "files = ['**x']",
            ['files[0]: expected a glob pattern in which ** stands alone, got "**x"'],
        ),
        ("name = \n", ["expected TOML", "line 1"]),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, parts: list[str]) -> None:
    """A mistake names the file, the key, what was expected and what was found, in one line."""
    with pytest.raises(ManifestError) as caught:
        load_manifest(write(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'bot.toml'}: ")
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    """An author mends them in one go."""
    with pytest.raises(ManifestError) as caught:
        load_manifest(write(tmp_path, "nam = 'b'\nrun = 'b'\nversion = 1\ngames = [1]"))
    mistakes = str(caught.value).split("; ")
    keys = ["nam", "the keys are", "name", "version", "games[0]", "run"]
    assert [mistake.rpartition("bot.toml: ")[2].split(":")[0] for mistake in mistakes] == keys


def test_missing_and_unreadable_manifests_are_named(tmp_path: Path) -> None:
    """A folder without a manifest is told what the least one says."""
    with pytest.raises(ManifestError, match=r"bot\.toml: no such file; expected one with .*name"):
        load_manifest(tmp_path)
    (tmp_path / "bot.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ManifestError, match="expected UTF-8"):
        load_manifest(tmp_path)


def test_a_link_counts_as_where_it_leads(tmp_path: Path) -> None:
    """A link in the folder is not followed for the digest: what counts of it is its target."""
    (tmp_path / "bot.toml").write_text('name = "b"\nrun = ["python3", "bot.py"]\n')
    (tmp_path / "one").touch()
    link = tmp_path / "data"
    link.symlink_to("one")
    first = digest(load_manifest(tmp_path))
    link.unlink()
    link.symlink_to("./one")
    assert digest(load_manifest(tmp_path)) != first
