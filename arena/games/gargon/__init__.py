"""Gargon, for three to five players."""
