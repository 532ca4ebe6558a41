"""What becomes of an error in a bot with the SDK for Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from command import arena

RAISES = """
from arena_sdk import run

def choose(question):
    if question.id > 2:
        raise ValueError("no such colour")
    return 0

run(choose, name="raises")
"""


def test_the_referee_is_told_of_an_exception(tmp_path: Path) -> None:
    """As in the SDKs of other languages: what it is and where, and all of the trace on stderr."""
    (tmp_path / "raises.py").write_text(RAISES)
    bot = f"{sys.executable} raises.py"
    words = ("play", "gargon", bot, "random", "random", "--games", "1", "--stderr", "kept")
    played = arena(*words, cwd=tmp_path)
    told = "crashed: the bot says: ValueError: no such colour (raises.py, line 6)"
    assert told in played.err
    (kept,) = (tmp_path / "kept").glob("1-*")
    trace = kept.read_text()
    assert trace.startswith("Traceback (most recent call last):")
    assert trace.endswith("ValueError: no such colour\n")


NUMPY = """
import builtins, os, sys

class Look:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))
        return None

sys.meta_path.insert(0, Look())
import arena_bots.castors.search
"""


def test_a_bundled_search_has_one_thread_for_its_networks() -> None:
    """Numpy reads how many threads it may start when it is imported, by whatever module."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    said = subprocess.run(
        [sys.executable, "-c", NUMPY], env=env, capture_output=True, text=True, check=True
    )
    assert said.stdout == "1\n"
