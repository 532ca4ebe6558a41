"""Recorded games: shown and verified."""
