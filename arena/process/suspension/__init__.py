"""Suspension: of the bots at a table, only the one that is asked runs."""

__all__ = ["suspender", "turn_gate"]
"""The modules that other packages import."""
