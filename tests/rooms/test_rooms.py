"""The rooms of the code: what each shows to others, and that imports against the order are seen."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.source_only

ROOT = Path(__file__).parents[2]
ARENA = ROOT / "arena"
ROOMS = sorted(
    path.parent.name
    for path in ARENA.glob("*/__init__.py")
    if path.parent.name != "cli"  # nobody imports from the command line
)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """What a file of the arena imports from the arena: the module, and the name."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("arena"):
            for name in node.names:
                yield str(node.module), name.name


def shown(room: str) -> list[str]:
    """The modules and packages that a room lists for others."""
    return list(import_module(f"arena.{room}").__all__)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_shows_its_public_modules_and_no_others(room: str) -> None:
    """Whoever opens a room's `__init__` sees all that others may use, and nothing more."""
    folder = ARENA / room
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    public = {name for name in modules if not name.startswith("_")}
    assert set(shown(room)) - packages == public
    assert set(shown(room)) <= public | packages


def test_nobody_uses_what_a_room_keeps_to_itself() -> None:
    """A module that begins with an underscore can be changed without a look at other rooms."""
    for path in ARENA.rglob("*.py"):
        own = path.relative_to(ARENA).parts[0]
        for module, name in imports(path):
            room, *inside = (*module.split(".")[1:], name) if module != "arena" else (name,)
            if room == own or room not in ROOMS or not inside:
                continue
            assert inside[0] in shown(room), f"{path.relative_to(ROOT)} uses {module}.{name}"


def test_the_page_of_the_rooms_names_every_room() -> None:
    """A newcomer who has only docs/architecture.md misses no room, and every path in it exists."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for room in (*ROOMS, "cli"):
        assert f"<b>{room}</b>" in page, room
    for path in re.findall(r"`((?:arena|bots|docs|ladders|protocol|tests|\.ci)/[^`<]*)`", page):
        assert (ROOT / path).exists(), path


PLANTS = {
    "a new module that imports the command line": (
        "arena/surprise.py",
        "from arena.cli import main\n\nmain\n",
        "surprise",
    ),
    "a rule that imports the referee": (
        "arena/games/gargon/words.py",
        "from arena.referee.clock import Clock\n\nTimeControl\n",
        "arena.games is not allowed to import arena.referee",
    ),
    "a module of the ladder that imports click": (
        "arena/ladder/goal.py",
        "import click\n\nclick\n",
        "arena.ladder.goal -> click",
    ),
    "a concrete game in the referee": (
        "arena/referee/table.py",
        "from arena.games.gargon.game import Gargon\n\nGargon\n",
        "arena.referee.table -> arena.games.gargon.game",
    ),
    "a store that imports the run which writes to it": (
        "arena/ladder/store.py",
        "from arena.ladder.run import Run\n\nRun\n",
        "arena.ladder.store is not allowed to import arena.ladder.run",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's code in a folder of its own."""
    folder = tmp_path_factory.mktemp("copy")
    for part in ("arena", "bots/arena_bots", "protocol/python/arena_sdk"):
        left_out = shutil.ignore_patterns("__pycache__", "starters")
        shutil.copytree(ROOT / part, folder / Path(part).name, ignore=left_out)
    (folder / "arena" / "starters").mkdir()
    for path in (ARENA / "starters").glob("*.py"):
        shutil.copy(path, folder / "arena" / "starters")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the import linter on the code in this folder."""
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_order_of_imports_holds(copy: Path) -> None:
    """The contracts are kept, so that a plant below is what breaks one."""
    assert lint(copy).returncode == 0


@pytest.mark.parametrize("plant", PLANTS)
def test_an_import_against_the_order_is_seen(copy: Path, plant: str) -> None:
    """CI names a module that imports what it must not, whatever room it is planted in."""
    place, text, said = PLANTS[plant]
    path = copy / place
    before = path.read_text("utf-8") if path.exists() else None
    path.write_text((before or "") + "\n" + text, "utf-8")
    try:
        done = lint(copy)
    finally:
        path.unlink() if before is None else path.write_text(before, "utf-8")
    assert done.returncode == 1, done.stdout
    assert said in done.stdout
