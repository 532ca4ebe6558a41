"""How much time the referee adds to the pipe's: both measured in turn, in one run.

The bare pipe sends the frames of games that were played again, to the same bots in the same
order, and does nothing else but read the answers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import Any

from arena.errors import ArenaError
from arena.process.placement import on_one_core
from arena.process.program import CHUNK, Program
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.spec import BotSpec
from arena.referee.deals import Deals
from arena.referee.faults import Fault
from arena.referee.match import Match
from arena.referee.player import Player, Transport
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.wire.codec import decode
from arena.wire.frames import HEADER

ROUNDS = 5
DEALS = Deals.of(b"bench", "bench")


class CannotMeasure(ArenaError):
    """A bot that does not play, so that there is nothing to measure."""


@dataclass(frozen=True)
class RefereeSpeed:
    """The result: microseconds per decision, as medians over the rounds."""

    games: int
    decisions: int
    bare_us: float
    referee_us: float
    games_per_second: float
    suspending_us: float | None = None
    """The referee's time with bots suspended while they are not asked, if that was measured."""
    suspends_by: str | None = None

    @property
    def ratio(self) -> float:
        """The referee's time, as a multiple of the bare pipe's."""
        return self.referee_us / self.bare_us


@dataclass(frozen=True)
class Sent:
    """A frame, the bot that it went to, and whether it was answered."""

    bot: int
    data: bytes
    answered: bool


def measure(
    bots: Sequence[BotSpec],
    terms: Terms,
    games: int,
    *,
    together: bool = True,
    suspend: bool = False,
) -> RefereeSpeed:
    """Play the games in rounds, each followed by a round of the bare pipe.

    `together` keeps the referee and the bots on one core, as matches are played; `suspend` adds
    rounds in which bots that are not asked are suspended.
    """
    with on_one_core() if together else nullcontext() as core:
        script = record_script(bots, terms, games, core)
        decisions = 0
        bare, referee, suspending = [], [], []
        for _ in range(ROUNDS):
            seconds, decisions = _play(bots, terms, games, core)
            referee.append(seconds)
            bare.append(replay_script(bots, terms, core, script))
            if suspend:
                suspending.append(_play(bots, replace(terms, suspend=True), games, core)[0])
    return RefereeSpeed(
        games=games,
        decisions=decisions,
        bare_us=median(bare) / decisions * 1e6,
        referee_us=median(referee) / decisions * 1e6,
        games_per_second=games / median(referee),
        suspending_us=median(suspending) / decisions * 1e6 if suspend else None,
        suspends_by=TurnGate().kind if suspend else None,
    )


def _play(bots: Sequence[BotSpec], terms: Terms, games: int, core: int | None) -> tuple[float, int]:
    """Return the seconds and decisions of a round of games; starting the bots is not included."""
    with Roster(bots, terms, core=core) as roster:
        match = Match(roster, DEALS)
        for bot in range(len(bots)):
            started(roster, bot)
        began = perf_counter()
        decisions = sum(len(game.played.actions) for game in match.play(games))
        return perf_counter() - began, decisions


class _FrameKeeper:
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


def record_script(
    bots: Sequence[BotSpec], terms: Terms, games: int, core: int | None
) -> list[Sent]:
    """Play the games once, and return the frames that were sent."""
    sent: list[Sent] = []
    with Roster(bots, terms, core=core) as roster:
        for bot in range(len(bots)):
            player = started(roster, bot)
            player.transport = _FrameKeeper(player.transport, bot, sent)
        for game in Match(roster, DEALS).play(games):
            if game.played.faults:
                raise CannotMeasure(f"a bot failed: {game.played.faults[0].text}")
    return sent


def replay_script(
    bots: Sequence[BotSpec], terms: Terms, core: int | None, script: Sequence[Sent]
) -> float:
    """Send the frames again and read the answers; return the seconds that this takes."""
    with Roster(bots, terms, core=core) as roster:
        pipes = []
        for bot in range(len(bots)):
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
                raise _ended(bots[frame.bot]) from None
            if frame.answered:
                data = os.read(stdout, CHUNK)
                while len(data) < HEADER + int.from_bytes(data[:HEADER], "big"):
                    more = os.read(stdout, CHUNK)
                    if not more:
                        raise _ended(bots[frame.bot])
                    data += more
        return perf_counter() - began


def _ended(bot: BotSpec) -> CannotMeasure:
    return CannotMeasure(f"bot {bot.name}: has closed its pipes within a game")


def started(roster: Roster, bot: int) -> Player:
    """Return the player of a bot; raise `CannotMeasure` if it does not start."""
    player = roster.player(bot)
    if isinstance(player, Fault):
        raise CannotMeasure(f"bot {roster.specs[bot].name}: {player.text}")
    return player
