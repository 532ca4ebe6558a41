"""`arena compare`: whether one bot is better than another, as surely as one likes to know it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click

from arena.blocks.runner import Runner, Venue
from arena.cli.arguments import (
    check_seats,
    find_bot,
    find_game,
    find_sandbox,
    plugins,
    read_rules,
    read_sizes,
    sandbox_options,
    seal_strangers,
)
from arena.cli.clusters import RunnerChoice, runner_options
from arena.cli.output import print_json, print_table, printable, say
from arena.discovery import OWN_DISTRIBUTION
from arena.errors import DOES_NOT_HOLD
from arena.machine.calls import usable_cores
from arena.programs.contestant import contestant_of
from arena.programs.digest import digest
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant, TimeControl
from arena.referee.clock import changed
from arena.referee.terms import Terms
from arena.sandbox.isolation import check_isolation
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.sandbox import NONE
from arena.workbench.comparison import play, resume
from arena.workbench.conclusion import COLUMNS, Conclusion, pilot_text, progress_text
from arena.workbench.designs import DESIGNS, Design
from arena.workbench.evidence import MOST
from arena.workbench.journal import Journal, Question, journal_path
from arena.workbench.revisions import bot_at, read_revision
from arena.workbench.scores import Plan, Scores, tables_of

DRAWN_EVERY = 0.25
"""Seconds between two pictures on a terminal."""
AUTO = "auto"


@click.command()
@click.argument("new")
@click.argument("old")
@click.option("--game", "name", required=True, help="What is played.")
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="A,B,...",
    help="The other bots at the table; by default the bundled ones of the game that do not search.",
)
@click.option(
    "--design",
    type=click.Choice((AUTO, *DESIGNS)),
    default=AUTO,
    show_default=True,
    help="How to compare: in the same seat of the same deal (swap), or at one table; auto plays "
    "a pilot of each and takes the one that says more per game.",
)
@click.option("--tables", help="Sizes of tables, such as 3,4; by default all that can be filled.")
@click.option("--rules", "options", multiple=True, metavar="NAME=VALUE", help="A rule's value.")
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="NAME=MS",
    help="Milliseconds: decision (each), bank (extra time in a game), start (until hello).",
)
@sandbox_options()
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="Deals at a time; by default one per core."
)
@click.option(
    "--deals",
    "cap",
    type=click.IntRange(1, 1_000_000),
    default=MOST,
    show_default=True,
    metavar="CAP",
    help="After so many deals it stays undecided.",
)
@runner_options
@click.option("--seed", help="The seed of the deals: any text. By default it is drawn.")
@click.option("--fresh", is_flag=True, help="Begin anew; forget the deals that were played.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(
    new: str,
    old: str,
    name: str,
    fields: tuple[str, ...],
    design: str,
    tables: str | None,
    options: tuple[str, ...],
    times: tuple[str, ...],
    sandbox: str,
    limits: tuple[str, ...],
    workers: int | None,
    cap: int,
    players: RunnerChoice,
    seed: str | None,
    *,
    fresh: bool,
    as_json: bool,
) -> None:
    """Find out whether the bot NEW is better than the bot OLD.

    Deals are played until that is decided, or until it is sure that there is no difference that
    matters. You may look on, interrupt it and go on with the same command: the evidence holds
    whenever you look.

    A bot is a registered name, a folder, a command line in quotes, a sealed bot such as bot@2,
    or a folder at a revision of its git repository, such as my-bot@git:HEAD~1.

    \b
    arena compare my-bot my-bot@git:HEAD --game gargon
    arena compare my-bot my-bot@2 --game castors --field random,castors-odds

    Exit codes: 0 NEW is better, 1 it is not (worse, no difference, or undecided), 2 wrong usage
    or input, 3 the host failed, 130 interrupted.
    """
    game = find_game(name)
    sizes = read_sizes(tables)
    for size in sizes:
        check_seats(game, size)
    try:
        control = changed(TimeControl(), times)
    except ValueError as error:
        raise click.UsageError(f"--time: {error}") from None
    rules = read_rules(game, options)
    runner = players.found()
    with _found((new, old), name, in_place=sandbox == NONE) as compared:
        field = _field(fields, name, compared, to_run=sandbox == NONE)
        walls, allowed = find_sandbox(sandbox, limits)
        specs = seal_strangers([*compared, *field], walls)
        contestants = [contestant_of(spec) for spec in specs]
        _check_different((new, old), contestants)
        terms = Terms(game, rules, control, walls, allowed)
        question = Question(
            game=game.name,
            version=game.version,
            rules=rules,
            tables=sizes,
            time=control,
            limits=allowed.as_map(),
            sandbox=sandbox,
            design=_design(design),
            new=contestants[0],
            old=contestants[1],
            field=tuple(contestants[2:]),
            seed=seed,
        )
        tables_of(question, game.players)  # what cannot be played leaves no journal
        path = journal_path(question)
        check_isolation(specs, plugins().bots.values(), walls, "XDG_STATE_HOME", path)
        bots = {each.digest: spec for each, spec in zip(contestants, specs, strict=True)}
        venue = Venue(terms, bots, workers or len(usable_cores()), tell=say)
        with Journal(question, path, fresh=fresh) as journal:
            plan = Plan(question, game.players, journal.secret)
            scores = Scores(game, plan, cap)
            resume(journal, scores)
            if scores.played:
                say(f"{scores.played} deals were played before; --fresh forgets them")
            _play(journal, scores, plan, runner, venue)
    conclusion = Conclusion(question, scores, printable(new), printable(old))
    for text in conclusion.failures:
        say(text)
    if as_json:
        print_json(conclusion.figures)
    else:
        print_table(COLUMNS, conclusion.rows())
        click.echo(conclusion.sentence)
    if not conclusion.better:
        raise click.exceptions.Exit(DOES_NOT_HOLD)


def _play(journal: Journal, scores: Scores, plan: Plan, runner: Runner, venue: Venue) -> None:
    """Play to the end, and show how it stands; what is interrupted is kept."""
    board = _Board(scores)
    # SIGTERM, as service managers send it, works like Ctrl-C, with the same message.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        play(journal, scores, plan, runner, venue, board.show)
    except KeyboardInterrupt:
        board.end()
        say(f"{scores.played} deals are kept in {journal.path}; run the same command to go on")
        raise
    finally:
        board.end()


class _Board:
    """How a comparison stands, on stderr: one line on a terminal, else one from time to time."""

    def __init__(self, scores: Scores) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown = 0.0
        self._drawn = False
        self._told_pilot = scores.pilot is not None

    def show(self, scores: Scores) -> None:
        """Show the state after a deal."""
        if scores.pilot is not None and not self._told_pilot:
            self._told_pilot = True
            self.end()
            say(f"arena compare: {pilot_text(scores)}")
        if self._terminal:
            now = monotonic()
            if now - self._shown >= DRAWN_EVERY:
                self._shown = now
                self._draw(progress_text(scores))
        elif _is_round(scores.evidence.deals) and not scores.in_pilot:
            say(progress_text(scores))

    def end(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._drawn = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _draw(self, text: str) -> None:
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        self._drawn = True
        print(f"\r\x1b[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)


def _is_round(deals: int) -> bool:
    """Whether a line is due at this number of deals: 10, 20, 50, 100, 200 and so on."""
    digits = str(deals)
    return deals >= 10 and digits[0] in "125" and not digits[1:].strip("0")


@contextmanager
def _found(texts: Sequence[str], game: str, *, in_place: bool) -> Iterator[list[BotSpec]]:
    """Return the bots that are compared; those of a revision lie in a folder for the time being.

    What is not sealed plays in place, so it has to be built.
    """
    with temporary_folder("compare") as folder:
        found = []
        for number, text in enumerate(texts):
            revision = read_revision(text)
            if revision is None:
                spec = find_bot(text, to_run=in_place)
            else:
                target = folder / str(number)
                spec = bot_at(Path(revision[0]), revision[1], target, to_run=in_place)
            spec.check_plays(game)
            found.append(spec)
        yield found


def _field(
    fields: Sequence[str], game: str, compared: Sequence[BotSpec], *, to_run: bool
) -> list[BotSpec]:
    """Return the bots of the field, by default the bundled ones that neither search nor compete."""
    texts = [text.strip() for each in fields for text in each.split(",") if text.strip()]
    if fields:
        found = [find_bot(text, to_run=to_run) for text in texts]
        for spec in found:
            spec.check_plays(game)
        return found
    brought = [
        plugins().bots[bot]
        for plugin in plugins().plugins
        if plugin.distribution == OWN_DISTRIBUTION
        for bot in plugin.bots
    ]
    taken = {digest(spec) for spec in compared}
    return [
        spec
        for spec in brought
        if not spec.searches and game in spec.games and digest(spec) not in taken
    ]


def _check_different(texts: Sequence[str], contestants: Sequence[Contestant]) -> None:
    """End the command if somebody is named twice."""
    new, old, *others = (each.digest for each in contestants)
    if new == old:
        raise click.UsageError(
            f"{texts[0]!r} and {texts[1]!r} are the same bot, to the byte of its files and its "
            "description; expected two versions that differ"
        )
    for other in contestants[2:]:
        if other.digest in (new, old):
            raise click.UsageError(f"--field: {other.name} is one of the two; leave it out")
        if others.count(other.digest) > 1:
            raise click.UsageError(f"--field: expected each bot once, got {other.name} twice")


def _design(text: str) -> Design | None:
    return next((design for design in DESIGNS if design == text), None)
