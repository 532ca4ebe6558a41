"""The fixture of an attack: targets on the host, made for the purpose."""

from __future__ import annotations

import mmap
import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from arena.attacks.attack import FOLDER
from arena.programs.spec import BotSpec
from arena.sandbox.left_folders import remove_left
from arena.sandbox.owner import own_prefix

VICTIM = (
    "import ctypes, sys, time; ctypes.CDLL(None).prctl(1, 9, 0, 0, 0); "  # ends with its parent
    "kept = open(sys.argv[2]); print('here', flush=True); time.sleep(600)"
)
PAGES = 1024
"""The size of a file for attacks by the pages of it that are in memory."""
PARTING_SECONDS = 5.0
"""How long the system may take to clean up processes that were ended."""
_numbers = count()


class AttackFixture:
    """Targets: secrets in files, in an environment and in another program; listening sockets."""

    def __init__(self) -> None:
        self.mark = f"{own_prefix()}scene-{next(_numbers)}"
        self.secret = secrets.token_hex(16)
        self._stack = ExitStack()
        self.root = Path(tempfile.gettempdir()).resolve() / self.mark
        self.store = self.root / "store" / "secret"
        self.neighbour = self.root / "neighbour" / "bot.py"
        self.private = self.root / "private"

    def __enter__(self) -> AttackFixture:
        remove_left(self.root.parent)
        self.root.mkdir(mode=0o755)
        self._stack.callback(shutil.rmtree, self.root)
        for path in (self.store, self.neighbour, self.private):
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.secret, encoding="ascii")
        # The others are readable for everybody who can see them; only walls keep a bot from them.
        self.private.chmod(0o600)
        self._listen()
        self._start_victim()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _listen(self) -> None:
        add = self._stack.enter_context
        self._tcp = add(socket.create_server(("127.0.0.1", 0)))
        self._udp = add(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", 0))
        self._abstract = add(socket.socket(socket.AF_UNIX))
        self._abstract.bind(f"\0{self.mark}")
        self._file = add(socket.socket(socket.AF_UNIX))
        self._file.bind(str(self.root / "socket"))
        for server in (self._abstract, self._file):
            server.listen()
        for line in (self._tcp, self._udp, self._abstract, self._file):
            line.setblocking(False)

    def _start_victim(self) -> None:
        """Start a host program with the secret in its arguments, environment and an open file."""
        words = [sys.executable, "-c", VICTIM, self.secret, str(self.store)]
        environment = {**os.environ, "SECRET": self.secret}
        self.victim = self._stack.enter_context(
            subprocess.Popen(words, env=environment, stdout=subprocess.PIPE)
        )
        self._stack.callback(self.victim.kill)
        assert self.victim.stdout is not None
        self.victim.stdout.readline()

    def description(self, *, sandboxed: bool, core: int, limits: dict[str, int]) -> dict[str, Any]:
        """Return what an attack is told about its targets; the secret itself is not in it."""
        return {
            "mark": self.mark,
            "secret backwards": self.secret[::-1],
            "store": str(self.store),
            "neighbour": str(self.neighbour),
            "private": str(self.private),
            "home": str(Path.home()),
            "tcp": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "abstract": self.mark,
            "socket": str(self.root / "socket"),
            "referee": os.getpid(),
            "victim": self.victim.pid,
            "sandboxed": sandboxed,
            "core": core,
            "limits": limits,
        }

    def bot(self, name: str, words: tuple[str, ...], trick: str = "") -> BotSpec:
        """Return a bot in a folder of its own, as a stranger might submit it."""
        folder = self.root / f"bot-{name}"
        if not folder.exists():
            shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
            self._fill(folder)
            self._play_trick(folder, trick)
        return BotSpec(name, ("python3", *words), folder, files=("*.py",))

    def _fill(self, folder: Path) -> None:
        """Add files that attacks use, and links to files that they must not see."""
        (folder / "left-for-removal").touch()
        (folder / "shared-by-both").write_bytes(bytes(64))
        with (folder / "pages-of-both").open("wb") as file:
            for at in range(0, PAGES, 2):  # with holes, so that the file has many extents
                os.pwrite(file.fileno(), bytes(mmap.PAGESIZE), at * mmap.PAGESIZE)
            os.fsync(file.fileno())  # pages can be dropped once they are on the disk
        (folder / "link-to-the-store").symlink_to(self.store)
        (folder / "link-up-to-the-store").symlink_to("../store/secret")
        (folder / "link-through-pid-1").symlink_to(f"/proc/1/root{self.store}")
        (folder / "link-through-itself").symlink_to(f"/proc/self/root{self.store}")
        program = Path(shutil.copy(shutil.which("id") or sys.executable, folder / "setuid-id"))
        program.chmod(0o4755)

    def _play_trick(self, folder: Path, trick: str) -> None:
        path = folder / "pipe-of-both"
        if trick == "pipe":
            os.mkfifo(path)
        elif trick == "socket":
            with socket.socket(socket.AF_UNIX) as line:
                line.bind(str(path))
        elif trick == "device":
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))

    def traces(self) -> Iterator[str]:
        """Yield in words each trace that an attack has left on the host."""
        for path in (self.store, self.neighbour, self.private):
            if path.read_text(encoding="ascii") != self.secret:
                yield f"{path} was changed"
        for folder in self.root.glob("bot-*"):
            if not (folder / "left-for-removal").exists():
                yield f"a file in {folder} was removed"
        for path in self.root.rglob("*"):
            if path.name.startswith("core") or path.name.endswith("-left"):
                yield f"{path} was left"
        for name, line in {
            "TCP": self._tcp,
            "an abstract Unix socket": self._abstract,
            "a Unix socket's file": self._file,
        }.items():
            try:
                line.accept()[0].close()
                yield f"a connection came by {name}"
            except BlockingIOError:
                continue
        try:
            self._udp.recv(100)
            yield "a packet came by UDP"
        except BlockingIOError:
            pass
        if self.victim.poll() is not None:
            yield "another program of the host was ended"
        yield from self._left_running()

    def _left_running(self) -> Iterator[str]:
        deadline = time.monotonic() + PARTING_SECONDS
        while (running := self._running()) and time.monotonic() < deadline:
            time.sleep(0.02)
        if running:
            yield f"processes are left: {', '.join(map(str, running))}"

    def _running(self) -> list[int]:
        """Return the processes with the mark in their command lines."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in {os.getpid(), self.victim.pid}:
                try:
                    words = Path(f"/proc/{name}/cmdline").read_bytes()
                except OSError:
                    continue
                if self.mark.encode() in words:
                    found.append(int(name))
        return found
