"""`arena ladder`: define, run, show, close and verify ladders."""

from __future__ import annotations

import click

from arena.cli.ladder.audit import collusion
from arena.cli.ladder.end import close, export, verify_ladder_file
from arena.cli.ladder.look import games, log, show
from arena.cli.ladder.play import run
from arena.cli.ladder.prepare import new, schedule
from arena.cli.ladder.store import backup, check


@click.group()
def ladder() -> None:
    """Rank bots: who is better, by how much, and how sure that is.

    \b
    arena ladder new friday.toml --game gargon     # a definition, with comments
    arena ladder run friday.toml                   # play; again to go on
    arena ladder show friday.ladder                    # the standings
    """


for command in (
    *(new, schedule, run, show, games, log, close, export, verify_ladder_file),
    *(collusion, check, backup),
):
    ladder.add_command(command)
