"""Tries to get more rights: as root, by capabilities, and by programs that have them."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from attempts import add, attempt, tell

SECONDS = 5
SECCOMP_FILTER = "2"
SETUID = 0o4000
PLACES = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/lib")


def status() -> dict[str, str]:
    """Return what the kernel says of this process."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def without(field: str, wanted: str) -> Callable[[], object]:
    """Return an attempt that succeeds if this process lacks a safeguard."""
    return lambda: f"{field} is {status()[field]}" if status()[field] != wanted else None


def with_capabilities(field: str) -> Callable[[], object]:
    """Return an attempt that succeeds if this set has capabilities."""
    return lambda: status()[field] if int(status()[field], 16) else None


def run(*words: str) -> Callable[[], object]:
    """Return an attempt to run a program, which succeeds if the program does."""

    def run() -> str | None:
        if shutil.which(words[0]) is None:
            raise FileNotFoundError(2, "no such program", words[0])
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return done.stdout or "done" if done.returncode == 0 else None

    return run


@attempt("be root")
def be_root() -> str | None:
    """Any of its ids counts; the report adds the ids outside."""
    outside = [line.split()[1] for line in Path("/proc/self/uid_map").read_text().splitlines()]
    ids = (*os.getresuid(), *os.getresgid(), *os.getgroups())
    return f"ids {ids}, outside {outside}" if 0 in ids else None


@attempt("become root")
def become_root() -> str:
    """Only root may do this, and programs with the capability for it."""
    os.setuid(0)
    return "uid 0"


@attempt("become another group")
def become_group() -> str:
    """This group owns most of the system."""
    os.setgroups([0])
    return f"groups {os.getgroups()}"


@attempt("become root by a setuid program in its folder")
def own_setuid() -> str | None:
    """The author of the folder may have prepared one."""
    done = subprocess.run(["./setuid-id", "-u"], capture_output=True, text=True, check=False)
    return f"uid {done.stdout}" if done.stdout.strip() == "0" and os.getuid() != 0 else None


@attempt("become root by the host's setuid programs")
def host_setuid() -> str | None:
    """The file systems that it sees must not honour setuid bits."""
    found = []
    for place in map(Path, PLACES):
        for path in place.glob("*"):
            try:
                if path.stat().st_mode & SETUID and os.access(path, os.X_OK):
                    found.append(path)
            except OSError:
                continue
    if not found or status()["NoNewPrivs"] == "1":
        return None
    return ", ".join(path.name for path in found)


@attempt("mount something over its folder")
def mount() -> str | None:
    """There it could run files that are not part of what its author submitted."""
    over = run("mount", "-t", "tmpfs", "none", ".")()
    run("umount", os.fspath(Path.cwd()))()
    return f"tmpfs: {over}" if over else None


@attempt("leave by chroot")
def leave_by_chroot() -> str:
    """The old trick: be in a directory above the new root."""
    os.mkdir("/tmp/prison")
    os.chroot("/tmp/prison")
    for _ in range(20):
        os.chdir("..")
    os.chroot(".")
    return Path("/etc/shadow").read_text("utf-8")[:20]


@attempt("type into the host's terminal")
def type_into_terminal() -> str:
    """A shell there would later run what is typed, with its user's rights."""
    import fcntl  # noqa: PLC0415 - only used here
    import termios  # noqa: PLC0415

    terminal = os.open("/dev/tty", os.O_RDWR)
    fcntl.ioctl(terminal, termios.TIOCSTI, b" ")
    return "/dev/tty"


add("have no bar to new privileges", without("NoNewPrivs", "1"))
add("have no filter of system calls", without("Seccomp", SECCOMP_FILTER))
for field in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    add(f"have capabilities ({field})", with_capabilities(field))
add("run unshare", run("unshare", "--user", "--map-root-user", "id", "-u"))
add("run nsenter", run("nsenter", "--target", "1", "--mount", "id", "-u"))
add("run bwrap within", run("bwrap", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "id"))
add("run su", run("su", "-c", "id"))
add("run sudo", run("sudo", "-n", "id"))
tell("privileges")
