"""Frames of a bot of which something has been changed, from chance alone."""

from __future__ import annotations

import struct
from random import Random

import msgpack

from arena.wire.codec import encode
from arena.wire.frames import HEADER

KEYS = [b"\xa1t", b"\xa2id", b"\xa1i", b"\xa1a", b"\xa4note", b"\xa1x", b"\xa0", b"\xd9\x01t"]
WRONG_KEYS = [b"\x01", b"\xc0", b"\xc4\x01t", b"\x90", b"\xcb" + bytes(8), b"\xa1\xff", b"\xc1"]
VALUES = [
    *(bytes([number]) for number in (0, 1, 2, 0x7F, 0xE0, 0xFF, 0x80, 0x90, 0xA0)),
    *(b"\xc0", b"\xc2", b"\xc3", b"\xa6action", b"\xa5hello", b"\xa5error", b"\xa2no"),
    *(b"\xcc\x01", b"\xcd\x00\x01", b"\xce\x00\x00\x00\x01", b"\xcf" + b"\xff" * 8),
    *(b"\xd0\x01", b"\xd1\xff\xff", b"\xd2\x00\x00\x00\x01", b"\xd3\x80" + bytes(7)),
    *(b"\xca\x3f\x80\x00\x00", b"\xca\x7f\xc0\x00\x00", b"\xcb" + struct.pack(">d", 1e300)),
    *(b"\xd9\x01n", b"\xda\x00\x01n", b"\xdb\x00\x00\x00\x01n", b"\xa3\xe2\x82\xac"),
    *(b"\xda\x02\x08" + b"n" * 520, b"\xda\x01\xf6" + "é".encode() * 251),
    *(b"\x91\xa4draw", b"\x92\xa4play\x03", b"\x92\xa4play\x00", b"\x93\xa4pass\x01\x01"),
    *(b"\x92\x01\x00", b"\x92\xa1a\xc0", b"\x92\x01\x00", b"\x81\xa1y\x91\xc3"),
    *(b"\xdc\x00\x01\x01", b"\xdd\x00\x00\x00\x01\x01", b"\xde\x00\x01\xa1y\x01"),
    *(b"\xdf\x00\x00\x00\x01\xa1y\x01", b"\x91" * 15 + b"\x01", b"\x81\xa0" * 15 + b"\x01"),
]
WRONG_VALUES = [
    *(b"\xc1", b"\xc4\x01n", b"\xc5\x00\x01n", b"\xc6\x00\x00\x00\x01n", b"\x91\xc4\x01n"),
    *(b"\xd4\x05n", b"\xd6\xff\x00\x00\x00\x05", b"\xc7\x01\x05n", b"\xc8\x00\x01\x05n"),
    *(b"\xa2\xc3\x28", b"\xa3\xed\xa0\x80", b"\x81\x01\x01", b"\x82\xa0\x01\xa0\x01"),
    *(b"\x91" * 16 + b"\x01", b"\x81\xa0" * 16 + b"\x01", b"\x91" * 1100 + b"\x01"),
    *(b"\xdd\xff\xff\xff\xff", b"\xdf\x7f\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xdc\x00\x09"),
]
ANSWERS = [
    {"t": "action", "id": 1, "i": 0},
    {"t": "action", "id": 1, "i": 1, "note": "by chance"},
    {"t": "action", "id": 1, "a": ["play", 3]},
    {"t": "action", "id": 1, "a": [[], {}, "é", 0.5], "note": "why not"},
    {"t": "action", "id": 1, "i": 0, "x": {"y": [1.5, None, {"z": -7}], "w": True}},
    {"t": "hello", "protocol": [1, 0], "name": "n"},
    {"t": "error", "text": "no"},
]


def framed(body: bytes) -> bytes:
    """A frame around any bytes."""
    return len(body).to_bytes(HEADER, "big") + body


def mutated(chance: Random, number: int = 1) -> bytes:
    """A frame, or what is nearly one, that answers the question of this number.

    More than half of them have something wrong.
    """
    body = _answer(chance, number) if chance.random() < 0.5 else bytearray(_pairs(chance, number))
    while chance.random() < 0.3:
        _change(body, chance)
    data = framed(bytes(body))
    match chance.randrange(16):
        case 0:
            return data[: chance.randrange(len(data))]
        case 1:
            return data + framed(encode({"t": "action", "id": number + 1, "i": 1}))
        case 2:
            return data + chance.choice(VALUES)
        case 3:
            length = chance.randrange(1 << chance.choice((3, 8, 21, 32)))
            return length.to_bytes(HEADER, "big") + data[HEADER:]
        case _:
            return data


def _answer(chance: Random, number: int) -> bytearray:
    """A good answer, with a pair more or with bytes after it."""
    answer = chance.choice(ANSWERS)
    body = bytearray(encode(answer | {"id": number} if "id" in answer else answer))
    if chance.random() < 0.6:
        body[0] += 1
        body += _key(chance) + _value(chance)
    if chance.random() < 0.2:
        body += _value(chance)
    return body


def _pairs(chance: Random, number: int) -> bytes:
    """A map of an answer's keys, with any values for some of them, in any order."""
    action = b"\xa1a" + _value(chance) if chance.random() < 0.5 else b"\xa1i\x01"
    pairs = [b"\xa1t\xa6action", b"\xa2id" + msgpack.packb(number), action]
    pairs += [_key(chance) + _value(chance) for _ in range(chance.randrange(3))]
    chance.shuffle(pairs)
    return bytes([0x80 + len(pairs)]) + b"".join(pairs)


def _key(chance: Random) -> bytes:
    return chance.choice(KEYS if chance.random() < 0.9 else WRONG_KEYS)


def _value(chance: Random) -> bytes:
    return chance.choice(VALUES if chance.random() < 0.8 else WRONG_VALUES)


def _change(body: bytearray, chance: Random) -> None:
    """Change, add, remove or repeat some bytes."""
    place = chance.randrange(len(body) + 1)
    match chance.randrange(4):
        case 0:
            body[place : place + 1] = bytes([chance.randrange(256)])
        case 1:
            body[place : place + chance.randrange(3)] = _value(chance)
        case 2:
            del body[place : place + chance.randrange(1, 4)]
        case _:
            start = chance.randrange(len(body) + 1)
            body[place:place] = body[start : start + chance.randrange(12)]
