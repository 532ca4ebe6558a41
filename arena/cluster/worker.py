"""A machine of a cluster: it takes blocks from a scheduler, and its referees play them.

Dask's worker connects, and passes questions to the process of the referees and answers back. It
neither plays nor looks at what it passes.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.blocks.runner import Cluster
from arena.cluster import _messages as messages
from arena.cluster._connection import LOOPBACK, Connection, apply_settings, connection, quieten
from arena.cluster._messages import AHEAD
from arena.cluster._pipe import Referees, RefereesEnded
from arena.errors import HostError
from arena.sandbox.left_folders import temporary_folder
from arena.wording import counted

if TYPE_CHECKING:
    from distributed import Worker

RESOURCE = "arena"
"""Marks the workers that are machines of ours; there is some of it for each question at a time."""
SECONDS = 1.0
"""How long to wait before the scheduler is tried again."""
TRIED = 30.0

Tell = Callable[[str], object]

_here: Referees | None = None


async def ask(question: bytes) -> bytes:
    """Pass a question to the referees of this machine; this is what the host has Dask run."""
    if _here is None:
        return messages.written(messages.Failed(reason="this is no machine of the arena"))
    try:
        return await _here.pass_on(question)
    except RefereesEnded as error:
        return messages.written(messages.Failed(reason=str(error)))


async def attend(worker: Worker, name: str | None, sandbox: str, number: int) -> None:
    """Start the referees of a worker that Dask has started, and mark it as a machine of ours.

    Raise `HostError` if they do not start, which ends the worker.
    """
    global _here  # noqa: PLW0603 - what Dask runs finds them in no other way
    _here = await _started(name or str(worker.name), sandbox, number)
    _mark(worker, number)


def serve(cluster: Cluster, name: str, sandbox: str, number: int, tell: Tell) -> None:
    """Play what the scheduler has, until SIGTERM or Ctrl-C; raise `HostError` if that cannot be."""
    asyncio.run(_serve(connection(cluster), name, sandbox, number, tell))


async def _serve(link: Connection, name: str, sandbox: str, number: int, tell: Tell) -> None:
    global _here  # noqa: PLW0603 - as above
    quieten()
    apply_settings()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for kind in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(kind, stop.set)
    _here = referees = await _started(name, sandbox, number)
    try:
        said = ""
        while not stop.is_set() and not referees.ended.is_set():
            says = await _work(link, name, number, referees, stop, tell)
            if says and says != said:
                tell(f"{link.address}: {says}; tried again until it is there")
            said = says
            if says:
                await _wait(stop.wait(), SECONDS)
        if referees.ended.is_set() and not stop.is_set():
            raise RefereesEnded("the process of the referees has ended; see its last line")
    finally:
        await referees.close()


async def _work(
    link: Connection, name: str, number: int, referees: Referees, stop: asyncio.Event, tell: Tell
) -> str:
    """Be a worker of the scheduler, as long as it is there; return what went wrong."""
    from distributed import Worker  # noqa: PLC0415 - the extra may be missing

    with temporary_folder("dask") as folder:
        try:
            worker = Worker(
                link.address,
                name=name,
                nthreads=AHEAD * number + 2,
                resources={RESOURCE: AHEAD * number},
                security=link.security,
                host=LOOPBACK if link.local else None,
                protocol=link.address.partition(":")[0],
                local_directory=str(folder),
                memory_limit=0,
                dashboard=False,
                dashboard_address=f"{LOOPBACK}:0",
                death_timeout=TRIED,
            )
            try:
                await worker
            except BaseException:
                with suppress(Exception):
                    await worker.close(timeout=1)
                raise
        except Exception as error:  # noqa: BLE001 - Dask raises many kinds
            return _reason(error, name)
        tell(f"connected to {link.address} as {name!r}, with {counted(number, 'referee')}")
        ends = [worker.finished(), stop.wait(), referees.ended.wait()]
        tasks = [asyncio.ensure_future(each) for each in ends]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        gone = tasks[0].done()
        for task in tasks:
            task.cancel()
        if not gone:
            with suppress(Exception):
                await worker.close(timeout=5)
        return "the scheduler is gone" if gone else ""


async def _started(name: str, sandbox: str, number: int) -> Referees:
    """Start the referees, and wait until their sandbox is tested."""
    referees = await Referees.start(name, sandbox, number)
    try:
        await referees.ask(messages.AskTraits())
    except RefereesEnded:
        await referees.close()
        raise HostError("the referees did not start; the line before says why") from None
    return referees


def _mark(worker: Worker, number: int) -> None:
    """Have a worker that others have started say that it is a machine of ours."""
    state = worker.state
    for resources in (state.total_resources, state.available_resources):
        resources[RESOURCE] = AHEAD * number


def _reason(error: Exception, name: str) -> str:
    text = " ".join(str(error).split())
    if "name taken" in text:
        return f"a machine with the name {name!r} is there already; give this one another --name"
    return f"no scheduler answers ({type(error).__name__})" if not text else text[:300]


async def _wait(what: object, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(what, seconds)  # type: ignore[arg-type]
