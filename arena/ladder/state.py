"""What the run of a store is doing: a small file beside the log, for those who look on.

Nothing follows from it, and it may be a few seconds old.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from arena.records.canonical import canonical_bytes
from arena.records.entries import Form

STATE = "state"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class State(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What a run does, or did when it last said so."""

    process: int
    definition: str
    """The file that it plays by."""
    arena: str
    """The version of the arena."""
    began: str = msgspec.field(default_factory=_now)
    """When it began, in UTC."""
    said: str = ""
    """When it said this."""
    doing: str = "starting"
    """`playing`, `idle`, `paused` or `ended`."""
    why: str = ""
    """Why it plays nothing."""
    time_up: bool = False
    """Whether it has ended because its `minutes` were over."""
    host: str = ""
    """The host and its kernel."""
    sandbox: str = ""
    workers: int = 0
    games: int = 0
    """Games of the ladder."""
    total: int | None = None
    """Games of the ladder when the budget is reached, if that is known."""
    rate: float = 0.0
    """Games a second, of the time in which it played."""
    wishes: int = 0
    """Wishes that it has answered."""
    mistake: str = ""
    """What is wrong with the definition, so that an older one counts."""

    def changed(self, **changes: Any) -> State:
        """Return this state with these changes."""
        return msgspec.structs.replace(self, **changes)


def this_host() -> str:
    """Return what to call this host and its kernel."""
    found = os.uname()
    return f"{found.nodename} ({found.sysname} {found.release} {found.machine})"


_decoder = msgspec.json.Decoder(State)


def write_state(store: Path, state: State) -> None:
    """Say what a run does; if that cannot be written, the run goes on without."""
    data = canonical_bytes(state.changed(said=_now()))
    made = store / f"{STATE}.{token_hex(4)}"
    with suppress(OSError):
        try:
            made.write_bytes(data)
            made.replace(store / STATE)
        finally:
            made.unlink(missing_ok=True)


def read_state(store: Path) -> State | None:
    """Return what the run of a store said last; None if that cannot be read."""
    try:
        return _decoder.decode((store / STATE).read_bytes())
    except (OSError, msgspec.DecodeError):
        return None


def runs(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
