"""`arena bench`: measure speeds on this machine, and whether rating intervals hold."""

from __future__ import annotations

from dataclasses import asdict

import click

from arena.cli.arguments import (
    check_seats,
    find_bot,
    find_game,
    find_sandbox,
    plugins,
    read_rules,
    sandbox_options,
)
from arena.cli.output import print_json, print_table, say
from arena.machine.calls import usable_cores
from arena.sandbox.sandbox import AUTO, NONE
from arena.version import compiled

LEAST = 4
"""The fewest games for each worker, so that there is something to time."""


@click.group()
def bench() -> None:
    """Measure speeds on this machine, and whether rating intervals hold."""


def _warn_if_not_compiled(what: str) -> None:
    if not compiled():
        say(
            f"arena bench {what}: rules and referee are not compiled here; an install that is not "
            "editable compiles them where it finds a C compiler and Python's headers"
        )


@bench.command("rules")
@click.option("--game", "name", help="Only this game.")
@click.option("--players", type=int, help="Only this number of players.")
@click.option("--rules", "options", multiple=True, metavar="NAME=VALUE", help="A rule's value.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 600),
    default=1.0,
    show_default=True,
    help="How many seconds each line of the table is measured.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_rules(
    name: str | None,
    players: int | None,
    options: tuple[str, ...],
    seconds: float,
    *,
    as_json: bool,
) -> None:
    """Measure the rules alone, on one core: games per second and time per decision.

    Play is random: in one line of the table it chooses without listing the legal actions, in
    the other it lists them at every decision. Dealing and scoring are included.
    """
    from arena.bench.rules import measure  # noqa: PLC0415 - only used here

    if options and name is None:
        raise click.UsageError("--rules needs --game")
    games = [find_game(name)] if name else list(plugins().games.values())
    if players is not None and name is not None:
        check_seats(games[0], players)
    speeds = [
        speed
        for game in games
        for seats in game.players
        if players in (None, seats)
        for speed in measure(game, seats, read_rules(game, options), seconds)
    ]
    if not speeds:
        raise click.UsageError(f"--players: no game takes {players}")
    _warn_if_not_compiled("rules")
    if as_json:
        print_json(
            [
                {
                    "game": speed.game,
                    "players": speed.players,
                    "listing": speed.listing,
                    "compiled": compiled(),
                    "games": speed.games,
                    "games_per_second": round(speed.games_per_second, 1),
                    "us_per_decision": round(speed.us_per_decision, 3),
                    "decisions_per_game": round(speed.decisions / speed.games, 1),
                }
                for speed in speeds
            ]
        )
        return
    columns = ["game", "players>", "actions", "games/s>", "µs/decision>", "decisions/game>"]
    rows = [
        (
            speed.game,
            speed.players,
            "listed" if speed.listing else "not listed",
            f"{speed.games_per_second:,.0f}",
            f"{speed.us_per_decision:.2f}",
            f"{speed.decisions / speed.games:.1f}",
        )
        for speed in speeds
    ]
    print_table(columns, rows)


@bench.command("referee")
@click.option("--game", "name", default="gargon", show_default=True, help="What is played.")
@click.option("--players", type=int, default=4, show_default=True, help="How many seats.")
@click.option("--bot", default="random", show_default=True, help="The bot in every seat.")
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many games a round has; there are five rounds of each kind.",
)
@click.option("--apart", is_flag=True, help="Do not keep referee and bots on one core.")
@click.option(
    "--suspend", is_flag=True, help="Also measure with bots suspended while they are not asked."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_referee(
    name: str, players: int, bot: str, games: int, *, apart: bool, suspend: bool, as_json: bool
) -> None:
    """Measure what the referee adds to the pipe, in microseconds per decision.

    The bare pipe sends the frames of recorded games to the same bots again, and only reads
    the answers. Rounds of both take turns; medians are shown.
    """
    from arena.bench.referee import measure  # noqa: PLC0415 - only used here
    from arena.referee.terms import Terms  # noqa: PLC0415

    game = find_game(name)
    check_seats(game, players)
    spec = find_bot(bot)
    spec.check_plays(name)
    terms = Terms(game, game.rules({}))
    speed = measure([spec] * players, terms, games, together=not apart, suspend=suspend)
    _warn_if_not_compiled("referee")
    if as_json:
        figures: dict[str, object] = {
            "game": game.name,
            "players": players,
            "bot": spec.name,
            "compiled": compiled(),
            "games": speed.games,
            "decisions": speed.decisions,
            "bare_us": round(speed.bare_us, 2),
            "referee_us": round(speed.referee_us, 2),
            "ratio": round(speed.ratio, 3),
            "games_per_second": round(speed.games_per_second, 1),
        }
        if speed.suspending_us is not None:
            figures["suspending_us"] = round(speed.suspending_us, 2)
            figures["suspends_by"] = speed.suspends_by
        print_json(figures)
        return
    columns = ["bot", "bare pipe µs>", "referee µs>", "ratio>", "games/s and worker>"]
    row = [
        spec.name,
        f"{speed.bare_us:.1f}",
        f"{speed.referee_us:.1f}",
        f"{speed.ratio:.2f}",
        f"{speed.games_per_second:.0f}",
    ]
    if speed.suspending_us is not None:
        columns += ["suspending µs>", "suspended by"]
        row += [f"{speed.suspending_us:.1f}", str(speed.suspends_by)]
    print_table(columns, [row])


@bench.command("ladder")
@click.option("--game", "name", default="gargon", show_default=True, help="What is played.")
@click.option("--players", type=int, default=4, show_default=True, help="Seats at the table.")
@click.option("--bot", default="random", show_default=True, help="The bot in every seat.")
@click.option(
    "--contestants",
    type=click.IntRange(3, 1000),
    multiple=True,
    help="Measure ladders with so many contestants instead; give it several times.",
)
@click.option("--games", type=click.IntRange(40), default=1000, show_default=True)
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="Games at a time; by default one per core."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_ladder(
    name: str,
    players: int,
    bot: str,
    contestants: tuple[int, ...],
    games: int,
    workers: int | None,
    *,
    as_json: bool,
) -> None:
    """Measure what a ladder adds to the referee, in games per second.

    The referee alone plays on as many cores as the ladder has workers. The ladder includes
    schedule, workers, store and ratings. Rounds of both take turns; medians are shown.

    With --contestants, ladders with so many of the bot are measured one after the other, at
    tables of 3 to 5, and how many processes they start for each game. While processes are
    started nothing is timed: in a fifth of the games, or 16 for each contestant if that is more.
    A large field needs some 80 games for each.
    """
    from arena.bench.ladder import measure, measure_field  # noqa: PLC0415 - only used here

    game = find_game(name)
    check_seats(game, players)
    spec = find_bot(bot)
    spec.check_plays(name)
    staff = workers or len(usable_cores())
    runner = plugins().runners["local"]
    if games < LEAST * staff:
        raise click.UsageError(
            f"--games: expected {LEAST * staff} at least for {staff} workers, got {games}"
        )
    if contestants:
        fields = [measure_field(game, spec, each, games, staff, runner) for each in contestants]
        _warn_if_not_compiled("ladder")
        if as_json:
            print_json([{**asdict(each), "compiled": compiled()} for each in fields])
            return
        rows = [
            (each.contestants, each.workers, each.games, f"{each.ladder:.0f}", f"{each.starts:.3f}")
            for each in fields
        ]
        columns = ["contestants>", "workers>", "games>", "games/s>", "starts a game>"]
        print_table(columns, rows)
        return
    speed = measure(game, spec, players, games, staff, runner)
    _warn_if_not_compiled("ladder")
    if as_json:
        print_json(
            {
                "game": game.name,
                "players": players,
                "bot": spec.name,
                "compiled": compiled(),
                "games": speed.games,
                "workers": speed.workers,
                "referee_games_per_second": round(speed.referee, 1),
                "ladder_games_per_second": round(speed.ladder, 1),
                "ratio": round(speed.ratio, 3),
            }
        )
        return
    columns = ["bot", "workers>", "referee games/s>", "ladder games/s>", "ratio>"]
    row = (
        spec.name,
        speed.workers,
        f"{speed.referee:.0f}",
        f"{speed.ladder:.0f}",
        f"{speed.ratio:.3f}",
    )
    print_table(columns, [row])


@bench.command("calibration")
@click.option(
    "--runs",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    help="How many ladders of each kind are simulated.",
)
@click.option(
    "--games",
    type=click.IntRange(20, 100_000),
    multiple=True,
    default=(200, 600, 2000),
    show_default=True,
    help="How many games a ladder has; give it several times for several lengths.",
)
@click.option("--kind", "kinds", multiple=True, metavar="TEXT", help="Only kinds named like this.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_calibration(
    runs: int, games: tuple[int, ...], kinds: tuple[str, ...], *, as_json: bool
) -> None:
    """Simulate ladders of bots of known strength, and show how often their 95 % intervals hold.

    Exit code 1 if for any kind of ladder they do not hold in 93 to 97 % of cases.
    """
    from arena.bench.calibration import measure  # noqa: PLC0415 - only used here

    done = []
    for calibration in measure(runs, games, kinds):
        done.append(calibration)
        say(f"{calibration.bots.name}, {calibration.games} games: {calibration.skills:.1%}")
    figures = [calibration.figures() for calibration in done]
    if as_json:
        print_json([asdict(each) for each in figures])
    else:
        columns = ["bots", "games>", "skills>", "each>", "margins>", "gaps>", "ranks>"]
        columns += ["± points>", "± by margins>", "misled>", "said>", "likely>", "was>"]
        columns += ["stopped>", "mu>", "agreed>", "listed>"]
        rows = [
            (
                each.bots,
                each.games,
                f"{each.skills_held:.1%}",
                f"{each.least_held:.0%}–{each.most_held:.0%}",
                f"{each.margins_held:.1%}",
                f"{each.differences_held:.1%}",
                f"{each.ranks_held:.1%}",
                f"{each.half_width:.2f}",
                f"{each.margins_half_width:.2f}",
                f"{each.misled:.2%}",
                f"{each.confidence:.3f}",
                f"{each.probability:.3f}",
                f"{each.above:.3f}",
                f"{each.stopped_wrongly:.1%}",
                f"{each.mu_inside:.0%}",
                f"{each.agreed:.0%}",
                f"{each.pairs_listed:.2f}",
            )
            for each in figures
        ]
        print_table(columns, rows)
    if not all(calibration.holds for calibration in done):
        raise click.exceptions.Exit(1)


@bench.command("channels")
@click.option("--sandbox", "name", default=AUTO, show_default=True, help="The sandbox.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 600),
    default=2.0,
    show_default=True,
    help="How many seconds each way is measured.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_channels(name: str, seconds: float, *, as_json: bool) -> None:
    """Measure how many bits a second two suspended bots can pass each other all the same.

    One program in the sandbox leaves random bytes in a way that cannot be closed; then it is
    suspended, and another looks for them.
    """
    from arena.bench.channels import WAYS, measure  # noqa: PLC0415 - only used here

    walls, _ = find_sandbox(name, ())
    if walls.name == NONE:
        raise click.UsageError("--sandbox: without one, programs can share whatever they like")
    found = list(measure(walls, seconds))
    if as_json:
        print_json([{**asdict(way), "bits_per_second": way.bits_per_second} for way in found])
        return
    rows = [
        (WAYS[way.name], f"{way.wrong / way.sent:.1%}", f"{way.bits_per_second:,.0f}")
        for way in found
    ]
    print_table(("way", "wrong >", "bits/s >"), rows)


@bench.command("sandbox")
@click.option("--game", "name", default="gargon", show_default=True, help="What is played.")
@click.option("--players", type=int, default=4, show_default=True, help="How many seats.")
@click.option("--bot", default="random", show_default=True, help="The bot in every seat.")
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="How many games' frames a round sends; there are five rounds of each kind.",
)
@click.option(
    "--starts",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    help="How many times the bot is started with the sandbox, and without.",
)
@sandbox_options(default="auto")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_sandbox(
    name: str,
    players: int,
    bot: str,
    games: int,
    starts: int,
    sandbox: str,
    limits: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Measure what a sandbox costs: a bot's start until its hello, and a round trip to it.

    For the round trips, the frames of recorded games are sent again, and only the answers are
    read. Rounds with the sandbox and without take turns; medians are shown.
    """
    from arena.bench.sandbox import measure  # noqa: PLC0415 - only used here
    from arena.referee.terms import Terms  # noqa: PLC0415

    game = find_game(name)
    check_seats(game, players)
    spec = find_bot(bot)
    spec.check_plays(name)
    walls, allowed = find_sandbox(sandbox, limits)
    terms = Terms(game, game.rules({}), sandbox=walls, limits=allowed)
    cost = measure([spec] * players, terms, games=games, starts=starts)
    if as_json:
        print_json(
            {
                "game": game.name,
                "players": players,
                "bot": spec.name,
                "sandbox": cost.label,
                "starts": cost.starts,
                "decisions": cost.decisions,
                "bare_start_ms": round(cost.bare_start_ms, 2),
                "start_ms": round(cost.start_ms, 2),
                "more_ms": round(cost.more_ms, 2),
                "bare_trip_us": round(cost.bare_trip_us, 2),
                "trip_us": round(cost.trip_us, 2),
                "ratio": round(cost.ratio, 3),
            }
        )
        return
    columns = ["bot", "start ms>", "sandboxed ms>", "more ms>", "round trip µs>"]
    columns += ["sandboxed µs>", "ratio>"]
    row = (
        spec.name,
        f"{cost.bare_start_ms:.1f}",
        f"{cost.start_ms:.1f}",
        f"{cost.more_ms:.1f}",
        f"{cost.bare_trip_us:.1f}",
        f"{cost.trip_us:.1f}",
        f"{cost.ratio:.2f}",
    )
    print_table(columns, [row])
