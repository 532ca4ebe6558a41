"""Builds of bots, here and in a sandbox."""
