"""The options that say where the machines of a runner are, which several commands have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from arena.blocks.runner import AGAIN, Cluster, Runner
from arena.cli.arguments import plugins

Option = Callable[[Callable[..., Any]], Callable[..., Any]]

FILE = click.Path(dir_okay=False, path_type=Path)
SCHEDULER = click.option(
    "--scheduler", default="", metavar="ADDRESS", help="The scheduler, such as tls://host:8786."
)
CERTIFICATES = (
    click.option(
        "--tls-ca", type=FILE, help="The certificate that has signed those of all who may connect."
    ),
    click.option("--tls-cert", type=FILE, help="This side's certificate."),
    click.option("--tls-key", type=FILE, help="Its key, unless that is in the same file."),
    click.option("--insecure", is_flag=True, help="Connect to another machine without TLS."),
)
RUNNER = click.option("--runner", default="local", show_default=True, help="Who plays the games.")
HOST_BUILDS = click.option(
    "--host-builds", is_flag=True, help="Machines take programs as they are built here."
)


@dataclass(frozen=True)
class RunnerChoice:
    """Who is to play or check games, as options say it."""

    name: str
    cluster: Cluster

    def found(self) -> Runner:
        """Return the runner, for its cluster; refuse what cannot be used so."""
        runners = plugins().runners
        if self.name not in runners:
            expected = ", ".join(runners)
            raise click.UsageError(f"--runner: expected one of {expected}, got {self.name!r}")
        registered = tuple(plugins().bots.values())
        return runners[self.name].on(replace(self.cluster, registered=registered))


def _again(words: str) -> Option:
    return click.option(
        "--again",
        type=click.FloatRange(0, 1),
        default=AGAIN,
        show_default=True,
        metavar="SHARE",
        help=words,
    )


AGAIN_PLAYED = _again("The share of deals that two machines play, whose results are compared.")
AGAIN_CHECKED = _again("The share of blocks that two machines look at.")


def connection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of whoever connects to a scheduler; the command gets them as `cluster`."""
    return _with(command, (SCHEDULER, *CERTIFICATES), "cluster", _cluster)


def runner_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that has games played; it gets them as `players`."""
    options = (RUNNER, SCHEDULER, *CERTIFICATES, AGAIN_PLAYED, HOST_BUILDS)
    return _with(command, options, "players", _choice)


def checking_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that has games checked; it gets them as `checkers`."""
    options = (RUNNER, SCHEDULER, *CERTIFICATES, AGAIN_CHECKED)
    return _with(command, options, "checkers", _choice)


def _with(
    command: Callable[..., Any],
    options: tuple[Option, ...],
    name: str,
    make: Callable[[dict[str, Any]], object],
) -> Callable[..., Any]:
    """Add options to a command, which gets one value made of them all."""

    @wraps(command)
    def gathering(**given: Any) -> Any:
        return command(**{name: make(given)}, **given)

    found: Callable[..., Any] = gathering
    for option in reversed(options):
        found = option(found)
    return found


def _choice(given: dict[str, Any]) -> RunnerChoice:
    return RunnerChoice(given.pop("runner"), _cluster(given))


def _cluster(given: dict[str, Any]) -> Cluster:
    """Take out what says where a cluster is, and what is asked of it."""
    return Cluster(
        scheduler=given.pop("scheduler"),
        ca=given.pop("tls_ca"),
        certificate=given.pop("tls_cert"),
        key=given.pop("tls_key"),
        insecure=given.pop("insecure"),
        again=given.pop("again", AGAIN),
        host_builds=given.pop("host_builds", False),
    )
