"""Starters: a first bot for a language and a game, as files that an author can extend."""

__all__ = ["sdk", "starter", "starter_archive"]
"""The modules that other rooms use."""
