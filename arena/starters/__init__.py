"""Starters: a first bot for a language and a game, as files that an author goes on from."""
