"""What only builds see: compilers and build tools outside of the system's directories.

Bots that play see none of this: they need the runtime of their language, but no compiler. A
build has no network, so the variables here tell its tools not to look for one, and to keep
their caches in the build's own `/tmp`.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.programs.environment import environment
from arena.programs.spec import BotSpec

PLACES = ("/usr/local/go/bin", "/usr/local/cargo/bin", "~/.cargo/bin")
"""Where toolchains are looked for if they are not on the PATH of the arena."""
MARKS = {"go": "pkg/tool", "javac": "lib/modules", "mvn": "boot", "rustc": "lib/rustlib"}
"""For each compiler or build tool, what the directory of its installation contains.

A program may be installed right in a home, with only `bin` in common. Such a directory is
never shown to strangers' builds.
"""
SHARED = (Path("/usr"), Path("/opt"), Path.home(), Path.home() / ".local")
"""Directories that hold more than one installation, and maybe what builds must not see."""
MAVEN_SETTINGS = (Path("/etc/maven/m2.conf"), Path("/etc/maven/logging"))
"""What Debian's Maven needs to start; `settings.xml` beside them may have passwords."""
WRITABLE = Path("/tmp")
SECONDS = 30


@cache
def toolchains() -> tuple[Path, ...]:
    """Return the directories of the toolchains that builds see, each with its `bin`."""
    found = [_installation(program) for program in MARKS]
    return tuple(dict.fromkeys(path for path in found if path is not None))


def shown_to_builds() -> tuple[Path, ...]:
    """Return the paths that builds see beside those that every bot sees."""
    return (*toolchains(), *(path for path in MAVEN_SETTINGS if path.exists()))


def build_environment(spec: BotSpec) -> dict[str, str]:
    """Return all environment variables of a build: a bot's, and what the toolchains need."""
    own = environment(spec)
    first, *others = own["PATH"].split(os.pathsep)
    path = [first, *(str(folder / "bin") for folder in toolchains()), *others]
    return {
        **own,
        "PATH": os.pathsep.join(path),
        "HOME": str(WRITABLE),
        **dict(_variables()),
    }


def _variables() -> Iterator[tuple[str, str]]:
    """Yield the variables of the tools of every language."""
    yield "CARGO_HOME", str(WRITABLE / "cargo")
    yield "CARGO_NET_OFFLINE", "true"
    yield "GOCACHE", str(WRITABLE / "go-build")
    yield "GOPATH", str(WRITABLE / "go")
    yield "GOPROXY", "off"
    yield "GOSUMDB", "off"
    yield "GOFLAGS", "-mod=vendor"
    yield "GOTOOLCHAIN", "local"
    yield "npm_config_cache", str(WRITABLE / "npm")
    yield "npm_config_offline", "true"
    yield "npm_config_audit", "false"
    yield "npm_config_fund", "false"
    yield "npm_config_update_notifier", "false"
    yield "MAVEN_OPTS", f"-Duser.home={WRITABLE} -Xmx768m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
    yield "MAVEN_SKIP_RC", "true"
    if (java := _installation("javac")) is not None:
        yield "JAVA_HOME", str(java)


@cache
def _installation(program: str) -> Path | None:
    """Return the directory in which this program is installed, if it is one that may be shown."""
    path = os.environ.get("PATH", os.defpath)
    places = [str(Path(place).expanduser()) for place in PLACES]
    found = shutil.which(program, path=os.pathsep.join([path, *places]))
    if found is None:
        return None
    folder = _sysroot(found) if program == "rustc" else Path(found).resolve().parent.parent
    if folder is None or folder in SHARED or not (folder / MARKS[program]).exists():
        return None
    return folder if _usable(folder / "bin" / program) else None


def _usable(program: Path) -> bool:
    """Whether builds may run the program; those of root run under uids of their own."""
    try:
        mode = program.stat().st_mode
    except OSError:
        return False
    everybody = mode & stat.S_IROTH and mode & stat.S_IXOTH
    return bool(everybody) or (os.geteuid() != 0 and os.access(program, os.R_OK | os.X_OK))


def _sysroot(rustc: str) -> Path | None:
    """Return the directory of the Rust toolchain that `rustc`, maybe a link to rustup, uses."""
    try:
        done = subprocess.run(
            [rustc, "--print", "sysroot"],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else Path(done.stdout.strip()).resolve()
