"""Clusters for tests: schedulers and machines as processes, certificates, and bots that travel."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import SHUT_RDWR, create_connection, create_server, socket
from threading import Thread

from command import Outcome, arena

HERE = Path(__file__).parent
FIRST = HERE.parents[1] / "ladders" / "first.toml"
SECONDS = 300.0
LIMIT = 1200
"""Seconds that a ladder may take on a machine that is busy with other work."""

LADDER = """
name = "{name}"
game = "gargon"
tables = [3, 4]
seed = "gargon"
sandbox = "{sandbox}"
suspend = false
contestants = [{contestants}]

[budget]
games = {games}
"""
REGISTERED = ("random", "gargon-hand", "gargon-backs", "gargon-majority")


def ladder(
    folder: Path,
    contestants: Sequence[str] = REGISTERED,
    *,
    games: int = 60,
    sandbox: str = "none",
) -> Path:
    """Write the definition of a small ladder."""
    path = folder / "small.toml"
    listed = ", ".join(f'"{each}"' for each in contestants)
    text = LADDER.format(name="small", sandbox=sandbox, contestants=listed, games=games)
    path.write_text(text, encoding="utf-8")
    return path


def run(definition: Path, store: str, *words: str) -> Outcome:
    """Run a ladder in the folder of its definition."""
    there = definition.parent
    words = ("ladder", "run", definition.name, "--store", store, *words)
    return arena(*words, cwd=there, limit=LIMIT)


def log(definition: Path, store: str) -> bytes:
    """The log of a store."""
    return (definition.parent / store / "log").read_bytes()


def size(definition: Path, store: str) -> int:
    """How long the log of a store is so far."""
    path = definition.parent / store / "log"
    return path.stat().st_size if path.exists() else 0


def times(definition: Path, store: str) -> list[dict[str, object]]:
    """What lies beside the log."""
    path = definition.parent / store / "times"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def stranger(folder: Path, name: str = "stranger", build: str = "cp bot.py build/bot.py") -> Path:
    """Write a bot with a build that takes its first legal action."""
    home = folder / name
    home.mkdir(mode=0o755)
    command = f"mkdir -p build && {build}"
    (home / "bot.toml").write_text(
        f'name = "{name}"\ngames = ["gargon"]\nbuild = ["sh", "-c", "{command}"]\n'
        'run = ["python3", "build/bot.py"]\n',
        encoding="utf-8",
    )
    (home / "bot.py").write_text(
        f"from arena_sdk import run\n\n\ndef choose(question):\n    return 0\n\n\n"
        f"run(choose, name={name!r})\n",
        encoding="utf-8",
    )
    return home


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Started:
    """A process of a cluster, in a session of its own, and what it prints."""

    def __init__(
        self,
        words: Sequence[str],
        log: Path,
        env: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> None:
        self.words = [*before, sys.executable, *words]
        self.log = log
        self._env = {**os.environ, **(env or {})}
        self.start()

    def start(self) -> None:
        """Start it; again, if it was killed."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._env,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        """What it has printed."""
        return self.log.read_text("utf-8", "replace")

    def wait_for(self, text: str, limit: float = SECONDS) -> None:
        """Wait until it has printed this."""
        ends = time.monotonic() + limit
        while text not in self.said:
            assert time.monotonic() < ends, self.said
            assert self.process.poll() is None, self.said
            time.sleep(0.05)

    def kill(self, kind: int = signal.SIGKILL) -> None:
        """End it, and wait for its end."""
        self.process.send_signal(kind)
        self.process.wait()


class Cluster:
    """A scheduler on the loopback, and the machines that were started."""

    def __init__(
        self, folder: Path, tls: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self.tls = tuple(tls)
        self.port = free_port()
        self.address = f"{'tls' if tls else 'tcp'}://127.0.0.1:{self.port}"
        dask_tls = [word.replace("--tls-ca", "--tls-ca-file") for word in tls]
        self.scheduler = Started(
            [
                *("-m", "distributed.cli.dask_scheduler", "--host", self.address),
                *("--no-dashboard", "--no-show", *dask_tls),
            ],
            folder / "scheduler.log",
            env,
        )
        self.machines: dict[str, Started] = {}
        self.wait()

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which a command uses it."""
        return ("--runner", "dask", "--scheduler", self.address, *self.tls)

    def wait(self) -> None:
        """Wait until the scheduler listens."""
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            try:
                create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(self.scheduler.said)

    def machine(
        self,
        name: str,
        *more: str,
        program: Sequence[str] = ("-m", "arena", "worker"),
        env: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> Started:
        """Start a machine with a vault of its own, and wait until it is connected."""
        words = [*program, "--scheduler", self.address, *self.tls, "--name", name]
        words += ["--workers", "1", *more]
        own = {"ARENA_VAULT": str(self.folder / f"vault-{name}"), **(env or {})}
        found = Started(words, self.folder / f"{name}.log", own, before)
        self.machines[name] = found
        found.wait_for("connected to")
        return found

    def close(self) -> None:
        """End all of it."""
        for process in (*self.machines.values(), self.scheduler):
            process.process.terminate()
        for process in (*self.machines.values(), self.scheduler):
            try:
                process.process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def cluster(
    folder: Path, tls: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    """Start a scheduler; end it and its machines afterwards."""
    found = Cluster(folder, tls, env)
    try:
        yield found
    finally:
        found.close()


def certificates(folder: Path, name: str = "ours") -> tuple[str, ...]:
    """Make an authority and a certificate; return the options that name them."""
    place = folder / f"tls-{name}"
    place.mkdir()
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    _openssl(place, "req", "-x509", *new, "-days", "1", "-subj", f"/CN={name}")
    _openssl(
        place,
        *("req", *new, "-subj", "/CN=machine"),
        *("-keyout", "key.pem", "-out", "request.pem"),
        named=False,
    )
    _openssl(
        place,
        *("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca-key.pem"),
        *("-CAcreateserial", "-days", "1", "-out", "cert.pem"),
        named=False,
    )
    files = (("--tls-ca", "ca.pem"), ("--tls-cert", "cert.pem"), ("--tls-key", "key.pem"))
    return tuple(word for option, file in files for word in (option, str(place / file)))


def _openssl(folder: Path, *words: str, named: bool = True) -> None:
    more = ("-keyout", "ca-key.pem", "-out", "ca.pem") if named else ()
    subprocess.run(["openssl", *words, *more], cwd=folder, check=True, capture_output=True)


def memory_has(pid: int, *wanted: bytes) -> set[bytes]:
    """Return which of these bytes the memory of a process has."""
    found = set()
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps, open(f"/proc/{pid}/mem", "rb") as mem:
        for line in maps:
            where, rights, *rest = line.split()
            if "r" not in rights or (rest and rest[-1].startswith("[v")):
                continue
            first, last = (int(each, 16) for each in where.split("-"))
            try:
                mem.seek(first)
                data = mem.read(last - first)
            except (OSError, ValueError, OverflowError):
                continue
            found.update(each for each in wanted if each in data)
    return found


class Overheard:
    """All that goes to and fro through a port of its own, which leads to another one."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._server = create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.data = bytearray()
        self._threads = [Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._server.accept()
                there = create_connection(("127.0.0.1", self._to))
                for pair in ((here, there), (there, here)):
                    self._threads.append(Thread(target=self._pass_on, args=pair, daemon=True))
                    self._threads[-1].start()

    def _pass_on(self, one: socket, other: socket) -> None:
        with one:
            with suppress(OSError):
                while data := one.recv(65536):
                    self.data += data
                    other.sendall(data)
            with suppress(OSError):
                other.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Take no more connections, and wait for those that there are to end."""
        self._server.shutdown(SHUT_RDWR)
        for thread in self._threads:
            thread.join(SECONDS)
        self._server.close()


def below(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for each in found:
        for thread in Path(f"/proc/{each}/task").iterdir():
            found += [int(child) for child in (thread / "children").read_text().split()]
    return found
