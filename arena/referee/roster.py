"""The bots of a match, each with a process that plays one game after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import monotonic
from types import TracebackType

from arena.games.game import Game
from arena.process.floor import Floor
from arena.process.launch import StartError
from arena.process.limits import Limits
from arena.process.program import Errands, Program
from arena.process.sandbox import UNCONFINED, Sandbox
from arena.process.spec import BotSpec
from arena.referee.clock import TimeControl
from arena.referee.faults import START_FAILED, Fault
from arena.referee.player import Player
from arena.wire.frames import LARGEST
from arena.wire.messages import BYE, LONGEST_NOTE

LIMITS = {"frame": LARGEST, "note": LONGEST_NOTE}
GOODBYE_SECONDS = 0.5
"""How long bots may take to end after bye before they are ended."""


class Roster:
    """Starts bots when they are needed, keeps them for the next game, ends them all.

    With `suspend` a bot runs from its start to its hello, and while it is asked.
    """

    def __init__(
        self,
        specs: Sequence[BotSpec],
        game: Game,
        control: TimeControl,
        *,
        arena: str,
        core: int | None = None,
        fresh: bool = False,
        sandbox: Sandbox = UNCONFINED,
        limits: Limits | None = None,
        suspend: bool = False,
    ) -> None:
        self.specs = specs
        self._game = game
        self._control = control
        self._arena = arena
        self._core = core
        self._fresh = fresh
        self._sandbox = sandbox
        self._limits = limits or Limits()
        self._errands = Errands()
        self._floor = Floor() if suspend else None
        self._players: list[Player | None] = [None] * len(specs)
        self._programs: list[Program | None] = [None] * len(specs)
        self.started: set[int] = set()
        """Those that were started, or should have been, since somebody emptied this."""

    @property
    def suspends_by(self) -> str | None:
        """What suspends the bots that are not asked; None if nothing does."""
        return None if self._floor is None else self._floor.kind

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
        """The bot's player, started and greeted; or why that failed."""
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
        """Let go of those that failed; of all if each game is to have fresh processes."""
        for number in failed:
            self.dismiss(number)
        if self._fresh:
            self.say_goodbye()
        elif self._floor is not None:
            self._floor.clear()

    def dismiss_all(self) -> None:
        """End all processes at once."""
        for number in range(len(self.specs)):
            self.dismiss(number)

    def say_goodbye(self) -> None:
        """Say goodbye to everybody, and end those who do not go."""
        if self._floor is not None:
            self._floor.open()
        for player in self._players:
            if player is not None:
                try:
                    player.tell(BYE)
                except Fault:
                    pass  # it has gone already
        deadline = monotonic() + GOODBYE_SECONDS
        for number, program in enumerate(self._programs):
            if program is not None:
                program.await_ending(max(0.0, deadline - monotonic()))
                self.dismiss(number)

    def close(self) -> None:
        """End all."""
        self.say_goodbye()
        self._errands.close()

    def _start(self, number: int) -> Player | Fault:
        self.started.add(number)
        try:
            launch = self._sandbox.launch(self.specs[number], self._core, self._limits)
            program = Program(launch, self._errands, self._floor)
        except StartError as error:
            return Fault(START_FAILED, f"cannot run {error.filename!r}: {error.strerror}")
        player = Player(program, self._control)
        try:
            player.greet(self._arena, {self._game.name: self._game.version}, LIMITS)
        except Fault as fault:
            player.close()
            tail = program.stderr_tail.strip()
            return Fault(START_FAILED, fault.text, f"{fault.figures}\n{tail}".strip())
        except BaseException:
            player.close()  # the host has stalled, or somebody has lost patience
            raise
        self._players[number] = player
        self._programs[number] = program
        return player
