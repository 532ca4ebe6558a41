"""Secrets: what is given to people once, and of which a site keeps only hashes."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

TOKEN: Final = "arena_"
"""How tokens begin, so that programs that look for leaked secrets can tell them."""
LETTERS: Final = "ABCDEFGHJKLMNPQRSTVWXYZ23456789"
"""Letters and digits that nobody takes for others."""
CODE: Final = 8


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return TOKEN + new_secret()


def new_code() -> str:
    """Return a code that is short enough to be compared by eye: `ABCD-EFGH`."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(CODE))
    return f"{letters[:4]}-{letters[4:]}"


def hashed(secret: str) -> bytes:
    """Return what is kept of a secret; it is long and random, so one round is enough."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
