"""The template of a definition: every key, with its meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arena.games.game import Game
from arena.records.entries import TimeControl
from arena.sandbox.limits import Limits


def template(path: str, name: str, game: Game, bots: Sequence[str]) -> str:
    """Return the text of a new definition at `path`, for this game and these bots."""
    control = TimeControl()
    usual = [size for size in game.players if 3 <= size <= 5]
    tables = [size for size in usual if size <= len(bots)] or usual[:1]
    rules = "\n".join(f"# {key} = {json.dumps(value)}" for key, value in game.rules({}).items())
    limits = "\n".join(f"# {key} = {value}" for key, value in Limits().as_map().items())
    by_size = "{ " + ", ".join(f"{size} = 300" for size in tables) + " }"
    listed = "\n".join(f"    {json.dumps(bot, ensure_ascii=False)}," for bot in bots)
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
sandbox = "auto"

# What the host may lack although the sandbox needs it. Without control groups ("no-cgroup"), as
# ordinary users mostly are, limits hold for each process only; without a freezer ("no-freezer") a
# bot that resists can think while others are asked. What is not named here ends a run.
# allow = ["no-cgroup", "no-freezer"]

# Whether bots are suspended while they are not asked, so that nobody thinks on others' time.
suspend = true

# Whether every game is played by new processes. Otherwise a process plays many games, but no
# deal twice.
fresh = false

# The bot whose mu is shown as 25, so that ladders can be compared. By default the mean is 25.
# anchor = "random"

# How many games are played at a time; by default one per core.
# workers = 2

# A run ends as soon as one of these is reached. A bot that enters later, or a new version of one,
# plays its own games and no more. `arena ladder schedule {path}` says what a run will play.
[budget]
each = 1000  # games of each contestant; by table size: {by_size}
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
"""
