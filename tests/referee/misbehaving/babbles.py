"""Writes by chance what is partly an answer and partly not; its argument is the seed."""

import os
import random
import sys
import time

import msgpack
from honest import HELLO, Honest, write

chance = random.Random(int(sys.argv[1]))
KEYS = ["t", "id", "i", "a", "note", "name", "protocol", b"t", 1, "é"]


def value(levels: int = 3) -> object:
    """Any value that msgpack can carry, and some that the protocol cannot."""
    kind = chance.randrange(12 if levels else 9)
    if kind == 9:
        return [value(levels - 1) for _ in range(chance.randrange(4))]
    if kind == 10:
        return {chance.choice(KEYS): value(levels - 1) for _ in range(chance.randrange(4))}
    if kind == 11:
        return msgpack.ExtType(chance.randrange(128), chance.randbytes(3))
    return [
        None,
        chance.random() < 0.5,
        chance.randrange(-(1 << 63), 1 << 64),
        chance.randrange(-3, 20),
        chance.choice([0.5, float("nan"), float("inf"), -0.0]),
        chance.choice(["action", "hello", "error", "bye", "play", "\0", "é" * 300]),
        chance.randbytes(4),
        [chance.choice(["play", "pass", "battle", "draw"]), *chance.choices(range(-1, 97), k=2)],
        "x" * chance.randrange(2000),
    ][kind]


def wrong(frame: bytes) -> bytes:
    """A frame as it should not be."""
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.choice([1, 3, 4, 5, 50, 5000]))
    if kind == 1:
        data = bytearray(frame)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data)
    if kind == 2:
        return frame[: chance.randrange(len(frame))]
    return frame + chance.choice([b"\0", b"\xff", frame, frame[:5], bytes(4)])


def framed(message: object) -> bytes:
    """A message as a frame."""
    body: bytes = msgpack.packb(message)
    return len(body).to_bytes(4, "big") + body


bot = Honest()
bot.line.receive()
if chance.random() < 0.15:
    write(wrong(framed(HELLO)))
else:
    bot.line.send(HELLO)
for question in bot.questions():
    answer = {"t": "action", "id": question["id"], "i": 0}
    if chance.random() < 0.8:
        write(framed(answer))
        continue
    if chance.random() < 0.5:
        data = framed(answer | {chance.choice(KEYS): value() for _ in range(2)})
    else:
        data = wrong(framed(answer))
    cut = chance.randrange(len(data) + 1)
    write(data[:cut])
    time.sleep(chance.choice([0, 0, 0.001]))
    write(data[cut:])
    if chance.random() < 0.1:
        os.close(chance.randrange(3))
    if chance.random() < 0.3:
        sys.exit(chance.randrange(256))
