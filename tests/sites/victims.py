"""The processes of a site that is served for a trial: what each is for, and what is left of them.

All have a variable in their environment that names the trial. What is locked up has none, but
descends from one that has; if that is gone, it still sees the site's folder by its mounts.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MARK: Final = "ARENA_SITE_TRIAL"
KINDS: Final = {
    "arena serve": "server",
    "ladder run": "run",
    "ladder publish": "press",
    "arena.site.intake.examination": "examination",
    "arena.site.matches.playing": "match",
}
"""What a process is for, by words of its command line."""
ENDING: Final = 20.0
"""Seconds in which processes have to be gone whose server has ended."""


@dataclass(frozen=True)
class Process:
    """A process of a trial."""

    pid: int
    kind: str
    """What it is for; "below a run", for example, for what a run has started."""


def processes(mark: str) -> list[Process]:
    """Return all processes of the trial with this mark, but for its own and zombies."""
    parents, words = _table()
    ours = {pid for pid in parents if pid != os.getpid() and _is_marked(pid, mark)}
    kinds: dict[int, str] = {}

    def kind_of(pid: int) -> str:
        if pid not in kinds:
            above = kind_of(parents[pid]) if parents[pid] in parents and pid != 1 else ""
            own = next((kind for text, kind in KINDS.items() if text in words[pid]), "")
            if above.removeprefix("below a ") in KINDS.values() and (own in above or not own):
                kinds[pid] = above if above.startswith("below") else f"below a {above}"
            else:
                kinds[pid] = own if pid in ours else ""
        return kinds[pid]

    found = [Process(pid, kind_of(pid)) for pid in parents]
    return [each for each in found if each.kind]


def left(mark: str, folder: Path) -> list[str]:
    """Return the command lines of those that are not gone some time after the server's end."""
    deadline = time.monotonic() + ENDING
    while True:
        _, words = _table()
        pids = [pid for pid in words if pid != os.getpid()]
        there = [pid for pid in pids if _is_marked(pid, mark) or _sees(pid, folder)]
        if not there or time.monotonic() > deadline:
            return [f"{pid}: {words[pid]}" for pid in there]
        time.sleep(0.2)


def _table() -> tuple[dict[int, int], dict[int, str]]:
    """Return the parent of each process, and the words with which it was started."""
    parents, words = {}, {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with suppress(OSError):
                state, parent = (each / "stat").read_text().rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    parents[int(each.name)] = int(parent)
                    line = (each / "cmdline").read_bytes()
                    words[int(each.name)] = line.replace(b"\0", b" ").decode("utf-8", "replace")
    return {pid: parent for pid, parent in parents.items() if pid in words}, words


def _is_marked(pid: int, mark: str) -> bool:
    try:
        return f"{MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _sees(pid: int, folder: Path) -> bool:
    try:
        return str(folder) in Path(f"/proc/{pid}/mountinfo").read_text()
    except OSError:
        return False
