"""Builds: a bot's program made from its sources, here or in a sandbox."""

__all__ = ["build", "sandboxed"]
"""The modules that other rooms use."""
