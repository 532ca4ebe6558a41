"""The environment variables of every bot, and the PATH on which its program is looked up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.machine.system import LINUX
from arena.programs.spec import BotSpec

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
HOMEBREW = ("/opt/homebrew/bin",)
"""Where macOS has what is not its own, such as node and go."""


def search_path() -> str:
    """Return the PATH for bots' programs; it starts with the folder of the arena's own Python."""
    return os.pathsep.join(
        [str(Path(sys.executable).parent), *(() if LINUX else HOMEBREW), *SYSTEM_PATH]
    )


def environment(spec: BotSpec) -> dict[str, str]:
    """Return all of a bot's environment variables; none are inherited from the referee."""
    return {
        "PATH": search_path(),
        "HOME": str(spec.folder.absolute()),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # else the order of a Python bot's sets differs in every run
    }
