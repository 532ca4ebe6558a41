"""Programs that work for a site's server, and end when they are told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import pytest

from arena.site.folder import SiteFolder
from arena.site.queue.programs import SERVER_ENDED, Programs, Stopped

pytestmark = pytest.mark.source_only
OBEYS = """\
import sys
print("0", flush=True)
sys.stdin.readlines()
"""
DEAF = """\
import time
print("0", flush=True)
time.sleep(600)
"""
LEAVES_ANOTHER = """\
import subprocess, sys
other = subprocess.Popen(["sleep", "600"], start_new_session=True)
print(other.pid, flush=True)
sys.stdin.readlines()
"""


@pytest.mark.parametrize("program", [OBEYS, DEAF, LEAVES_ANOTHER])
def test_a_server_that_ends_does_not_wait_for_a_program(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program ends when it is stopped by another thread, though what it has started goes on."""
    folder = SiteFolder(tmp_path)
    folder.make()
    (tmp_path / "works.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    programs = Programs(folder, "works")
    said: SimpleQueue[bytes | type[Stopped] | None] = SimpleQueue()

    def follow() -> None:
        try:
            for line in programs.run(1, b"{}", 600, lambda: True):
                said.put(line)
        except Stopped:
            said.put(Stopped)

    thread = Thread(target=follow, daemon=True)
    thread.start()
    line = said.get(timeout=120)
    assert line is not None
    other = int(line)  # type: ignore[arg-type]
    try:
        programs.stop()
        assert said.get(timeout=120) is Stopped
    finally:
        if other:
            os.kill(other, signal.SIGKILL)


def test_a_program_says_nothing_of_a_server_that_has_ended() -> None:
    """The log of the next server has no traceback of what the one before it had started."""
    program = "from arena.site.queue.programs import *; write_all(take_stdout(), b'an event')"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (SERVER_ENDED, b"")
