"""A real browser for all tests of pages, and axe-core; `conftest.py` makes them known."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from languages.toolchains import need

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AXE = "axe-core@4.14.1"
PATIENCE: Final = 300_000
"""The milliseconds after which a page that does not come has failed, on any machine."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    program = shutil.which("chromium")
    need("pages", [] if program else ["chromium"])
    from playwright.sync_api import sync_playwright

    # Root cannot use Chromium's own sandbox, and CI is root; only our own pages are opened.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=options, timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, which finds what shuts people out."""
    need("pages", [] if shutil.which("npm") else ["npm"])
    folder = tmp_path_factory.mktemp("axe")
    words = ["npm", "install", "--silent", "--no-save", "--no-audit", "--no-fund"]
    subprocess.run([*words, "--prefix", str(folder), AXE], check=True, timeout=600)
    script: Path = folder / "node_modules" / "axe-core" / "axe.min.js"
    return script.read_text("utf-8")
