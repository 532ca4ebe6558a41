"""Programs: what a bot is, how it is found, and the digest that tells it from others."""

__all__ = [
    "contestant",
    "digest",
    "environment",
    "finding",
    "folder",
    "manifest",
    "spec",
    "tools",
    "unbuilt",
]
"""The modules that other rooms use."""
