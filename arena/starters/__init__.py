"""Starters: a first bot for a language and a game, as files that an author goes on from."""

__all__ = ["sdk", "starter"]
"""The modules that other rooms use."""
