"""`arena ladder`: define, run, show, close and verify ladders."""

from __future__ import annotations

import click

from arena.cli.ladder.audit import collusion
from arena.cli.ladder.end import close, export, verify_ladder_file
from arena.cli.ladder.look import games, log, show
from arena.cli.ladder.machines import machines
from arena.cli.ladder.play import run
from arena.cli.ladder.prepare import new, schedule
from arena.cli.ladder.publish import publish
from arena.cli.ladder.status import status
from arena.cli.ladder.store import backup, check
from arena.cli.ladder.wish import (
    annul,
    budget,
    disqualify,
    enter,
    go_on,
    pause,
    set_aside,
    stage,
    withdraw,
)


@click.group()
def ladder() -> None:
    """Rank bots: who is better, by how much, and how sure that is.

    \b
    arena ladder new friday.toml --game gargon     # a definition, with comments
    arena ladder run friday.toml                   # play; again to go on
    arena ladder show friday.ladder                # the standings
    arena ladder run friday.toml --follow          # play for weeks; then, from elsewhere:
    arena ladder enter friday.ladder my-bot        # let a bot in
    arena ladder status friday.ladder              # what the run does, and what waits
    """


for command in (
    *(new, schedule, run, show, games, log, close, export, verify_ladder_file),
    *(publish, collusion, machines, check, backup, status),
    *(enter, withdraw, set_aside, disqualify, annul, budget, stage, pause, go_on),
):
    ladder.add_command(command)
