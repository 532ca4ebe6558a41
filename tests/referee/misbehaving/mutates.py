"""Plays, and by chance does to its pipes whatever can be done to them; its argument is the seed.

Most answers are good. The rest are mutated frames, in one piece or in several, late, early, too
many, too large or none at all; and closed pipes, floods, children that answer, all kinds of ends.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgpack
from honest import HELLO, Honest, write

sys.path.append(str(Path(__file__).resolve().parents[1]))
from mutations import framed, mutated

LARGEST = 1 << 20
PAUSES = (0.0, 0.001, 0.015, 0.03, 0.08)
HANG = 600.0

chance = Random(int(sys.argv[1]))
bot = Honest()


def good(number: int, **more: Any) -> bytes:
    """The frame of an honest answer, with more in it that is allowed."""
    return framed(msgpack.packb({"t": "action", "id": number, "i": 0} | more))


def in_pieces(data: bytes) -> None:
    """Write in up to five pieces, with pauses."""
    cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(5)))
    for start, end in pairwise([0, *cuts, len(data)]):
        write(data[start:end])
        time.sleep(chance.choice(PAUSES))


def mutates(number: int) -> None:
    """A frame that is mutated, or nearly good."""
    write(mutated(chance, number))


def dawdles(number: int) -> None:
    """The same, or a good one, in pieces."""
    in_pieces(mutated(chance, number) if chance.random() < 0.5 else good(number))


def is_late(number: int) -> None:
    """A good answer, late."""
    time.sleep(chance.choice(PAUSES))
    write(good(number))


def hangs(number: int) -> None:
    """Part of an answer, and nothing more."""
    write(good(number)[: chance.randrange(12)])
    time.sleep(HANG)


def floods(number: int) -> None:
    """Answers, mutated frames or chance bytes without end."""
    data = chance.choice((good(number), mutated(chance, number), chance.randbytes(70_000)))
    while True:
        write(data)


def floods_stderr(number: int) -> None:
    """Megabytes to stderr beside a good answer."""
    os.write(2, chance.randbytes(1000) * chance.choice((1, 1000, 5000)))
    write(good(number))


def is_large(number: int) -> None:
    """A frame near the limits of bytes or of values, or beyond them."""
    size = chance.choice((1000, 65_000, LARGEST - 100, LARGEST, LARGEST + 1))
    kind = chance.randrange(3)
    more: object = (
        "x" * size if kind == 0 else [None] * size if kind == 1 else chance.randbytes(size)
    )
    in_pieces(good(number, x=more))


def notes(number: int) -> None:
    """A note of any length, with characters of any kind."""
    sign = chance.choice(("n", "é", "€", "\0", "\x1b[2J", "😀", "\n"))
    write(good(number, note=sign * chance.randrange(700)))


def repeats(number: int) -> None:
    """Several answers at once, also to questions that were not asked yet."""
    write(b"".join(good(number + chance.randrange(3)) for _ in range(chance.randrange(2, 30))))


def is_of_another_kind(number: int) -> None:
    """A message that is not the one that is due."""
    kind = chance.choice(("hello", "error", "bye", "act", "start", "", None, 7))
    write(framed(msgpack.packb(HELLO | {"t": kind, "id": number, "text": "no" * 400})))


def closes(number: int) -> None:
    """A pipe is closed, and it plays on as far as it can."""
    os.close(chance.randrange(3))
    write(good(number))


def changes_its_pipes(number: int) -> None:
    """Pipes that do not block, or of another size."""
    fd = chance.randrange(3)
    if chance.random() < 0.5:
        os.set_blocking(fd, False)
    else:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, chance.choice((4096, LARGEST)))
    write(good(number))


def leaves_it_to_a_child(number: int) -> None:
    """A child answers, while its parent ends, sleeps or answers as well."""
    if os.fork():
        chance.choice((sys.exit, lambda: time.sleep(0.05), lambda: write(good(number))))()
        return
    if chance.random() < 0.5:
        os.setsid()
    time.sleep(chance.choice(PAUSES))
    write(mutated(chance, number) if chance.random() < 0.3 else good(number))
    if chance.random() < 0.5:
        time.sleep(HANG)
    os._exit(0)


def ends(number: int) -> None:
    """An end by itself or by a signal, perhaps amid an answer; SIGSTOP is none."""
    write(good(number)[: chance.randrange(30)])
    if chance.random() < 0.5:
        os._exit(chance.randrange(256))
    ending = (signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP, signal.SIGPIPE, signal.SIGABRT)
    os.kill(os.getpid(), chance.choice(ending))


TRICKS: dict[Callable[[int], None], int] = {
    mutates: 60,
    dawdles: 12,
    is_late: 10,
    notes: 10,
    is_large: 6,
    repeats: 4,
    is_of_another_kind: 4,
    changes_its_pipes: 4,
    floods_stderr: 3,
    leaves_it_to_a_child: 3,
    closes: 2,
    ends: 2,
    floods: 1,
    hangs: 1,
}
"""What it does, and how often."""


def greets() -> None:
    """Say hello, mostly as one should."""
    bot.line.receive()
    if chance.random() < 0.95:
        bot.line.send(HELLO | {"actions": chance.random() < 0.7, "events": chance.random() < 0.7})
    else:
        ends(0) if chance.random() < 0.2 else in_pieces(mutated(chance))


def answers(number: int) -> None:
    """Mostly an honest answer."""
    if chance.random() < 0.8:
        write(good(number))
        return
    (trick,) = chance.choices(list(TRICKS), list(TRICKS.values()))
    trick(number)


greets()
while message := bot.line.receive():
    if message["t"] == "start":  # else a new process would repeat what ended the one before
        chance.seed(f"{sys.argv[1]} {message['seed']}")
    elif message["t"] == "act":
        answers(message["id"])
