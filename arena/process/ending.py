"""How a program ended: by itself, by a signal, or by a limit that it went over."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from arena.sandbox.limits import Limits

BY_ITSELF, MEMORY, CPU, LOG, FILE, RAN_ON = range(6)
"""Causes of an end: by itself, the limit that the program went over, or that it ran on although
it was suspended."""


class PipeClosed(OSError):
    """The program has closed its end of this pipe."""


@dataclass(frozen=True)
class Ending:
    """How a program ended, and what it used, with all its processes where that is known.

    `number` is its exit code, or minus the number of the signal that ended it.
    """

    number: int
    peak_kib: int
    cpu_us: int
    cause: int = BY_ITSELF
    processes: int = 0
    """The most processes that it had at a time; 0 if that is not known."""
    refused: int = 0
    """How often it could not start one more process or thread."""
    limits: Limits | None = None
    seen: str = ""
    """What was seen of a program that ran on."""

    def __str__(self) -> str:
        """Describe the ending; the text is the same in every run in which the same happens."""
        limits = self.limits
        if self.cause == RAN_ON:
            return "ran on although it was suspended: it did not stop within a second"
        if limits is not None and self.cause == MEMORY:
            return f"more memory than allowed: {limits.memory_mb} MB for all its processes"
        if limits is not None and self.cause == CPU:
            return f"more CPU time than allowed: {limits.cpu_seconds} s"
        if limits is not None and self.cause == LOG:
            return f"more written to stderr than allowed: {limits.log_mb} MB"
        if limits is not None and self.cause == FILE:
            return f"a larger file than allowed: {limits.file_mb} MB"
        if self.number >= 0:
            return f"exit code {self.number}"
        denied = " for a system call that the sandbox denies" if self._denied else ""
        return f"killed by signal {-self.number} ({_name(-self.number)}){denied}"

    @property
    def figures(self) -> str:
        """What the program used and what it was allowed, for the bot's author."""
        limits = self.limits
        if limits is None:
            used = f"memory {_mb(self.peak_kib)} MB at its peak, CPU time {self.cpu_us / 1e6:.2f} s"
            return f"{self.seen}; {used}" if self.seen else used
        seconds = f"{self.cpu_us / 1e6:.2f} s since its start"
        parts = [
            f"memory {_mb(self.peak_kib)} MB at its peak, allowed {limits.memory_mb}",
            f"CPU time {seconds}, allowed {limits.cpu_seconds} in a game",
        ]
        if self.seen:
            parts.insert(0, self.seen)
        if self.processes:
            parts.append(f"processes {self.processes} at most, allowed {limits.processes}")
        if self.refused:
            parts.append(f"{self.refused} times it was refused one more")
        return "; ".join(parts)

    @property
    def _denied(self) -> bool:
        return self.limits is not None and self.number == -signal.SIGSYS


def _mb(kib: int) -> str:
    return f"{kib / 1024:.1f}"


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
