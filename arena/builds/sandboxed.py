"""Build handed-in bots in a sandbox, as they are run in one.

The folder is sent into the sandbox as a tar stream, and the results come back as one. So a
build can write nothing on the host, the size of its results is limited, and the referee
writes them after it has checked every path.
"""

from __future__ import annotations

import os
import tarfile
import time
from collections.abc import Collection
from dataclasses import replace
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePosixPath
from typing import IO, cast

from arena.builds.build import OnOutput, RunBuild, check_program
from arena.process.ending import Ending, PipeClosed
from arena.process.program import CHUNK, Program, StderrDrain
from arena.programs.digest import files
from arena.programs.spec import BotSpec
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
KEPT_BITS = 0o755


class BuildStopped(Exception):
    """A build that took too long, or whose results cannot be used; the text is the reason."""


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
    kept = {path.relative_to(spec.folder).as_posix() for path in files(spec)}
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


def _send(program: Program, folder: Path, deadline: float) -> None:
    """Write the folder to the program, as a tar stream."""
    stream = _ToProgram(program, deadline)
    try:
        with tarfile.open(mode="w|", fileobj=cast("IO[bytes]", stream), bufsize=CHUNK) as tar:
            for path in sorted(folder.iterdir()):
                tar.add(path, path.name, filter=_anonymous)
    except PipeClosed:
        pass  # the program's ending says why
    program.end_input()


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _take(
    program: Program, folder: Path, deadline: float, kept: Collection[str], most: int
) -> None:
    """Unpack the program's tar stream, if there is one, into the folder.

    If the stream does not come whole, remove the files again.
    """
    stream = BufferedReader(_FromProgram(program, deadline, most), CHUNK)
    if not stream.peek(1):
        return
    written: list[Path] = []
    try:
        with tarfile.open(mode="r|", fileobj=stream) as tar:
            for member in tar:
                name = PurePosixPath(member.name)
                if name.parts and name.as_posix() not in kept:
                    path = _inside(folder, name)
                    written.append(path)
                    _unpack(tar, member, folder, path)
        while stream.read(CHUNK):
            pass
    except (tarfile.TarError, BuildStopped) as error:
        for path in written:
            if path.is_symlink() or path.is_file():
                path.unlink()
        if isinstance(error, BuildStopped):
            raise
        raise BuildStopped(f"its results cannot be read: {error}") from None


def _inside(folder: Path, name: PurePosixPath) -> Path:
    """Return the path for a file of this name, which must not lead out of the folder."""
    if name.is_absolute() or ".." in name.parts:
        raise BuildStopped(f"made a file outside of its folder: {name}")
    path = folder
    for part in name.parts[:-1]:
        path /= part
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise BuildStopped(f"made a file below {path.name}, which is no directory: {name}")
        path.mkdir(exist_ok=True)
    return folder / name


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, path: Path) -> None:
    """Unpack one file, directory or link; ignore anything else."""
    if member.isdir():
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)
            path.mkdir()
        return
    if path.is_dir() and not path.is_symlink():
        raise BuildStopped(f"made a file where there is a directory: {member.name}")
    if member.isfile():
        source = tar.extractfile(member)
        assert source is not None
        path.unlink(missing_ok=True)
        _write(path, source, member.mode)
    elif member.islnk():
        origin = _inside(folder, PurePosixPath(member.linkname))
        if origin != path and origin.is_file() and not origin.is_symlink():
            path.unlink(missing_ok=True)
            with origin.open("rb") as source:
                _write(path, source, origin.stat().st_mode)
    elif member.issym() and _stays(folder, path, member.linkname):
        path.unlink(missing_ok=True)
        path.symlink_to(member.linkname)


def _write(path: Path, source: IO[bytes], mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as file:
        while data := source.read(CHUNK):
            file.write(data)
        os.fchmod(fd, mode & KEPT_BITS | 0o644)


def _stays(folder: Path, path: Path, target: str) -> bool:
    """Whether a link leads to something in the folder."""
    end = Path(os.path.normpath(path.parent / target))
    return not Path(target).is_absolute() and end.is_relative_to(folder)
