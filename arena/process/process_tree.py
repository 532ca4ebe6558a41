"""Find the children and descendants of a process in /proc."""

from __future__ import annotations

import os


def children(pid: int) -> list[int]:
    """Return the processes whose parent is now this one."""
    found: list[int] = []
    try:
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/children", "rb") as file:
                found += map(int, file.read().split())
    except ProcessLookupError:
        return found
    except FileNotFoundError:
        # A thread has ended meanwhile, or this kernel does not list children.
        return _children_by_scan(pid)
    return found


def descendants(pid: int) -> list[int]:
    """Return all processes below this one: its children, their children and so on."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def _children_by_scan(pid: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = file.read().rpartition(b")")[2].split()[1]
            except OSError:
                continue
            if int(parent) == pid:
                found.append(int(name))
    return found
