"""Canonical JSON: the one form in which a value is written, so that equal values are equal bytes.

Keys are sorted, there is no white space, and texts are UTF-8.
"""

from __future__ import annotations

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical_bytes(value: object) -> bytes:
    """Return a value as canonical JSON, the form that is hashed."""
    return _encoder.encode(value)


def canonical(value: object) -> str:
    """Return a value as canonical JSON, as text."""
    return _encoder.encode(value).decode()
