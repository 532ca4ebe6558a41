"""Logging in from the command line, handing in, and what is kept of it."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.remote.client import site_address
from command import arena, assert_refused
from sites.conftest import site
from sites.served import LADDER, Served, token_of, write_bot

__all__ = ["site"]

pytestmark = pytest.mark.source_only


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ARENA_TOKEN", raising=False)


def test_a_login_is_allowed_in_a_browser(site: Served, tmp_path: Path) -> None:
    """The command prints a link and a code, waits, and keeps a token that only its user reads."""
    host = site.host()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "login", site.address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as login:
        assert login.stderr is not None
        said = ""
        while not (line := login.stderr.readline()).startswith("  code"):
            assert line, said
            said += line
        link = re.findall(r"http\S+", said)[0]
        assert line.split()[-1] in link  # the code that is compared
        assert host.post(link).status == 200
        out, err = login.communicate(timeout=300)
    assert login.returncode == 0, err
    assert out == f"logged in to {site.address} as hosty\n"
    kept = tmp_path / "data" / "arena" / "sites.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    token = json.loads(kept.read_text())[site.address]
    assert token not in out + err + said
    assert host.call("GET", "/me", token).json["scopes"] == ["read", "submit"]

    host.post("/new-ladder", name="friday", definition=LADDER)
    folder = write_bot(tmp_path / "mine")
    done = arena("submit", str(folder), "--ladder", "friday", "--no-wait", "--json")
    assert done.code == 0, done.err
    assert done.json["ladder"] == "friday"


def test_a_token_can_be_given_by_hand(site: Served, tmp_path: Path) -> None:
    """Where nobody has a browser, a token that was made elsewhere is read from stdin."""
    again = arena("serve", str(site.folder), "--host-link", "--port", site.address.split(":")[-1])
    host = site.visitor()
    host.enter(again.out.strip())
    token = token_of(host, "read")
    for given, code in ((token, 0), ("arena_wrong", 2)):
        done = subprocess.run(
            [sys.executable, "-m", "arena", "login", site.address, "--token"],
            input=f"{given}\n",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert given not in done.stdout + done.stderr


def test_mistakes_are_said_in_a_line(tmp_path: Path) -> None:
    """Who is not logged in, or names no site, learns what to do; a site that is gone is named."""
    folder = write_bot(tmp_path / "mine")
    submit = ("submit", str(folder), "--ladder", "friday")
    assert_refused(arena(*submit), "log in to one first: arena login URL")
    assert_refused(arena(*submit, "--site", "https://a.example"), "arena login https://a.example")
    assert_refused(arena("login", "http://arena.example.org"), "expected https")
    assert_refused(arena("login", "https://"), "expected the address of a site")
    assert_refused(arena("submit", str(tmp_path), "--ladder", "x"), "bot.toml: no such file")
    gone = arena("login", "localhost:1")
    assert gone.code == 3
    assert "http://localhost:1: cannot be reached" in gone.err


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("arena.example.org", "https://arena.example.org"),
        ("https://Arena.Example.org/ladders/x", "https://arena.example.org"),
        ("localhost:8000", "http://localhost:8000"),
        ("http://127.0.0.1:80/", "http://127.0.0.1:80"),
        ("ftp://x", None),
        ("https://user:secret@x", None),
        ("https://x:0", None),
        ("", None),
    ],
)
def test_addresses(text: str, address: str | None) -> None:
    """What people type comes to one address, by TLS unless it is this machine."""
    if address is None:
        with pytest.raises(ArenaError):
            site_address(text)
    else:
        assert site_address(text) == address
