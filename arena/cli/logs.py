"""Logs on stderr: all that the program logs from a level on, or the frames of a few bots."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import click

from arena.cli.output import printable

LOG = "ARENA_LOG"
"""The environment variable with the lowest level, such as debug, that is logged to stderr."""
LEVELS = ("debug", "info", "warning", "error")
FRAMES = "arena.referee.player"
"""The logger of frames, with the arguments seat, bot, direction and frame."""


class Printable(logging.Formatter):
    """Replaces control characters, which could steer a terminal, as bots' texts are logged."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(printable, super().format(record).split("\n")))


def start_logging() -> None:
    """Start logging to stderr, from the level in `ARENA_LOG` on, if it is set."""
    level = os.environ.get(LOG, "")
    if not level:
        return
    if level.lower() not in LEVELS:
        raise click.UsageError(f"{LOG}: expected one of {', '.join(LEVELS)}, got {level!r}")
    logging.basicConfig(
        level=level.upper(), handlers=[_handler("%(asctime)s %(name)s: %(message)s")]
    )


@contextmanager
def frames_shown(bots: Collection[str], *, workers: int = 1) -> Iterator[None]:
    """Show the frames to and from the bots of these names, each with its time, meanwhile.

    Of several workers each line names the one that it comes from.
    """
    logger = logging.getLogger(FRAMES)
    if not bots or logging.getLogger().isEnabledFor(logging.DEBUG):
        yield  # where everything is logged, they are
        return
    worker = "%(processName)s: " if workers > 1 else ""
    handler = _handler(f"%(asctime)s.%(msecs)03d {worker}%(message)s", "%H:%M:%S")
    handler.addFilter(lambda record: isinstance(record.args, tuple) and record.args[1] in bots)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = True


def _handler(form: str, times: str | None = None) -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Printable(form, times))
    return handler
