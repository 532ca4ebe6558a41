"""What every bot may read: the system's programs and libraries, and the language runtimes."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from arena.programs.environment import SYSTEM_PATH

SYSTEM = Path("/usr")
LINKED = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
"""Directories at the top that are links into /usr on most hosts."""
SETTINGS = ("alternatives", "java-*-openjdk", "ld.so.cache", "localtime", "ssl/openssl.cnf")
"""Patterns of the files in /etc that are part of a runtime."""
NAMED = ("java", "node")
"""Runtimes that may be installed elsewhere, with only a link in a directory of programs."""
PACKAGES = ("arena", "arena_sdk")
"""Packages that a Python bot may import, even if they are outside of the environment."""
READ = "ARENA_SANDBOX_READ"
"""The environment variable in which a host adds directories with runtimes, separated by colons."""


@cache
def runtimes() -> tuple[Path, ...]:
    """Return the paths that every bot sees beside its own folder, none within another."""
    found = [SYSTEM, *_at_top(), *_settings(), *_python(), *_elsewhere(), *_added()]
    kept: list[Path] = []
    for path in sorted(dict.fromkeys(found), key=lambda path: (len(path.parts), path)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return tuple(kept)


def links() -> dict[Path, Path]:
    """Return the links at the top of the file system, with their targets."""
    found = {}
    for name in LINKED:
        path = Path("/", name)
        if path.is_symlink():
            found[path] = path.readlink()
    return found


def _at_top() -> list[Path]:
    paths = (Path("/", name) for name in LINKED)
    return [path for path in paths if path.is_dir() and not path.is_symlink()]


def _settings() -> list[Path]:
    return [path for pattern in SETTINGS for path in Path("/etc").glob(pattern)]


def _python() -> list[Path]:
    """Return the arena's environment, its base Python, and the packages outside of both."""
    found = [Path(sys.prefix), Path(sys.base_prefix)]
    found += [_home(Path(sys.executable).resolve())]
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None:
            found += map(Path, spec.submodule_search_locations or ())
    return found


def _elsewhere() -> list[Path]:
    """Return the directories of runtimes to which a directory of programs only links."""
    programs = (shutil.which(name, path=os.pathsep.join(SYSTEM_PATH)) for name in NAMED)
    return [_home(Path(program).resolve()) for program in programs if program]


def _home(program: Path) -> Path:
    """Return the directory in which the runtime with this program is installed."""
    return program.parent.parent if program.parent.name == "bin" else program.parent


def _added() -> list[Path]:
    return [Path(word).absolute() for word in os.environ.get(READ, "").split(":") if word]
