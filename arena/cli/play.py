"""`arena play`: games between bots, with a table of results and a record of every game."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import combinations
from pathlib import Path
from secrets import token_hex
from typing import Any

import click

from arena.blocks.parallel_match import ParallelMatch
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
from arena.cli.output import print_json, print_table, say, table_fits
from arena.process.placement import on_one_core
from arena.process.suspension.turn_gate import BY_SIGNALS, SIGNALS, TurnGate
from arena.programs.spec import BotSpec
from arena.records.entries import Entry, TimeControl
from arena.records.verdicts import FINISHED
from arena.referee.clock import changed
from arena.referee.deals import Deals
from arena.referee.match import NAME as MATCH
from arena.referee.match import Match, MatchBlock, MatchGame, beginning
from arena.referee.recording import Recording
from arena.referee.roster import Roster
from arena.referee.terms import Terms, label
from arena.sandbox.isolation import check_isolation
from arena.sandbox.sandbox import NONE
from arena.workbench.placings import Estimate, Placings

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
    help="Write the log here; if this is a file, the times of games go to a file beside it.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Deals at a time, each on a core of its own; the results are the same, unless a bot "
    "remembers its earlier games.",
)
@click.option("--pairs", is_flag=True, help="List the differences pair by pair, not as a table.")
@click.option("--append", is_flag=True, help="Let the new log follow those in the file.")
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
    workers: int,
    *,
    suspend: bool,
    pairs: bool,
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

    From five deals on, mean places and their differences have 95 % intervals. They hold for a
    number of games that was fixed before; `arena compare` is for looking on.

    \b
    arena play gargon random random random random --games 20
    arena play castors random "./my-bot --fast" --record games.jsonl
    """
    _check_options(path, folder, append=append, force=force)
    game = find_game(name)
    check_seats(game, len(bots))
    try:
        control = changed(TimeControl(), times)
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
    placings = Placings(len(specs))
    results = [BotResult(spec, seat, placings) for seat, spec in enumerate(specs)]
    secret = token_hex(SECRET_BYTES) if seed is None else seed
    failures = Failures()
    with ExitStack() as stack:
        recording = stderr = None
        if path is not None:
            recording = stack.enter_context(Recording(path, append=append, force=force))
        if folder is not None:
            stderr = stack.enter_context(
                StderrFiles("--stderr", folder, [spec.name for spec in specs], force=force)
            )
        stack.enter_context(frames_shown(debugged, workers=workers))
        deals = Deals.of(secret.encode(), MATCH)
        match = _opened(stack, specs, terms, deals, workers, stderr)
        same = [option for setting in times for option in ("--time", setting)]
        same += [] if sandbox == NONE else ["--sandbox", sandbox]
        stack.callback(_tell, failures, bots, ["--game", name, *same])
        if seed is None:
            # At the end, however it comes: until then a bot may be able to read what is said.
            stack.callback(say, f"arena play: repeat these deals with --seed {secret}")
        wanted = games or len(bots)
        blocks: Iterable[MatchBlock] = match.blocks(wanted, recording.first if recording else 0)
        if recording is not None:
            begun = beginning(
                terms,
                match.contestants,
                sandbox=sandbox,
                held=label(walls, TurnGate().kind if suspend else None),
                secret=secret.encode(),
                seed=seed,
                games=wanted,
                first=recording.first,
            )
            blocks = stack.enter_context(
                closing(_recorded(recording, begun, blocks, wanted, secret))
            )
        for block in blocks:
            placings.add([_by_bot(finished) for finished in block.games])
            for finished in block.games:
                _report_faults(finished, specs)
                failures.add(finished)
                for seat, bot in enumerate(finished.seating):
                    results[bot].add(finished, seat)
            if stderr is not None:
                stderr.check()
    if as_json:
        print_json([line.as_map() for line in results])
    else:
        _print_results(results, placings, pairs=pairs)


def _check_options(path: Path | None, folder: Path | None, *, append: bool, force: bool) -> None:
    """End the command unless the options for files go together."""
    if append and path is None:
        raise click.UsageError("--append needs --record")
    if force and path is None and folder is None:
        raise click.UsageError("--force needs --record or --stderr")
    if append and force:
        raise click.UsageError("--append keeps the logs and --force does not; take one of them")


def _recorded(
    recording: Recording,
    begun: Iterable[Entry],
    blocks: Iterable[MatchBlock],
    wanted: int,
    secret: str,
) -> Generator[MatchBlock, None, None]:
    """Yield the blocks of a match, and write its log as they come, from its first entry on."""
    for entry in begun:
        recording.write(entry)
    try:
        for block in blocks:
            recording.write(block.entry, block.times)
            yield block
    finally:
        recording.end(wanted, secret.encode())


def _opened(
    stack: ExitStack,
    specs: Sequence[BotSpec],
    terms: Terms,
    deals: Deals,
    workers: int,
    stderr: StderrFiles | None,
) -> Match | ParallelMatch:
    """Return the match, here or on several cores; the stack closes what it opens."""
    if terms.suspend and TurnGate().kind == SIGNALS:
        say(f"arena play: {BY_SIGNALS}")
    if workers > 1:
        return ParallelMatch(specs, terms, deals, workers=workers, stderr=stderr)
    core = stack.enter_context(on_one_core())
    takes = None if stderr is None else stderr.of
    roster = stack.enter_context(
        Roster(specs, terms, core=core, rotations=len(specs), stderr=takes)
    )
    return Match(roster, deals, draw_seats=True)


class BotResult:
    """The totals of one bot over the games."""

    def __init__(self, spec: BotSpec, number: int, placings: Placings) -> None:
        self.spec = spec
        self.number = number
        self.placings = placings
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
            "place_interval": _ends(self.placings.place(self.number)),
            "better_by": [
                {"than": other, "places": round(found.mean, 4), "interval": _ends(found)}
                for other, found in self._differences()
            ],
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
            _span(self.placings.place(self.number)),
            f"{self.scores / self.games:.1f}",
            faults or "none",
            f"{self._ms:.2f}",
        )

    def _differences(self) -> Iterator[tuple[int, Estimate]]:
        """Yield the other bots, counted from 0 as they were named, and the difference to each."""
        for other in range(self.placings.bots):
            if other != self.number:
                yield other, self.placings.difference(self.number, other)

    @property
    def _ms(self) -> float:
        return self.micros / 1000 / self.decisions if self.decisions else 0.0


def _by_bot(game: MatchGame) -> list[int]:
    """Return the place of each bot in a game."""
    placed = dict(zip(game.seating, game.played.places, strict=True))
    return [placed[bot] for bot in sorted(placed)]


def _print_results(results: Sequence[BotResult], placings: Placings, *, pairs: bool) -> None:
    """Print how each bot did, and by how many places it was better than each other."""
    columns = ["bot", "version", "games>", "mean place>", "95 %>", "mean score>", "faults"]
    print_table([*columns, "ms/decision>"], [line.row() for line in results])
    names = [line.spec.name for line in results]
    if len(set(names)) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    title = "better by so many places, on average (95 %)"
    numbers = range(len(names))
    if len(names) == 1:
        return
    if pairs:
        rows = [
            (names[a], names[b], *_signed(placings.difference(a, b)))
            for a, b in combinations(numbers, 2)
        ]
        print_table(["bot", "than", "places>", "95 %>"], rows, title)
        return
    cells = [
        [names[a], *("" if a == b else _short(placings.difference(a, b)) for b in numbers)]
        for a in numbers
    ]
    columns = ["", *(f"than {name}>" for name in names)]
    if table_fits(columns, cells):
        print_table(columns, cells, title)
    else:
        say("arena play: the differences between bots are too wide for this window; see --pairs")


def _signed(found: Estimate) -> tuple[str, str]:
    """Return a difference and its interval as they are shown."""
    interval = found.interval
    if interval is None:
        return f"{found.mean:+.2f}", ""
    return f"{found.mean:+.2f}", f"{interval[0]:+.2f} … {interval[1]:+.2f}"


def _short(found: Estimate) -> str:
    """Return a difference and its interval for a narrow column."""
    return f"{found.mean:+.2f}" + ("" if found.half is None else f" ±{found.half:.2f}")


def _span(found: Estimate) -> str:
    """Return an interval of places as it is shown."""
    interval = found.interval
    return "" if interval is None else f"{interval[0]:.2f} … {interval[1]:.2f}"


def _ends(found: Estimate) -> list[float] | None:
    interval = found.interval
    return None if interval is None else [round(end, 4) for end in interval]


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


def _report_faults(game: MatchGame, specs: Sequence[BotSpec]) -> None:
    """Print faults to stderr, with the numbers of games that `arena replay show --game` takes."""
    for fault in game.played.faults:
        bot = specs[game.seating[fault.seat]].name
        where = f"game {game.number}, seat {fault.seat} ({bot})"
        say(f"{where}: {fault.verdict}: {fault.text}")
