"""How many bits a second two sandboxed programs can pass each other though they never run at once.

These channels cannot be closed. One program leaves random bytes, is suspended, and the other looks.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from pathlib import Path
from time import perf_counter

from arena.bench import _channel as channel
from arena.errors import HostError
from arena.process.placement import on_one_core
from arena.process.program import Program, StderrDrain
from arena.process.suspension.turn_gate import TurnGate
from arena.programs.spec import BotSpec
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox

WAYS = {
    "pagemap": "pages of a file that the other has mapped (/proc/self/pagemap)",
    "pipes": "the numbers of new pipes, counted for each core (fstat)",
    "memory": "files in the host's memory (sysinfo)",
    "descriptors": "descriptors on their way, counted for each user (sendmsg)",
}
ONE_BIT = {"descriptors"}
"""Ways that carry one bit at a time."""
SECONDS = 10.0
"""How long a program may take to start or to answer."""


@dataclass(frozen=True)
class Channel:
    """What came through in one way."""

    name: str
    sent: int
    """Bits."""
    wrong: int
    seconds: float

    @property
    def bits_per_second(self) -> float:
        """What can be sent without errors: the capacity of a channel with so many wrong bits."""
        wrong = self.wrong / self.sent
        lost = sum(-part * log2(part) for part in (wrong, 1 - wrong) if part)
        return self.sent * (1 - lost) / self.seconds


def measure(sandbox: Sandbox, seconds: float) -> Iterator[Channel]:
    """Yield what came through in each way in so many seconds."""
    with temporary_folder("channels") as folder, on_one_core() as core:
        folder.chmod(0o755)
        shutil.copy(channel.__file__, folder / "channel.py")
        with (folder / channel.SHARED).open("wb") as file:
            for _ in range(channel.BYTES["pagemap"] * 8):
                file.write(bytes(channel.WINDOW))
                file.flush()
                os.fsync(file.fileno())
        for way in WAYS:
            yield _measure(way, folder, sandbox, core, seconds)


def _measure(way: str, folder: Path, sandbox: Sandbox, core: int, seconds: float) -> Channel:
    gate, drain = TurnGate(), StderrDrain()
    ends: list[Program] = []
    try:
        for role in ("sender", "receiver"):
            spec = BotSpec(role, ("python3", "-I", "-S", "channel.py", way, role), folder)
            ends.append(Program(sandbox.launch(spec, core, Limits()), drain, gate))
            _hear(ends[-1])
        sender, receiver = ends
        sent = wrong = 0
        mask = 1 if way in ONE_BIT else 255
        _ask(receiver, b".")  # so that it knows where it begins
        began = perf_counter()
        while perf_counter() - began < seconds:
            data = bytes(byte & mask for byte in secrets.token_bytes(channel.BYTES[way]))
            _ask(sender, data)
            found = _ask(receiver, b".")
            sent += len(data) * mask.bit_count()
            wrong += sum((one ^ two).bit_count() for one, two in zip(data, found, strict=True))
        return Channel(way, sent, wrong, perf_counter() - began)
    finally:
        for program in ends:
            program.close()
        drain.close()


def _ask(program: Program, data: bytes) -> bytes:
    program.write(data, SECONDS)
    return _hear(program)


def _hear(program: Program) -> bytes:
    said = program.read(SECONDS)
    if said is None:
        raise HostError("a program in the sandbox did not answer; try again on a quieter machine")
    return said
