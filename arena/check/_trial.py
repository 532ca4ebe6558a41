"""A trial: one process of the checked bot, from its start to its end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import TracebackType

from arena.check import _diagnosis as diagnosis
from arena.check._experiments import experiment
from arena.check._opponent import opponent
from arena.check._program_file import program_file
from arena.check._recording_transport import Alter, RecordingTransport, Tell
from arena.check._result import Failure
from arena.check._setting import Setting
from arena.check._symptoms import Symptoms
from arena.games.game import Action
from arena.process.ending import Ending
from arena.process.program import Program
from arena.programs.spec import BotSpec
from arena.referee.faults import CANNOT_RUN, Fault
from arena.referee.player import Player
from arena.referee.roster import GOODBYE_SECONDS, Roster
from arena.referee.table import Played, Table
from arena.referee.terms import Terms
from arena.wire.messages import BYE, Hello

QUIET_SECONDS = 0.01
"""How long a bot runs after a game, to see whether it sends something without being asked."""
HOST_PATIENCE = 10.0
"""The longest wait for a program, however long the host keeps it from running."""


@dataclass
class Slowest:
    """The decision that took longest, over all trials."""

    micros: int = 0
    decisions: int = 0
    where: str = ""

    def note(self, played: Played, setting: Setting) -> None:
        """Count the checked bot's decisions in a game."""
        for decision, micros in enumerate(played.micros):
            if played.deciders[decision] == setting.seat:
                self.decisions += 1
                own = micros - played.waits.get(decision, 0)
                if own > self.micros:
                    self.micros = own
                    self.where = f"{setting}, decision {decision}"


class Trial:
    """Starts the bot, plays game after game with it, and ends it on exit."""

    def __init__(
        self,
        spec: BotSpec,
        terms: Terms,
        rules: Mapping[str, str],
        slowest: Slowest,
        tell: Tell,
        alter: Alter | None = None,
    ) -> None:
        self._spec = spec
        self._terms = terms
        self._slowest = slowest
        self._tell = tell
        self._alter = alter
        self._games = 0
        self._roster = Roster([spec], terms, connect=self._record, rules=rules)
        self.transport: RecordingTransport
        self.player: Player

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._roster.dismiss_all()
        self._roster.close()

    def greet(self) -> Hello:
        """Start the bot and exchange hellos; raise `Failure` if that fails."""
        player = self._roster.player(0)
        if isinstance(player, Player):
            assert player.hello is not None
            self.player = player
            self.transport.greeted = True
            return player.hello
        file = program_file(self._spec)
        if player.code == CANNOT_RUN:
            raise diagnosis.not_started(self._spec, player, file)
        raise self._with_frames(
            diagnosis.no_hello(
                self._spec,
                player,
                self._symptoms(),
                file,
                self._terms.control,
                self.stderr(),
            )
        )

    def _record(self, program: Program) -> RecordingTransport:
        self.transport = RecordingTransport(program, self._alter, self._tell)
        return self.transport

    def play(self, setting: Setting) -> list[Action]:
        """Play one game and return all its actions; raise `Failure` if the bot fails."""
        others = opponent(setting.avoided)
        players = [self.player if seat == setting.seat else others for seat in range(setting.seats)]
        terms = replace(self._terms, game=setting.game, rules=setting.rules)
        played = Table(terms, setting.deal, players).play(self._games)
        self._games += 1
        self._roster.after_game(())
        self._slowest.note(played, setting)
        if played.faults:
            raise self._with_frames(
                diagnosis.failed_in_game(
                    str(setting),
                    self._spec,
                    played.faults[0],
                    played.evidence[0],
                    self._symptoms(),
                    setting.game.name,
                    self._terms.control,
                )
            )
        return played.actions

    def expect_quiet(self, where: str) -> None:
        """Raise `Failure` if something has come without being asked for."""
        before = self.transport.frames
        quiet = self.player.quiet
        self.transport.drain(QUIET_SECONDS)
        self._roster.after_game(())
        if (
            self.transport.frames > before
            or self.transport.rest
            or not (quiet or self.transport.closed)
        ):
            came = self.transport.rest or self.transport.last
            raise self._with_frames(diagnosis.unasked(where, came, self._spec, self.stderr()))

    def say_goodbye(self) -> Ending | None:
        """Say bye; return how the program then ended by itself, or None if it did not."""
        self._roster.let_all_run()
        try:
            self.player.tell(BYE)
        except Fault:
            pass  # it has ended already; how it ended is returned
        return self._await_ending()

    def close_stdin(self) -> Ending | None:
        """Close the bot's stdin without a bye; return how it ended, or None if it did not."""
        self._roster.let_all_run()
        self.transport.program.end_input()
        return self._await_ending()

    def _symptoms(self) -> Symptoms:
        """Return what was seen of the bot when it failed, and what experiments show."""
        seen = self.transport.symptoms or Symptoms()
        return experiment(self._spec, self._terms, self.transport.messages, seen)

    def stderr(self) -> str:
        """Return the end of stderr; it is complete if the program has ended."""
        if self.transport.ending is not None:
            self.transport.close()
        return diagnosis.tail(self.transport.stderr_tail)

    def _with_frames(self, failure: Failure) -> Failure:
        """Return a failure with all that the bot was sent before it."""
        failure.frames = b"".join(self.transport.messages)
        return failure

    def _await_ending(self) -> Ending | None:
        """Wait as long as a bot may take, not counting time in which the host kept it waiting."""
        wait = self.transport.watch()
        started = time.monotonic()
        while True:
            ending = self.transport.program.await_ending(GOODBYE_SECONDS / 10)
            elapsed = time.monotonic() - started
            if ending is not None or elapsed > HOST_PATIENCE:
                return ending
            if elapsed - wait.seconds() > GOODBYE_SECONDS:
                return None
