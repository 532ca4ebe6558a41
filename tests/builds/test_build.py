"""`arena bot build`: what comes of a bot's build, and what is said where it has yet to be built."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from command import arena, assert_refused
from sandbox.walls import bubblewrap

pytestmark = pytest.mark.source_only

BOT = "from arena_sdk import run\nrun(lambda question: 0, name='b', events=False)\n"


def bot(folder: Path, build: str, run: str = '["python3", "out/bot.py"]') -> Path:
    """A bot that is built by this shell command."""
    folder.mkdir()
    (folder / "source.py").write_text(BOT)
    (folder / "bot.toml").write_text(
        f'name = "b"\nrun = {run}\nbuild = ["sh", "-c", """{build}"""]\nfiles = ["source.py"]\n'
    )
    return folder


WORKS = "echo compiling; mkdir -p out && cp source.py out/bot.py"


def test_a_bot_is_built_and_then_plays(tmp_path: Path) -> None:
    """Before, every command that would run it says what to do; after, it plays."""
    bot(tmp_path / "b", WORKS)
    play = ["play", "gargon", "b", "random", "random", "--json"]
    for words in (play, ["bot", "check", "b"], ["bench", "referee", "--bot", "b"]):
        refused = arena(*words, cwd=tmp_path)
        assert_refused(refused, "'b' is not built", "no out/bot.py", "arena bot build b")
    assert arena("bot", "show", "b", cwd=tmp_path).code == 0
    built = arena("bot", "build", "b", cwd=tmp_path)
    assert built.code == 0
    assert built.out.startswith("b: built in ")
    assert not (tmp_path / "b" / "build").exists()
    assert arena(*play, cwd=tmp_path).json[0]["faults"] == {}


def test_a_build_that_fails_is_shown_by_its_last_lines(tmp_path: Path) -> None:
    """The reason stands on the screen, the whole output in the log."""
    bot(tmp_path / "b", "seq 100; echo 'line 3: no such thing' >&2; exit 7")
    failed = arena("bot", "build", "b", "--log", "it.log", cwd=tmp_path)
    assert failed.code == 1
    lines = failed.err.splitlines()
    assert lines[-3:] == [
        "  line 3: no such thing",
        "b: its build ended with exit code 7",
        "b: all of the output is in it.log",
    ]
    assert "  100" in lines
    assert "  1" not in lines
    assert (tmp_path / "it.log").read_text().startswith("1\n2\n")


def test_the_output_of_a_build_can_be_watched(tmp_path: Path) -> None:
    """With --verbose it is on stderr, all of it and once."""
    bot(tmp_path / "b", f"{WORKS}; seq 100")
    told = arena("bot", "build", "b", "--verbose", cwd=tmp_path)
    assert told.code == 0
    assert told.err.splitlines()[1:] == ["compiling", *map(str, range(1, 101))]


def test_a_program_that_is_missing_is_named_with_what_provides_it(tmp_path: Path) -> None:
    """Whoever lacks a compiler learns what to install."""
    folder = bot(tmp_path / "b", WORKS)
    text = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(text.replace('["sh", "-c", ', '["cargo", "build", '))
    failed = arena("bot", "build", "b", cwd=tmp_path, env={"PATH": "/bin-of-nothing"})
    assert failed.code == 1
    assert "not on PATH: cargo (for Rust; Debian's package is cargo)" in failed.err


def test_a_build_that_takes_too_long_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    """A limit holds, and nothing goes on in secret."""
    bot(tmp_path / "b", "(while :; do date +%N > alive; sleep 0.05; done) & sleep 60")
    failed = arena("bot", "build", "b", "--limit", "2", cwd=tmp_path)
    assert failed.code == 1
    assert "took longer than 2 s" in failed.err
    last = (tmp_path / "b" / "alive").read_text()
    time.sleep(0.3)
    assert (tmp_path / "b" / "alive").read_text() == last


def test_a_build_that_makes_nothing_is_not_called_a_success(tmp_path: Path) -> None:
    """What `run` needs has to be there afterwards."""
    bot(tmp_path / "b", "true")
    failed = arena("bot", "build", "b", cwd=tmp_path)
    assert failed.code == 1
    assert "there is no out/bot.py, which run needs" in failed.err


def test_results_of_builds_for_programs(tmp_path: Path) -> None:
    """All are tried; what came of each is told."""
    bot(tmp_path / "good", WORKS)
    bot(tmp_path / "bad", "echo no; false")
    told = arena("bot", "build", "bad", "good", "random", "--json", cwd=tmp_path)
    assert told.code == 1
    bad, good, plain = told.json
    assert (bad["built"], bad["tail"]) == (False, ["no"])
    assert bad["error"] == "its build ended with exit code 1"
    assert good["built"]
    assert Path(good["log"]).read_text() == "compiling\n"
    assert Path(bad["log"]).read_text() == "no\n"
    assert not Path(good["log"]).is_relative_to(tmp_path / "good")
    assert (plain["built"], plain["log"]) == (True, None)


def test_a_bot_that_looks_as_if_it_was_not_built_is_only_mentioned(tmp_path: Path) -> None:
    """Where it cannot be known, nothing is refused."""
    bot(tmp_path / "b", "true", run='["python3", "source.py"]')
    played = arena("play", "gargon", "b", "random", "random", "--json", cwd=tmp_path)
    assert played.json[0]["faults"] == {}
    assert "'b' seems not to be built" in played.err
    assert "arena bot build b" in played.err


def test_a_package_of_node_that_was_not_installed_is_not_built(tmp_path: Path) -> None:
    """It would start and fail for want of its modules, in every game."""
    folder = bot(tmp_path / "b", "mkdir node_modules", run='["python3", "source.py"]')
    (folder / "package.json").write_text("{}")
    play = ["play", "gargon", "b", "random", "random", "--json"]
    assert_refused(arena(*play, cwd=tmp_path), "no node_modules", "arena bot build b")
    assert arena("bot", "build", "b", cwd=tmp_path).code == 0
    assert arena(*play, cwd=tmp_path).json[0]["faults"] == {}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["nobody"], ["unknown bot 'nobody'"]),
        (["random", "random", "--log", "x"], ["--log: expected one bot"]),
        (["random", "--limit", "0"], ["--limit"]),
    ],
)
def test_wrong_usage_is_refused_in_one_line(words: list[str], parts: list[str]) -> None:
    """Nothing is built that was not meant."""
    assert_refused(arena("bot", "build", *words), *parts)


def test_a_strangers_build_is_locked_up(tmp_path: Path) -> None:
    """In a sandbox a build sees nothing of the host; what it makes and says is kept."""
    bubblewrap()
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    bot = tmp_path / "bot"
    bot.mkdir()
    command = f"cat {secret} && touch found; mkdir -p build && echo made > build/run; echo done"
    (bot / "bot.toml").write_text(
        f'name = "x"\nrun = ["build/run"]\nbuild = ["sh", "-c", "{command}"]\nfiles = ["*.toml"]\n'
    )
    words = ("bot", "build", "bot", "--log", "it.log")
    built = arena(*words, "--sandbox", "auto", cwd=tmp_path)
    assert built.code == 0, built.err
    assert (bot / "build" / "run").read_text() == "made\n"
    assert not (bot / "found").exists()
    log = (tmp_path / "it.log").read_text()
    assert "No such file" in log
    assert log.endswith("done\n")
    assert arena("bot", "build", "bot", cwd=tmp_path).code == 0
    assert (bot / "found").exists()


def test_a_strangers_build_has_its_time(tmp_path: Path) -> None:
    """In a sandbox, too, a build that takes too long is ended, with what it said."""
    bubblewrap()
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(
        'name = "x"\nrun = ["build/run"]\nbuild = ["sh", "-c", "echo waiting; sleep 600"]\n'
    )
    built = arena("bot", "build", "bot", "--sandbox", "auto", "--limit", "2", cwd=tmp_path)
    assert built.code == 1
    assert "took" in built.err
    assert "waiting" in built.err


@pytest.mark.parametrize("link", ["build", "build/build.log", "deep"])
def test_the_log_is_written_through_no_link_of_the_folder(tmp_path: Path, link: str) -> None:
    """A handed-in link, or a chain of them, does not choose where the host writes."""
    folder = bot(tmp_path / "b", WORKS)
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "file").write_text("of the host")
    if link == "build":
        (folder / "build").symlink_to("../host")
    elif link == "deep":
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b" / "top").symlink_to("../..")
        (folder / "build").symlink_to("a/b/top/../host")
    else:
        (folder / "build").mkdir()
        (folder / "build" / "build.log").symlink_to("../../host/file")
    assert arena("bot", "build", "b", cwd=tmp_path).code == 0
    assert [path.name for path in (tmp_path / "host").iterdir()] == ["file"]
    assert (tmp_path / "host" / "file").read_text() == "of the host"


def test_a_strangers_build_looks_for_its_program_in_the_sandbox(tmp_path: Path) -> None:
    """What is only on the caller's PATH is not there; its author learns what the build lacks."""
    bubblewrap()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "own-make").symlink_to("/bin/true")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(
        'name = "x"\nrun = ["bot.toml"]\nbuild = ["own-make"]\n'
    )
    env = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    assert arena("bot", "build", "bot", cwd=tmp_path, env=env).code == 0
    built = arena("bot", "build", "bot", "--sandbox", "auto", cwd=tmp_path, env=env)
    assert built.code == 1
    assert "not on PATH: own-make" in built.err
