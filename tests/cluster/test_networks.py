"""Machines in network namespaces of their own, over TLS: what goes over the wire, and to whom."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from cluster.clusters import Started, certificates, ladder
from command import arena

pytestmark = pytest.mark.source_only

HOST = "10.213.{net}.1"
MACHINE = "10.213.{net}.{number}"


@dataclass(frozen=True)
class Network:
    """A bridge with the host at one end, and namespaces."""

    name: str
    net: int

    @property
    def host(self) -> str:
        """The host's address."""
        return HOST.format(net=self.net)

    def within(self, number: int) -> tuple[str, ...]:
        """Return the words before a command that runs in a namespace."""
        return ("ip", "netns", "exec", f"{self.name}-{number}")


def ip(*words: str) -> None:
    """Run ip."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def network() -> Iterator[Network]:
    """Two namespaces, connected with this host."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("needs root and ip (Debian's package is iproute2)")
    net = os.getpid() % 250
    found = Network(f"arena{os.getpid() % 100000}", net)
    try:
        try:
            ip("link", "add", found.name, "type", "bridge")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no bridges here: {error.stderr.decode()}")
        ip("addr", "add", f"{found.host}/24", "dev", found.name)
        ip("link", "set", found.name, "up")
        for number in (2, 3):
            space, here, there = f"{found.name}-{number}", f"a{net}h{number}", f"a{net}m{number}"
            ip("netns", "add", space)
            ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", space)
            ip("link", "set", here, "master", found.name, "up")
            address = MACHINE.format(net=net, number=number)
            ip("-n", space, "addr", "add", f"{address}/24", "dev", there)
            ip("-n", space, "link", "set", there, "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield found
    finally:
        for number in (2, 3):
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", f"{found.name}-{number}")
        with suppress(subprocess.CalledProcessError):
            ip("link", "del", found.name)


class Traffic:
    """All that goes over a bridge, as it is seen on the wire."""

    def __init__(self, interface: str) -> None:
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
        self._socket.bind((interface, 0))
        self._socket.settimeout(0.2)
        self._stop = False
        self.data = bytearray()
        self._thread = Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while not self._stop:
            with suppress(TimeoutError, OSError):
                self.data += self._socket.recv(65536)[54:]

    def close(self) -> None:
        """Stop listening."""
        self._stop = True
        self._thread.join()
        self._socket.close()


def test_over_tls_nobody_without_a_certificate_gets_anything(
    tmp_path: Path, network: Network
) -> None:
    """Machines in networks of their own play; the wire shows neither names nor the secret."""
    ours = certificates(tmp_path)
    definition = ladder(tmp_path, games=30)
    text = definition.read_text("utf-8").replace('seed = "gargon"\n', "")
    definition.write_text(text, "utf-8")
    address = f"tls://{network.host}:8786"
    dask_tls = [word.replace("--tls-ca", "--tls-ca-file") for word in ours]
    words = ["-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"]
    started = [Started([*words, "--no-show", *dask_tls], tmp_path / "scheduler.log")]
    traffic = Traffic(network.name)
    try:
        started[0].wait_for("Scheduler at")
        for number in (2, 3):
            machine = Started(
                [
                    *("-m", "arena", "worker", "--scheduler", address, *ours, "--sandbox", "none"),
                    *("--workers", "1", "--name", f"m{number}"),
                ],
                tmp_path / f"m{number}.log",
                before=network.within(number),
            )
            started.append(machine)
            machine.wait_for("connected to")
        options = ("--runner", "dask", "--scheduler", address, *ours, "--again", "0.5")
        found = arena(
            *("ladder", "run", definition.name, "--store", "dask", *options),
            cwd=tmp_path,
            limit=300,
        )
        assert found.code == 0, found.err
        assert "machine 'm2' plays" in found.err
        assert "machine 'm3' plays" in found.err
        asked = subprocess.run(
            [*network.within(2), sys.executable, "-c", UNKNOWN, network.host],
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert asked.stdout == "nothing\n", asked
    finally:
        traffic.close()
        for each in started[1:] + started[:1]:
            each.kill()
    secret = (tmp_path / "dask" / "secret").read_text("ascii").split("\n")[0]
    assert len(traffic.data) > 20_000
    for shown in (secret.encode(), bytes.fromhex(secret), b"gargon", b"distributed"):
        assert shown not in traffic.data


UNKNOWN = """
import socket, ssl, sys

def said(connection):
    try:
        connection.sendall(b"x" * 64)
        connection.settimeout(5)
        return connection.recv(1000)
    except OSError:
        return b""

plain = said(socket.create_connection((sys.argv[1], 8786), 5))
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
try:
    secured = said(context.wrap_socket(socket.create_connection((sys.argv[1], 8786), 5)))
except (ssl.SSLError, OSError):
    secured = b""
# A TLS alert, which says that a certificate is missing, is all that may come.
print("nothing" if secured == b"" and plain[:1] in (b"", b"\\x15") else (plain, secured))
"""
