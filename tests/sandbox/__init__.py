"""Sandboxes: walls, limits and control groups."""
