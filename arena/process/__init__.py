"""Processes: a running program, its pipes, its end, and its suspension."""

__all__ = [
    "activity",
    "ending",
    "forked",
    "host_wait",
    "nursery",
    "placement",
    "process_tree",
    "program",
    "suspension",
]
"""The modules that other packages import."""
