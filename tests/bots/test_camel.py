"""The bot without an SDK: one file of Perl, in the starter for any language and in bots/."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from arena.wire.codec import decode
from arena.wire.frames import HEADER

pytestmark = pytest.mark.source_only

ROOT = Path(__file__).parents[2]
BOT = ROOT / "bots" / "perl" / "camel" / "bot.pl"
STARTERS = ROOT / "arena" / "starters" / "none"
TRANSCRIPTS = ROOT / "protocol" / "vectors" / "transcripts"
GAMES = ("castors-3", "gargon-4")
LONGEST = 150
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")


def said(name: str) -> list[bytes]:
    """All that the referee says to seat 1 in the transcript of this name."""
    told = json.loads((TRANSCRIPTS / f"{name}.json").read_text())
    return [
        bytes.fromhex(one["hex"])
        for one in told["frames"]
        if one["seat"] == 1 and one["from"] == "referee"
    ]


def converse(frames: list[bytes], piece: int = 1 << 20) -> list[Any]:
    """What the bot answers to these frames, that come so many bytes at a time."""
    data = b"".join(frames)
    with subprocess.Popen(["perl", BOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        for at in range(0, len(data), piece):
            bot.stdin.write(data[at : at + piece])
            bot.stdin.flush()
        bot.stdin.close()
        answers = bot.stdout.read()
    assert bot.returncode == 0
    found = []
    while answers:
        end = HEADER + int.from_bytes(answers[:HEADER], "big")
        found.append(decode(answers[HEADER:end]))
        answers = answers[end:]
    return found


def framed(body: bytes) -> bytes:
    """A frame around a body."""
    return len(body).to_bytes(HEADER, "big") + body


def widely(value: Any, width: int) -> bytes:
    """A value in msgpack, its integers and lengths in 2 to the power of `width` bytes or more."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        while not -(1 << (8 << width) - 1) <= value < 1 << (8 << width) - (value < 0):
            width += 1
        return bytes([(0xD0 if value < 0 else 0xCC) + width]) + value.to_bytes(
            1 << width, "big", signed=value < 0
        )
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return bytes([0xD9 + min(width, 2)]) + len(data).to_bytes(1 << min(width, 2), "big") + data
    head, size = (0xDE if isinstance(value, dict) else 0xDC), min(max(width, 1), 2)
    parts = [part for pair in value.items() for part in pair] if head == 0xDE else value
    body = b"".join(widely(part, width) for part in parts)
    return bytes([head + size - 1]) + len(value).to_bytes(1 << size, "big") + body


@needs_perl
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("width", [0, 1, 2, 3])
def test_every_width_means_the_same(name: str, width: int) -> None:
    """Whatever widths the referee takes, and whatever else it may send, the answers are equal."""
    frames = said(name)
    rest = {"later": [1.5, -2.5, None, True, -(2**53) + 1, 2**53 - 1, "Bièvre 海狸", {"": {}}]}
    wide = []
    for one in frames:
        message = decode(one[HEADER:])
        wide.append(framed(widely({**rest, **message}, width)))
        if message["t"] in ("start", "end"):
            wide.append(framed(widely({"t": "weather", **rest}, width)))
    expected = converse(frames)
    assert len(expected) > len(frames) / 3
    assert converse(wide) == expected


@needs_perl
def test_frames_come_in_pieces() -> None:
    """A pipe does not keep frames apart; the answers are those to whole frames."""
    frames = said("castors-3")
    assert converse(frames, piece=7) == converse(frames)


@pytest.mark.parametrize("game", ["castors", "gargon"])
def test_starter_is_the_bundled_bot(game: str) -> None:
    """An author of any language begins with the bot that is tried here."""
    text = (STARTERS / game / "bot.pl").read_text()
    assert text.replace("my-bot", "camel") == BOT.read_text()


def test_it_needs_nothing_but_perl() -> None:
    """What a bot needs of the protocol is short, and takes no library."""
    lines = BOT.read_text().splitlines()
    assert len(lines) <= LONGEST
    used = {found[1] for line in lines if (found := re.match(r"(?:use|require) ([\w:]+)", line))}
    assert used == {"strict", "warnings", "IO::Handle", "List::Util"}  # all of Debian's perl-base
