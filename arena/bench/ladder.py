"""How much time a ladder adds to the referee's: both measured in turn, in one run.

The referee alone plays a match on each of as many cores as the ladder has workers, all at the
same time. The ladder plays as many games with the same bots, and includes its schedule,
workers, store and ratings. Neither includes the start of the bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.bench.referee import DEALS, started
from arena.blocks.runner import Runner, RunnerFailed
from arena.errors import ArenaError
from arena.games.game import Game
from arena.ladder.definition import Definition
from arena.ladder.field import enter
from arena.ladder.goal import Goal
from arena.ladder.opening import open_store
from arena.ladder.run import Progress, Run
from arena.machine.calls import end_with_parent, usable_cores
from arena.process.placement import on_one_core
from arena.programs.contestant import contestant_of
from arena.programs.spec import BotSpec
from arena.records.entries import Budget, Contest
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.sandbox import UNCONFINED

ROUNDS = 3
USUAL = (3, 4, 5)
"""The sizes of tables with which large fields are measured."""
WARM_UP = 0.2
"""The share of a ladder's games that is not timed, while its workers start their bots."""
WARM_UP_EACH = 16
"""For each contestant, how many games are not timed: by then all its processes have played."""
MOST_WARM_UP = 0.75
"""The share of the games that is not timed at most, however large the field is."""


@dataclass(frozen=True)
class LadderSpeed:
    """The result: games per second, as medians over the rounds."""

    games: int
    workers: int
    referee: float
    ladder: float

    @property
    def ratio(self) -> float:
        """The ladder's time for a game, as a multiple of the referee's."""
        return self.referee / self.ladder


def measure(
    game: Game, bot: BotSpec, seats: int, games: int, workers: int, runner: Runner
) -> LadderSpeed:
    """Measure games per second of the referee alone and of a ladder, in alternating rounds."""
    bots = [replace(bot, name=f"{bot.name}-{number}") for number in range(1, seats + 1)]
    terms = Terms(game, game.rules({}))
    referee, ladder = [], []
    for _ in range(ROUNDS):
        referee.append(_referee(bots, terms, games // workers, workers))
        ladder.append(_ladder(bots, terms, games, workers, runner, [seats])[0])
    return LadderSpeed(games, workers, median(referee), median(ladder))


@dataclass(frozen=True)
class FieldSpeed:
    """The speed of a ladder with so many contestants, from when its workers are warm."""

    contestants: int
    games: int
    workers: int
    ladder: float
    """Games per second."""
    starts: float
    """Processes of bots that were started, for each game."""


def measure_field(
    game: Game, bot: BotSpec, contestants: int, games: int, workers: int, runner: Runner
) -> FieldSpeed:
    """Measure a ladder with so many contestants, all with the same program, at usual tables."""
    bots = [replace(bot, name=f"{bot.name}-{number}") for number in range(1, contestants + 1)]
    terms = Terms(game, game.rules({}))
    sizes = [size for size in game.players if size in USUAL and size <= contestants]
    ladder, starts = _ladder(bots, terms, games, workers, runner, sizes or game.players[:1])
    return FieldSpeed(contestants, games, workers, ladder, starts)


def _referee(bots: Sequence[BotSpec], terms: Terms, games: int, workers: int) -> float:
    """Return the games per second of all workers together, each of which plays `games`."""
    context = get_context("fork")
    cores = sorted(usable_cores(), reverse=True)
    lines: list[Connection] = []
    staff = []
    for number in range(workers):
        mine, other = context.Pipe()
        core = cores[number % len(cores)]
        worker = context.Process(target=_play, args=(other, bots, terms, games, core))
        worker.start()
        other.close()
        lines.append(mine)
        staff.append(worker)
    try:
        for line in lines:
            _hear(line)  # its bots are started
        for line in lines:
            line.send("go")
        return sum(games / _hear(line) for line in lines)
    finally:
        for worker in staff:
            worker.kill()
            worker.join()


def _hear(line: Connection) -> float:
    """Return the number that a worker sends, or raise the error that it sends."""
    try:
        said = line.recv()
    except EOFError:
        raise RunnerFailed("a worker has ended before its games were played") from None
    if isinstance(said, Exception):
        raise said
    return float(said)


def _play(line: Connection, bots: Sequence[BotSpec], terms: Terms, games: int, core: int) -> None:
    end_with_parent()
    try:
        with on_one_core(core), Roster(bots, terms, core=core) as roster:
            match = Match(roster, DEALS)
            for bot in range(len(bots)):
                started(roster, bot)
            line.send(0.0)
            line.recv()
            began = perf_counter()
            for _ in match.play(games):
                pass
            seconds = perf_counter() - began
        line.send(seconds)
    except ArenaError as error:
        line.send(error)


def _ladder(
    bots: Sequence[BotSpec],
    terms: Terms,
    games: int,
    workers: int,
    runner: Runner,
    tables: Sequence[int],
) -> tuple[float, float]:
    """Return games per second and starts of processes a game, from when its workers are warm.

    Where so few games are played that they all come at once, their start is timed as well.
    """
    times: list[tuple[int, float, int]] = []

    def report(progress: Progress) -> None:
        times.append((progress.played, perf_counter(), progress.starts))

    with temporary_folder("bench") as folder:
        path = folder / "bench.ladder"
        definition = _definition(bots, terms, games, path, tables)
        with open_store(definition, path) as store:
            enter(store, definition)
            run = Run(store, definition.bots, terms.game, Goal(definition.budget))
            times.append((0, perf_counter(), 0))
            run.play(runner, UNCONFINED, workers, report)
    last, ended, after = times[-1]
    cold = min(max(WARM_UP * games, WARM_UP_EACH * len(bots)), MOST_WARM_UP * games)
    warm = [each for each in times if cold <= each[0] < last]
    first, began, before = warm[0] if warm else times[0]
    return (last - first) / (ended - began), (after - before) / (last - first)


def _definition(
    bots: Sequence[BotSpec], terms: Terms, games: int, path: Path, tables: Sequence[int]
) -> Definition:
    contestants = tuple(map(contestant_of, bots))
    return Definition(
        path=path,
        contest=Contest(
            name="bench",
            game=terms.game.name,
            version=terms.game.version,
            rules=terms.rules,
            tables=tuple(tables),
            time=terms.control,
            sandbox=UNCONFINED.name,
            limits=terms.limits.as_map(),
            suspend=False,
            fresh=False,
            seed="bench",
            anchor=None,
        ),
        bots={each.digest: bot for each, bot in zip(contestants, bots, strict=True)},
        contestants=contestants,
        budget=Budget(games=games),
        workers=None,
    )
