"""The probe: run inside a sandbox, it tries what must fail, and reports what did not."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PTRACE_ATTACH = 16

libc = ctypes.CDLL(None, use_errno=True)


def attempts(secret: Path) -> dict[str, Callable[[], object]]:
    """Return the attempts; one succeeds if it returns something true and raises no error."""
    return {
        "reading a file of the host": secret.read_bytes,
        "writing into its own folder": lambda: Path("written").write_text("x", "ascii"),
        "writing beside its /tmp": lambda: Path("/written").write_text("x", "ascii"),
        "opening a socket to the network": lambda: socket.socket(socket.AF_INET),
        "locking a file": _lock,
        "making a namespace": lambda: libc.unshare(CLONE_NEWUSER) == 0,
        "tracing its parent": lambda: libc.ptrace(PTRACE_ATTACH, os.getppid(), 0, 0) == 0,
        "being root": lambda: os.getuid() == 0 or os.getgid() == 0,
        "having capabilities": _capabilities,
        "reading another environment": _environments,
    }


def _lock() -> bool:
    """Whether a second lock on a locked file fails, so that locks can be noticed."""
    flags = fcntl.LOCK_EX | fcntl.LOCK_NB
    with open(__file__, "rb") as one, open(__file__, "rb") as other:
        fcntl.flock(one, flags)
        try:
            fcntl.flock(other, flags)
        except OSError:
            return True
    return False


def _capabilities() -> bool:
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    kept = [line.split()[1] for line in status if line.startswith(("CapPrm", "CapEff", "CapBnd"))]
    return any(int(word, 16) for word in kept)


def _environments() -> bool:
    """Whether another process here has an environment that this one can read."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                if Path(f"/proc/{name}/environ").read_bytes():
                    return True
            except OSError:
                continue
    return False


def main() -> None:
    """Try everything; print a line of JSON with what has not failed."""
    down = []
    for name, attempt in attempts(Path(sys.argv[1])).items():
        try:
            if attempt():
                down.append(name)
        except OSError:
            continue
    print(json.dumps(down))


if __name__ == "__main__":
    main()
