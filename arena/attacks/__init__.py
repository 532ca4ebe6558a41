"""Attacks: programs that try to get out of a sandbox, and trials that report the results."""

__all__ = ["attack", "choice", "trial"]
"""The modules that other rooms use."""
