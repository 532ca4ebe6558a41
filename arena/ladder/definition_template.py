"""The template of a definition: every key, with its meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.games.game import Game
from arena.records.entries import Budget, Contest, SetAside, Stage, TimeControl
from arena.sandbox.limits import Limits


@dataclass(frozen=True)
class Season:
    """A ladder that was played, whose terms, budget and regulations a new one takes over."""

    contest: Contest
    budget: Budget
    stages: Sequence[Stage]
    set_aside: SetAside | None


def template(
    path: str, name: str, game: Game, items: Sequence[str], like: Season | None = None
) -> str:
    """Return the text of a new definition at `path`, for this game and these contestants.

    The contestants are items of a list in TOML. With `like`, all else is as in that ladder.
    """
    contest = like.contest if like else None
    control = contest.time if contest else TimeControl()
    usual = [size for size in game.players if 3 <= size <= 5]
    tables = [size for size in usual if size <= len(items)] or usual[:1]
    if contest:
        tables = list(contest.tables)
    rules = _lines(game.rules({}), contest.rules if contest else {})
    limits = _lines(Limits().as_map(), contest.limits if contest else {})
    by_size = "{ " + ", ".join(f"{size} = 300" for size in tables) + " }"
    listed = "\n".join(f"    {item}" for item in items)
    sandbox = json.dumps(contest.sandbox if contest else "auto")
    suspend = json.dumps(contest.suspend if contest else True)
    fresh = json.dumps(contest.fresh if contest else False)
    anchor = contest.anchor if contest else None
    anchored = f'anchor = "{anchor}"' if anchor else '# anchor = "random"'
    rule = like.set_aside if like else None
    faults, last = (rule.faults, rule.games) if rule else (5, 20)
    aside = f"{{ faults = {faults}, games = {last} }}"
    stages = "\n".join(stage for stage in _stages(like.stages)) if like and like.stages else ""
    each = f"each = 1000  # games of each contestant; by table size: {by_size}"
    ends = f"# {each}" if stages else each
    if like and like.budget != Budget():
        ends = "\n".join(_budget(like.budget))
    return f"""\
# The ladder {name}. `arena ladder run {path}` plays it; run it again to go on.

name = "{name}"
game = "{game.name}"

# The sizes of tables. Everybody plays equally often at tables of every size.
tables = {tables}

# Each is a registered name (see `arena bot list`), a folder with a bot.toml, a pattern of such
# folders ("bots/*"), or a command line ("python3 bot.py"). Paths start at this file's folder.
# A command line is run in this file's folder, too, and can read everything in it. To give a
# bot another name: {{ bot = "python3 bot.py", name = "mine" }}.
contestants = [
{listed}
]

# With a seed, anybody can repeat this ladder's deals, as is right for practice. Without one, a
# secret is drawn at the first run; only its hash is published until `arena ladder close`.
# seed = "practice"

# The sandbox for the bots: "bwrap" (bubblewrap), "none" (only for programs that you trust), or
# "auto" (the first that holds on this host, and never none; a run says which).
sandbox = {sandbox}

# What the host may lack although the sandbox needs it. Without control groups ("no-cgroup"), as
# ordinary users mostly are, limits hold for each process only; without a freezer ("no-freezer") a
# bot that resists can think while others are asked. What is not named here ends a run.
# allow = ["no-cgroup", "no-freezer"]

# Whether bots are suspended while they are not asked, so that nobody thinks on others' time.
suspend = {suspend}

# Whether every game is played by new processes. Otherwise a process plays many games, but no
# deal twice.
fresh = {fresh}

# The bot whose mu is shown as 25, so that ladders can be compared. By default the mean is 25.
{anchored}

# How many games are played at a time; by default one per core.
# workers = 2

# When `arena ladder publish` shows games, with their notes and replays: "at-once", or, as they
# teach rivals, "after-close". Standings are shown in any case. It counts from the next run on.
publish = "at-once"

# Bots can enter until then. By default they always can, or until the first stage has ended.
# deadline = 2027-01-31T18:00:00+01:00

# Who fails in more than so many of his last games is out, until he enters with a new version.
{"" if rule else "# "}set_aside = {aside}

# A run ends as soon as one of these is reached. A bot that enters later, or a new version of one,
# plays its own games and no more. `arena ladder schedule {path}` says what a run will play.
[budget]
{ends}
# games = 5000  # of all together
# width = 1.5  # how wide the widest 95 % interval of a skill may be, in points
# certain = 0.95  # how sure the order of all neighbours in the ranking has to be
# minutes = 30  # of each run, which then ends after any block

# Milliseconds: for each decision, extra time in a game, and from the start to the hello.
[time]
decision = {control.decision}
bank = {control.bank}
start = {control.start}

# Limits for all processes of a bot together. Only a sandbox enforces them.
[limits]
{limits}

# See `arena game show {game.name}`.
[rules]
{rules}

# Stages have budgets of their own, and then [budget] can only have minutes. See docs/tournament.md.
{stages or STAGES}
# When it is played; by default always.
# [[play]]
# days = ["sat", "sun"]
# from = 10:00:00
# to = 18:00:00
"""


STAGES = """\
# [[stages]]
# name = "qualification"
# each = 300
#
# [[stages]]
# name = "final"
# best = 5  # how many play on
# each = 1000
# certain = 0.95
# prizes = 3  # how many places have to be certain
"""


def _lines(usual: Mapping[str, object], said: Mapping[str, object]) -> str:
    """Return keys with their values, as comments where they are the usual ones."""
    found = []
    for key, value in usual.items():
        now = said.get(key, value)
        found.append(f"{'' if now != value else '# '}{key} = {json.dumps(now)}")
    return "\n".join(found)


def _budget(budget: Budget) -> Iterator[str]:
    """Yield the lines of a budget."""
    if budget.each_at is not None:
        yield "each = { " + ", ".join(f"{k} = {n}" for k, n in budget.each_at.items()) + " }"
    for key in ("each", "games", "width", "certain", "minutes"):
        if (value := getattr(budget, key)) is not None:
            yield f"{key} = {value}"


def _stages(stages: Sequence[Stage]) -> Iterator[str]:
    """Yield the text of each stage."""
    for stage in stages:
        lines = ["[[stages]]", f'name = "{stage.name}"']
        if stage.best is not None:
            lines.append(f"best = {stage.best}")
        if stage.allowed:
            lines.append("allowed = true")
        if stage.tables:
            lines.append(f"tables = {list(stage.tables)}")
        lines += _budget(stage.budget)
        lines.append(f"order = {json.dumps(stage.order)}")
        lines.append(f'counts = "{stage.counts}"')
        if stage.prizes is not None:
            lines.append(f"prizes = {stage.prizes}")
        yield "\n".join(lines) + "\n"
