"""The template of a definition: every key, with its meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arena.games.game import Game
from arena.referee.clock import TimeControl
from arena.sandbox.limits import Limits


def template(path: str, name: str, game: Game, bots: Sequence[str]) -> str:
    """Return the text of a new definition at `path`, for this game and these bots."""
    control = TimeControl()
    usual = [size for size in game.players if 3 <= size <= 5]
    tables = [size for size in usual if size <= len(bots)] or usual[:1]
    rules = "\n".join(f"# {key} = {json.dumps(value)}" for key, value in game.rules({}).items())
    limits = "\n".join(f"# {key} = {value}" for key, value in Limits().as_map().items())
    listed = "\n".join(f"    {json.dumps(bot, ensure_ascii=False)}," for bot in bots)
    return f"""\
# The ladder {name}. Run it with `arena ladder run {path}`, again to go on.

name = "{name}"
game = "{game.name}"

# How many sit at a table. Everybody plays equally often at tables of every size.
tables = {tables}

# A registered name (see `arena bot list`), a folder with a bot.toml, a pattern of such
# folders ("bots/*"), or a command line ("python3 bot.py"), which is run in this file's folder
# and can read all that is there. Paths are meant from this file's folder, too. To give a bot
# another name: {{ bot = "python3 bot.py", name = "mine" }}.
contestants = [
{listed}
]

# With a seed, anybody can repeat this ladder's deals: right for practice. Without one, a
# secret is drawn at the first run; only its hash is published until `arena ladder close`.
# seed = "practice"

# How bots are locked up: "bwrap" (bubblewrap), "none" (only for programs that you trust), or
# "auto" (what holds on this host; it is said what was chosen, and never none).
sandbox = "auto"

# Whether bots that are not asked are suspended, so that nobody thinks on others' time.
suspend = true

# Whether every game is played by new processes. Else a process plays many games, but no
# deal twice.
fresh = false

# Whose rating is shown as 25, so that ladders can be compared. Without, the mean is.
# anchor = "random"

# How many games are played at a time; by default one per core.
# workers = 2

# A run ends at the first balanced point where one of these is reached.
[budget]
games = 1000
# minutes = 30  # of each run
# certain = 0.95  # how sure the order of all neighbours has to be

# Milliseconds: for every decision, to overdraw in a game, and from start to hello.
[time]
decision = {control.decision}
bank = {control.bank}
start = {control.start}

# What a bot may use, all of its processes together. Without a sandbox nothing holds it to that.
[limits]
{limits}

# See `arena game show {game.name}`.
[rules]
{rules}
"""
