"""Blocks: one deal in all rotations of its seats, the unit that workers play."""

__all__ = ["block", "local_runner", "parallel_match", "runner"]
"""The modules that other packages import."""
