"""Publishing: a ladder as a folder of files, a static site, of which only what changes is written.

What may be seen is decided in `site`: nothing of a game while its ladder does not publish games,
and never what is kept of a fault for the bot's author alone.
"""

__all__ = ["publish"]
"""The modules that other packages import."""
