"""Where the arena keeps what belongs to no folder of the user's, as XDG lays it out."""

from __future__ import annotations

import os
from pathlib import Path


def state_home() -> Path:
    """Return the directory for logs, which nobody misses if they are gone."""
    return _home("XDG_STATE_HOME", ".local/state") / "arena"


def data_home() -> Path:
    """Return the directory for what is to be kept."""
    return _home("XDG_DATA_HOME", ".local/share") / "arena"


def _home(variable: str, default: str) -> Path:
    """Return the directory that the environment names; a relative one does not count."""
    named = os.environ.get(variable, "")
    return Path(named) if os.path.isabs(named) else Path.home() / default  # noqa: PTH117
