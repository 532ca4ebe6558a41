"""Tries to write to its own folder, the system and the kernel's settings."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from attempts import add, attempt, scene, tell

OWN = Path.cwd()
SETTINGS = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/ns_last_pid",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sysrq-trigger",
    "/proc/sys/fs/binfmt_misc/register",
    "/sys/kernel/uevent_helper",
    "/sys/power/state",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/dev/kmsg",
    "/dev/mem",
    "/dev/sda",
    "/dev/vda",
)
PLACES = ("/", "/etc", "/usr", "/usr/lib", "/var", "/var/tmp", "/run", "/dev", "/proc", "/sys")


def make_file(directory: Path) -> Callable[[], object]:
    """Return an attempt to leave a file in a directory."""

    def make() -> str:
        path = directory / f"{scene['mark']}-left"
        path.write_text("left", encoding="utf-8")
        path.unlink()
        return str(path)

    return make


def open_setting(path: str) -> Callable[[], object]:
    """Return an attempt to open a setting of the kernel for writing; nothing is written."""

    def attempt() -> str:
        os.close(os.open(path, os.O_WRONLY))
        return "open for writing"

    return attempt


@attempt("change its own program")
def change_program() -> str:
    """The digest in the records would no longer be that of the program."""
    with open(__file__, "r+b") as file:
        file.write(file.read(1))
    return __file__


@attempt("change its own program through /proc/self/fd")
def reopen_program() -> str:
    """This opens a descriptor for reading again for writing."""
    with open(__file__, "rb") as file:
        os.close(os.open(f"/proc/self/fd/{file.fileno()}", os.O_WRONLY))
    return __file__


@attempt("change the times of its own program")
def touch_program() -> str | None:
    """Bits written in times outlive the game."""
    before = os.stat(__file__).st_mtime_ns
    os.utime(__file__)
    return __file__ if os.stat(__file__).st_mtime_ns != before else None


@attempt("change the mode of its own program")
def change_mode() -> str:
    """A bit of the mode outlives the game."""
    os.chmod(__file__, stat.S_IMODE(os.stat(__file__).st_mode))
    return __file__


@attempt("mark its own program with an extended attribute")
def mark_program() -> str:
    """An attribute outlives the game."""
    os.setxattr(__file__, "user.mark", b"1")
    os.removexattr(__file__, "user.mark")
    return __file__


@attempt("remove a file of its own folder")
def remove_file() -> str:
    """It would be missing in the next game."""
    path = OWN / "left-for-removal"
    path.unlink()
    return str(path)


@attempt("link its own program into /tmp")
def link_program() -> str:
    """This is a second name, in a place that can be written to."""
    os.link(__file__, "/tmp/link")
    os.close(os.open("/tmp/link", os.O_WRONLY))
    return "/tmp/link"


@attempt("open a file without a name in its folder")
def nameless_file() -> str:
    """Such a file needs no entry in the directory."""
    os.close(os.open(OWN, os.O_TMPFILE | os.O_RDWR))
    return str(OWN)


@attempt("make a device")
def make_device() -> str:
    """In /tmp, the device of the first disk."""
    path = f"/tmp/{scene['mark']}-device"
    os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(254, 0))
    try:
        os.close(os.open(path, os.O_RDONLY))
    finally:
        os.unlink(path)
    return path


@attempt("protect itself from running out of memory")
def protect_itself() -> str:
    """Another process would be ended in its place."""
    Path("/proc/self/oom_score_adj").write_text("-1000", encoding="ascii")
    return "oom_score_adj -1000"


@attempt("reach the control groups")
def control_groups() -> str | None:
    """A process that can write there can leave its limits."""
    for place in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory"):
        for name in ("cgroup.procs", "tasks"):
            path = Path(place, name)
            if path.exists() and os.access(path, os.W_OK):
                return str(path)
    return None


for place in (OWN, *map(Path, PLACES)):
    add(f"leave a file in {'its folder' if place == OWN else place}", make_file(place))
for what in ("store", "neighbour"):
    add(f"leave a file in the {what}", make_file(Path(scene[what]).parent))
for path in SETTINGS:
    add(f"open {path}", open_setting(path))
tell("writes")
