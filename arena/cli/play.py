"""`arena play`: games between bots, with a table of results and a record of every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
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
from arena.cli.output import print_json, print_table, say, table_fits
from arena.errors import ArenaError
from arena.process.placement import on_one_core
from arena.process.suspension.turn_gate import BY_SIGNALS, SIGNALS, TurnGate
from arena.programs.spec import BotSpec
from arena.records.entries import Closed, EndReason, TimeControl
from arena.records.verdicts import FINISHED
from arena.referee.clock import changed
from arena.referee.deals import Deals
from arena.referee.match import NAME as MATCH
from arena.referee.match import Match, MatchGame, beginning
from arena.referee.recording import Recording
from arena.referee.roster import Roster
from arena.referee.terms import Terms
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
@click.option("--force", is_flag=True, help="Overwrite the logs in the file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def play(
    name: str,
    bots: tuple[str, ...],
    games: int | None,
    seed: str | None,
    options: tuple[str, ...],
    times: tuple[str, ...],
    path: Path | None,
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
    if (append or force) and path is None:
        raise click.UsageError(f"{'--append' if append else '--force'} needs --record")
    if append and force:
        raise click.UsageError("--append keeps the logs and --force does not; take one of them")
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
    specs = seal_strangers(specs, walls)
    check_isolation(specs, plugins().bots.values(), walls, "--record", path)
    placings = Placings(len(specs))
    results = [BotResult(spec, seat, placings) for seat, spec in enumerate(specs)]
    secret = token_hex(SECRET_BYTES) if seed is None else seed
    with ExitStack() as stack:
        recording = None
        if path is not None:
            recording = stack.enter_context(Recording(path, append=append, force=force))
        deals = Deals.of(secret.encode(), MATCH)
        match = _opened(stack, specs, terms, deals, workers)
        if seed is None:
            # At the end, however it comes: until then a bot may be able to read what is said.
            stack.callback(say, f"arena play: repeat these deals with --seed {secret}")
        wanted = games or len(bots)
        first = 0
        if recording is not None:
            first = recording.first
            begun = beginning(
                terms,
                match.contestants,
                sandbox=sandbox,
                secret=secret.encode(),
                seed=seed,
                games=wanted,
                first=first,
            )
            for entry in begun:
                recording.write(entry)
            stack.callback(_end, recording, wanted, secret)
        for block in match.blocks(wanted, first):
            if recording is not None:
                recording.write(block.entry, block.times)
            placings.add([_by_bot(finished) for finished in block.games])
            for finished in block.games:
                _report_faults(finished, specs)
                for seat, bot in enumerate(finished.seating):
                    results[bot].add(finished, seat)
    if as_json:
        print_json([line.as_map() for line in results])
    else:
        _print_results(results, placings, pairs=pairs)


def _opened(
    stack: ExitStack, specs: Sequence[BotSpec], terms: Terms, deals: Deals, workers: int
) -> Match | ParallelMatch:
    """Return the match, here or on several cores; the stack closes what it opens."""
    if terms.suspend and TurnGate().kind == SIGNALS:
        say(f"arena play: {BY_SIGNALS}")
    if workers > 1:
        return ParallelMatch(specs, terms, deals, workers=workers)
    core = stack.enter_context(on_one_core())
    roster = stack.enter_context(Roster(specs, terms, core=core, rotations=len(specs)))
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


def _end(recording: Recording, wanted: int, secret: str) -> None:
    """Write how a match has ended, however that was; a disk that is full has said so already."""
    reason: EndReason = "budget" if recording.ledger.games == wanted else "host"
    with suppress(OSError, ArenaError):
        recording.write(Closed(reason=reason, secret=secret.encode().hex()))


def _report_faults(game: MatchGame, specs: Sequence[BotSpec]) -> None:
    """Print faults to stderr, with the numbers of games that `arena replay show --game` takes."""
    for fault in game.played.faults:
        bot = specs[game.seating[fault.seat]].name
        where = f"game {game.number}, seat {fault.seat} ({bot})"
        say(f"{where}: {fault.verdict}: {fault.text}")
