"""The tokens of the sites that one has logged in to, in a file for oneself alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from arena.errors import ArenaError
from arena.programs.places import data_home

TOKEN: Final = "ARENA_TOKEN"
"""The environment variable with a token, for machines on which nobody logs in."""


class NotLoggedIn(ArenaError):
    """No token is known for a site."""


class Credentials:
    """The tokens in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def default(cls) -> Credentials:
        """Return the tokens of this user."""
        return cls(data_home() / "sites.json")

    def keep(self, address: str, token: str) -> None:
        """Keep the token of a site, in place of an older one; it becomes the site by default."""
        known = self._read()
        known.pop(address, None)
        self._write({**known, address: token})

    def forget(self, address: str) -> None:
        """Forget the token of a site."""
        known = self._read()
        if known.pop(address, None) is not None:
            self._write(known)

    def find(self, address: str | None) -> tuple[str, str]:
        """Return a site and its token: this one, or the one that was logged in to last."""
        known = self._read()
        if address is None:
            if not known:
                raise NotLoggedIn("expected a site; log in to one first: arena login URL")
            address = list(known)[-1]
        token = os.environ.get(TOKEN, "") or known.get(address)
        if token is None:
            raise NotLoggedIn(f"{address}: log in first: arena login {address}")
        return address, token

    def address(self) -> str:
        """Return the site that was logged in to last."""
        known = self._read()
        if not known:
            raise NotLoggedIn(
                "expected a site; name one with --site URL, or log in: arena login URL"
            )
        return list(known)[-1]

    def _read(self) -> dict[str, str]:
        try:
            known = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            known = None
        if not isinstance(known, dict):
            raise ArenaError(f"{self._path}: expected JSON; remove it, and log in again")
        return {str(key): str(value) for key, value in known.items()}

    def _write(self, known: dict[str, str]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        made = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        made.unlink(missing_ok=True)
        fd = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        made.replace(self._path)
