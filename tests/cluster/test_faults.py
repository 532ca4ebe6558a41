"""Faults of machines and of what lies between: one clear line each, nothing lost, play goes on."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster.clusters import Started, cluster, free_port, ladder, log, run, stranger

pytestmark = pytest.mark.source_only

SMALL_DISK = 'mount -t tmpfs -o size=1m none "$ARENA_VAULT" && exec "$@"'
PROXY = """
import asyncio, sys

async def passed_on(reader, writer, seconds):
    queue = asyncio.Queue()
    async def write():
        while (each := await queue.get()) is not None:
            due, data = each
            await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
            writer.write(data)
            await writer.drain()
        writer.close()
    writing = asyncio.ensure_future(write())
    while data := await reader.read(65536):
        await queue.put((asyncio.get_running_loop().time() + seconds, data))
    await queue.put(None)
    await writing

async def main(here, there, seconds):
    async def connected(reader, writer):
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", there)
        await asyncio.gather(
            passed_on(reader, other_writer, seconds), passed_on(other_reader, writer, seconds),
            return_exceptions=True,
        )
    server = await asyncio.start_server(connected, "127.0.0.1", here)
    await server.serve_forever()

asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
"""
JUMPING = """
import mmap, os, struct, time
with open(os.environ["CLOCK_IS_OFF_BY"], "rb") as file:
    off = mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)
clock, clock_ns = time.time, time.time_ns
time.time = lambda: clock() + struct.unpack("d", off)[0]
time.time_ns = lambda: clock_ns() + int(1e9 * struct.unpack("d", off)[0])
open(os.environ["CLOCK_IS_OFF_BY"] + ".in-use", "w").close()
"""


def same(definition: Path, *stores: str) -> bool:
    """Whether these stores have the same log."""
    return len({log(definition, store) for store in stores}) == 1


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The machine without room for a program is named with the reason; the other one plays."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root, for a disk of its own")
    home = stranger(tmp_path)
    (home / "large").write_bytes(bytes(2 << 20))
    definition = ladder(tmp_path, ("random", "gargon-hand", "./stranger"), games=12)
    text = definition.read_text("utf-8").replace("[3, 4]", "[3]")
    definition.write_text(text, "utf-8")
    subprocess.run(["sh", "-c", "mkdir -p build && cp bot.py build"], cwd=home, check=True)
    assert run(definition, "local").code == 0
    with cluster(tmp_path) as there:
        (tmp_path / "vault-full").mkdir()
        small = ("unshare", "-m", "sh", "-c", SMALL_DISK, "sh")
        there.machine("full", "--sandbox", "none", before=small)
        there.machine("roomy", "--sandbox", "none")
        found = run(definition, "dask", *there.options)
    assert found.code == 0, found.err
    (line,) = (each for each in found.err.splitlines() if " is set aside: " in each)
    assert line.startswith("machine 'full' is set aside: ")
    assert line.endswith("No space left on device")
    assert same(definition, "local", "dask")


def test_a_slow_network(tmp_path: Path) -> None:
    """Everything that a machine hears and says is late by a third of a second: it plays."""
    definition = ladder(tmp_path, games=16)
    assert run(definition, "local").code == 0
    port = free_port()
    with cluster(tmp_path) as there:
        words = ["-c", PROXY, str(port), str(there.port), "0.3"]
        there.machines["proxy"] = Started(words, tmp_path / "proxy.log")
        time.sleep(1)
        direct = there.address
        there.address = f"tcp://127.0.0.1:{port}"
        there.machine("far", "--sandbox", "none")
        found = run(definition, "dask", "--runner", "dask", "--scheduler", there.address)
        there.address = direct
    assert found.code == 0, found.err
    assert "set aside" not in found.err
    assert same(definition, "local", "dask")


@pytest.mark.parametrize("whose", ["scheduler", "machine", "host"])
def test_a_clock_that_jumps(tmp_path: Path, whose: str) -> None:
    """It jumps by hours, to and fro: whoever is thrown out comes back, and the log is the same."""
    definition = ladder(tmp_path, games=100)
    assert run(definition, "local").code == 0
    off = tmp_path / "off"
    off.write_bytes(struct.pack("d", 0))
    (tmp_path / "jumping").mkdir()
    (tmp_path / "jumping" / "sitecustomize.py").write_text(JUMPING, "ascii")
    # All processes that one of these starts have its clock, too.
    jumps = {"PYTHONPATH": str(tmp_path / "jumping"), "CLOCK_IS_OFF_BY": str(off)}
    env = {each: jumps if each == whose else {} for each in ("scheduler", "machine", "host")}
    ttl = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "2s"}
    with cluster(tmp_path, env={**ttl, **env["scheduler"]}) as there:
        there.machine("first", "--sandbox", "none", env=env["machine"])
        command = [sys.executable, "-m", "arena", "ladder", "run", definition.name]
        with subprocess.Popen(
            [*command, "--store", "dask", *there.options],
            cwd=tmp_path,
            env={**os.environ, **env["host"]},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stderr is not None
            first = process.stderr.readline()
            for seconds in (20_000, -20_000, 0):
                time.sleep(0.7)  # so that heartbeats come before and after
                with off.open("r+b") as file:  # it is never empty, as others have it in memory
                    file.write(struct.pack("d", seconds))
            _, rest = process.communicate(timeout=300)
    assert process.returncode == 0, first + rest
    assert off.with_name("off.in-use").exists()
    assert "Traceback" not in rest
    assert same(definition, "local", "dask")
