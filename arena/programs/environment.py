"""The environment in which every bot runs, and where its program is looked up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.programs.spec import BotSpec

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


def search_path() -> str:
    """Where bots' programs are looked up: beside the arena's own Python first."""
    return os.pathsep.join([str(Path(sys.executable).parent), *SYSTEM_PATH])


def environment(spec: BotSpec) -> dict[str, str]:
    """All that a bot finds in its environment: nothing of the referee's is inherited."""
    return {
        "PATH": search_path(),
        "HOME": str(spec.folder.absolute()),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # else a Python bot's sets come in another order in every run
    }
