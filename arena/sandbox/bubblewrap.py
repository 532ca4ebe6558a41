"""The sandbox that bubblewrap makes: namespaces, a file system of its own, no privileges.

There are two lines of defence: what the namespaces hide cannot be reached, and the filter of
system calls denies the ways around them. Control groups enforce the limits for all processes
of a bot together. Without them, limits for each process take their place, and the label says
so.

A referee that runs as root starts `bwrap` as root, and the bot under a uid that no other bot
and nothing else on the host has. An ordinary user's bots run in a user namespace.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path

from arena.machine.system import LINUX, NeedsLinux
from arena.programs.environment import environment
from arena.programs.folder import check_readable, examine
from arena.programs.spec import BotSpec
from arena.programs.walk import FolderError
from arena.sandbox._counts import copies, hidden
from arena.sandbox._runtimes import links, runtimes
from arena.sandbox._seccomp import machine, seccomp_filter
from arena.sandbox._syscalls import MACHINES
from arena.sandbox.control_groups import Cell, Cgroups, find_cgroups
from arena.sandbox.launch import Launch, StartError, nothing, stay_on
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import NO_CGROUP, Sandbox, SandboxError
from arena.sandbox.toolchains import build_environment, shown_to_builds

OLDEST = (0, 8, 0)
INSTALL = "install the package bubblewrap, on Debian with: apt install bubblewrap"
WAITING_SIGNALS = 256
"""How many signals and timers a bot may have waiting; a user has them in common."""
BWRAP_PROCESSES = 2
"""How many processes `bwrap` itself has."""
STDIN, STDOUT, ARGUMENTS, FILTER, PASSWD, GROUP = range(3, 9)
"""Descriptors that the parts of a launch agree on; a plain shell allows only one digit."""
FIRST_COPY = 9
"""The first descriptor of the copies of `COPIED`, which the shell does not see."""
TO_THE_BOT = f'unset PWD; exec "$@" <&{STDIN} >&{STDOUT} {STDIN}<&- {STDOUT}>&-'
"""Gives the bot its pipes. They are not bwrap's stdin and stdout, which bwrap keeps open: nobody
would notice if the bot closed them."""
DEVICES = ("full", "null", "random", "urandom", "zero")
UIDS = 0x70000000
"""Uids from here on belong to no user of the host."""
PIDS_BITS = 22
"""The most bits of a process id on Linux. A referee computes its uids from its process id, so no
two referees share them."""
BOTS_BITS = 9
"""Bits to number the programs that a referee can have at a time: twice as many as a worker of a
ladder keeps."""
INSIDE = 1000
"""The uid of an ordinary user's bots inside their user namespace."""

_in_use: set[int] = set()
"""The uids that programs of this referee have now."""


class Bubblewrap(Sandbox):
    """The sandbox made by `bwrap`, from the distribution's packages."""

    name = "bwrap"

    def __init__(self, *, grouped: bool = True) -> None:
        self._grouped = grouped
        self._examined: set[Path] = set()

    @cached_property
    def program(self) -> str:
        """The path of `bwrap`; raises `SandboxError` if it is not installed."""
        if not LINUX:
            raise SandboxError(str(NeedsLinux("bwrap")))
        found = shutil.which("bwrap")
        if found is None:
            raise SandboxError(f"bwrap: not found; {INSTALL}")
        return found

    @cached_property
    def version(self) -> str:
        """The version of `bwrap`; raises `SandboxError` if it is too old."""
        done = subprocess.run(
            [self.program, "--version"], capture_output=True, text=True, check=False
        )
        version = done.stdout.strip().removeprefix("bubblewrap ")
        try:
            numbers = tuple(map(int, version.split(".")))
        except ValueError:
            raise SandboxError(f"bwrap: expected a version, got {done.stdout!r}") from None
        if numbers < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise SandboxError(f"bwrap: expected version {oldest} or later, got {version}")
        return version

    @cached_property
    def cgroups(self) -> Cgroups | None:
        """Where control groups can be made; None if they cannot or should not be used."""
        found = find_cgroups() if self._grouped else None
        if found is not None:
            found.sweep()
        return found

    @cached_property
    def own_uids(self) -> bool:
        """Whether every bot can have a uid of its own: the referee is root on the host itself."""
        if os.geteuid() or not LINUX:
            return False
        with open("/proc/self/uid_map", encoding="ascii") as file:
            first, _, length = map(int, file.readline().split())
        return first == 0 and length >= UIDS + (1 << PIDS_BITS + BOTS_BITS)

    @property
    def most_programs(self) -> int:
        """Return how many uids a referee has for its bots, where each has one of its own."""
        return 1 << BOTS_BITS if self.own_uids else super().most_programs

    @property
    def label(self) -> str:
        cgroups = NO_CGROUP if self.cgroups is None else self.cgroups.label
        user = "own-uid" if self.own_uids else "user-namespace"
        return f"{self.name} {self.version} seccomp+{user}+{cgroups}"

    @property
    def lacks(self) -> tuple[str, ...]:
        return (NO_CGROUP,) if self.cgroups is None else ()

    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        folder = spec.folder.absolute()
        try:
            self._examine(folder, spec)
        except FolderError as error:
            raise StartError(errno.EACCES, str(error), spec.run[0]) from None
        program = _find(spec, folder)
        cell = None if self.cgroups is None else self.cgroups.cell(limits, BWRAP_PROCESSES)
        words = _words(self._arguments(spec, folder, limits, scratch=scratch))
        call_filter = self._filter
        uid = _take_uid() if self.own_uids else INSIDE
        given = {
            ARGUMENTS: words,
            FILTER: call_filter,
            PASSWD: os.fsencode(f"bot:x:{uid}:{uid}:bot:{folder}:/bin/sh\n"),
            GROUP: f"bot:x:{uid}:\n".encode(),
            **dict(enumerate(copies().values(), FIRST_COPY)),
        }

        argv = [
            self.program,
            "--args",
            str(ARGUMENTS),
            "--",
            *self._drop_privileges(uid, limits, memory=cell is None),
            "/bin/sh",
            "-c",
            TO_THE_BOT,
            "sh",
            program,
            *spec.run[1:],
        ]
        # In an ordinary user's namespace the inner bwrap has the bot's uid and counts as the bot's.
        wrappers = BWRAP_PROCESSES if self.own_uids else 1
        return Launch(
            argv,
            {},
            Path("/"),
            partial(_prepare, core, cell, limits, given, own_uid=self.own_uids),
            nothing if cell is None else cell.remove,
            partial(_in_use.discard, uid),
            wrappers,
            limits,
            cell,
        )

    @cached_property
    def _filter(self) -> bytes:
        try:
            return seccomp_filter(machine())
        except KeyError:
            known = ", ".join(MACHINES)
            raise SandboxError(f"bwrap: no filter for {machine()}, only for {known}") from None

    def _drop_privileges(self, uid: int, limits: Limits, *, memory: bool) -> list[str]:
        """Return the commands that set limits too tight for bwrap and drop what is left of root."""
        words = []
        settings = [f"--data={limits.memory_mb << 20}"] if memory else []
        if not self.own_uids:  # outside of the namespace they would count for all of the user's
            settings.append(f"--nproc={limits.processes + BWRAP_PROCESSES}")
            settings.append(f"--sigpending={WAITING_SIGNALS}")
        if settings:
            words += [_tool("prlimit"), *settings, "--"]
        if self.own_uids:
            user = ["--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
            nothing = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
            words += [_tool("setpriv"), *user, *nothing, "--"]
        return words

    def _examine(self, folder: Path, spec: BotSpec) -> None:
        """Check a folder when it is first used; once is enough, as bots cannot change it."""
        if folder in self._examined:
            return
        if Path("/usr").is_relative_to(folder):
            raise FolderError(f"{folder}: holds the whole system; run the bot in one of its own")
        examine(folder)
        if self.own_uids:
            check_readable(folder, spec.run)
        self._examined.add(folder)

    def _arguments(
        self, spec: BotSpec, folder: Path, limits: Limits, *, scratch: bool
    ) -> Iterator[str]:
        """Yield the arguments of bwrap."""
        yield from ("--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts")
        yield from ("--unshare-cgroup-try", "--hostname", "arena")
        yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
        if self.own_uids:
            for needed in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                yield from ("--cap-add", needed)
        else:
            yield from ("--unshare-user", "--disable-userns")
            yield from ("--uid", str(INSIDE), "--gid", str(INSIDE))
        yield from _file_system(folder, limits, scratch=scratch)
        variables = build_environment(spec) if scratch else environment(spec)
        for name, value in variables.items():
            yield from ("--setenv", name, value)
        yield from ("--chdir", str(folder), "--seccomp", str(FILTER))


def _prepare(
    core: int | None,
    cell: Cell | None,
    limits: Limits,
    given: Mapping[int, bytes],
    *,
    own_uid: bool,
) -> None:
    """Make of the calling process what bwrap is to begin as."""
    stay_on(core)
    if cell is not None:
        cell.enter()
    _limit(limits, own_uid=own_uid)
    _hand_over(given)


def _take_uid() -> int:
    """Return a uid that no bot of any referee on this host has now; its launch gives it back."""
    first = UIDS + (os.getpid() << BOTS_BITS)
    for uid in range(first, first + (1 << BOTS_BITS)):
        if uid not in _in_use:
            _in_use.add(uid)
            return uid
    raise SandboxError(
        f"bwrap: no uid is left for one more program, as {1 << BOTS_BITS} of this referee's run; "
        "have fewer at a time"
    )


def _file_system(folder: Path, limits: Limits, *, scratch: bool) -> Iterator[str]:
    """Yield the arguments for the file system, outer directories first: inner ones cover them."""
    yield from ("--proc", "/proc")
    yield from _counts()
    yield from _directories(Path("/dev"))
    for name in DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    yield from ("--symlink", "/proc/self/fd", "/dev/fd")
    for place in ("/tmp", "/dev/shm"):
        yield from _own_space(place, limits)
    for link, target in links().items():
        yield from ("--symlink", str(target), str(link))
    yield from _directories(Path("/etc"))
    for fd, name in ((PASSWD, "passwd"), (GROUP, "group")):
        yield from ("--perms", "0644", "--file", str(fd), f"/etc/{name}")
    more = shown_to_builds() if scratch else ()
    shown = sorted({folder, *runtimes(), *more}, key=lambda path: len(path.parts))
    for at, path in enumerate(shown):
        if not any(path.is_relative_to(other) for other in shown[:at]):
            yield from _directories(path.parent)
        if scratch and path == folder:
            yield from _own_space(str(path), limits)
        else:
            yield from ("--ro-bind", str(path), str(path))
    for place in ("/", "/proc"):
        yield from ("--remount-ro", place)


def _counts() -> Iterator[str]:
    """Yield the arguments that hide what the kernel counts for the whole host."""
    for fd, path in enumerate(copies(), FIRST_COPY):
        yield from ("--perms", "0444", "--ro-bind-data", str(fd), str(path))
    for path in hidden():
        if path.is_dir():
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        else:
            yield from ("--ro-bind", "/dev/null", str(path))  # which cannot be opened there


def _own_space(place: str, limits: Limits) -> Iterator[str]:
    yield from ("--perms", "1777", "--size", str(limits.tmp_mb << 20), "--tmpfs", place)


def _directories(path: Path) -> Iterator[str]:
    """Yield the arguments that make a directory and those above it, if missing, readable by all."""
    for directory in (*reversed(path.parents[:-1]), path):
        if directory != Path("/"):
            yield from ("--perms", "0755", "--dir", str(directory))


def _find(spec: BotSpec, folder: Path) -> str:
    """Return the program as the bot will find it; raise `StartError` if it will not."""
    name = spec.run[0]
    if "/" in name:
        path = folder / name
        if not path.exists():
            raise StartError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        places = (folder, *runtimes(), *links())
        if not any(Path(os.path.normpath(path)).is_relative_to(place) for place in places):
            raise StartError(
                errno.ENOENT,
                "it lies where the sandbox shows nothing: neither in the bot's folder nor among "
                "the runtimes",
                name,
            )
        if not os.access(path, os.X_OK):
            raise StartError(errno.EACCES, os.strerror(errno.EACCES), name)
        return name
    if shutil.which(name, path=environment(spec)["PATH"]) is None:
        raise StartError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return name


def _tool(name: str) -> str:
    found = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if found is None:
        raise SandboxError(f"bwrap: {name} not found; install the package util-linux")
    return found


def _words(words: Iterator[str]) -> bytes:
    return b"".join(os.fsencode(word) + b"\0" for word in words)


def _limit(limits: Limits, *, own_uid: bool) -> None:
    """Set the limits of each process, except for memory: this copy of the referee may exceed it."""
    values = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: limits.file_mb << 20,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NOFILE: limits.files,
    }
    if own_uid:
        values[resource.RLIMIT_NPROC] = limits.processes
        values[resource.RLIMIT_SIGPENDING] = WAITING_SIGNALS
    for kind, value in values.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)  # noqa: PLW2901 - no process can have more
        resource.setrlimit(kind, (value, value))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and children inherit that


def _hand_over(given: Mapping[int, bytes]) -> None:
    """Move the pipes, and the data that bwrap reads, to the descriptors of the launch."""
    os.dup2(0, STDIN)
    os.dup2(1, STDOUT)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):
        os.dup2(nothing, fd)
    for fd, data in given.items():
        file = os.memfd_create("arena")
        os.write(file, data)
        os.lseek(file, 0, os.SEEK_SET)
        if file == fd:
            os.set_inheritable(fd, True)
        else:
            os.dup2(file, fd)
            os.close(file)
