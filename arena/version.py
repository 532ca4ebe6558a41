"""The arena's version, as installed."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("bot-arena")
