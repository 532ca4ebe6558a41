"""Errors that a person can fix, and the exit codes of commands."""

from __future__ import annotations

DOES_NOT_HOLD = 1
"""A check or a verification has found something wrong, or a bot is not better."""
WRONG_INPUT = 2
"""Wrong usage or input."""
HOST_FAILED = 3
"""The host or the arena itself failed, and nothing was decided."""


class ArenaError(Exception):
    """An error whose text tells a person in one line what is wrong, where, and what to do."""

    exit_code = WRONG_INPUT


class HostError(ArenaError):
    """The host has failed, which is never a bot's fault. No game is judged by it."""

    exit_code = HOST_FAILED
