"""`arena play`: games between bots, with a table of results and a record of every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from typing import Any

import click

from arena.cli.arguments import (
    check_seats,
    find_bot,
    find_game,
    find_sandbox,
    plugins,
    read_rules,
    sandbox_options,
    seal_strangers,
)
from arena.cli.failures import Failures
from arena.cli.logs import frames_shown
from arena.cli.new_files import StderrFiles
from arena.cli.output import print_json, print_table, say
from arena.process.placement import on_one_core
from arena.process.suspension.turn_gate import BY_SIGNALS, SIGNALS
from arena.programs.spec import BotSpec
from arena.records.record import FIRST
from arena.records.verdicts import FINISHED
from arena.referee.clock import TimeControl
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchGame
from arena.referee.recording import Recording
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.isolation import check_isolation
from arena.sandbox.sandbox import NONE

LADDER = "play"
SECRET_BYTES = 16


@click.command()
@click.argument("name", metavar="GAME")
@click.argument("bots", metavar="BOT BOT BOT...", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(1), help="How many games; by default one per bot.")
@click.option(
    "--seed",
    help="The seed of the deals and of the order of seats: any text. By default it is drawn, and "
    "printed on stderr at the end, so that the run can be repeated.",
)
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
    "--suspend/--no-suspend",
    default=False,
    show_default=True,
    help="Suspend bots while they are not asked, so that nobody thinks on others' time.",
)
@click.option(
    "--record",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the records here; if this is a file, their timings go to a file beside it.",
)
@click.option("--append", is_flag=True, help="Let the new records follow those in the file.")
@click.option("--force", is_flag=True, help="Overwrite the files of --record and --stderr.")
@click.option(
    "--stderr",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep all that the bots write to stderr here, in a file for each.",
)
@click.option(
    "--debug",
    "shown",
    metavar="BOT",
    multiple=True,
    help="Show every frame to and from this bot on stderr, with its time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def play(
    name: str,
    bots: tuple[str, ...],
    games: int | None,
    seed: str | None,
    options: tuple[str, ...],
    times: tuple[str, ...],
    path: Path | None,
    folder: Path | None,
    shown: tuple[str, ...],
    sandbox: str,
    limits: tuple[str, ...],
    *,
    suspend: bool,
    append: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Play games between bots and show how they did.

    A BOT is a registered name (see `arena bot list`), a folder with a bot.toml, or a command
    line in quotes. There are as many seats as bots; the same bot can sit in several. Every
    deal is played once per rotation of the seats, so that everybody plays every hand. For each
    rotation a bot has another process, so that no process sees a deal twice. The order in which
    bots sit is drawn anew for every deal.

    \b
    arena play gargon random random random random --games 20
    arena play castors random "./my-bot --fast" --record games.jsonl
    """
    if append and path is None:
        raise click.UsageError("--append needs --record")
    if force and path is None and folder is None:
        raise click.UsageError("--force needs --record or --stderr")
    if append and force:
        raise click.UsageError("--append keeps the records and --force does not; take one of them")
    game = find_game(name)
    check_seats(game, len(bots))
    try:
        control = TimeControl().changed(times)
    except ValueError as error:
        raise click.UsageError(f"--time: {error}") from None
    walls, allowed = find_sandbox(sandbox, limits)
    terms = Terms(game, read_rules(game, options), control, walls, allowed, suspend)
    specs = [find_bot(bot, to_run=walls.name == NONE) for bot in bots]
    for spec in specs:
        spec.check_plays(name)
    debugged = _named("--debug", shown, bots, specs)
    specs = seal_strangers(specs, walls)
    for option, place in (("--record", path), ("--stderr", folder)):
        check_isolation(specs, plugins().bots.values(), walls, option, place)
    results = [BotResult(spec, seat) for seat, spec in enumerate(specs)]
    secret = token_hex(SECRET_BYTES) if seed is None else seed
    failures = Failures()
    names = [spec.name for spec in specs]
    with ExitStack() as stack:
        recording = stderr = None
        if path is not None:
            recording = stack.enter_context(Recording(path, append=append, force=force))
        if folder is not None:
            stderr = stack.enter_context(StderrFiles("--stderr", folder, names, force=force))
        stack.enter_context(frames_shown(debugged))
        core = stack.enter_context(on_one_core())
        takes = None if stderr is None else stderr.of
        roster = stack.enter_context(
            Roster(specs, terms, core=core, rotations=len(specs), stderr=takes)
        )
        same = [option for setting in times for option in ("--time", setting)]
        same += [] if sandbox == NONE else ["--sandbox", sandbox]
        stack.callback(_tell, failures, bots, ["--game", name, *same])
        if seed is None:
            # At the end, however it comes: until then a bot may be able to read what is said.
            stack.callback(say, f"arena play: repeat these deals with --seed {secret}")
        if roster.suspends_by == SIGNALS:
            say(f"arena play: {BY_SIGNALS}")
        match = Match(roster, Deals(secret.encode(), LADDER), draw_seats=True)
        after = (recording.first, recording.previous) if recording else (0, FIRST)
        for finished in _report_faults(match.play(games or len(bots), *after)):
            if recording:
                recording.write(finished.record, finished.timings)
            failures.add(finished)
            for seat, bot in enumerate(finished.seating):
                results[bot].add(finished, seat)
            if stderr is not None:
                stderr.check()
    _print(results, as_json=as_json)


class BotResult:
    """The totals of one bot over the games."""

    def __init__(self, spec: BotSpec, number: int) -> None:
        self.spec = spec
        self.number = number
        self.games = self.places = self.scores = 0
        self.faults: dict[str, int] = {}
        self.decisions = self.micros = 0

    def add(self, game: MatchGame, seat: int) -> None:
        """Count a game in which this bot sat in this seat."""
        played = game.played
        self.games += 1
        self.places += played.places[seat]
        self.scores += played.scores[seat]
        verdict = played.verdicts[seat]
        if verdict != FINISHED:
            self.faults[verdict] = self.faults.get(verdict, 0) + 1
        for decider, micros in zip(played.deciders, played.micros, strict=True):
            if decider == seat and micros:
                self.decisions += 1
                self.micros += micros

    def as_map(self) -> dict[str, Any]:
        """Return the totals as data for programs."""
        return {
            "bot": self.spec.name,
            "version": self.spec.version,
            "games": self.games,
            "mean_place": round(self.places / self.games, 4),
            "mean_score": round(self.scores / self.games, 4),
            "faults": self.faults,
            "ms_per_decision": round(self._ms, 4),
        }

    def row(self) -> Sequence[object]:
        """Return the totals as a row of the table."""
        faults = ", ".join(f"{count} {verdict}" for verdict, count in self.faults.items())
        return (
            self.spec.name,
            self.spec.version,
            self.games,
            f"{self.places / self.games:.2f}",
            f"{self.scores / self.games:.1f}",
            faults or "none",
            f"{self._ms:.2f}",
        )

    @property
    def _ms(self) -> float:
        return self.micros / 1000 / self.decisions if self.decisions else 0.0


def _print(results: Sequence[BotResult], *, as_json: bool) -> None:
    """Print how the bots did."""
    if as_json:
        print_json([line.as_map() for line in results])
        return
    columns = [
        "bot",
        "version",
        "games>",
        "mean place>",
        "mean score>",
        "faults",
        "ms/decision>",
    ]
    print_table(columns, [line.row() for line in results])


def _named(
    option: str, texts: Sequence[str], bots: Sequence[str], specs: Sequence[BotSpec]
) -> set[str]:
    """Return the names of the bots that these texts name, as the command line does or by name."""
    found = set()
    for text in texts:
        named = {
            spec.name for bot, spec in zip(bots, specs, strict=True) if text in (bot, spec.name)
        }
        if not named:
            playing = ", ".join(dict.fromkeys(bots))
            raise click.UsageError(f"{option}: expected one of the bots, {playing}, got {text!r}")
        found |= named
    return found


def _tell(failures: Failures, bots: Sequence[str], options: Sequence[str]) -> None:
    """Tell the authors of bots that failed what is known, and what to do next."""
    for line in failures.lines(bots, options):
        say(line)


def _report_faults(games: Iterable[MatchGame]) -> Iterator[MatchGame]:
    """Print faults to stderr, with the numbers of games that `arena replay show --game` takes."""
    for game in games:
        for fault in game.played.faults:
            bot = game.record["bots"][fault.seat]["name"]
            where = f"game {game.number}, seat {fault.seat} ({bot})"
            say(f"{where}: {fault.verdict}: {fault.text}")
        yield game
