"""A cluster of processes on this machine, which the runner starts and ends itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from socket import socket

from arena.blocks.runner import RunnerFailed
from arena.cluster._connection import LOOPBACK, SETTINGS, as_environment
from arena.machine.calls import end_with_parent
from arena.machine.own_program import own_program

NAME = "local"
STARTS = 10
"""How often a process that ends is started again."""


class LocalCluster:
    """A scheduler, and one machine with its referees; what ends before its time is replaced."""

    def __init__(self, sandbox: str, referees: int, folder: Path) -> None:
        self._port = _free_port()
        self.address = f"tcp://{LOOPBACK}:{self._port}"
        self._log = folder / "scheduler.log"
        self._commands = {
            "the scheduler": self._scheduler(),
            "the machine": self._machine(sandbox, referees),
        }
        self._processes = {what: self._start(what) for what in self._commands}
        self._starts = 0

    def see_to(self) -> None:
        """Start again what has ended; raise `RunnerFailed` if that happens again and again."""
        for what, process in list(self._processes.items()):
            code = process.poll()
            if code is None:
                continue
            self._starts += 1
            if self._starts > STARTS:
                raise RunnerFailed(
                    f"{what} of the cluster on this machine has ended {STARTS} times (the last "
                    f"time with exit code {code})"
                )
            self._processes[what] = self._start(what)

    def close(self) -> None:
        """End all of it."""
        for process in reversed(list(self._processes.values())):
            process.terminate()
        for process in self._processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _scheduler(self) -> list[str]:
        return [
            *(*own_program("distributed.cli.dask_scheduler"), "--host", LOOPBACK),
            *("--port", str(self._port), "--no-dashboard", "--no-show"),
        ]

    def _machine(self, sandbox: str, referees: int) -> list[str]:
        return [
            *(*own_program("arena"), "worker", "--scheduler", self.address, "--quiet"),
            *("--sandbox", sandbox, "--workers", str(referees), "--name", NAME),
        ]

    def _start(self, what: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._commands[what],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log if what == "the scheduler" else None,
                start_new_session=True,
                env={**as_environment(SETTINGS), **os.environ},
                preexec_fn=end_with_parent,  # noqa: PLW1509 - one call of the kernel
            )


def _free_port() -> int:
    with socket() as found:
        found.bind((LOOPBACK, 0))
        port: int = found.getsockname()[1]
        return port
