"""The jobs of a machine: their terms, and their programs, which it fetches and builds once."""

from __future__ import annotations

from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from arena.blocks.division import Division
from arena.blocks.runner import Venue
from arena.cluster import _messages as messages
from arena.cluster._parcels import seal_parcel
from arena.cluster._tasks import TakenJob
from arena.cluster._words import in_one_line, say
from arena.discovery import Plugins
from arena.errors import HostError
from arena.process.forked import ignore_interrupts
from arena.programs.digest import digest
from arena.programs.spec import BotSpec
from arena.programs.vault import Vault, VaultError
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox

FORGOTTEN = 3600.0
"""Seconds after which a job that nobody has asked for is ended."""


class Jobs:
    """The jobs that were taken, and the programs that are on their way."""

    def __init__(self, plugins: Plugins, sandbox: Sandbox, folder: Path, referees: int) -> None:
        self._plugins = plugins
        self._sandbox = sandbox
        self._folder = folder
        self._referees = referees
        self._vault = Vault.default()
        self._jobs: dict[str, TakenJob] = {}
        self._programs: dict[str, dict[str, messages.Program]] = {}
        self._sealing: dict[Connection, tuple[int, Any]] = {}

    def job(self, identity: str) -> TakenJob:
        """Return a job that was taken."""
        if identity not in self._jobs:
            raise HostError("a job that nobody has given")
        job = self._jobs[identity]
        job.used = monotonic()
        return job

    def take(self, job: messages.Job) -> tuple[str, ...]:
        """Take a job; return the digests of the programs that are missing."""
        bots: dict[str, BotSpec] = {}
        lacks = []
        for program in job.programs:
            spec = self._found(program)
            if spec is None:
                lacks.append(program.digest)
            else:
                bots[program.digest] = spec
        self._programs[job.id] = {each.digest: each for each in job.programs}
        if not lacks and job.id not in self._jobs:
            venue = Venue(self._terms(job), bots, self._referees)
            contestants = messages.contestants_of(job)
            division = Division(self._referees, len(bots))
            self._jobs[job.id] = TakenJob(
                job.id, venue, job.contest, contestants, division, monotonic()
            )
        return tuple(lacks)

    def end(self, identity: str) -> TakenJob | None:
        """Forget a job, and return it."""
        self._programs.pop(identity, None)
        for path in self._folder.glob(f"{identity}-*"):
            path.unlink(missing_ok=True)
        return self._jobs.pop(identity, None)

    def forgotten(self) -> list[str]:
        """Return the jobs whose host is gone: for long nobody has asked for them."""
        now = monotonic()
        return [job.id for job in self._jobs.values() if now - job.used > FORGOTTEN]

    def _terms(self, job: messages.Job) -> Terms:
        contest = job.contest
        game = self._plugins.games[contest.game]
        if not job.programs:  # for checks, which start no bot
            return Terms(game, contest.rules)
        return Terms(
            game,
            contest.rules,
            contest.time,
            self._sandbox,
            Limits(**contest.limits),
            contest.suspend,
            contest.fresh,
        )

    def _found(self, program: messages.Program) -> BotSpec | None:
        """Return a program that is here, with this digest; None if it has to be sent."""
        if program.registered:
            spec = self._plugins.bots.get(program.name)
            if spec is None:
                raise HostError(
                    f"bot {program.name!r} is not installed; install there the plugin that "
                    "brings it (arena plugin list)"
                )
            found = digest(spec)
            if found != program.digest:
                raise HostError(
                    f"bot {program.name!r} is installed with the digest {found[:12]}, expected "
                    f"{program.digest[:12]}; install there the same version of its plugin"
                )
            return spec
        if not (self._vault.path / program.digest).is_dir():
            return None
        try:
            return self._vault.open(program.digest)
        except VaultError as error:
            raise HostError(str(error)) from None

    # Programs on their way

    def take_parcel(self, ticket: int, piece: messages.TakeParcel) -> bool:
        """Add a piece to a parcel; return whether that is all to be done.

        A parcel that is whole is sealed in a process of its own, and `sealed` has the answer.
        """
        program = self._programs.get(piece.job, {}).get(piece.digest)
        if program is None:
            raise HostError("a parcel for a job that nobody has given")
        path = self._folder / f"{piece.job}-{piece.digest}"
        with path.open("r+b" if piece.at else "wb") as file:
            file.seek(piece.at)
            file.write(piece.data)
        if not piece.last:
            return True
        context = get_context("fork")
        mine, other = context.Pipe(duplex=False)
        arguments = (other, program, path, self._vault, self._sandbox)
        process: Any = context.Process(target=_seal, args=arguments, daemon=True)
        process.start()
        other.close()
        self._sealing[mine] = (ticket, process)
        return False

    def sealing(self) -> dict[int, Connection]:
        """Return the lines on which processes say that a program is sealed, by descriptor."""
        return {line.fileno(): line for line in self._sealing}

    def sealed(self, line: Connection) -> tuple[int, str]:
        """Return the ticket of a parcel, and what went wrong; "" if nothing did."""
        ticket, process = self._sealing.pop(line)
        try:
            wrong: str = line.recv()
        except EOFError:
            wrong = "the process that was to seal a program has ended; see the machine's log"
        line.close()
        process.join()
        return ticket, wrong

    def close(self) -> None:
        """End what is under way."""
        for _, process in self._sealing.values():
            process.kill()


def _seal(
    line: Connection, program: messages.Program, path: Path, vault: Vault, sandbox: Sandbox
) -> None:
    """Seal a program, and send what went wrong; "" if nothing did."""
    ignore_interrupts()
    try:
        try:
            seal_parcel(program, path, vault, sandbox, say)
        finally:
            path.unlink(missing_ok=True)
        line.send("")
    except Exception as error:  # noqa: BLE001 - the host is told, and goes on without
        line.send(in_one_line(error))
