"""The options that say where a run or a stage ends, which several commands have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from arena.ladder.definition_values import MOST_GAMES
from arena.records.entries import Budget

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--each",
        multiple=True,
        metavar="N|SIZE=N",
        help="End when each contestant has this many games; SIZE=N at tables of this size.",
    ),
    click.option(
        "--width",
        type=click.FloatRange(0, min_open=True),
        help="End when no 95 % interval of a skill is wider, in points.",
    ),
    click.option(
        "--certain",
        type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
        help="End when the order of all neighbours is this certain.",
    ),
)
MINUTES = click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="End after this time, at any block.",
)


def end_options(command: F) -> F:
    """Add the options to a command; `ends` makes one value of theirs."""
    return stage_end_options(MINUTES(command))


def stage_end_options(command: F) -> F:
    """Add those options to a command that a stage can have as well, which knows no time."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def ends(
    tables: Sequence[int],
    games: int | None,
    each: Sequence[str],
    width: float | None,
    certain: float | None,
    minutes: float | None = None,
) -> Budget:
    """Return what the options say; what is not given is None."""
    together = None
    by_size: dict[str, int] = {}
    for text in each:
        size, _, count = text.rpartition("=")
        if not count.isascii() or not count.isdigit() or not 1 <= int(count) <= MOST_GAMES:
            raise _wrong(tables, text)
        if not size:
            together = int(count)
        elif size in map(str, tables):
            by_size[size] = int(count)
        else:
            raise _wrong(tables, text)
    if by_size and (together is not None or set(by_size) != set(map(str, tables))):
        raise _wrong(tables, ", ".join(each))
    return Budget(
        games=games or None,
        each=together,
        each_at=by_size or None,
        width=width,
        minutes=minutes,
        certain=certain,
    )


def _wrong(tables: Sequence[int], text: str) -> click.UsageError:
    sizes = " ".join(f"--each {size}=300" for size in tables)
    return click.UsageError(
        f"--each: expected one number from 1 to {MOST_GAMES}, or one for each table size, as "
        f"{sizes}, got {text!r}"
    )
