"""How the cluster is reached: its address, its certificates, and what is refused without them."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from ssl import SSLError
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from arena.blocks.runner import Cluster, UnusableRunner

if TYPE_CHECKING:
    from distributed.security import Security

TLS, TCP = "tls", "tcp"
LOOPBACK = "127.0.0.1"
SETTINGS = {
    # Of every connection Dask keeps the last thousand messages, with the questions in them.
    "distributed.admin.low-level-log-length": 10,
    # What it measures of itself, fifty times a second by default.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.system-monitor.interval": "5s",
    # Questions are for one machine, and their answers are fetched at once.
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
    "distributed.worker.http.routes": [],
}
"""How Dask is set wherever the arena starts a part of it."""
QUIET = ("distributed", "tornado", "asyncio", "bokeh")


@dataclass(frozen=True)
class Connection:
    """An address, and the certificates with which it is reached."""

    address: str
    security: Security
    local: bool
    """Whether it stays on this machine, without TLS."""


def check_installed() -> None:
    """Raise `UnusableRunner` if the extra is missing."""
    if find_spec("distributed") is None:
        raise UnusableRunner(
            "Dask is not installed; install the extra that brings it: pip install 'bot-arena[dask]'"
        )


def connection(cluster: Cluster) -> Connection:
    """Return how this cluster is reached; raise `UnusableRunner` if that is not safe."""
    check_installed()
    security = _security(cluster)
    scheme, host, port = _parts(cluster.scheduler)
    certified = bool(security.tls_ca_file)
    scheme = scheme or (TLS if certified else TCP)
    address = f"{scheme}://{host}:{port}"
    if scheme == TLS:
        if not certified or not (security.tls_client_cert and security.tls_worker_cert):
            raise UnusableRunner(
                f"--scheduler {address}: expected certificates for TLS: --tls-ca, --tls-cert and "
                "--tls-key, or those of Dask's configuration (distributed.comm.tls)"
            )
        _check_certificates(security)
        return Connection(address, security, False)
    if any((cluster.ca, cluster.certificate, cluster.key)):
        raise UnusableRunner(f"--scheduler {address}: is without TLS; write tls://{host}:{port}")
    local = _is_loopback(host)
    if not local and not cluster.insecure:
        raise UnusableRunner(
            f"--scheduler {address}: without TLS everybody on the way can run programs here and "
            "there; use tls:// with certificates, or say --insecure where only machines that you "
            "trust are on the network"
        )
    return Connection(address, security, local)


def apply_settings() -> None:
    """Set Dask as it is to be in this process."""
    import dask  # noqa: PLC0415 - the extra may be missing

    dask.config.set(SETTINGS)


def as_environment(settings: Mapping[str, object]) -> dict[str, str]:
    """Return Dask's settings as the variables by which it takes them."""
    return {
        f"DASK_{name.replace('.', '__').replace('-', '_').upper()}": str(value)
        for name, value in settings.items()
    }


def quieten() -> None:
    """Keep Dask's own messages from the terminal, unless all is logged."""
    if not logging.getLogger().isEnabledFor(logging.INFO):
        for name in QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _security(cluster: Cluster) -> Security:
    from distributed.security import Security  # noqa: PLC0415 - the extra may be missing

    given = (cluster.ca, cluster.certificate, cluster.key)
    if not any(given):
        return Security()
    for option, path in zip(("--tls-ca", "--tls-cert", "--tls-key"), given, strict=True):
        if path is None and option != "--tls-key":  # the key may be in the same file
            raise UnusableRunner(
                f"{option}: expected a file, as TLS needs both sides' certificates"
            )
        if path is not None and not path.is_file():
            raise UnusableRunner(f"{option} {path}: no such file")
    ca, certificate, key = (None if path is None else str(Path(path).absolute()) for path in given)
    return Security(
        require_encryption=True,
        tls_ca_file=ca,
        tls_client_cert=certificate,
        tls_client_key=key,
        tls_worker_cert=certificate,
        tls_worker_key=key,
        tls_scheduler_cert=certificate,
        tls_scheduler_key=key,
    )


def _check_certificates(security: Security) -> None:
    """Raise `UnusableRunner` if the files are no certificates, or the key is another one's."""
    try:
        security.get_connection_args("client")
    except (SSLError, OSError) as error:
        raise UnusableRunner(
            f"--tls-ca {security.tls_ca_file}, --tls-cert {security.tls_client_cert}: expected "
            f"PEM files that belong together, got: {error}"
        ) from None


def _parts(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address."""
    scheme, colon, rest = address.partition("://")
    if not colon:
        scheme, rest = "", address
    try:
        found = urlsplit(f"//{rest}")
        host, port = found.hostname or "", found.port
    except ValueError:
        host, port = "", None
    if not host or port is None or scheme not in ("", TLS, TCP):
        raise UnusableRunner(
            f"--scheduler: expected an address such as tls://host:8786, got {address!r}"
        )
    return scheme, f"[{host}]" if ":" in host else host, port


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine, and nobody else can connect to it."""
    try:
        found = {info[4][0] for info in socket.getaddrinfo(host.strip("[]"), None)}
    except OSError:
        return False
    return bool(found) and all(ip_address(str(each)).is_loopback for each in found)
