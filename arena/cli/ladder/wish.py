"""`arena ladder enter`, `withdraw`, `pause`, `annul` and others: what a host wishes of a ladder.

Each leaves a wish for the run, and waits for its answer; where no run is on, it writes the entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec.structs import asdict

from arena.cli.ladder.ends import end_options, ends, stage_end_options
from arena.cli.ladder.files import store_in
from arena.cli.ladder.programs import find_program, sealed
from arena.cli.output import print_json, printable, say
from arena.errors import ArenaError
from arena.ladder.asking import Asked, ask
from arena.ladder.inbox import ANSWERS
from arena.ladder.wishes import (
    Annul,
    ChangeBudget,
    ChangeStage,
    Disqualify,
    Enter,
    GoOn,
    Pause,
    Refusal,
    SetAside,
    Wish,
    Withdraw,
    block_numbers,
)
from arena.records.entries import Budget
from arena.records.stages import stage_tables

F = TypeVar("F", bound=Callable[..., Any])

IN_STORE = click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
BOTS = click.argument("bots", metavar="BOT...", nargs=-1, required=True)
OWED = click.option("--reason", required=True, help="Why; it stands in the log.")
GIVEN = click.option("--reason", default="", help="Why; it stands in the log.")


class NotGranted(ArenaError):
    """A wish that the writer of the log has refused."""


def wish_options(command: F) -> F:
    """Add the options that all wishes have."""
    command = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)
    return click.option(
        "--no-wait", is_flag=True, help="Do not wait for the answer of a run that is on."
    )(command)


def leaves_wish(make: Callable[..., Wish]) -> Callable[..., None]:
    """Return a command that leaves the wish that this makes of the store and the arguments."""

    @wraps(make)
    def leave(path: Path, *, no_wait: bool, as_json: bool, **given: Any) -> None:
        leave_wish(path, make(path, **given), no_wait=no_wait, as_json=as_json)

    return wish_options(leave)


@click.command()
@IN_STORE
@BOTS
@click.option("--name", help="Let the bot play under this name, if it is a single one.")
@leaves_wish
def enter(path: Path, bots: tuple[str, ...], name: str | None) -> Wish:
    """Let bots enter a ladder from the next block on.

    A BOT is a registered name, a folder with a bot.toml, a command line in quotes, or a sealed
    bot: name@version, or at least 8 digits of its digest. Strangers' bots are sealed and built
    first, as a run does it. A bot takes the place of one of its name.
    """
    if name is not None and len(bots) > 1:
        raise click.UsageError("--name: expected a single BOT")
    with store_in(path) as store:
        contest = store.contest
    found = tuple(sealed(bots, contest, name))
    return Enter(bots=found)


@click.command()
@IN_STORE
@BOTS
@GIVEN
@leaves_wish
def withdraw(_: Path, bots: tuple[str, ...], reason: str) -> Wish:
    """Let bots play no more; their results stay, and they can enter again.

    A BOT is the name of one who plays, name@version, or at least 8 digits of its digest.
    """
    return Withdraw(bots=bots, reason=reason)


@click.command("set-aside")
@IN_STORE
@click.argument("bot", metavar="BOT")
@OWED
@leaves_wish
def set_aside(_: Path, bot: str, reason: str) -> Wish:
    """Let a bot play no more because it keeps failing; a new version of it may enter."""
    return SetAside(bot=bot, reason=reason)


@click.command()
@IN_STORE
@click.argument("bot", metavar="BOT")
@OWED
@leaves_wish
def disqualify(_: Path, bot: str, reason: str) -> Wish:
    """Take a bot out for breaking the rules of the competition; others keep their games with it."""
    return Disqualify(bot=bot, reason=reason)


@click.command()
@IN_STORE
@GIVEN
@leaves_wish
def pause(_: Path, reason: str) -> Wish:
    """Play no block until `arena ladder go-on`; wishes are taken meanwhile."""
    return Pause(reason=reason)


@click.command("go-on")
@IN_STORE
@GIVEN
@leaves_wish
def go_on(_: Path, reason: str) -> Wish:
    """Play on after a pause."""
    return GoOn(reason=reason)


@click.command()
@IN_STORE
@click.argument("blocks", metavar="BLOCK...", nargs=-1, required=True)
@OWED
@leaves_wish
def annul(_: Path, blocks: tuple[str, ...], reason: str) -> Wish:
    """Let whole blocks not count. A BLOCK is a number, or two with a dash, as 40-43."""
    try:
        return Annul(blocks=block_numbers(blocks), reason=reason)
    except Refusal as refused:
        raise click.UsageError(str(refused)) from None


@click.command()
@IN_STORE
@click.option("--games", type=click.IntRange(1), help="End at this many games of the ladder.")
@end_options
@GIVEN
@leaves_wish
def budget(
    path: Path,
    games: int | None,
    each: tuple[str, ...],
    width: float | None,
    certain: float | None,
    minutes: float | None,
    reason: str,
) -> Wish:
    """Give a ladder another budget; the definition's counts again once it is changed."""
    with store_in(path) as store:
        tables = store.contest.tables
    found = ends(tables, games, each, width, certain, minutes)
    if found == Budget():
        raise click.UsageError("expected a part of a budget, such as --each 1000")
    return ChangeBudget(budget=found, reason=reason)


@click.command()
@IN_STORE
@click.argument("name", metavar="STAGE")
@click.option("--best", type=click.IntRange(2), help="How many of the stage before play in it.")
@click.option("--prizes", type=click.IntRange(1), help="How many first places are to be certain.")
@click.option("--games", type=click.IntRange(1), help="End at this many games of the stage.")
@stage_end_options
@OWED
@leaves_wish
def stage(
    path: Path,
    name: str,
    best: int | None,
    prizes: int | None,
    games: int | None,
    each: tuple[str, ...],
    width: float | None,
    certain: float | None,
    reason: str,
) -> Wish:
    """Change a stage that has not ended: what is given; the rest of it stays.

    Who plays in the stage that is on stays, too. --certain is of who plays on, or in the last stage
    of the prizes. The definition's stages count again once they are changed there. Verification
    names every change that comes after the first block.
    """
    with store_in(path) as store:
        listed = {each.name: each for each in store.ledger.stages.listed}
        tables = stage_tables(listed.get(name), store.contest.tables)
    found = ends(tables, games, each, width, certain)
    if found == Budget() and best is None and prizes is None:
        raise click.UsageError("expected what is to be otherwise, such as --each 1000 or --best 4")
    return ChangeStage(stage=name, budget=found, best=best, prizes=prizes, reason=reason)


def leave_wish(path: Path, wish: Wish, *, no_wait: bool, as_json: bool) -> Asked:
    """Leave a wish and print what comes of it; end the command if it is refused."""
    try:
        asked = ask(path, wish, find_program, say, wait=not no_wait)
    except Refusal as refused:
        raise NotGranted(f"{path}: {refused}") from None
    except KeyboardInterrupt:
        say(f"\n{path}: the wish stays in the inbox; the run takes it all the same")
        raise
    answer = asked.answer
    if answer is not None and not answer.granted:
        raise NotGranted(f"{path}: {printable(answer.text)}")
    if as_json:
        print_json({"wish": asked.name, **({} if answer is None else asdict(answer))})
    elif answer is None:
        click.echo(f"left for the run, which answers in {path / ANSWERS / asked.name}")
    else:
        for line in answer.text.split("; "):
            click.echo(printable(line))
    return asked
