"""How much the referee adds to what the pipe costs: both measured in turn, in one run.

The bare pipe is the frames of games that were played, sent again to the same bots in the
same order, with nothing else done but to read the answers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from arena.process.floor import Floor
from arena.process.limits import Limits
from arena.process.placement import on_one_core
from arena.process.program import CHUNK, Program
from arena.process.sandbox import UNCONFINED, Sandbox
from arena.referee.faults import Fault
from arena.referee.match import Match
from arena.referee.player import Player, Transport
from arena.referee.roster import Roster
from arena.wire.codec import decode
from arena.wire.frames import HEADER

ROUNDS = 5


@dataclass(frozen=True)
class RefereeSpeed:
    """What was measured; times in microseconds per decision, medians over the rounds."""

    games: int
    decisions: int
    bare_us: float
    referee_us: float
    games_per_second: float
    suspending_us: float | None = None
    """With all bots suspended that are not asked, where that was measured."""
    suspends_by: str | None = None

    @property
    def ratio(self) -> float:
        """How many times the bare pipe's time the referee takes."""
        return self.referee_us / self.bare_us


@dataclass(frozen=True)
class Sent:
    """A frame, to which bot it went, and whether it was answered."""

    bot: int
    data: bytes
    answered: bool


def measure(
    match: Match, games: int, arena: str, *, together: bool = True, suspend: bool = False
) -> RefereeSpeed:
    """Play the games in rounds, each followed by a round of the bare pipe.

    `together` keeps the referee and the bots on one core, as matches are played; `suspend` adds
    rounds in which bots that are not asked are suspended.
    """
    with on_one_core() if together else nullcontext() as core:
        script = record_script(match, games, core, arena)
        decisions = 0
        bare, referee, suspending = [], [], []
        for _ in range(ROUNDS):
            seconds, decisions = _play(match, games, core, arena)
            referee.append(seconds)
            bare.append(replay_script(match, core, arena, script))
            if suspend:
                suspending.append(_play(match, games, core, arena, suspend=True)[0])
    return RefereeSpeed(
        games=games,
        decisions=decisions,
        bare_us=median(bare) / decisions * 1e6,
        referee_us=median(referee) / decisions * 1e6,
        games_per_second=games / median(referee),
        suspending_us=median(suspending) / decisions * 1e6 if suspend else None,
        suspends_by=Floor().kind if suspend else None,
    )


def _play(
    match: Match, games: int, core: int | None, arena: str, *, suspend: bool = False
) -> tuple[float, int]:
    """Seconds and decisions of a round of games, with the bots started before."""
    with Roster(
        match.bots, match.game, match.control, arena=arena, core=core, suspend=suspend
    ) as roster:
        for bot in range(len(match.bots)):
            started(roster, bot)
        began = perf_counter()
        decisions = sum(len(game.played.actions) for game in match.play(games, roster))
        return perf_counter() - began, decisions


class _Tap:
    """A transport that passes everything on and keeps the frames that are sent."""

    def __init__(self, inner: Transport, bot: int, sent: list[Sent]) -> None:
        self._inner = inner
        self._bot = bot
        self._sent = sent

    def write(self, data: bytes, timeout: float) -> float | None:
        """Pass a frame on, and keep it."""
        question = decode(data[HEADER:])["t"] == "act"
        self._sent.append(Sent(self._bot, data, question))
        return self._inner.write(data, timeout)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def record_script(match: Match, games: int, core: int | None, arena: str) -> list[Sent]:
    """Play the games once, and keep what was sent."""
    sent: list[Sent] = []
    with Roster(match.bots, match.game, match.control, arena=arena, core=core) as roster:
        for bot in range(len(match.bots)):
            player = started(roster, bot)
            player.transport = _Tap(player.transport, bot, sent)
        for game in match.play(games, roster):
            if game.played.faults:
                raise ValueError(f"a bot failed: {game.played.faults[0].text}")
    return sent


def replay_script(
    match: Match,
    core: int | None,
    arena: str,
    script: Sequence[Sent],
    sandbox: Sandbox = UNCONFINED,
    limits: Limits | None = None,
) -> float:
    """Seconds that it takes to send the frames again and read the answers."""
    with Roster(
        match.bots,
        match.game,
        match.control,
        arena=arena,
        core=core,
        sandbox=sandbox,
        limits=limits,
    ) as roster:
        pipes = []
        for bot in range(len(match.bots)):
            program = started(roster, bot).transport
            assert isinstance(program, Program)
            os.set_blocking(program.stdin, True)
            os.set_blocking(program.stdout, True)
            pipes.append((program.stdin, program.stdout))
        began = perf_counter()
        for frame in script:
            stdin, stdout = pipes[frame.bot]
            try:
                os.write(stdin, frame.data)
            except BrokenPipeError:
                raise _ended(match, frame) from None
            if frame.answered:
                data = os.read(stdout, CHUNK)
                while len(data) < HEADER + int.from_bytes(data[:HEADER], "big"):
                    more = os.read(stdout, CHUNK)
                    if not more:
                        raise _ended(match, frame)
                    data += more
        return perf_counter() - began


def _ended(match: Match, frame: Sent) -> ValueError:
    return ValueError(f"bot {match.bots[frame.bot].name}: has closed its pipes within a game")


def started(roster: Roster, bot: int) -> Player:
    """The player of a bot, or `ValueError` if it does not start."""
    player = roster.player(bot)
    if isinstance(player, Fault):
        raise ValueError(f"bot {roster.specs[bot].name}: {player.text}")
    return player
