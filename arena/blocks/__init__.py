"""Blocks: one deal in all rotations of its seats, the unit that workers play."""

__all__ = [
    "block",
    "checking",
    "division",
    "local_runner",
    "parallel_match",
    "runner",
    "worker",
]
"""The modules that other packages import."""
