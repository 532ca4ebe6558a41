"""Where bots are locked up, no bot's folder shows a store, records or a stranger's program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from command import Outcome, arena, assert_refused
from ladder.fields import FIVE, definition
from sandbox.walls import bubblewrap, shown

pytestmark = pytest.mark.source_only

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


def test_a_store_beside_a_program_is_not_seen(tmp_path: Path) -> None:
    """Of a command line the file that it names is sealed, and nothing else of its folder."""
    spy(tmp_path, "spy")
    assert ladder(tmp_path, ["python3 spy.py"]).code == 0
    assert (tmp_path / "test.ladder").exists()
    exported = arena("ladder", "export", "test.ladder", "--output", "-", cwd=tmp_path).out
    assert '"spy.py"' in exported


def test_records_in_a_sealed_bot_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot could read them; nothing is played, and nothing is written."""
    monkeypatch.setenv("ARENA_VAULT", str(tmp_path / "vault"))
    spy(tmp_path / "spy", "spy", manifest=True)
    words = ("play", "gargon", "./spy", "random", "random", "--sandbox", "bwrap")
    assert arena(*words, "--games", "1", cwd=tmp_path).code == 0
    (place,) = (tmp_path / "vault").glob("*/files")
    refused = arena(*words, "--record", str(place / "x.jsonl"), cwd=tmp_path)
    assert refused.code == 2
    assert "the folder of bot 'spy'" in refused.err
    assert "choose another --record" in refused.err
    assert not list(place.glob("x*"))


def test_a_store_among_the_runtimes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every bot sees them, however far its own folder is."""
    spy(tmp_path / "cup" / "spy", "spy", manifest=True)
    (tmp_path / "runtime").mkdir()
    monkeypatch.setenv("ARENA_SANDBOX_READ", str(tmp_path / "runtime"))
    refused = ladder(tmp_path / "cup", ["spy"], "--store", str(tmp_path / "runtime" / "x.ladder"))
    assert refused.code == 2
    assert "which all bots can read as part of their runtimes" in refused.err


@pytest.mark.parametrize(
    "contestants",
    [["python3 one.py", "python3 two.py"], ["python3 one.py", "three"], ["three", "three/four"]],
)
def test_programs_of_strangers_do_not_see_each_other(
    tmp_path: Path, contestants: list[str]
) -> None:
    """Wherever they lie: each sees what counts of it, and no other command line's file."""
    home = tmp_path / "cup"
    for name in ("one", "two"):
        spy(home, name)
    spy(home / "three", "three", manifest=True)
    (home / "three" / "bot.toml").write_text(
        'name = "three"\nrun = ["python3", "three.py"]\nfiles = ["*.py"]\n', "utf-8"
    )
    spy(home / "three" / "four", "four", manifest=True)
    assert ladder(home, contestants).code == 0
    notes = set(re.findall(r'"((?:one|two|three|four|bot)[a-z. ]*)"', exported(home)))
    seen = {"python3 one.py": "one.py", "python3 two.py": "two.py", "three": "three.py"}
    seen["three/four"] = "bot.toml four.py"
    assert {note for note in notes if "." in note} == {seen[name] for name in contestants}


def exported(folder: Path) -> str:
    """The log of the ladder in this folder."""
    return arena("ladder", "export", "test.ladder", "--output", "-", cwd=folder).out


def test_a_vault_among_the_runtimes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There every bot could read every other's program."""
    spy(tmp_path / "cup" / "spy", "spy", manifest=True)
    monkeypatch.setenv("ARENA_SANDBOX_READ", str(tmp_path / "runtime"))
    (tmp_path / "runtime").mkdir()
    monkeypatch.setenv("ARENA_VAULT", str(tmp_path / "runtime" / "vault"))
    refused = ladder(tmp_path / "cup", ["spy"])
    assert refused.code == 2
    assert "choose another vault with ARENA_VAULT" in refused.err


def test_one_program_plays_under_several_names(tmp_path: Path) -> None:
    """Nothing of it is hidden from itself; in `arena play` it can sit in several seats."""
    spy(tmp_path / "three", "three", manifest=True)
    path = definition(shown(tmp_path), bots=FIVE[:3], tables=(3,), games=3, sandbox="auto")
    text = path.read_text("utf-8").replace('"random", name = "ada"', '"three", name = "ada"')
    path.write_text(text.replace('"random", name = "bob"', '"./three", name = "bob"'), "utf-8")
    assert arena("ladder", "run", path.name, cwd=tmp_path).code == 0
    words = ("play", "gargon", "three", "./three", "random", "--sandbox", "auto", "--games", "1")
    assert arena(*words, "--record", "games.jsonl", "--force", cwd=tmp_path).code == 0


def test_records_beside_a_program_are_not_seen(tmp_path: Path) -> None:
    """The next game has the same hands, in other seats, but the records are not sealed."""
    spy(shown(tmp_path), "spy")
    (tmp_path / "games.jsonl").touch()
    words = ("play", "gargon", "python3 spy.py", "random", "random", "--record", "games.jsonl")
    assert arena(*words, "--sandbox", "bwrap", cwd=tmp_path).code == 0
    assert '"spy.py"' in (tmp_path / "games.jsonl").read_text("utf-8")
    assert arena(*words, "--games", "1", "--force", cwd=tmp_path).code == 0
    assert "games.jsonl" in (tmp_path / "games.jsonl").read_text("utf-8")
    assert_refused(arena(*words, "--sandbox", "jail", cwd=tmp_path), "unknown sandbox")
