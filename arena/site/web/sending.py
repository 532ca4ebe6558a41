"""Sending what is the same for everybody: compressed where that is understood, or not at all."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

LEAST: Final = 1000
"""Bytes from which on compressing is worth it."""


def sent(
    request: Request,
    data: bytes,
    kind: str,
    identity: str = "",
    packed: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return what is sent; nothing but its tag if the browser has it already.

    `identity` is what its content is told apart by; by default a hash of it.
    """
    tag = f'W/"{identity or sha256(data).hexdigest()[:16]}"'
    own = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding", **(headers or {})}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, own)
    if "gzip" in request.headers.get("accept-encoding", "") and len(data) >= LEAST:
        own["content-encoding"] = "gzip"
        data = gzip.compress(data, 6, mtime=0) if packed is None else packed
    return Response(data, headers=own, media_type=kind)
