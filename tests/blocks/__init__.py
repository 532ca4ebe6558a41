"""Blocks, and the workers that play them."""
