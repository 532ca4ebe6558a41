"""`arena ladder`: define, run, show, close and verify ladders."""

from __future__ import annotations

import click

from arena.cli.later import Later

COMMANDS = {
    "annul": "wish:annul",
    "backup": "store:backup",
    "budget": "wish:budget",
    "check": "store:check",
    "close": "end:close",
    "collusion": "audit:collusion",
    "disqualify": "wish:disqualify",
    "enter": "wish:enter",
    "export": "end:export",
    "games": "look:games",
    "go-on": "wish:go_on",
    "log": "look:log",
    "machines": "machines:machines",
    "new": "prepare:new",
    "pause": "wish:pause",
    "publish": "publish:publish",
    "run": "play:run",
    "schedule": "prepare:schedule",
    "set-aside": "wish:set_aside",
    "show": "look:show",
    "stage": "wish:stage",
    "status": "status:status",
    "verify": "end:verify_ladder_file",
    "withdraw": "wish:withdraw",
}


@click.group(cls=Later, places={name: f"{__name__}.{at}" for name, at in COMMANDS.items()})
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
