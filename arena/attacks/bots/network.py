"""Tries to reach the network, and the host's programs by sockets of any kind."""

import socket
from collections.abc import Callable

from attempts import add, attempt, scene, tell

SECONDS = 2
FAMILIES = {
    "IPv4": 2,
    "IPv6": 10,
    "netlink": 16,
    "packet": 17,
    "key management": 15,
    "RDS": 21,
    "CAN": 29,
    "TIPC": 30,
    "Bluetooth": 31,
    "the kernel's cryptography": 38,
    "virtual machines (vsock)": 40,
    "XDP": 44,
}


def make(family: int, kind: int) -> Callable[[], object]:
    """Return an attempt to get a socket at all."""

    def make() -> str:
        socket.socket(family, kind).close()
        return "got a socket"

    return make


@attempt("connect to the host by TCP")
def by_tcp() -> object:
    """The host listens on a port of its loopback device."""
    with socket.create_connection(("127.0.0.1", scene["tcp"]), SECONDS):
        return "connected"


@attempt("reach the host by UDP")
def by_udp() -> object:
    """This needs no connection."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"hello", ("127.0.0.1", scene["udp"]))
        return "sent"


@attempt("connect to the host by an abstract Unix socket")
def by_abstract_name() -> object:
    """Abstract sockets have no files: only a network namespace keeps them apart."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect("\0" + scene["abstract"])
        return "connected"


@attempt("connect to the host by a Unix socket's file")
def by_file() -> object:
    """This fails where the file cannot be seen."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(scene["socket"])
        return "connected"


for what, family in FAMILIES.items():
    kind = socket.SOCK_SEQPACKET if what == "the kernel's cryptography" else socket.SOCK_DGRAM
    add(f"a socket for {what}", make(family, socket.SOCK_RAW if family in {10, 15, 16} else kind))
tell("network")
