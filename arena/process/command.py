"""How a bot is run: its command line, its environment, its working directory."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.process.spec import BotSpec

SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


def environment(spec: BotSpec) -> dict[str, str]:
    """All that a bot finds in its environment: nothing of the referee's is inherited."""
    own = Path(sys.executable).parent
    return {
        "PATH": os.pathsep.join([str(own), *SYSTEM_PATH]),
        "HOME": str(spec.folder.absolute()),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # else a Python bot's sets come in another order in every run
    }


def argv(spec: BotSpec) -> list[str]:
    """The words of the command; paths with a slash are relative to the bot's folder."""
    return list(spec.run)
