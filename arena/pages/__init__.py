"""Games as pages: one file each, with script and styles of our own and nothing from elsewhere.

Nothing here reads a log or writes a file: records go in, text comes out.
"""

__all__ = ["legible", "replay_data", "replay_page"]
"""The modules that other packages import."""
