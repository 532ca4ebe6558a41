"""Where bots are locked up, no bot's folder shows a store, records or a stranger's program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from command import Outcome, arena, assert_refused
from ladder.fields import FIVE, definition
from sandbox.walls import bubblewrap, shown

SPY = """
from pathlib import Path
from arena_sdk import run
def choose(question):
    question.note = " ".join(sorted(path.name for path in Path().rglob("*")))
    return 0
run(choose)
"""


@pytest.fixture(autouse=True)
def _locked_up() -> None:
    bubblewrap()


def spy(folder: Path, name: str, *, manifest: bool = False) -> None:
    """A program that tells in its notes what lies in its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(SPY, "utf-8")
    if manifest:
        text = f'name = "{name}"\nrun = ["python3", "{name}.py"]\n'
        (folder / "bot.toml").write_text(text, "utf-8")


def ladder(folder: Path, contestants: Sequence[str], *words: str) -> Outcome:
    """A short run of a ladder with these and two bundled bots."""
    path = definition(
        shown(folder),
        bots=FIVE[:2],
        tables=(3,),
        games=3,
        contestants=contestants,
        sandbox="auto",
    )
    return arena("ladder", "run", path.name, *words, cwd=folder)


def test_a_store_in_a_bots_folder_is_refused(tmp_path: Path) -> None:
    """Its bot could read the secret; nothing is played, and nothing is written."""
    spy(tmp_path, "spy")
    refused = ladder(tmp_path, ["python3 spy.py"])
    found = [line for line in refused.err.splitlines() if "test.db" in line]
    assert refused.code == 2
    assert len(found) == 1, refused.err
    for part in ("the folder of bot 'spy'", str(tmp_path), "with a bot.toml", "another --store"):
        assert part in found[0]
    assert not list(tmp_path.glob("test.db*"))


def test_links_do_not_hide_a_store(tmp_path: Path) -> None:
    """What counts is where the file is, whatever leads there."""
    spy(tmp_path / "cup", "spy")
    (tmp_path / "link").symlink_to(tmp_path / "cup")
    refused = ladder(tmp_path / "cup", ["python3 spy.py"], "--store", str(tmp_path / "link/x.db"))
    assert refused.code == 2
    assert "link/x.db: lies in" in refused.err


def test_a_store_elsewhere_is_not_seen(tmp_path: Path) -> None:
    """The way out that the message names: the bot finds only what lies in its folder."""
    spy(tmp_path / "cup", "spy")
    store = tmp_path / "kept" / "cup.db"
    assert ladder(tmp_path / "cup", ["python3 spy.py"], "--store", str(store)).code == 0
    exported = arena("ladder", "export", str(store), "--output", "-").out
    assert '"spy.py test.toml"' in exported


def test_a_store_among_the_runtimes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every bot sees them, however far its own folder is."""
    spy(tmp_path / "cup" / "spy", "spy", manifest=True)
    (tmp_path / "runtime").mkdir()
    monkeypatch.setenv("ARENA_SANDBOX_READ", str(tmp_path / "runtime"))
    refused = ladder(tmp_path / "cup", ["spy"], "--store", str(tmp_path / "runtime" / "x.db"))
    assert refused.code == 2
    assert "which all bots can read as part of their runtimes" in refused.err


@pytest.mark.parametrize(
    ("contestants", "parts"),
    [
        (["python3 one.py", "python3 two.py"], ["'one' and 'two' share the folder"]),
        (["python3 one.py", "three"], ["bot 'one' can read all", "of bot 'three' lies, too"]),
        (["three", "python3 one.py"], ["bot 'one' can read all", "of bot 'three' lies, too"]),
        (["three", "three/four"], ["bot 'three' can read all", "of bot 'four' lies, too"]),
    ],
)
def test_programs_of_strangers_lie_apart(
    tmp_path: Path, contestants: list[str], parts: list[str]
) -> None:
    """Else one could read how the other plays; the message says which and what to do."""
    home = tmp_path / "cup"
    for name in ("one", "two"):
        spy(home, name)
    spy(home / "three", "three", manifest=True)
    spy(home / "three" / "four", "four", manifest=True)
    refused = ladder(home, contestants, "--store", str(tmp_path / "x.db"))
    assert refused.code == 2
    for part in (*parts, "a folder of its own with a bot.toml"):
        assert part in refused.err


def test_one_program_plays_under_several_names(tmp_path: Path) -> None:
    """Nothing of it is hidden from itself; in `arena play` it can sit in several seats."""
    spy(tmp_path / "three", "three", manifest=True)
    path = definition(shown(tmp_path), bots=FIVE[:3], tables=(3,), games=3, sandbox="auto")
    text = path.read_text("utf-8").replace('"random", name = "ada"', '"three", name = "ada"')
    path.write_text(text.replace('"random", name = "bob"', '"./three", name = "bob"'), "utf-8")
    assert arena("ladder", "run", path.name, cwd=tmp_path).code == 0
    words = ("play", "gargon", "three", "./three", "random", "--sandbox", "auto", "--games", "1")
    assert arena(*words, "--record", "games.jsonl", cwd=tmp_path).code == 0


def test_records_in_a_bots_folder_are_refused(tmp_path: Path) -> None:
    """The next game has the same hands, in other seats; without a sandbox nothing hides them."""
    spy(shown(tmp_path), "spy")
    words = ("play", "gargon", "python3 spy.py", "random", "random", "--record", "games.jsonl")
    refused = arena(*words, "--sandbox", "bwrap", cwd=tmp_path)
    assert refused.code == 2
    assert "choose another --record" in refused.err
    assert not (tmp_path / "games.jsonl").exists()
    assert arena(*words, "--games", "1", cwd=tmp_path).code == 0
    assert_refused(arena(*words, "--sandbox", "jail", cwd=tmp_path), "unknown sandbox")
