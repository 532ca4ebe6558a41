"""Build handed-in bots in a sandbox, as they are run in one.

The folder is sent into the sandbox as a tar stream, and the results come back as one. So a
build can write nothing on the host, the size of its results is limited, and the referee
writes them after it has checked every path.
"""

from __future__ import annotations

import stat
import tarfile
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, cast

from arena.builds.build import OnOutput, RunBuild, check_program
from arena.builds.results import BuildStopped, Results
from arena.process.ending import Ending, PipeClosed
from arena.process.program import CHUNK, Program, StderrDrain
from arena.programs.digest import files
from arena.programs.spec import BotSpec
from arena.programs.walk import Entry, Folder, WalkLimits
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.toolchains import build_environment

BUILD_LIMITS = Limits(
    memory_mb=2048,
    processes=256,
    files=1024,
    file_mb=512,
    tmp_mb=1024,
    log_mb=64,
    cpu_seconds=1800,
)
"""Compilers need more than the programs that they make."""
UNPACK_AND_BUILD = 'tar -xf - && "$@" </dev/null >&2 && exec tar -cf - .'
MORE = 1 << 20
"""How many bytes a stream may have beside the files in it."""
SECONDS = 600.0
"""How long a build may take by default."""


def inside(sandbox: Sandbox, limits: Limits = BUILD_LIMITS) -> RunBuild:
    """Return a function that builds bots in a sandbox, with limits of its own."""

    def run(spec: BotSpec, limit: float | None, on_output: OnOutput) -> str:
        check_program(spec, build_environment(spec)["PATH"])
        try:
            ending = build_inside(
                sandbox, spec, limits, SECONDS if limit is None else limit, on_output
            )
        except BuildStopped as stopped:
            return str(stopped)
        return f"ended with {ending}" if ending.number or ending.cause else ""

    return run


def build_inside(
    sandbox: Sandbox, spec: BotSpec, limits: Limits, seconds: float, on_output: OnOutput
) -> Ending:
    """Build a bot in a sandbox within this time; raise `BuildStopped` or `StartError`.

    If the ending's number is 0, the results are in the bot's folder. The files that count for
    its digest stay as they were handed in.
    """
    deadline = time.monotonic() + seconds
    folder = spec.folder.absolute()
    kept = {entry.name for entry in files(spec)}
    run = ("/bin/sh", "-c", UNPACK_AND_BUILD, "sh", *spec.build)
    drain = StderrDrain()
    try:
        launch = sandbox.launch(replace(spec, run=run), None, limits, scratch=True)
        program = Program(launch, drain, on_output=on_output)
        try:
            _send(program, folder, deadline)
            _take(program, folder, deadline, kept, limits.tmp_mb << 20)
            ending = program.await_ending(max(0.0, deadline - time.monotonic()))
        finally:
            program.close()
    finally:
        drain.close()
    if ending is None:
        raise BuildStopped(f"took longer than {seconds:g} s")
    return ending


class _ToProgram(RawIOBase):
    """A stream to a program's stdin."""

    def __init__(self, program: Program, deadline: float) -> None:
        self._program = program
        self._deadline = deadline

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        chunk = bytes(cast("bytes", data))
        if self._program.write(chunk, max(0.0, self._deadline - time.monotonic())) is None:
            raise BuildStopped("took too long to read its own files")
        return len(chunk)


class _FromProgram(RawIOBase):
    """A stream from a program's stdout; raises `BuildStopped` if it is too long or too late."""

    def __init__(self, program: Program, deadline: float, most: int) -> None:
        self._program = program
        self._deadline = deadline
        self._left = most + MORE
        self._ahead = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        room = memoryview(cast("bytearray", buffer))
        data = self._ahead or self._read()
        part, self._ahead = data[: len(room)], data[len(room) :]
        room[: len(part)] = part
        return len(part)

    def _read(self) -> bytes:
        try:
            data = self._program.read(max(0.0, self._deadline - time.monotonic()))
        except PipeClosed:
            return b""
        if data is None:
            raise BuildStopped("took too long")
        self._left -= len(data)
        if self._left < 0:
            raise BuildStopped("made more than it was allowed")
        return data


class _Contents:
    """The contents of a file in the form that tarfile reads."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer than wanted only at the end."""
        while len(self._ahead) < size and (chunk := next(self._chunks, b"")):
            self._ahead += chunk
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data


def _send(program: Program, path: Path, deadline: float) -> None:
    """Write the folder to the program, as a tar stream."""
    stream = _ToProgram(program, deadline)
    limits = WalkLimits(seconds=max(0.0, deadline - time.monotonic()))
    try:
        with (
            Folder(path, limits) as folder,
            tarfile.open(mode="w|", fileobj=cast("IO[bytes]", stream), bufsize=CHUNK) as tar,
        ):
            for entry in folder.everything():
                add_to_tar(tar, folder, entry)
    except PipeClosed:
        pass  # the program's ending says why
    program.end_input()


def add_to_tar(tar: tarfile.TarFile, folder: Folder, entry: Entry) -> None:
    """Add a file, a directory or a link to a tar stream; its owner is nobody's business."""
    member = tarfile.TarInfo(entry.name)
    member.mode = stat.S_IMODE(entry.state.st_mode)
    member.mtime = int(entry.state.st_mtime)
    if entry.target is not None:
        member.type, member.linkname = tarfile.SYMTYPE, entry.target
        tar.addfile(member)
    elif stat.S_ISDIR(entry.state.st_mode):
        member.type = tarfile.DIRTYPE
        tar.addfile(member)
    elif stat.S_ISREG(entry.state.st_mode):
        member.size = entry.state.st_size
        tar.addfile(member, cast("IO[bytes]", _Contents(folder.read(entry))))


def _take(
    program: Program, folder: Path, deadline: float, kept: Collection[str], most: int
) -> None:
    """Unpack the program's tar stream, if there is one, into the folder.

    If the stream does not come whole, remove the files again.
    """
    stream = BufferedReader(_FromProgram(program, deadline, most), CHUNK)
    if not stream.peek(1):
        return
    results = Results(folder, kept, most)
    try:
        with tarfile.open(mode="r|", fileobj=stream) as tar:
            results.unpack(tar)
        while stream.read(CHUNK):
            pass
        results.make_links()
    except (tarfile.TarError, BuildStopped) as error:
        results.remove()
        if isinstance(error, BuildStopped):
            raise
        raise BuildStopped(f"its results cannot be read: {error}") from None
    finally:
        results.close()
