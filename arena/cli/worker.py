"""`arena worker`: be a machine of a cluster, on which a ladder's games are played."""

from __future__ import annotations

import socket
from typing import Any

import click

from arena.blocks.runner import Cluster
from arena.cli.clusters import connection_options
from arena.cli.output import say
from arena.machine.calls import usable_cores
from arena.names import check_name
from arena.sandbox.sandbox import AUTO

NAME = click.option("--name", help="The machine's name; by default that of the host.")
SANDBOX = click.option(
    "--sandbox",
    default=AUTO,
    show_default=True,
    metavar="none|bwrap|auto",
    help="The sandbox for bots; it is tested first. With none, only ladders without one play.",
)
WORKERS = click.option(
    "--workers", type=click.IntRange(1, 1024), help="Games at a time; by default one per core."
)


@click.command()
@connection_options
@NAME
@SANDBOX
@WORKERS
@click.option("--quiet", is_flag=True, hidden=True)
def worker(
    cluster: Cluster,
    name: str | None,
    sandbox: str,
    workers: int | None,
    *,
    quiet: bool,
) -> None:
    """Play games for the ladders that are run with --runner dask at this scheduler.

    The machine fetches the programs that it lacks, builds them in its own sandbox, and plays
    until it is ended. When the scheduler goes away, it waits for it.

    \b
    dask scheduler --host 127.0.0.1                                    # on one machine
    arena worker --scheduler tcp://127.0.0.1:8786                      # on each machine
    arena ladder run friday.toml --runner dask --scheduler tcp://127.0.0.1:8786

    Exit codes: 0 ended by SIGTERM or Ctrl-C, 2 wrong usage, 3 the sandbox does not hold here, or
    the host failed.
    """
    if not cluster.scheduler:
        raise click.UsageError("--scheduler: expected the address of the scheduler, got none")
    from arena.cluster.worker import serve  # noqa: PLC0415 - it takes a while to load

    def tell(text: str) -> None:
        if not quiet:
            say(f"arena worker: {text}")

    serve(cluster, _name(name), sandbox, workers or len(usable_cores()), tell)


def _name(name: str | None) -> str:
    """Return the name of this machine."""
    found = socket.gethostname().lower() if name is None else name
    try:
        return check_name("name", found)
    except ValueError as error:
        raise click.UsageError(f"--name: {error}") from None


@click.command()
@NAME
@SANDBOX
@WORKERS
async def dask_setup(server: Any, name: str | None, sandbox: str, workers: int | None) -> None:
    """Make a worker that Dask has started a machine: `dask worker ... --preload arena.cli.worker`.

    Dask finds this by its name.
    """
    from arena.cluster.worker import attend  # noqa: PLC0415 - it takes a while to load

    await attend(server, name and _name(name), sandbox, workers or len(usable_cores()))
