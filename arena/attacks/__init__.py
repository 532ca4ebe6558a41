"""Attacks: programs that try to get out of a sandbox, and what is seen of them."""

__all__ = ["attack", "choice", "trial"]
"""The modules that other rooms use."""
