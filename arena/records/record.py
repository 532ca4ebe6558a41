"""The record of a game: all that is needed to play it again, chained by hash.

A record is one line of JSON in canonical form: keys sorted, no white space, integers and
texts only, UTF-8. Its `hash` is the SHA-256 of the line without that key, and `previous`
is the hash of the record before it. Nothing in it depends on time or on the host.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeAlias

FORMAT = 1
FIRST = "0" * 64
"""Takes the place of the previous hash in a first record."""

Record: TypeAlias = dict[str, Any]


def chain(record: Record, previous: str) -> Record:
    """Return the record with the hash of the previous one and its own."""
    linked = {**record, "previous": previous}
    return {**linked, "hash": hash_of(linked)}


def hash_of(record: Mapping[str, Any]) -> str:
    """Return the hash that a record must carry."""
    bare = {key: value for key, value in record.items() if key != "hash"}
    return sha256(canonical(bare).encode()).hexdigest()


def canonical(value: Any) -> str:
    """Return a value as canonical JSON, the form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
