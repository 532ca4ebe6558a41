"""The SDKs: each passes its own tests, which use the golden vectors, with its own test runner."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena.builds.build import builder_environment
from arena.programs.tools import missing, missing_headers
from languages.toolchains import ROOT, SDK_TESTS, need, table

pytestmark = pytest.mark.source_only


def run(words: list[str], folder: Path) -> None:
    """Run a command that must succeed."""
    done = subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={**builder_environment(), "ARENA_VECTORS": str(ROOT / "protocol" / "vectors")},
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-8000:]}\n{done.stderr[-8000:]}"


@pytest.mark.parametrize("language", SDK_TESTS)
def test_sdk_passes_its_own_tests(language: str) -> None:
    """An author can trust that the SDK of his language speaks the protocol."""
    path = SDK_TESTS[language]
    told = table(path)
    lacking = missing(told["tools"], builder_environment()["PATH"])
    need(language, lacking + missing_headers(told.get("headers", {})))
    for words in told.get("build", ()):
        run(words, path.parent)
    run(told["test"], path.parent)


def test_every_sdk_says_how_it_is_tested() -> None:
    """No SDK is left out of the tests; Python's are in two folders here."""
    folders = {path.name for path in (ROOT / "protocol").iterdir() if path.is_dir()}
    assert folders - set(SDK_TESTS) <= {"python", "vectors", "__pycache__"}
    for path in ("wire/test_vectors.py", "sdk/test_games.py"):
        assert os.access(ROOT / "tests" / path, os.R_OK)
