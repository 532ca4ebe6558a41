"""Bots that do one thing wrong each: a small right one, with a line of it replaced."""

from __future__ import annotations

from pathlib import Path

RIGHT = """
import io, json, os, sys, time
import msgpack

seen = []
sink = os.fdopen(os.dup(1), "wb", buffering=0)
source = sys.stdin.buffer

def send(message):
    body = msgpack.packb(message)
    sink.write(len(body).to_bytes(4, "big") + body)

def choose(message):
    return 0

while header := source.read(4):
    message = msgpack.unpackb(source.read(int.from_bytes(header, "big")))
    kind = message["t"]
    if kind == "hello":
        send({"t": "hello", "protocol": [1, 0], "name": "right", "actions": True})
    elif kind == "start":
        pass
    elif kind == "act":
        send({"t": "action", "id": message["id"], "i": choose(message)})
    elif kind == "end":
        pass
    elif kind == "bye":
        break
"""
MANIFEST = """
name = "wrong"
games = ["gargon"]
run = ["python3", "bot.py"]
"""

START = 'elif kind == "start":\n        pass'
END = 'elif kind == "end":\n        pass'
CHOOSE = "    return 0"
BYE = 'elif kind == "bye":\n        break'

WRONG = {
    "nothing": ("", ""),
    "one-ladder-only": (
        START,
        START.replace("pass", "assert message['seats'] == 3 and message['rules']['open_winnings']"),
    ),
    "ends-at-once": ("seen = []", "raise SystemExit('no licence')"),
    "ends-at-hello": ('send({"t": "hello"', 'break\n        ({"t": "hello"'),
    "no-hello": ('send({"t": "hello"', '({"t": "hello"'),
    "wrong-version": ('"protocol": [1, 0]', '"protocol": [2, 0]'),
    "no-name": ('"name": "right", ', ""),
    "prints-at-start": ("seen = []", "print('Loading weights', flush=True)"),
    "prints-in-a-game": (CHOOSE, "    print('thinking', flush=True)\n    return 0"),
    "prints-little": (CHOOSE, "    print(1, flush=True)\n    return 0"),
    "prints-after-a-game": (END, END.replace("pass", "print('gg', flush=True)")),
    "illegal": (CHOOSE, "    return 0 if message['kind'] != 'draw' else 2"),
    "wrong-id": ('"id": message["id"]', '"id": 1'),
    "no-index": ('"i": choose(message)', '"index": choose(message)'),
    "answers-twice": (END, END.replace("pass", "send({'t': 'action', 'id': 0, 'i': 0})")),
    "crashes": (CHOOSE, "    return 0 if message['view']['seat'] != 3 else 1 // 0"),
    "crashes-at-end": (END, END.replace("pass", "raise ValueError('no result')")),
    "gives-up": (CHOOSE, "    send({'t': 'error', 'text': 'I am lost'})"),
    "remembers": (CHOOSE, "    seen.append(1)\n    return len(seen) // 9 % 2"),
    "unrepeatable": (
        CHOOSE,
        "    return int.from_bytes(os.urandom(4), 'big') % len(message['actions'])",
    ),
    "needs-known-messages": (BYE, f"{BYE}\n    else:\n        raise KeyError(kind)"),
    "needs-known-keys": (START, START.replace("pass", "assert len(message) == 8, message")),
    "reads-little": (
        "    message = msgpack",
        "    assert int.from_bytes(header, 'big') < 100_000\n    message = msgpack",
    ),
    "hangs": (CHOOSE, "    time.sleep(1000)"),
    "slow": (CHOOSE, "    time.sleep(0.003)\n    return 0"),
    "needs-secrets": (CHOOSE, "    return message['view']['won'].index(None) * 0"),
    "ends-after-a-game": (END, END.replace("pass", "break")),
    "ignores-bye": (BYE, BYE.replace("break", "time.sleep(1000)")),
    "ignores-the-end-of-input": ('    elif kind == "bye"', '    elif kind == "bye"'),
    "fails-at-bye": (BYE, BYE.replace("break", "sys.exit(3)")),
}
"""By name: what is replaced in the right one, and by what."""


def write_wrong(folder: Path, name: str) -> Path:
    """The bot of this name, in a folder of its own."""
    text = altered(*WRONG[name])
    if name == "ignores-the-end-of-input":
        text += "\nif kind != 'bye':\n    time.sleep(1000)\n"
    return write_bot(folder, name, text)


def altered(old: str, new: str) -> str:
    """The right bot with the first of these texts replaced."""
    assert old in RIGHT, old
    return RIGHT.replace(old, new, 1)


def write_bot(folder: Path, name: str, text: str) -> Path:
    """A bot of this program, in a folder of its own."""
    bot = folder / name
    bot.mkdir()
    (bot / "bot.py").write_text(text)
    (bot / "bot.toml").write_text(MANIFEST)
    return bot
