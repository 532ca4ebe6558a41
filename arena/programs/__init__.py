"""Programs: the description of a bot, how it is found, and the digest that identifies it."""

__all__ = [
    "contestant",
    "digest",
    "environment",
    "finding",
    "folder",
    "links",
    "manifest",
    "places",
    "spec",
    "tools",
    "unbuilt",
    "vault",
    "walk",
]
"""The modules that other packages import."""
