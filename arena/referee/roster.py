"""The bots of a match, each with a process that plays one game after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from types import TracebackType

from arena.process.program import Program, StderrDrain
from arena.process.suspension.suspender import CannotStop
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.spec import BotSpec
from arena.records.verdicts import START_FAILED
from arena.referee.faults import CANNOT_RUN, Fault, HostStalled
from arena.referee.player import Player, Transport
from arena.referee.terms import Terms
from arena.sandbox.launch import StartError
from arena.version import VERSION
from arena.wire.frames import LARGEST
from arena.wire.messages import BYE, LONGEST_NOTE

LIMITS = {"frame": LARGEST, "note": LONGEST_NOTE}
GOODBYE_SECONDS = 0.5
"""How long bots may take to end after bye before they are ended."""


def _directly(program: Program) -> Transport:
    return program


class Roster:
    """Starts bots when they are needed, keeps them for the next game, ends them all.

    `connect` returns the transport of a program that was started; by default the program itself.
    `rules` has the versions of rules that bots are told in hello, by the game's name; by default
    those of the game.
    """

    def __init__(
        self,
        specs: Sequence[BotSpec],
        terms: Terms,
        *,
        core: int | None = None,
        connect: Callable[[Program], Transport] = _directly,
        rules: Mapping[str, str] | None = None,
    ) -> None:
        self.specs = specs
        self.terms = terms
        self._core = core
        self._connect = connect
        self._rules = rules or {terms.game.name: terms.game.version}
        self._stderr = StderrDrain()
        self._gate = TurnGate() if terms.suspend else None
        self._players: list[Player | None] = [None] * len(specs)
        self._programs: list[Program | None] = [None] * len(specs)
        self._started: set[int] = set()

    @property
    def suspends_by(self) -> str | None:
        """What suspends the bots that are not asked; None if nothing does."""
        return None if self._gate is None else self._gate.kind

    def __enter__(self) -> Roster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def player(self, number: int) -> Player | Fault:
        """Return the bot's player, started and greeted, or the fault if that failed."""
        player = self._players[number]
        program = self._programs[number]
        if player is not None and program is not None:
            if program.await_ending(0) is None and player.quiet:
                program.begin_game()
                return player
            self.dismiss(number)
        return self._start(number)

    def dismiss(self, number: int) -> None:
        """End a bot's process; the next game gets a new one."""
        player = self._players[number]
        self._players[number] = self._programs[number] = None
        if player is not None:
            player.close()

    def after_game(self, failed: Iterable[int]) -> None:
        """End the bots that failed, or all bots if each game is to have fresh processes."""
        for number in failed:
            self.dismiss(number)
        if self.terms.fresh:
            self.say_goodbye()
        elif self._gate is not None:
            with suppress(CannotStop):  # the next one who is asked waits for it
                self._gate.end_turn()

    def dismiss_all(self) -> None:
        """End all processes at once."""
        for number in range(len(self.specs)):
            self.dismiss(number)

    def let_all_run(self) -> None:
        """Suspend no bot until the next one is asked, so that all can end."""
        if self._gate is not None:
            self._gate.open()

    def take_started(self) -> set[int]:
        """Return the indices of the bots started, or tried to start, since the last call."""
        started, self._started = self._started, set()
        return started

    def say_goodbye(self) -> None:
        """Say bye to all bots, and end those that do not end by themselves."""
        self.let_all_run()
        for player in self._players:
            if player is not None:
                try:
                    player.tell(BYE)
                except Fault:
                    pass  # it has ended already
        deadline = monotonic() + GOODBYE_SECONDS
        for number, program in enumerate(self._programs):
            if program is not None:
                program.await_ending(max(0.0, deadline - monotonic()))
                self.dismiss(number)

    def close(self) -> None:
        """End all bots, and release the roster's resources."""
        self.say_goodbye()
        self._stderr.close()

    def _start(self, number: int) -> Player | Fault:
        self._started.add(number)
        terms = self.terms
        try:
            launch = terms.sandbox.launch(self.specs[number], self._core, terms.limits)
            program = Program(launch, self._stderr, self._gate)
        except CannotStop as held_up:
            raise HostStalled(str(held_up)) from None
        except StartError as error:
            text = f"cannot run {error.filename!r}: {error.strerror}"
            return Fault(START_FAILED, text, code=CANNOT_RUN)
        player = Player(self._connect(program), terms.control, self.specs[number].name)
        try:
            player.greet(VERSION, self._rules, LIMITS)
        except Fault as fault:
            player.close()
            tail = program.stderr_tail.strip()
            figures = f"{fault.figures}\n{tail}".strip()
            return Fault(START_FAILED, fault.text, figures, code=fault.code)
        except CannotStop as held_up:
            player.close()
            raise HostStalled(str(held_up)) from None
        except BaseException:
            player.close()  # the host has stalled, or the run was interrupted
            raise
        self._players[number] = player
        self._programs[number] = program
        return player
