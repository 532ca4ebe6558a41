"""Which bot is meant: a registered name, a folder, or a command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from check.wrong import write_wrong
from command import arena, arena_here, assert_refused

pytestmark = pytest.mark.source_only


def test_list_names_the_bots_of_plugins() -> None:
    """`arena bot list` says what can be named anywhere."""
    bots = {bot["name"]: bot for bot in arena("bot", "list", "--json").json}
    assert set(bots["random"]) == {
        "name",
        "version",
        "author",
        "summary",
        "language",
        "games",
        "plugin",
    }
    assert bots["random"]["games"] == ["gargon", "castors"]
    assert bots["random"]["plugin"] == "arena-bots"
    assert "random" in arena("bot", "list").out


def test_show_tells_all_of_a_registered_bot() -> None:
    """Fields, digest, the files that count and the command line are shown."""
    shown = arena("bot", "show", "random", "--json").json
    assert shown["run"] == ["python3", "-m", "arena_bots.random_bot"]
    assert "random_bot.py" in shown["files"]
    assert len(shown["digest"]) == 64
    text = arena_here("bot", "show", "random").out
    assert shown["digest"] in text
    assert "python3 -m arena_bots.random_bot" in text


@pytest.mark.parametrize("place", ["nothing", "./nothing/", "nothing/bot.toml"])
def test_a_folder_is_a_bot(tmp_path: Path, place: str) -> None:
    """A folder with a bot.toml can be named in all ways in which folders are named."""
    write_wrong(tmp_path, "nothing")
    shown = arena_here("bot", "show", place, "--json", cwd=tmp_path).json
    assert shown["name"] == "wrong"
    assert shown["folder"] == str(tmp_path / "nothing")
    assert shown["files"] == ["bot.py", "bot.toml"]


def test_a_registered_name_comes_before_a_folder(tmp_path: Path) -> None:
    """What a name means does not depend on the current directory; a slash means a folder."""
    write_wrong(tmp_path, "nothing").rename(tmp_path / "random")
    assert arena_here("bot", "show", "random", "--json", cwd=tmp_path).json["name"] == "random"
    assert arena_here("bot", "show", "./random", "--json", cwd=tmp_path).json["name"] == "wrong"


@pytest.mark.parametrize(
    ("line", "name", "run"),
    [
        ("python3 My__Bot.py --fast", "my-bot", ["python3", "My__Bot.py", "--fast"]),
        ("./My__Bot.py", "my-bot", ["./My__Bot.py"]),
        ("python3 -c 'import this'", "python3", ["python3", "-c", "import this"]),
        ("python3 -m some.module", "python3", ["python3", "-m", "some.module"]),
        ("env --rate 0.5 me/bot", "env", ["env", "--rate", "0.5", "me/bot"]),
        ("env host.example.com ./run", "env", ["env", "host.example.com", "./run"]),
        ("sh My__Bot.py out.txt", "my-bot", ["sh", "My__Bot.py", "out.txt"]),
    ],
)
def test_a_command_line_is_a_bot(tmp_path: Path, line: str, name: str, run: list[str]) -> None:
    """It is run in the current directory, and named after its program."""
    (tmp_path / "My__Bot.py").touch(mode=0o755)
    (tmp_path / "other.py").touch()
    shown = arena_here("bot", "show", line, "--json", cwd=tmp_path).json
    assert shown["name"] == name
    assert shown["run"] == run
    assert shown["folder"] == str(tmp_path)
    assert shown["version"] == "0"
    assert shown["games"] == []
    assert shown["files"] == [word.removeprefix("./") for word in run if "My__Bot" in word]


def test_a_command_line_plays(tmp_path: Path) -> None:
    """A program can play before it has a manifest."""
    write_wrong(tmp_path, "nothing")
    line = "python3 nothing/bot.py" + " --weight=0.5" * 30  # longer than the name of a file may be
    played = arena("play", "gargon", line, "random", "random", "--json", cwd=tmp_path).json
    assert played[0]["bot"] == "bot"
    assert played[0]["faults"] == {}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("nobody", ["unknown bot 'nobody'", "the bots are: ", "random", "bot.toml", "in quotes"]),
        ("", ["unknown bot ''"]),
        ("n" * 300, ["unknown bot 'nnn"]),
        ("./" + "n" * 300, ["which is not there"]),
        ("bot.py", ["unknown bot 'bot.py'", '"./bot.py"']),
        ("./bot.py", ["which is not executable", "chmod +x", '"python3 ./bot.py"']),
        ("./nowhere", ["expected a folder or a program, got ./nowhere, which is not there"]),
        ("pyton3 bot.py", ["got pyton3, which is not on the PATH of bots: ", "/usr/bin"]),
        ("python3 x.py", ["'python3 x.py': x.py is not there, seen from /"]),
        ("python3 -u bots/x.py --deep 5", ["bots/x.py is not there"]),
        ("python3 ./x", ["./x is not there"]),
        ("/bin/sh x.sh", ["x.sh is not there"]),
        ("python3 'bot.py", ["wrong quoting", "No closing quotation"]),
        ("empty", ["empty/bot.toml: no such file"]),
        ("broken", ["broken/bot.toml: name: expected", "; run: expected"]),
    ],
)
def test_what_is_no_bot_is_refused_in_one_line(tmp_path: Path, text: str, parts: list[str]) -> None:
    """Whoever mistypes reads what is possible."""
    (tmp_path / "bot.py").touch(mode=0o644)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "bot.toml").touch()
    assert_refused(arena_here("bot", "show", text, cwd=tmp_path), *parts)


def test_an_interpreter_of_an_environment_beside_the_bot_is_none_of_its_files(
    tmp_path: Path,
) -> None:
    """An author whose project has its own Python names it as he is used to."""
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "mine.py").touch()
    shown = arena_here("bot", "show", "env/bin/python mine.py", "--json", cwd=tmp_path)
    assert shown.code == 0, shown.err
    assert shown.json["files"] == ["mine.py"]
