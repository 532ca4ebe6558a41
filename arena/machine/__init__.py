"""This machine: what the arena asks of its kernel, and what is done where that is not Linux.

`system` says which kernel it is. What needs Linux is in `_linux`, and its counterpart for any
other Unix in `_portable`, with the same names; `calls` has those of this machine. Sandboxes and
control groups have no counterpart: they ask `system` first.
"""

__all__ = [
    "calls",
    "end_watch",
    "open_files",
    "own_program",
    "readable",
    "system",
    "worker_processes",
]
"""The modules that other packages import."""
