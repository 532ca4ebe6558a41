"""Another implementation of RFC 6962, in Go, comes to the heads of the arena's logs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.builds.build import builder_environment
from arena.records.tree import Tree
from command import arena
from languages.toolchains import need_language

pytestmark = pytest.mark.source_only

PROGRAM = Path(__file__).parent / "tlog"
SIZES = (1, 2, 3, 7, 8, 9)


@pytest.fixture(scope="module")
def tlog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built."""
    need_language("go")
    folder = tmp_path_factory.mktemp("go") / "tlog"
    shutil.copytree(PROGRAM, folder)
    built = subprocess.run(
        ["go", "build", "-o", "tlog"],
        cwd=folder,
        env=builder_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder / "tlog"


def test_gos_checksum_database_has_the_same_tree(tlog: Path, tmp_path: Path) -> None:
    """golang.org/x/mod/sumdb/tlog finds the published head, and the head of each beginning."""
    definition = ["name = 'x'", "game = 'castors'", "tables = [3]", "sandbox = 'none'"]
    bots = ", ".join(f"{{ bot = 'random', name = '{name}' }}" for name in ("ada", "bob", "cid"))
    budget = ["[budget]", "games = 60"]
    text = "\n".join([*definition, f"contestants = [{bots}]", *budget])
    (tmp_path / "x.toml").write_text(text)
    assert arena("ladder", "run", "x.toml", cwd=tmp_path).code == 0
    closed = arena("ladder", "close", "--yes", cwd=tmp_path)
    assert closed.code == 0, closed.err
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    log = (tmp_path / "x.jsonl").read_bytes()
    assert f"head    {head(tlog, log)}\n" in closed.out
    tree = Tree()
    for at, line in enumerate(lines := log.splitlines(keepends=True), 1):
        tree.add(line.removesuffix(b"\n"))
        if at in SIZES:
            assert head(tlog, b"".join(lines[:at])) == f"{tree.size}:{tree.root}"


def head(tlog: Path, log: bytes) -> str:
    """What the program says of a log."""
    done = subprocess.run([tlog], input=log, capture_output=True, check=True)
    return done.stdout.decode().strip()
