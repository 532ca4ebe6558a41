"""Limits: how much a bot may use of the host, all of its processes together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace

from arena.wording import brief

MOST = 1 << 20


@dataclass(frozen=True)
class Limits:
    """How much one bot may use. `cpu_seconds` and `log_mb` are counted for each game."""

    memory_mb: int = 512
    """Memory of all processes, including files in /tmp and /dev/shm."""
    processes: int = 64
    """Processes and threads at a time."""
    files: int = 256
    """Open files of each process."""
    file_mb: int = 16
    """The size of any one file."""
    tmp_mb: int = 64
    """The size of /tmp, and that of /dev/shm."""
    log_mb: int = 16
    """Output to stderr in a game."""
    cpu_seconds: int = 600
    """CPU time of all processes in a game; clocks mostly end a game long before."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = LEAST.get(name, 1)
            if type(value) is not int or not least <= value <= MOST:
                raise ValueError(f"{name}: expected {least} to {MOST}, got {brief(value)}")

    def as_map(self) -> dict[str, int]:
        """Return the limits as the terms of a ladder have them."""
        return asdict(self)

    def changed(self, settings: Iterable[str]) -> Limits:
        """Return a copy with settings of the form NAME=N; raise `ValueError` if they are wrong."""
        limits = self
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name not in LIMITS:
                raise ValueError(
                    f"expected NAME=N with a name of {', '.join(LIMITS)}, got {brief(setting)}"
                )
            number = int(value) if value.isascii() and value.isdecimal() else value
            limits = replace(limits, **{name: number})  # type: ignore[arg-type]
        return limits


LIMITS = tuple(field.name for field in fields(Limits))
"""The names of all limits."""
LEAST = {"memory_mb": 16, "processes": 1, "files": 16, "tmp_mb": 1}
"""The lowest values; below them not even the smallest program starts."""
