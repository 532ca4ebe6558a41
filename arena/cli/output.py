"""What commands print: tables, JSON, and messages beside them."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

PLAIN_WIDTH = 160
"""The width of tables where there is no terminal."""


def print_json(value: Any) -> None:
    """Print a result as JSON; on a terminal only ASCII, as a bot's note could control it."""
    from msgspec import to_builtins  # noqa: PLC0415 - many commands do without it

    print(json.dumps(to_builtins(value), indent=2, ensure_ascii=sys.stdout.isatty()))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Print a table; columns whose name ends with ">" are aligned to the right."""
    from rich import box  # noqa: PLC0415 - rich takes as long to load as all the rest
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else PLAIN_WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for column in columns:
        right = column.endswith(">")
        table.add_column(column.rstrip(">"), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*[Text(_plain(str(cell))) for cell in row])
    console.print(table)


def table_fits(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bool:
    """Return whether a table fits beside nothing else on the terminal, without folding a cell."""
    widths = [
        max(len(line) for line in (column.rstrip(">"), *(str(row[at]) for row in rows)))
        for at, column in enumerate(columns)
    ]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PLAIN_WIDTH
    return sum(widths) + 3 * (len(widths) - 1) + 2 <= width  # one more on either side


def printable(text: str) -> str:
    """Return a text on one line, without characters that could control the terminal."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


def say(message: str) -> None:
    """Print a message to stderr, without characters that could control the terminal."""
    click.echo(_plain(message), err=True)


def _plain(text: str) -> str:
    """Return lines without characters that could control the terminal."""
    return "\n".join(map(printable, text.split("\n")))
