"""Builds: making a bot's program from its sources, with or without a sandbox."""

__all__ = ["build", "results", "sandboxed", "sealing"]
"""The modules that other packages import."""
