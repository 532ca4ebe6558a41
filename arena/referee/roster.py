"""The bots of a match, with processes that play one game after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from types import TracebackType

from arena.process.host_wait import Seated
from arena.process.nursery import FORKED_HERE, Keepers
from arena.process.program import Program, StderrDrain
from arena.process.suspension.suspender import CannotStop
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.spec import BotSpec
from arena.records.verdicts import START_FAILED
from arena.referee.faults import CANNOT_RUN, Fault, HostStalled
from arena.referee.player import Player, Transport
from arena.referee.terms import Terms, label
from arena.sandbox.launch import StartError
from arena.version import VERSION
from arena.wire.codec import MOST_VALUES
from arena.wire.frames import LARGEST, render
from arena.wire.messages import BYE, LONGEST_NOTE_BYTES, MOST_NOTES_BYTES

LIMITS = {
    "frame": LARGEST,
    "values": MOST_VALUES,
    "note": LONGEST_NOTE_BYTES,
    "notes": MOST_NOTES_BYTES,
}
GOODBYE_SECONDS = 0.5
"""How long bots may take to end after bye before they are ended."""


def _directly(program: Program) -> Transport:
    return program


class Roster:
    """Starts bots when they are needed, keeps them for the next game, ends them all.

    `rotations` is how many processes each bot has: 1, or one for each rotation of the seats. Then
    no process sees a deal twice, and none can know in one game what it saw in another seat.
    Processes are numbered bot by bot; with one for each bot the numbers are those of the bots.
    `connect` returns the transport of a program that was started; by default the program itself.
    `rules` has the versions of rules that bots are told in hello, by the game's name; by default
    those of the game. `stderr` returns, for a bot, what takes all that it writes to stderr.
    `keepers` forks the keepers of the programs.
    """

    def __init__(
        self,
        specs: Sequence[BotSpec],
        terms: Terms,
        *,
        core: int | None = None,
        rotations: int = 1,
        connect: Callable[[Program], Transport] = _directly,
        rules: Mapping[str, str] | None = None,
        stderr: Callable[[int], Callable[[bytes], object]] | None = None,
        keepers: Keepers = FORKED_HERE,
    ) -> None:
        self.specs = list(specs)
        self.terms = terms
        self._core = core
        self._rotations = rotations
        self._connect = connect
        self._rules = rules or {terms.game.name: terms.game.version}
        self._stderr = StderrDrain()
        self._takes_stderr = stderr
        self._keepers = keepers
        self._gate = TurnGate() if terms.suspend else None
        self._seated = Seated()
        self._sitting: Sequence[int] = ()
        self._players: list[Player | None] = [None] * (len(specs) * rotations)
        self._programs: list[Program | None] = [None] * (len(specs) * rotations)
        self._started: set[int] = set()
        self.starts = 0
        """How many processes were started, or tried to."""

    @property
    def suspends_by(self) -> str | None:
        """What suspends the bots that are not asked; None if nothing does."""
        return None if self._gate is None else self._gate.kind

    @property
    def label(self) -> str:
        """What a log says of how the bots are held."""
        return label(self.terms.sandbox, self.suspends_by)

    def __enter__(self) -> Roster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def enlist(self, spec: BotSpec, place: int | None = None) -> int:
        """Add a bot, at the place of one that was dismissed if one is given; return its index."""
        if place is not None:
            self.specs[place] = spec
            return place
        self.specs.append(spec)
        self._players += [None] * self._rotations
        self._programs += [None] * self._rotations
        return len(self.specs) - 1

    def processes(self, bots: Iterable[int], rotation: int) -> list[int]:
        """Return the numbers of the processes with which bots play this game of a deal."""
        rotations = self._rotations
        rotation %= rotations
        return [bot * rotations + rotation for bot in bots]

    def player(self, number: int) -> Player | Fault:
        """Return the player of a process, started and greeted, or the fault if that failed."""
        player = self._players[number]
        program = self._programs[number]
        if player is not None and program is not None:
            if program.await_ending(0) is None and player.quiet:
                program.begin_game()
                return player
            self.dismiss(number)
        return self._start(number)

    def sit(self, numbers: Sequence[int], tolerated: Sequence[bool]) -> list[Player | Fault]:
        """Return the players of the next game, by seat, or why one could not be started.

        `tolerated` says for each whether a stall of the host while it is asked, or is to stop, is
        the host's; else it is a fault of that bot.
        """
        self._sitting = numbers
        players = [self.player(number) for number in numbers]
        programs = [self._programs[number] for number in numbers]
        self._seated.sit([program.counter for program in programs if program is not None])
        for player, program, is_tolerated in zip(players, programs, tolerated, strict=True):
            if isinstance(player, Player) and program is not None:
                player.tolerated = is_tolerated
                program.tolerate(is_tolerated)
        return players

    def stall_of(self, held_up: CannotStop) -> HostStalled:
        """Return the stall of the host by which one of those who sit could not be stopped."""
        stall = HostStalled(held_up.seconds, 0.0, str(held_up))
        for seat, number in enumerate(self._sitting):
            program = self._programs[number]
            if program is not None and program.pid == held_up.pid:
                stall.seat = seat
        return stall

    def dismiss(self, number: int) -> None:
        """End a process; the next game that needs it gets a new one."""
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
        for number in range(len(self._players)):
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
        bot = number // self._rotations
        self._started.add(bot)
        self.starts += 1
        spec = self.specs[bot]
        terms = self.terms
        try:
            launch = terms.sandbox.launch(spec, self._core, terms.limits)
            takes = None if self._takes_stderr is None else self._takes_stderr(bot)
            program = Program(launch, self._stderr, self._gate, takes, self._seated, self._keepers)
        except StartError as error:
            text = f"cannot run {error.filename!r}: {error.strerror}"
            return Fault(START_FAILED, text, code=CANNOT_RUN)
        player = Player(self._connect(program), terms.control, spec.name)
        try:
            player.greet(VERSION, self._rules, LIMITS)
        except Fault as fault:
            player.close()
            tail = program.stderr_tail.strip()
            figures = f"{fault.figures}\n{tail}".strip()
            failed = Fault(START_FAILED, fault.text, figures, code=fault.code)
            failed.sent, failed.received = render(player.sent), render(bytes(player.received))
            return failed
        except BaseException:
            player.close()  # the host has stalled, or the run was interrupted
            raise
        self._players[number] = player
        self._programs[number] = program
        return player
