"""The settings of a site: the file `site.toml` in its folder, which its host edits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from arena.errors import ArenaError
from arena.site.rules.limits import LIMITS, MOST, AuthorLimits
from arena.wording import brief

SETTINGS: Final = "site.toml"
LARGEST: Final = 1_000_000
MOST_STREAMS: Final = 10_000
KEYS: Final = (
    "title", "address", "sign-up", "sign-ups-a-day", "play", "limits", "spectators", "proxies",
    "mail",
)  # fmt: skip
TEMPLATE: Final = """\
# The settings of this site. They are read when it starts.

title = "Arena"

# How the site is reached from outside, such as "https://arena.example.org". Passkeys and links
# belong to this address. Without it the site is at http://localhost, for this machine alone.
# address = "https://arena.example.org"

# Reverse proxies on other machines, whose word is taken for where requests come from, such as
# "10.0.0.2". One on this machine is taken at its word anyway.
# proxies = []

# "invitation": people join by links that you make. "open": anybody can.
sign-up = "invitation"
# With open sign-up: how many can join in 24 hours.
sign-ups-a-day = 200

# With false the site starts no runs; `arena ladder run FILE --follow` beside it plays a ladder.
play = true

# What one author may hand in.
[limits]
{limits}

# Who may watch: how many can have standings streamed to them at once, and how many of them from
# one address, such as that of a school. All others see them anew every half minute.
[spectators]
{spectators}

# A server for mail; then people can have links sent to sign in.
# [mail]
# server = "mail.example.org"
# port = 587
# user = "arena"
# password-file = "/etc/arena/mail-password"
# from = "arena@example.org"
"""


class SettingsError(ArenaError):
    """Settings with mistakes; the text has the file and every mistake, in one line."""


@dataclass(frozen=True)
class MailServer:
    """A server that takes mail."""

    server: str
    sender: str
    port: int = 587
    user: str = ""
    password_file: str = ""
    tls: bool = True
    """Whether it is spoken to by STARTTLS; only a server on this machine may do without."""


@dataclass(frozen=True)
class Spectators:
    """How many may watch with a stream."""

    streams: int = 1000
    streams_of_one_address: int = 100


@dataclass(frozen=True)
class Settings:
    """What a host can set."""

    title: str = "Arena"
    address: str = ""
    open_sign_up: bool = False
    sign_ups_a_day: int = 200
    play: bool = True
    limits: AuthorLimits = field(default_factory=AuthorLimits)
    spectators: Spectators = field(default_factory=Spectators)
    proxies: tuple[str, ...] = ()
    mail: MailServer | None = None

    def is_proxy(self, address: str) -> bool:
        """Whether a request from this address may come from elsewhere, by a proxy of the site's."""
        return is_loopback(address) or address in self.proxies

    def reached_at(self, host: str, port: int) -> Settings:
        """Return these settings with an address, for a site that listens here.

        Raise `SettingsError` if others can reach it and no address is set.
        """
        if self.address:
            return self
        if not is_loopback(host):
            raise SettingsError(
                f"{SETTINGS}: address: expected how the site is reached, such as "
                f'"https://arena.example.org", as it listens on {host}; got no such key'
            )
        return replace(self, address=f"http://localhost:{port}")

    @property
    def secure(self) -> bool:
        """Whether the site is reached by TLS."""
        return self.address.startswith("https://")

    @property
    def domain(self) -> str:
        """The name of the site's host, for which passkeys are made."""
        return urlsplit(self.address).hostname or ""

    @property
    def hosts(self) -> frozenset[str]:
        """What a request may name as its host."""
        own = urlsplit(self.address).netloc
        if not is_loopback(self.domain):
            return frozenset({own})
        port = own.rpartition(":")[2]
        return frozenset({own, f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"})


SPECTATORS: Final = tuple(each.name for each in fields(Spectators))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches this host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def write_settings(path: Path) -> None:
    """Write settings with comments, for a host to edit."""
    own = AuthorLimits()
    limits = "\n".join(f"{_key(name)} = {getattr(own, name)}" for name in LIMITS)
    spectators = "\n".join(f"{_key(name)} = {getattr(Spectators(), name)}" for name in SPECTATORS)
    text = TEMPLATE.format(limits=limits, spectators=spectators)
    path.write_text(text, encoding="utf-8")


def read_settings(path: Path) -> Settings:
    """Return the settings in this file; raise `SettingsError` with all mistakes."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: expected TOML: {error}") from None
    reader = _Reader(table)
    found = reader.settings()
    if reader.mistakes:
        raise SettingsError(f"{path}: " + "; ".join(reader.mistakes))
    return found


class _Reader:
    """Reads the settings' table and collects its mistakes."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self.mistakes: list[str] = []

    def settings(self) -> Settings:
        """Return the settings, which are of use only if there are no mistakes."""
        self._known(self._table, KEYS)
        sign_up = self._text(self._table, "sign-up", "invitation")
        if sign_up not in ("invitation", "open"):
            self._wrong("sign-up", 'expected "invitation" or "open"', sign_up)
        play = self._table.get("play", True)
        if not isinstance(play, bool):
            self._wrong("play", "expected true or false", play)
        return Settings(
            title=self._text(self._table, "title", "Arena"),
            address=self._address(),
            open_sign_up=sign_up == "open",
            sign_ups_a_day=self._count(self._table, "sign-ups-a-day", 200, LARGEST),
            play=bool(play),
            limits=self._limits(),
            spectators=self._spectators(),
            proxies=self._proxies(),
            mail=self._mail(),
        )

    def _address(self) -> str:
        text = self._text(self._table, "address", "")
        if not text:
            return ""
        try:
            parts = urlsplit(text)
            good = parts.scheme in ("http", "https") and bool(parts.hostname)
            good = good and parts.path in ("", "/") and not (parts.query or parts.fragment)
            good = good and parts.username is None and parts.port != 0
        except ValueError:
            good = False
        if not good:
            self._wrong("address", 'expected an address such as "https://arena.example.org"', text)
            return ""
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            self._wrong("address", "expected https, which keeps sessions and tokens secret", text)
        return f"{parts.scheme}://{parts.netloc.lower()}"

    def _proxies(self) -> tuple[str, ...]:
        value = self._table.get("proxies", [])
        try:
            if isinstance(value, list) and all(isinstance(each, str) for each in value):
                return tuple(str(ip_address(each)) for each in value)
        except ValueError:
            pass
        self._wrong("proxies", 'expected a list of addresses such as "10.0.0.2"', value)
        return ()

    def _spectators(self) -> Spectators:
        table = self._part("spectators")
        within = "spectators."
        self._known(table, [_key(name) for name in SPECTATORS], within)
        own = Spectators()
        found = {
            name: self._count(table, _key(name), getattr(own, name), MOST_STREAMS, within)
            for name in SPECTATORS
        }
        return Spectators(**found)

    def _limits(self) -> AuthorLimits:
        table = self._part("limits")
        self._known(table, [_key(name) for name in LIMITS], "limits.")
        own = AuthorLimits()
        found = {
            name: self._count(
                table, _key(name), getattr(own, name), MOST.get(name, LARGEST), "limits."
            )
            for name in LIMITS
        }
        return AuthorLimits(**found)

    def _mail(self) -> MailServer | None:
        table = self._part("mail")
        if not table:
            return None
        keys = ("server", "port", "user", "password-file", "from", "tls")
        self._known(table, keys, "mail.")
        for key in ("server", "from"):
            if key not in table:
                self._wrong(f"mail.{key}", "expected a text", None)
        tls = table.get("tls", True)
        if not isinstance(tls, bool):
            self._wrong("mail.tls", "expected true or false", tls)
        found = MailServer(
            server=self._text(table, "server", "", "mail."),
            sender=self._text(table, "from", "", "mail."),
            port=self._count(table, "port", 587, 65535, "mail."),
            user=self._text(table, "user", "", "mail."),
            password_file=self._text(table, "password-file", "", "mail."),
            tls=bool(tls),
        )
        if not found.tls and not is_loopback(found.server):
            self._wrong("mail.tls", "expected true for a server on another machine", tls)
        return found

    def _part(self, key: str) -> Mapping[str, Any]:
        table = self._table.get(key, {})
        if isinstance(table, dict):
            return table
        self._wrong(key, f"expected a table [{key}]", table)
        return {}

    def _text(self, table: Mapping[str, Any], key: str, default: str, within: str = "") -> str:
        value = table.get(key, default)
        if not isinstance(value, str) or not value.isprintable():
            self._wrong(within + key, "expected a text of one line", value)
            return default
        return value

    def _count(
        self, table: Mapping[str, Any], key: str, default: int, most: int, within: str = ""
    ) -> int:
        value = table.get(key, default)
        if type(value) is not int or not 1 <= value <= most:
            self._wrong(within + key, f"expected a number from 1 to {most}", value)
            return default
        return value

    def _known(self, table: Mapping[str, Any], keys: Any, within: str = "") -> None:
        for key in table:
            if key not in keys:
                self.mistakes.append(f"{within}{key}: unknown key; the keys are: {', '.join(keys)}")

    def _wrong(self, key: str, expected: str, got: object) -> None:
        self.mistakes.append(
            f"{key}: {expected}, got {'no such key' if got is None else brief(got)}"
        )


def _key(name: str) -> str:
    return name.replace("_", "-")
