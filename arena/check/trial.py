"""A trial: one process of the checked bot, from its start to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType

from arena.check import diagnosis
from arena.check.opponent import opponent
from arena.check.result import Failure
from arena.check.setting import Setting
from arena.check.tap import Alter, Tap
from arena.games.game import Action
from arena.process.ending import Ending
from arena.process.launch import StartError
from arena.process.limits import Limits
from arena.process.program import Errands, Program
from arena.process.sandbox import UNCONFINED, Sandbox
from arena.process.spec import BotSpec
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault
from arena.referee.player import Player
from arena.referee.roster import GOODBYE_SECONDS, LIMITS
from arena.referee.table import Played, Table
from arena.wire.frames import render
from arena.wire.messages import BYE, Hello

HOST_PATIENCE = 10.0
"""How long to wait for a program at most, however long the host keeps it from running."""


@dataclass
class Slowest:
    """The decision that took longest, over all trials."""

    micros: int = 0
    decisions: int = 0
    where: str = ""

    def note(self, played: Played, setting: Setting) -> None:
        """Look through a game."""
        for decision, micros in enumerate(played.micros):
            if played.deciders[decision] == setting.seat:
                self.decisions += 1
                own = micros - played.waits.get(decision, 0)
                if own > self.micros:
                    self.micros = own
                    self.where = f"{setting}, decision {decision}"


class Trial:
    """Starts the bot; plays game after game with it; ends it when left."""

    def __init__(
        self,
        spec: BotSpec,
        control: TimeControl,
        arena: str,
        slowest: Slowest,
        alter: Alter | None = None,
        sandbox: Sandbox = UNCONFINED,
        limits: Limits | None = None,
    ) -> None:
        self._spec = spec
        self._control = control
        self._arena = arena
        self._slowest = slowest
        self._games = 0
        self._errands = Errands()
        try:
            launch = sandbox.launch(spec, None, limits or Limits())
            program = Program(launch, self._errands)
        except StartError as error:
            self._errands.close()
            raise diagnosis.not_started(spec, error) from None
        self.tap = Tap(program, alter)
        self.player = Player(self.tap, control)

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.player.close()
        self._errands.close()

    def greet(self, games: dict[str, str]) -> Hello:
        """Exchange hellos; `Failure`."""
        try:
            return self.player.greet(self._arena, games, LIMITS)
        except Fault as fault:
            raise diagnosis.no_hello(self._spec, fault, self.tap, self._control) from None

    def play(self, setting: Setting) -> list[Action]:
        """All actions of one game; `Failure`."""
        others = opponent(setting.avoided, self._arena)
        players = [self.player if seat == setting.seat else others for seat in range(setting.seats)]
        table = Table(setting.game, setting.rules, setting.deal, players, self._control)
        played = table.play(self._games)
        self._games += 1
        self._slowest.note(played, setting)
        if played.faults:
            raise diagnosis.failed_in_game(
                str(setting),
                played.faults[0],
                played.evidence[0],
                self.tap,
                setting.game.name,
                self._control,
            )
        return played.actions

    def expect_quiet(self, where: str) -> None:
        """`Failure` if something has come that was not asked for."""
        before = self.tap.frames
        quiet = self.player.quiet
        self.tap.drain()
        if text := diagnosis.stray_text(self.tap.rest):
            raise diagnosis.printed(text, where, diagnosis.tail(self.tap))
        if self.tap.frames > before or self.tap.rest or not (quiet or self.tap.closed):
            raise Failure(
                "an answer to every question, and nothing without being asked",
                f"a message {where} that nobody had asked for",
                "Answer only hello and act, and each once; other messages need no answer",
                received=diagnosis.shown(render(self.tap.last + self.tap.rest)),
                stderr=diagnosis.tail(self.tap),
            )

    def say_goodbye(self) -> Ending | None:
        """Say bye; how the program ended then by itself, None if it did not."""
        try:
            self.player.tell(BYE)
        except Fault:
            pass  # it has ended already, and how is what is asked here
        return self._await_ending()

    def close_stdin(self) -> Ending | None:
        """Close the line to it without a bye; how the program ended then, None if it did not."""
        self.tap.program.end_input()
        return self._await_ending()

    def _await_ending(self) -> Ending | None:
        """Wait as long as a bot has, not counting what is the host's."""
        wait = self.tap.watch()
        started = time.monotonic()
        while True:
            ending = self.tap.program.await_ending(GOODBYE_SECONDS / 10)
            elapsed = time.monotonic() - started
            if ending is not None or elapsed > HOST_PATIENCE:
                return ending
            if elapsed - wait.seconds() > GOODBYE_SECONDS:
                return None
