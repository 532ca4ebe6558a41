"""`arena ladder new` and `schedule`: prepare a ladder before it is run."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from arena.cli.arguments import find_game, plugins
from arena.cli.ladder.ends import end_options, ends
from arena.cli.ladder.files import SUFFIX, check_listed, definition_in, store_in
from arena.cli.ladder.programs import find_program
from arena.cli.output import print_json, print_table, printable, say
from arena.errors import ArenaError
from arena.ladder.balance import balance
from arena.ladder.course import followed, played
from arena.ladder.definition import Definition
from arena.ladder.definition_template import Season, template
from arena.ladder.field import budget_now, next_field, read_applied, regulations_now
from arena.ladder.forecast import Forecast, stage_games
from arena.ladder.goal import Goal
from arena.ladder.labels import labels
from arena.ladder.opening import check_store
from arena.ladder.regulations import to_state
from arena.ladder.schedule import Pairing, Schedule
from arena.ladder.schedule_terms import ScheduleTerms
from arena.ladder.store import Store
from arena.ladder.store_files import is_store
from arena.names import name_like
from arena.programs.manifest import MANIFEST
from arena.records.entries import Contest, Contestant, Stage
from arena.records.ledger import Ledger
from arena.wording import counted


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("bots", metavar="[BOT...]", nargs=-1)
@click.option("--game", "name", help="The game that is played.")
@click.option(
    "--from",
    "last",
    metavar="STORE",
    type=click.Path(path_type=Path),
    help="Take over the field, the terms and the stages of this ladder.",
)
def new(path: Path, bots: tuple[str, ...], name: str | None, last: Path | None) -> None:
    """Write a definition with comments, for you to edit.

    The contestants are the bots that are named, by default all that are registered. Folders
    are looked up from the current directory, and written as seen from FILE; command lines are
    run in FILE's folder.

    \b
    arena ladder new friday.toml --game gargon
    arena ladder new friday.toml --game gargon random my-bot "./other --fast"
    arena ladder new next.toml --from friday.ladder    # the next season
    """
    if last is not None:
        if bots or name:
            raise click.UsageError("--from takes over the game and the bots; add others in FILE")
        _new_season(path, last)
        return
    if name is None:
        raise click.UsageError("expected --game, or --from for the next season of a ladder")
    game = find_game(name)
    registered = [spec.name for spec in plugins().bots.values() if name in (spec.games or [name])]
    for word in (str(path), *bots):
        if not word.isprintable():
            raise click.UsageError(f"expected printable text, got {printable(word)!r}")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path}: cannot be written: there is no folder {path.parent}")
    try:
        listed = [_seen_from(path.resolve().parent, bot) for bot in bots] or registered
    except OSError as error:
        raise click.UsageError(f"BOT: {error.strerror}") from None
    check_listed(listed, path, game)
    items = [f"{json.dumps(bot, ensure_ascii=False)}," for bot in listed]
    _write(path, template(str(path), name_like(path.stem), game, items))


def _new_season(path: Path, last: Path) -> None:
    """Write the definition of the next season of a ladder.

    Its contestants are those who played to the end of the last, or of their last stage.
    """
    with store_in(last) as store:
        ledger = store.ledger
        stayed = [*ledger.playing]
        stayed += [each.contestant for each in ledger.left.values() if each.kind == "not-qualified"]
        field = [ledger.contestants[number] for number in sorted(stayed)]
        like = Season(ledger.contest, ledger.budget, ledger.stages.listed, ledger.set_aside)
    items = [_item(contestant) for contestant in field]
    game = find_game(like.contest.game)
    _write(path, template(str(path), name_like(path.stem), game, items, like))
    lost = sum(item.startswith("#") for item in items)
    if lost:
        say(f"{path}: {counted(lost, 'bot')} cannot be found here, and stand as comments")


def _item(contestant: Contestant) -> str:
    """Return a contestant as an item of a definition's list; a comment if there is no program."""
    try:
        spec = find_program(contestant)
    except ArenaError as error:
        return f"# {printable(str(error))}"
    registered = plugins().bots.values()
    found = next((each.name for each in registered if each.run == spec.run), contestant.digest)
    if found == contestant.name:
        return f"{json.dumps(found)},"
    return f'{{ bot = {json.dumps(found)}, name = "{contestant.name}" }},'


def _write(path: Path, text: str) -> None:
    """Write a new definition, and say what comes next."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path}: there is such a file; choose another name") from None
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be written: {error.strerror}") from None
    click.echo(f"{path} is written. Change it, and then:")
    click.echo(f"  arena ladder schedule {path}")
    click.echo(f"  arena ladder run {path}")


def _seen_from(folder: Path, bot: str) -> str:
    """Return what a definition in `folder` calls a bot that is named in the current directory."""
    if bot in plugins().bots or Path(bot).is_absolute() or folder == Path.cwd():
        return bot
    if Path(bot).is_dir() or Path(bot).name == MANIFEST or any(sign in bot for sign in "*?["):
        seen = os.path.relpath(bot, folder)
        return seen if "/" in seen else f"./{seen}"  # never a registered name
    for word in bot.split():
        if Path(word).is_file() and not (folder / word).is_file():
            raise click.UsageError(
                f"bot {bot!r}: expected a command line for {folder}, where it will be run, but "
                f"{word} is not there; name its whole path, or a folder with a {MANIFEST}"
            )
    return bot


@click.command()
@click.argument("path", metavar="FILE|STORE", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--games", type=click.IntRange(1), help="The run ends after this many, or a few more."
)
@end_options
@click.option(
    "--store",
    "store_path",
    type=click.Path(path_type=Path),
    help=f"The ladder's store; by default FILE's name with {SUFFIX}, in this directory.",
)
@click.option("--blocks", "listed", is_flag=True, help="Also list every block.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def schedule(
    path: Path,
    games: int | None,
    each: tuple[str, ...],
    width: float | None,
    certain: float | None,
    minutes: float | None,
    store_path: Path | None,
    *,
    listed: bool,
    as_json: bool,
) -> None:
    """Show what a run of FILE will play from where its store stands, or what a STORE has played.

    A block is one deal, played once per rotation of its seats. While the field stands still, a
    ladder ends only at a point where everybody has played equally often, at every table size and
    in every seat, and the meetings of every two differ by at most one (by two, if more than 40
    play). When the field has changed, who has played least comes first, against those whom he has
    met least.
    """
    if is_store(path):
        if store_path or games or each or width or certain or minutes:
            raise click.UsageError("a store has the games that it has; options need FILE")
        with store_in(path) as store:
            plan = _played(store)
    else:
        definition = definition_in(path)
        ends_ = ends(definition.contest.tables, games, each, width, certain, minutes)
        goal = Goal(definition.budget, ends_)
        plan = _to_play(definition, goal, store_path or Path(path.stem + SUFFIX))
    if as_json:
        print_json(plan.as_map(listed=listed))
    else:
        plan.print(listed=listed)


@dataclass(frozen=True)
class Plan:
    """Blocks that are to be played, or were, and what they come to."""

    contestants: Sequence[Contestant]
    active: Sequence[int]
    pairings: Sequence[Pairing]
    before: Mapping[int, int]
    """The games of those who play, before these blocks."""
    games_before: int
    end: str
    """Where it ends, in words."""

    @property
    def games(self) -> int:
        """The games of these blocks."""
        return sum(pairing.games for pairing in self.pairings)

    @property
    def games_of(self) -> Counter[int]:
        """The games of these blocks, by contestant."""
        found: Counter[int] = Counter()
        for pairing in self.pairings:
            for number in pairing.contestants:
                found[number] += pairing.games
        return found

    def as_map(self, *, listed: bool) -> dict[str, Any]:
        """Return it as data for programs."""
        own = self.games_of
        result: dict[str, Any] = {
            "contestants": [
                {
                    **asdict(contestant),
                    "active": number in self.active,
                    "games_before": self.before.get(number, 0),
                    "games": own[number],
                }
                for number, contestant in enumerate(self.contestants)
            ],
            "games_before": self.games_before,
            "games": self.games,
            "blocks_in_all": len(self.pairings),
            "end": self.end,
            "tables": [
                {
                    "size": each.size,
                    "blocks": each.blocks,
                    "games": each.games,
                    "games_each": [each.games_each.least, each.games_each.most],
                    "games_in_seat": [each.games_in_seat.least, each.games_in_seat.most],
                    "meetings": [each.meetings.least, each.meetings.most],
                }
                for each in balance(self.pairings, self.active)
            ],
        }
        if listed:
            result["blocks"] = [
                {
                    "block": pairing.block,
                    "first_game": pairing.first_game,
                    "contestants": list(pairing.contestants),
                    "balanced": pairing.balanced,
                }
                for pairing in self.pairings
            ]
        return result

    def print(self, *, listed: bool) -> None:
        """Print it for people."""
        names = labels(self.contestants, self.active)
        if listed:
            for pairing in self.pairings:
                numbers = pairing.contestants
                seated = ", ".join(names[self.contestants[number].digest] for number in numbers)
                click.echo(f"block {pairing.block}: {seated}")
        columns = [
            "table of>",
            "blocks>",
            "games>",
            "games each>",
            "games in each seat>",
            "meetings>",
        ]
        rows = [
            (each.size, each.blocks, each.games, each.games_each, each.games_in_seat, each.meetings)
            for each in balance(self.pairings, self.active)
        ]
        blocks = counted(len(self.pairings), "block")
        title = f"{len(self.active)} contestants, {self.games} games in {blocks}"
        print_table(columns, rows, title)
        own = self.games_of
        if len({(self.before.get(number, 0), own[number]) for number in self.active}) > 1:
            of_each = [
                (
                    names[self.contestants[number].digest],
                    self.contestants[number].version,
                    self.before.get(number, 0),
                    own[number],
                )
                for number in self.active
            ]
            print_table(["bot", "version", "games before>", "games now>"], of_each)
        if self.end:
            click.echo(self.end)


def _to_play(definition: Definition, goal: Goal, path: Path) -> Plan:
    """Return the blocks that a run will play, from where its store stands if there is one."""
    contest = definition.contest
    contestants = list(definition.contestants)
    schedule = Schedule(contest.name, contest.tables)
    terms = ScheduleTerms(schedule, contest.tables)
    active = list(range(len(contestants)))
    ledger, wanted = Ledger(), definition.regulations
    if is_store(path):
        check_store(definition, path)
        with Store.open(path) as store:
            schedule, terms = followed(store)
            ledger, applied = store.ledger, read_applied(path)
        goal = goal.changed(budget_now(ledger, applied, definition))
        wanted = regulations_now(ledger, applied, definition)
        entry = next_field(definition.contestants, ledger, applied)
        contestants = list(ledger.contestants)
        numbers = {each.digest: number for number, each in enumerate(contestants)}
        contestants += [each for each in entry.contestants if each.digest not in numbers]
        numbers = {each.digest: number for number, each in enumerate(contestants)}
        gone = {leaving.contestant for leaving in entry.leave}
        come = {numbers[each.digest] for each in entry.contestants}
        active = sorted((set(ledger.playing) - gone) | come)
    if change := to_state(wanted, ledger, datetime.now(UTC)):
        terms.follow(change, lambda _: ())
    schedule.enter(active)
    if not schedule.staged:
        schedule.change(goal.budget)
    schedule.settle()
    forecast = Forecast(schedule, goal)
    before = {number: schedule.meetings.games(number) for number in active}
    pairings = []
    while forecast.counted and not forecast.done:
        pairings.append(forecast.next(seated=True))
    end = _end(goal, forecast)
    if wanted.stages:
        end = _stages(wanted.stages, ledger.stages.number, forecast, contest)
    return Plan(contestants, active, pairings, before, schedule.games, end)


def _stages(stages: Sequence[Stage], number: int, forecast: Forecast, contest: Contest) -> str:
    """Return in words what the stages will play, from the one that is on."""
    if number == len(stages):
        return "A run plays nothing: the last stage has ended."
    on = stages[number]
    lines = [f"The stage {on.name} ends when the ladder has {forecast.total} games{_sooner(on)}."]
    for stage in stages[number + 1 :]:
        games = stage_games(stage, contest.name, contest.tables)
        more = ", and more if the intervals allow more" if stage.allowed else ""
        lines.append(
            f"Then comes {stage.name} with the best {stage.best}{more}: {games} games"
            f"{_sooner(stage)}."
        )
    return "\n".join(lines)


def _sooner(stage: Stage) -> str:
    """Return in words when a stage ends before its games are played."""
    budget = stage.budget
    when = []
    if budget.width is not None:
        when.append(f"no interval is wider than {budget.width:g}")
    if budget.certain is not None:
        when.append(f"what it is to show is certain to {budget.certain:g}")
    return f", or earlier when {' or '.join(when)}" if when else ""


def _end(goal: Goal, forecast: Forecast) -> str:
    """Return in words where a run ends."""
    budget = goal.ends
    sooner = []
    if budget.width is not None:
        sooner.append(f"no interval is wider than {budget.width:g}")
    if budget.certain is not None:
        sooner.append(f"the order is certain to {budget.certain:g}")
    if budget.minutes is not None:
        sooner.append(f"{budget.minutes:g} minutes are over")
    when = " or ".join(sooner)
    if not goal.counted:
        return f"A run ends when {when}: how many games that takes is not known before."
    if not forecast.games:
        return "A run plays nothing: all games are played."
    end = f"A run ends when the ladder has {forecast.total} games"
    return f"{end}, or earlier when {when}." if when else f"{end}."


def _played(store: Store) -> Plan:
    """Return what was played."""
    ledger = store.ledger
    return Plan(ledger.contestants, ledger.playing, list(played(store)), {}, 0, "")
