"""The status of a ladder for its host: what its run does, what waits, and how its bots behave."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from time import time_ns

from arena.games.game import Game
from arena.ladder.course import course
from arena.ladder.inbox import INBOX, Inbox
from arena.ladder.scorebook import scorebook
from arena.ladder.state import State, read_state, runs
from arena.ladder.store import Store
from arena.ladder.store_files import LOG, TIMES
from arena.ladder.wishes import Refusal, budget_text
from arena.machine.calls import usable_cores
from arena.programs.spec import BotSpec
from arena.programs.tools import versions
from arena.records.entries import Form
from arena.sandbox.toolchains import build_environment
from arena.wording import counted

LISTED_WISHES = 20


class BotStatus(Form, frozen=True, kw_only=True, omit_defaults=False):
    """One who plays."""

    bot: str
    version: str
    digest: str
    games: int
    to_play: int | None
    """Games that it lacks up to the budget; None if no budget of games of each says so."""
    faults: Mapping[str, int]
    """Games that failed, by verdict."""
    ms_per_decision: float


class WishStatus(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A wish that waits."""

    name: str
    kind: str
    seconds: float
    """For how long."""


class Disk(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Bytes of the store, and what is free where it lies."""

    log: int
    times: int
    free: int


class HostFacts(Form, frozen=True, kw_only=True, omit_defaults=False):
    """The machine on which a ladder is played."""

    cores: int
    load: tuple[float, ...]
    """Processes that ran or waited to run, over the last 1, 5 and 15 minutes."""
    tools: Mapping[str, str]
    """The versions of the compilers and other tools that builds find."""


class Status(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What a host wants to know of a ladder at a glance."""

    ladder: str
    store: str
    doing: str
    """`playing`, `idle`, `paused`, `starting`, `closed`, or `not running`."""
    run: State | None
    """What the run said of itself, or the last one that there was."""
    games: int
    blocks: int
    entries: int
    annulled: int
    budget: str
    arena: str
    """The version of the arena that plays, by the log."""
    sandbox: str
    bots: tuple[BotStatus, ...]
    """Those who play; who has most faults comes first."""
    wishes: int
    """How many wait."""
    first_wishes: tuple[WishStatus, ...]
    disk: Disk
    waits: tuple[str, ...]
    """What waits for whom, a sentence each."""
    host: HostFacts


def tools_of_builds(some: BotSpec) -> Mapping[str, str]:
    """Return the versions of the tools that builds find here; `some` bot stands for all."""
    return versions(build_environment(some)["PATH"])


def host_facts(tools: Mapping[str, str]) -> HostFacts:
    """Return what there is to say of this machine, given the tools that builds find."""
    return HostFacts(cores=len(usable_cores()), load=os.getloadavg(), tools=tools)


def run_that_is_on(path: Path) -> State | None:
    """Return what the run of a store does; None if no run is on."""
    state = read_state(path)
    if state is None or state.doing == "ended" or not runs(state.process):
        return None
    return state


def status(store: Store, game: Game | None, host: HostFacts) -> Status:
    """Return the status of a store that is open, on this host."""
    ledger, path = store.ledger, store.path
    on = run_that_is_on(path)
    doing = "not running"
    if ledger.closed:
        doing = "closed"
    elif on is not None:
        doing = on.doing
    names = Inbox(path).waiting()
    found = _bots(store, game)
    return Status(
        ladder=ledger.contest.name,
        store=str(path),
        doing=doing,
        run=read_state(path),
        games=ledger.games,
        blocks=ledger.blocks,
        entries=ledger.tree.size,
        annulled=len(ledger.annulled),
        budget=budget_text(ledger.budget),
        arena=ledger.arena,
        sandbox=ledger.sandbox,
        bots=found,
        wishes=len(names),
        first_wishes=tuple(_wish(path, name) for name in names[:LISTED_WISHES]),
        disk=Disk(
            log=_size(path / LOG), times=_size(path / TIMES), free=shutil.disk_usage(path).free
        ),
        waits=_waits(store, on, len(names), found),
        host=host,
    )


def _bots(store: Store, game: Game | None) -> tuple[BotStatus, ...]:
    ledger = store.ledger
    results = scorebook(store, game).results
    schedule = course(store)
    each = ledger.budget.each
    found = []
    for number in ledger.playing:
        contestant = ledger.contestants[number]
        games = schedule.meetings.games(number)
        pace = results.paces.get(number)
        faults = results.faults.get(number, {})
        found.append(
            BotStatus(
                bot=contestant.name,
                version=contestant.version,
                digest=contestant.digest,
                games=games,
                to_play=None if each is None else max(0, each - games),
                faults={str(verdict): count for verdict, count in faults.items()},
                ms_per_decision=0.0 if pace is None else round(pace.milliseconds, 2),
            )
        )
    return tuple(sorted(found, key=lambda bot: (-sum(bot.faults.values()), bot.bot)))


def _wish(path: Path, name: str) -> WishStatus:
    kind, since = "gone", time_ns()
    try:
        since = (path / INBOX / name).stat().st_mtime_ns
        wish = Inbox(path).read(name)
        kind = str(wish.__struct_config__.tag)
    except OSError:
        pass  # it is taken meanwhile
    except Refusal:
        kind = "no wish"
    return WishStatus(name=name, kind=kind, seconds=round((time_ns() - since) / 1e9, 1))


def _waits(
    store: Store, state: State | None, wishes: int, bots: tuple[BotStatus, ...]
) -> tuple[str, ...]:
    ledger = store.ledger
    said = []
    if wishes:
        waiting = counted(wishes, "wish waits", "wishes wait")
        if state is None:
            said.append(f"{waiting} for a run, or for the next command that changes the ladder")
        else:
            said.append(f"{waiting} for the blocks that are under way")
    if ledger.paused:
        said.append("the run waits for `arena ladder go-on`: the ladder is paused")
    lacking = [bot.bot for bot in bots if bot.to_play]
    if lacking:
        names = ", ".join(lacking[:5]) + (", ..." if len(lacking) > 5 else "")
        waits = "waits" if len(lacking) == 1 else "wait"
        said.append(f"{names} {waits} for games, up to {ledger.budget.each} each")
    if state is not None:
        if state.doing == "idle":
            said.append(f"the run waits for wishes, or another definition: {state.why}")
        if state.mistake:
            said.append(f"the run waits for a definition without mistakes: {state.mistake}")
    elif not ledger.closed:
        said.append("the ladder waits for a run: `arena ladder run`")
    return tuple(said)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
