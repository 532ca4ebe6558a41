"""Games and ladders as pages, with script and styles of our own and nothing from elsewhere.

Nothing here reads a log or writes a file: records and rows go in, text comes out. Where pages
lead is given to them, so that a folder of files and a server can have the same ones.
"""

__all__ = [
    "axis",
    "history_chart",
    "ladder_data",
    "ladder_pages",
    "legible",
    "links",
    "replay_data",
    "replay_page",
    "standings_picture",
    "templates",
]
"""The modules that other packages import."""
