"""`arena ladder show`, `games` and `log`: look at the results of a ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins
from msgspec.structs import asdict

from arena.cli.arguments import find_game, plugins
from arena.cli.ladder.files import STORE, store_in
from arena.cli.ladder.game_table import print_games
from arena.cli.ladder.tables import (
    LadderView,
    against,
    by_pair,
    by_seat,
    by_table,
    print_against,
    print_csv,
    print_history,
    print_pairs,
    print_seats,
    print_tables,
)
from arena.cli.output import print_json, printable
from arena.errors import ArenaError
from arena.ladder.course import course
from arena.ladder.game_rows import GameFilter, GameRow, game_row
from arena.ladder.history import history
from arena.ladder.labels import BEGINNING, labels
from arena.ladder.scorebook import is_kept, keep, scorebook
from arena.ladder.source import StoreSource, games_in
from arena.ladder.store import Store
from arena.records.entries import Form
from arena.records.game_record import GameRecord
from arena.records.times import GameTimes, Pace
from arena.records.verdicts import MEANINGS

LISTED = 50


@dataclass(frozen=True)
class DetailView:
    """A view of the results in more detail than the standings."""

    rows: Callable[[LadderView], Sequence[Form]]
    """Returns the view as data for programs."""
    print: Callable[[LadderView], None]
    """Prints the view for people."""


BY = {"seat": DetailView(by_seat, print_seats), "table": DetailView(by_table, print_tables)}
PAIRS = DetailView(by_pair, print_pairs)


@click.command()
@STORE
@click.option(
    "--by",
    type=click.Choice(list(BY)),
    help="Show the results by seat, or by table size with skills.",
)
@click.option("--pairs", "paired", is_flag=True, help="Show who beats whom.")
@click.option(
    "--against", "rival", metavar="BOT", help="Show how much better BOT is than each of the others."
)
@click.option(
    "--history", "past", metavar="BOT", help="Show how the skills of BOT's versions went."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
def show(
    path: Path | None,
    by: str | None,
    rival: str | None,
    past: str | None,
    *,
    paired: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the standings of a ladder, also while it is played.

    The rating is TrueSkill's mu - 3 sigma. The skill comes from a fit to the whole log that
    gives everybody the same weight; its interval holds the truth in 95 of 100 ladders. Both are
    in TrueSkill's points. In brackets after the rank are all ranks that the intervals allow.
    The skill by margins has a scale of its own: it counts by how many points of the game one was
    ahead. The share is that of the opponents who placed below.

    BOT is a name, or the beginning of a digest where versions have one name.
    """
    options = {"--by": by, "--pairs": paired, "--against": rival, "--history": past}
    given = [name for name, value in options.items() if value]
    if len(given) > 1:
        raise click.UsageError(f"expected {' or '.join(given)}, got {len(given)} of them")
    if past and as_csv:
        raise click.UsageError("--history has no CSV; give --json")
    if as_json and as_csv:
        raise click.UsageError("expected --json or --csv, got both")
    with store_in(path) as store:
        shown = _shown(store)
    split = BY[by] if by else PAIRS if paired else None
    if rival is not None:
        chosen = _chosen(shown, rival)
        split = DetailView(partial(against, chosen=chosen), partial(print_against, chosen=chosen))
    if past is not None:
        _show_history(shown, past, as_json=as_json)
        return
    if as_csv:
        print_csv(split.rows(shown) if split else shown.overview.standings)
    elif as_json:
        print_json(to_builtins(split.rows(shown) if split else shown.overview))
    elif split:
        split.print(shown)
    else:
        shown.print()


def _shown(store: Store) -> LadderView:
    """Return the standings; save the scorebook for the next time if the store can be written."""
    book = scorebook(store, plugins().games.get(store.contest.game))
    shown = LadderView.of(store, book)
    if not is_kept(store, book):
        try:
            keep(store, book, course(store))
        except ArenaError:
            pass  # somebody else's store: the scorebook is derived again each time
    return shown


def _show_history(shown: LadderView, past: str, *, as_json: bool) -> None:
    name = shown.contestants[_chosen(shown, past, option="--history")].name
    versions = history(shown.book, shown.contestants, shown.active, {name})
    if as_json:
        print_json(to_builtins(versions))
    else:
        print_history(shown, versions)


def _chosen(shown: LadderView, wanted: str, option: str = "--against") -> int:
    """Return the number of a contestant; of several with this name, of who plays, or the last."""
    everybody = list(enumerate(shown.contestants))
    found = [number for number, each in everybody if each.name == wanted]
    if not found and len(wanted) >= BEGINNING:
        found = [number for number, each in everybody if each.digest.startswith(wanted)]
    if not found:
        known = ", ".join(sorted({each.name for each in shown.contestants}))
        raise click.UsageError(f"{option}: expected one of {known}, got {wanted!r}")
    return next((number for number in found if number in shown.active), found[-1])


@click.command()
@STORE
@click.option("--bot", "name", help="Only games with this bot.")
@click.option("--verdict", type=click.Choice(list(MEANINGS)), help="Only games with this verdict.")
@click.option("--faults", is_flag=True, help="Only games that somebody did not finish.")
@click.option("--seats", type=click.IntRange(2), help="Only games at tables of this size.")
@click.option("--place", type=click.IntRange(1), help="Only games where the bot had this place.")
@click.option(
    "--sort",
    type=click.Choice(["number", "worst", "best", "slowest"]),
    default="number",
    show_default=True,
    help="By number, by the bot's place and then score, or by the slowest decision.",
)
@click.option("--limit", type=click.IntRange(1), default=LISTED, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def games(
    path: Path | None,
    name: str | None,
    verdict: str | None,
    seats: int | None,
    place: int | None,
    sort: str,
    limit: int,
    *,
    faults: bool,
    as_json: bool,
) -> None:
    """List games of a ladder.

    `arena replay show STORE --game N` shows one move by move.

    \b
    arena ladder games --bot random --sort worst --limit 5
    arena ladder games --verdict timeout
    """
    if name is None and (place is not None or sort in ("worst", "best")):
        raise click.UsageError("--place, --sort worst and --sort best need --bot")
    with store_in(path) as store:
        known = sorted({each.name for each in store.ledger.contestants})
        if name is not None and name not in known:
            raise click.UsageError(f"--bot: expected one of {', '.join(known)}, got {name!r}")
        wanted = GameFilter(bot=name, verdict=verdict, faults=faults, seats=seats, place=place)
        found = filter(wanted.takes, _listed(store))
        low_wins = sort in ("worst", "best") and find_game(store.contest.game).low_wins
        rows = list(islice(_sorted(found, name, sort, low_wins=low_wins), limit))
        names = _labels(store)
    if as_json:
        print_json(rows)
        return
    print_games(rows, names)


def _labels(store: Store) -> dict[str, str]:
    return labels(store.ledger.contestants, store.ledger.playing)


def _listed(store: Store) -> Iterator[GameRow]:
    for record, times in _games(store):
        yield game_row(record, [pace.slowest / 1000 for pace in times.paces])


def _games(store: Store) -> Iterator[tuple[GameRecord, GameTimes]]:
    """Yield all games with their times; those of a game that has none are all zero."""
    for record, times in games_in(StoreSource(store)):
        yield record, times or GameTimes(paces=(Pace(),) * record.seats)


def _sorted(
    games: Iterator[GameRow], name: str | None, sort: str, *, low_wins: bool
) -> Iterator[GameRow]:
    """Yield the games in the chosen order; worst and best go by place, then by score.

    The last place counts the same at tables of all sizes, and places in between in proportion.
    """
    if sort == "number":
        return games
    if sort == "slowest":

        def slowest(game: GameRow) -> float:
            times = zip(game.bots, game.slowest_ms or (), strict=True)
            return -max(time for bot, time in times if name in (None, bot))

        return iter(sorted(games, key=slowest))
    sign = 1 if sort == "best" else -1

    def standing(game: GameRow) -> tuple[float, int, int]:
        assert name is not None
        seat = game.bots.index(name)
        place = (game.places[seat] - 1) / (len(game.places) - 1)
        lost = game.scores[seat] * (1 if low_wins else -1)
        return (sign * place, sign * lost, game.number)

    return iter(sorted(games, key=standing))


@click.command()
@click.argument("name", metavar="BOT")
@STORE
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many of the last faults to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def log(name: str, path: Path | None, limit: int, *, as_json: bool) -> None:
    """Show what went wrong with a bot: its faults, the end of its stderr, its last frames."""
    with store_in(path) as store:
        known = sorted({each.name for each in store.ledger.contestants})
        if name not in known:
            raise click.UsageError(f"BOT: expected one of {', '.join(known)}, got {name!r}")
        found = list(_faults(store, name))[-limit:]
        names = _labels(store)
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo(f"{name} has finished all its games")
    for fault in found:
        click.echo(
            f"{names[fault['digest']]}, game {fault['number']}, seat {fault['seat']}, "
            f"decision {fault['decision']}: {fault['verdict']}: {printable(fault['text'])}"
        )
        for key in ("figures", "sent", "received", "stderr"):
            for line in fault.get(key, "").splitlines():
                click.echo(f"    {key:8}  {printable(line)}")


def _faults(store: Store, name: str) -> Iterator[dict[str, Any]]:
    for record, times in _games(store):
        evidence = {each.seat: each for each in times.evidence}
        for fault in record.faults:
            bot = record.bots[fault.seat]
            if bot.name == name:
                yield {
                    "number": record.number,
                    "version": bot.version,
                    "digest": bot.digest,
                    **asdict(fault),
                    **(asdict(evidence[fault.seat]) if fault.seat in evidence else {}),
                }
