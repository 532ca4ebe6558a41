"""The machines of a cluster: who is there, whether each can be used, and asking it.

They come and go, and so does the scheduler. What a machine is used for is somebody else's
business: a `Duty` gets those that are ready.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from arena.blocks.runner import RunnerFailed, Venue
from arena.cluster import _messages as messages
from arena.cluster._arbiter import NAME as ARBITER
from arena.cluster._connection import Connection, apply_settings, quieten
from arena.cluster._parcels import PIECE, write_parcel
from arena.cluster._traits import refusals, remarks, tools_of, traits
from arena.cluster.figures import HOST
from arena.cluster.worker import RESOURCE, ask
from arena.programs.digest import digest
from arena.sandbox.left_folders import temporary_folder
from arena.wording import counted

if TYPE_CHECKING:
    from distributed import Client

LOOK = 1.0
"""Seconds between two looks at who is there; more, where very many are."""
LOOKED_AT = 100
"""Machines that are looked at in a second, at most."""
PATIENCE = 600.0
"""How long to wait for a machine when there is none."""
GRACE = 10.0
"""How long to wait when all that are there cannot be used."""
GETTING_READY = 60.0
"""How long a machine that has come is expected to need until it can be used."""
CONNECT = 5.0
FETCHED = 64
"""Answers that are on their way to the host at a time; the others stay where they were made."""
FETCHING = 60.0
"""How long one of them may take."""

LONGEST_NAME = 200
RESERVED = (ARBITER, HOST)
"""What figures call this host."""
MOST_REFEREES = 1024
"""What one machine can have; each costs the host a little."""

T = TypeVar("T")


class MachineLost(Exception):
    """A machine, or the scheduler, that has gone before it answered."""


class Unfit(Exception):
    """A machine that cannot be used; the text is the reason."""


@dataclass
class Machine:
    """A machine that is there, and what is known of it."""

    address: str
    name: str = ""
    """At first that of Dask's worker."""
    named: bool = False
    """Whether it has said its name, which nobody else has then."""
    referees: int = 0
    since: float = field(default_factory=monotonic)
    serving: asyncio.Task[None] | None = None
    hands: list[asyncio.Task[None]] = field(default_factory=list)
    """What keeps it busy; none before it is ready."""


def read(data: bytes) -> messages.Answer:
    """Return the answer that these bytes are; a failure if they are none."""
    try:
        return messages.read_answer(data)
    except (ValueError, TypeError) as error:
        return messages.Failed(reason=f"an answer that cannot be read: {error}")


def expected(kind: type[T], answer: messages.Answer) -> T:
    """Return an answer of this kind; raise `Unfit` if it is another one."""
    if isinstance(answer, kind):
        return answer
    if isinstance(answer, messages.Failed):
        raise Unfit(answer.reason)
    raise Unfit(f"expected {kind.__name__}, got {type(answer).__name__}")


class Duty(Protocol):
    """What machines are used for."""

    def ready(self, machine: Machine) -> Sequence[Coroutine[Any, Any, None]]:
        """Return what keeps a machine busy, which can be used from now on."""

    def gone(self, machine: Machine) -> None:
        """A machine is not there any more."""


class Machines:
    """The machines at a scheduler that play for one run."""

    def __init__(self, link: Connection, job: messages.Job, venue: Venue, duty: Duty) -> None:
        self._link = link
        self._job = job
        self._venue = venue
        self._duty = duty
        self.there: dict[str, Machine] = {}
        """By address; also those that are not ready yet."""
        self.aside: dict[str, str] = {}
        """Why machines are set aside, by their address, and by their name if they were wrong."""
        self._client: Client | None = None
        self._watching: asyncio.Task[None] | None = None
        self._alone_since = monotonic()
        self._parcels: dict[str, Path] = {}
        self._folder: Any = temporary_folder("parcels")
        self._place: Path = self._folder.__enter__()
        self._tools = tools_of(job)
        self._here: messages.Traits | None = None
        self._ending: set[asyncio.Future[messages.Answer]] = set()
        """Machines that are set aside, and end the job."""
        self._failure: Exception | None = None
        self._fetching = asyncio.Semaphore(FETCHED)
        self.arrived = asyncio.Event()
        """Set when there is something to look at: a result, or a failure."""

    @property
    def ready(self) -> list[Machine]:
        """Those that can be used now."""
        return [each for each in self.there.values() if each.hands]

    @property
    def expected(self) -> int:
        """How many can be used now, or probably will be soon."""
        soon = monotonic() - GETTING_READY
        return sum(bool(each.hands) or each.since > soon for each in self.there.values())

    @property
    def text(self) -> str:
        """Who is there, in a few words."""
        ready = self.ready
        referees = sum(each.referees for each in ready)
        text = f"{counted(len(ready), 'machine')}, {counted(referees, 'referee')}"
        return text + (f", {len(self.aside)} set aside" if self.aside else "")

    def open(self) -> None:
        """Begin to look for machines."""
        quieten()
        apply_settings()
        self._watching = asyncio.ensure_future(self.guarded(self._watch()))

    async def wait(self) -> None:
        """Wait until something has arrived, a second at most; raise what has failed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.arrived.wait(), 1.0)
        self.arrived.clear()
        if self._failure is not None:
            raise self._failure

    async def close(self) -> None:
        """End what is under way here and on the machines."""
        tasks = [] if self._watching is None else [self._watching]
        for machine in self.there.values():
            tasks += self._stop(machine)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Exception):
            if self._client is not None and self._client.status == "running":
                question = messages.EndJob(job=self._job.id)
                ends = [self.ask(each, question) for each in self.there]
                ends_all = asyncio.gather(*ends, *self._ending, return_exceptions=True)
                await asyncio.wait_for(ends_all, 2.0)
        await self._disconnect()
        self._folder.__exit__(None, None, None)

    def set_aside(self, machine: Machine, reason: str) -> None:
        """Use a machine no more in this run, and say why."""
        self.aside[machine.address] = f"machine {machine.name!r}: {reason}"
        self.lose(machine)
        self._end_job(machine.address)
        self._tell(f"machine {machine.name!r} is set aside: {reason}")

    def refuse(self, name: str, reason: str) -> None:
        """Use a machine that was wrong no more in this run, and say why.

        It does not come back under this name either.
        """
        if name in self.aside:
            return
        self.aside[name] = f"machine {name!r}: {reason}"
        for each in list(self.there.values()):
            if each.name == name:
                self.lose(each)
                self._end_job(each.address)
        self._tell(f"machine {name!r} is set aside: {reason}")

    def _end_job(self, address: str) -> None:
        """Have a machine that is used no more end its bots, if it still listens."""
        ending = asyncio.ensure_future(self.ask(address, messages.EndJob(job=self._job.id)))
        self._ending.add(ending)
        ending.add_done_callback(self._ended)

    def _ended(self, ending: asyncio.Future[messages.Answer]) -> None:
        self._ending.discard(ending)
        if not ending.cancelled():
            ending.exception()  # it may have gone

    def lose(self, machine: Machine, why: str = "") -> None:
        """A machine has gone."""
        for task in self._stop(machine):
            task.cancel()
        if self.there.get(machine.address) is machine:
            del self.there[machine.address]
            if why and machine.referees:
                self._tell(f"machine {machine.name!r} {why}")
            self._duty.gone(machine)

    async def ask(self, address: str, question: messages.Question) -> messages.Answer:
        """Return the answer of a machine; raise `MachineLost` if there is none."""
        return read(await self.data(address, question))

    async def data(
        self, address: str, question: messages.Question, *, plays: bool = False
    ) -> bytes:
        """Return the answer of a machine as it has come; raise `MachineLost` if there is none."""
        from distributed import wait  # noqa: PLC0415 - the extra may be missing

        client = self._client
        if client is None:
            raise MachineLost(address)
        future: Any = None
        try:
            future = client.submit(
                ask,
                messages.written(question),
                key=f"arena-{token_hex(8)}",
                workers=[address],
                allow_other_workers=False,
                resources={RESOURCE: 1} if plays else None,
                pure=False,
            )
            with client.as_current():
                ended: Any = wait(future)  # what it has answered lies where it was made
            await ended
            async with self._fetching, asyncio.timeout(FETCHING):
                data: bytes = await future
        except asyncio.CancelledError as cancelled:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise MachineLost(str(cancelled)) from None
        except TimeoutError:
            raise Unfit(f"its answer did not come within {FETCHING:.0f} s") from None
        except Exception as error:  # noqa: BLE001 - Dask raises many kinds when somebody has gone
            raise MachineLost(str(error)) from None
        finally:
            if future is not None:
                future.release()
        return data

    async def expect(self, kind: type[T], asked: Awaitable[messages.Answer]) -> T:
        """Return an answer of this kind; raise `Unfit` if another one comes."""
        return expected(kind, await asked)

    async def guarded(self, what: Awaitable[None]) -> None:
        """Let a mistake end the run, instead of being lost in a task."""
        try:
            await what
        except (asyncio.CancelledError, MachineLost, Unfit):
            raise
        except Exception as error:  # noqa: BLE001 - it is raised where results are waited for
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """End the run with this error."""
        self._failure = self._failure or error
        self.arrived.set()

    # Who is there

    async def _watch(self) -> None:
        """Follow who comes and goes, and connect again whenever that is necessary."""
        waiting = False
        while True:
            try:
                if self._client is None or self._client.status != "running":
                    self._lose_all()
                    await self._connect()
                    if waiting:
                        self._tell(f"{self._link.address}: the scheduler is there")
                    waiting = False
                await self._look()
            except (OSError, MachineLost, TimeoutError) as error:
                self._lose_all()
                await self._disconnect()
                if not waiting:
                    reason = " ".join(str(error).split())[:200]
                    self._tell(f"{self._link.address}: no scheduler; waiting for it ({reason})")
                waiting = True
            self._check_patience(waiting=waiting)
            await asyncio.sleep(max(LOOK, len(self.there) / LOOKED_AT))

    async def _connect(self) -> None:
        from distributed import Client  # noqa: PLC0415 - the extra may be missing

        await self._disconnect()
        client: Any = Client(
            self._link.address,
            security=self._link.security,
            asynchronous=True,
            set_as_default=False,
            timeout=CONNECT,
        )
        try:
            await client
        except BaseException:
            with suppress(Exception):
                await asyncio.wait_for(client.close(timeout=1), 2)
            raise
        self._client = client

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            closing: Any = client.close(timeout=1)
            with suppress(Exception):
                await asyncio.wait_for(closing, 3)

    async def _look(self) -> None:
        """See which machines have come, and which have gone."""
        assert self._client is not None
        scheduler: Any = self._client.scheduler
        found = await asyncio.wait_for(scheduler.identity(n_workers=-1), 30)
        there = {
            address: each["name"]
            for address, each in found["workers"].items()
            if each.get("resources", {}).get(RESOURCE)
        }
        for address in list(self.there):
            if address not in there:
                self.lose(self.there[address], "has gone; its blocks are played elsewhere")
        for address, name in there.items():
            aside = address in self.aside or str(name) in self.aside
            if address not in self.there and not aside:
                machine = Machine(address, str(name))
                self.there[address] = machine
                machine.serving = asyncio.ensure_future(self.guarded(self._serve(machine)))

    def _check_patience(self, *, waiting: bool) -> None:
        """Fail if nobody who could play has been there for too long."""
        now = monotonic()
        if any(each.hands for each in self.there.values()):
            self._alone_since = now
            return
        alone = now - self._alone_since
        busy = any(each.serving for each in self.there.values())
        if self.aside and not busy and not waiting and alone > GRACE:
            reason = list(self.aside.values())[-1]
            self.fail(RunnerFailed(f"no machine is left that can be used; the last one: {reason}"))
        elif alone > PATIENCE and not busy:
            self.fail(
                RunnerFailed(
                    f"{self._link.address}: no machine for {PATIENCE:.0f} s; start some there "
                    "with arena worker --scheduler ADDRESS"
                )
            )

    def _lose_all(self) -> None:
        for machine in list(self.there.values()):
            self.lose(machine)

    def _stop(self, machine: Machine) -> list[asyncio.Task[None]]:
        tasks = [*machine.hands]
        if machine.serving is not None:
            tasks.append(machine.serving)
        machine.hands = []
        current = asyncio.current_task()
        return [task for task in tasks if task is not current]

    # A machine

    async def _serve(self, machine: Machine) -> None:
        """Make a machine ready, and hand it over."""
        try:
            await self._prepare(machine)
        except Unfit as unfit:
            machine.serving = None
            self.set_aside(machine, str(unfit))
            return
        except MachineLost:
            self.lose(machine)
            return
        duties = self._duty.ready(machine)
        machine.hands = [asyncio.ensure_future(self._kept(machine, each)) for each in duties]
        machine.serving = None

    async def _kept(self, machine: Machine, duty: Coroutine[Any, Any, None]) -> None:
        """See to a machine that fails or goes while it is used."""
        try:
            await self.guarded(duty)
        except Unfit as unfit:
            self.set_aside(machine, str(unfit))
        except MachineLost:
            self.lose(machine)

    async def _prepare(self, machine: Machine) -> None:
        """Compare a machine with this host, and see that it has the programs."""
        if self._here is None:
            games = {self._venue.terms.game.name: self._venue.terms.game}
            sandbox = self._venue.terms.sandbox
            self._here = traits("", games, sandbox, self._tools, 0)
        there = await self.expect(
            messages.Traits, self.ask(machine.address, messages.AskTraits(tools=self._tools))
        )
        self._name(machine, there.machine)
        if not 1 <= there.referees <= MOST_REFEREES:
            raise Unfit(f"expected 1 to {MOST_REFEREES} referees, got {there.referees}")
        if why := "; ".join(refusals(there, self._here, self._job)):
            raise Unfit(why)
        question = messages.TakeJob(job=self._job)
        lacks = await self.expect(messages.Lacks, self.ask(machine.address, question))
        for identity in lacks.digests:
            await self._send(machine, identity)
        if lacks.digests:
            lacks = await self.expect(messages.Lacks, self.ask(machine.address, question))
        if lacks.digests:
            raise Unfit(f"it did not keep the program with the digest {lacks.digests[0][:12]}")
        machine.referees = there.referees
        other = "; ".join(remarks(there, self._here))
        beside = f" (bots may notice: {other})" if other else ""
        referees = counted(there.referees, "referee")
        self._tell(f"machine {machine.name!r} plays, with {referees}{beside}")

    def _name(self, machine: Machine, name: str) -> None:
        """Let a machine have the name that it says; raise `Unfit` if it cannot have it."""
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name in RESERVED:
            raise Unfit(f"it cannot have the name {name[:LONGEST_NAME]!r}; give it another --name")
        others = [each for each in self.there.values() if each is not machine]
        # The scheduler gives a name once: where it is another one's there, that one has it here.
        taken = any(each.name == name and (each.named or machine.name != name) for each in others)
        if taken:
            raise Unfit(f"another machine has the name {name!r}; give one of them another --name")
        machine.name, machine.named = name, True
        if name in self.aside:
            raise Unfit("it was set aside before, under another name of its Dask worker")

    async def _send(self, machine: Machine, identity: str) -> None:
        """Send a program, piece by piece."""
        path = self._parcels.get(identity)
        if path is None:
            path = self._place / identity
            spec = self._venue.bots[identity]
            if digest(spec) != identity:
                raise Unfit(f"the files of bot {spec.name!r} have changed since the run began")
            built = next(each.built for each in self._job.programs if each.digest == identity)
            write_parcel(spec, path, built=built)
            self._parcels[identity] = path
        size = path.stat().st_size
        with path.open("rb") as file:
            at = 0
            while at < size:
                data = file.read(PIECE)
                last = at + len(data) == size
                piece = messages.TakeParcel(
                    job=self._job.id, digest=identity, at=at, data=data, last=last
                )
                await self.expect(messages.Done, self.ask(machine.address, piece))
                at += len(data)

    def _tell(self, text: str) -> None:
        self._venue.tell(text)
