"""What the codec takes and what it refuses, byte by byte, and how much it makes of a frame."""

from __future__ import annotations

import math
import struct
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from arena.wire.codec import DEEPEST, MOST_VALUES, CodecError, decode, encode
from arena.wire.frames import LARGEST

NOT_MSGPACK = "expected one msgpack map, got bytes that are not msgpack"
MEMORY = 12 << 20
"""Bytes that the largest frame may take, of whatever values it is made."""


def refusal(body: bytes) -> str:
    """What is wrong with these bytes."""
    with pytest.raises(CodecError) as caught:
        decode(body)
    return str(caught.value)


def x(value: bytes) -> bytes:
    """A map with one value."""
    return b"\x81\xa1x" + value


TAKEN = {
    "the least integer": (b"\xd3\x80" + bytes(7), -(1 << 63)),
    "the largest integer": (b"\xcf" + b"\xff" * 8, (1 << 64) - 1),
    "-1 in 1 byte": (b"\xff", -1),
    "-1 in 2 bytes": (b"\xd0\xff", -1),
    "-1 in 3 bytes": (b"\xd1\xff\xff", -1),
    "-1 in 5 bytes": (b"\xd2" + b"\xff" * 4, -1),
    "-1 in 9 bytes": (b"\xd3" + b"\xff" * 8, -1),
    "-32": (b"\xe0", -32),
    "127 as a signed integer": (b"\xd0\x7f", 127),
    "255 in 2 bytes": (b"\xcc\xff", 255),
    "3 in 3 bytes": (b"\xcd\x00\x03", 3),
    "3 in 5 bytes": (b"\xce\x00\x00\x00\x03", 3),
    "3 in 9 bytes": (b"\xcf" + bytes(7) + b"\x03", 3),
    "a float of single precision": (b"\xca\x3f\xc0\x00\x00", 1.5),
    "a float of double precision": (b"\xcb" + struct.pack(">d", 1e300), 1e300),
    "infinity": (b"\xcb" + struct.pack(">d", math.inf), math.inf),
    "nil": (b"\xc0", None),
    "false": (b"\xc2", False),
    "true": (b"\xc3", True),
    "an empty text": (b"\xa0", ""),
    "a text with a length of 8 bits": (b"\xd9\x02\xc3\xa9", "é"),
    "a text with a length of 16 bits": (b"\xda\x00\x02ab", "ab"),
    "a text with a length of 32 bits": (b"\xdb\x00\x00\x00\x04\xf0\x9f\x83\x8f", "🃏"),
    "a text with a byte that is 0": (b"\xa1\x00", "\0"),
    "an array with a length of 16 bits": (b"\xdc\x00\x02\x01\x02", [1, 2]),
    "an array with a length of 32 bits": (b"\xdd\x00\x00\x00\x00", []),
    "a map with a length of 16 bits": (b"\xde\x00\x01\xa1y\x01", {"y": 1}),
    "a map with a length of 32 bits": (b"\xdf\x00\x00\x00\x00", {}),
    "a key with a length of 8 bits": (b"\x81\xd9\x01y\x01", {"y": 1}),
    "a key with a length of 32 bits": (b"\x81\xdb\x00\x00\x00\x01y\x01", {"y": 1}),
    "an empty key": (b"\x81\xa0\x01", {"": 1}),
}


@pytest.mark.parametrize("name", TAKEN)
def test_every_value_is_read_in_every_width(name: str) -> None:
    """A bot may use any msgpack library, whatever widths it chooses."""
    data, value = TAKEN[name]
    found = decode(x(data))["x"]
    assert found == value
    assert type(found) is type(value)


def test_not_a_number_is_a_float() -> None:
    """It harms nobody where keys are passed over, and no action has it."""
    assert math.isnan(decode(x(b"\xcb" + struct.pack(">d", math.nan)))["x"])


KEYS = "expected texts as keys of maps, got "
TYPES = "expected nil, booleans, numbers, texts, arrays and maps, got "
UTF_8 = "expected texts in UTF-8, got other bytes"
LEVELS = "expected at most 16 levels of nesting, got more"
TOO_MANY = "expected at most 65536 values, got more"
REFUSED = {
    "nothing": (b"", NOT_MSGPACK),
    "a map and a byte more": (x(b"\x01") + b"\xc0", "expected one msgpack map, got 1 bytes more"),
    "a map and bytes that are not msgpack": (
        x(b"\x01") + b"\xc1\xff",
        "expected one msgpack map, got 2 bytes more",
    ),
    "an integer": (b"\x07", "expected one msgpack map, got an integer"),
    "an array": (b"\x91\xa1t", "expected one msgpack map, got an array"),
    "a text": (b"\xa1t", "expected one msgpack map, got a text"),
    "nil": (b"\xc0", "expected one msgpack map, got nil"),
    "a boolean": (b"\xc3", "expected one msgpack map, got a boolean"),
    "a float": (b"\xca" + bytes(4), "expected one msgpack map, got a float"),
    "a byte that msgpack does not use": (x(b"\xc1"), NOT_MSGPACK),
    "a key that msgpack does not use": (b"\x81\xc1\x01", NOT_MSGPACK),
    "a map that ends before its key": (b"\x81", NOT_MSGPACK),
    "a map that ends before its value": (b"\x81\xa1t", NOT_MSGPACK),
    "a text that ends too early": (x(b"\xa2a"), NOT_MSGPACK),
    "a length that ends too early": (x(b"\xda\x00"), NOT_MSGPACK),
    "an integer that ends too early": (x(b"\xcf" + bytes(7)), NOT_MSGPACK),
    "a float that ends too early": (x(b"\xcb" + bytes(7)), NOT_MSGPACK),
    "an array that ends too early": (x(b"\x92\x01"), NOT_MSGPACK),
    "a text that claims 4 GiB": (x(b"\xdb\xff\xff\xff\xff"), NOT_MSGPACK),
    "an array that claims 65000 values": (x(b"\xdc\xfd\xe8"), NOT_MSGPACK),
    "an array that claims 4 billion values": (x(b"\xdd\xff\xff\xff\xff"), TOO_MANY),
    "a map that claims 4 billion values": (x(b"\xdf\xff\xff\xff\xff"), TOO_MANY),
    "binary data of 8 bits": (x(b"\xc4\x00"), TYPES + "binary data"),
    "binary data of 16 bits": (x(b"\xc5\x00\x00"), TYPES + "binary data"),
    "binary data of 32 bits": (x(b"\xc6" + bytes(4)), TYPES + "binary data"),
    "binary data in an array": (x(b"\x91\xc4\x00"), TYPES + "binary data"),
    **{
        f"an extension type, {head:#x}": (x(bytes([head]) + bytes(20)), TYPES + "an extension type")
        for head in (0xC7, 0xC8, 0xC9, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8)
    },
    "a timestamp": (x(b"\xd6\xff\x00\x00\x00\x05"), TYPES + "an extension type"),
    "a key that is an integer": (b"\x81\x01\x01", KEYS + "an integer"),
    "a key that is negative": (b"\x81\xff\x01", KEYS + "an integer"),
    "a key that is nil": (b"\x81\xc0\x01", KEYS + "nil"),
    "a key that is a boolean": (b"\x81\xc2\x01", KEYS + "a boolean"),
    "a key that is a float": (b"\x81\xcb" + bytes(9), KEYS + "a float"),
    "a key that is binary data": (b"\x81\xc4\x01t\x01", KEYS + "binary data"),
    "a key that is an extension type": (b"\x81\xd4\x05t\x01", KEYS + "an extension type"),
    "a key that is an array": (b"\x81\x90\x01", KEYS + "an array"),
    "a key that is a map": (b"\x81\x80\x01", KEYS + "a map"),
    "a key that is a wide array": (b"\x81\xdc\x00\x00\x01", KEYS + "an array"),
    "a key that is a wide map": (b"\x81\xdf" + bytes(5), KEYS + "a map"),
    "a key twice": (b"\x82\xa1t\x01\xa1t\x01", 'expected every key of a map once, got "t" twice'),
    "a key twice, in two widths": (
        b"\x82\xa1t\x01\xd9\x01t\x01",
        'expected every key of a map once, got "t" twice',
    ),
    "a key twice, nested": (
        x(b"\x91\x83\xa0\x01\xa1y\x02\xa0\x03"),
        'expected every key of a map once, got "" twice',
    ),
    "a text that is not UTF-8": (x(b"\xa1\xff"), UTF_8),
    "a text with a surrogate": (x(b"\xa3\xed\xa0\x80"), UTF_8),
    "a text with an overlong form": (x(b"\xa2\xc0\x80"), UTF_8),
    "a text that ends within a character": (x(b"\xa1\xc3\xa1a"), UTF_8),
    "a key that is not UTF-8": (b"\x81\xa1\xff\x01", UTF_8),
    "arrays too deep": (x(b"\x91" * DEEPEST + b"\x01"), LEVELS),
    "an empty array too deep": (x(b"\x91" * (DEEPEST - 1) + b"\x90"), LEVELS),
    "maps too deep": (b"\x81\xa0" * DEEPEST + b"\x80", LEVELS),
    "arrays much too deep": (x(b"\x91" * 100_000), LEVELS),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_allowed_is_named(name: str) -> None:
    """The author learns what is wrong, in words that no library chooses."""
    body, text = REFUSED[name]
    assert refusal(body) == text


def test_a_long_key_is_named_in_short() -> None:
    """A key of a megabyte does not become a fault's text of a megabyte."""
    key = b"\xdb" + (1 << 19).to_bytes(4, "big") + b"k" * (1 << 19)
    assert len(refusal(b"\x82" + key + b"\x01" + key + b"\x01")) < 200


def test_sixteen_levels_are_allowed() -> None:
    """Arrays and maps alike, the body among them."""
    decode(x(b"\x91" * (DEEPEST - 1) + b"\x01"))
    decode(b"\x81\xa0" * (DEEPEST - 1) + b"\x80")


def test_a_key_that_is_no_text_is_refused_before_what_follows_it() -> None:
    """Integers as keys could be chosen so that they collide: none is ever hashed."""
    integers = b"".join(b"\xcf" + (n << 40).to_bytes(8, "big") + b"\xc0" for n in range(1, 1001))
    text = KEYS + "an integer"
    assert refusal(b"\xde\x03\xe8" + integers) == text
    assert refusal(b"\x82" + b"\xa0\xc0" + integers[:10]) == text
    assert refusal(b"\x81\x01\xc1") == text


def array(items: bytes, count: int) -> bytes:
    """An array of values that are bytes already."""
    return b"\xdd" + count.to_bytes(4, "big") + items


def pairs(items: bytes, count: int) -> bytes:
    """A map of keys and values that are bytes already."""
    return b"\xdf" + count.to_bytes(4, "big") + items


def test_the_number_of_values_has_a_limit() -> None:
    """Everything counts: the body, keys, values, and those within them."""
    most = MOST_VALUES - 3  # the body, its key and the array
    assert len(decode(x(array(b"\xc0" * most, most)))["x"]) == most
    assert refusal(x(array(b"\xc0" * (most + 1), most + 1))) == TOO_MANY
    half = array(b"\x80" * (most // 2 - 1), most // 2 - 1)
    assert len(decode(x(b"\x92" + half * 2))["x"]) == 2
    assert refusal(x(b"\x93" + half * 2 + b"\x93\x00\x00\x00")) == TOO_MANY
    keys = [b"\xa4" + f"{n:04x}".encode() + b"\xc0" for n in range(MOST_VALUES // 2)]
    few = (MOST_VALUES - 1) // 2
    assert len(decode(pairs(b"".join(keys[:few]), few))) == few
    assert refusal(pairs(b"".join(keys[: few + 1]), few + 1)) == TOO_MANY


def test_small_bodies_never_have_too_many_values() -> None:
    """As the protocol promises: a value has a byte at least."""
    room = MOST_VALUES - len(x(array(b"", 0)))
    body = x(array(b"\x90" * room, room))
    assert len(body) == MOST_VALUES
    assert len(decode(body)["x"]) == room


# A megabyte of the worst


def filled(unit: bytes, size: int) -> bytes:
    """An array of as many of these values as go into a body of that size."""
    count = (size - len(x(array(b"", 0)))) // len(unit)
    return x(array(unit * count, count))


def text(size: int) -> bytes:
    """A text of so many bytes in all, of which every character takes four in memory."""
    return b"\xdb" + (size - 5).to_bytes(4, "big") + "🃏".encode() + b"t" * (size - 9)


def many_keys(size: int) -> bytes:
    """A map of short keys, all different."""
    count = (size - 5) // 7
    return pairs(b"".join(b"\xa5" + f"{n:05x}".encode() + b"\xc0" for n in range(count)), count)


def same_key(size: int) -> bytes:
    """A map with one key again and again."""
    count = (size - 5) // 2
    return pairs(b"\xa0\xc0" * count, count)


def integer_keys(size: int) -> bytes:
    """A map whose keys are integers with the same low bits."""
    count = (size - 5) // 10
    keys = (b"\xcf" + (n << 40).to_bytes(8, "big") + b"\xc0" for n in range(count))
    return pairs(b"".join(keys), count)


def claims(size: int) -> bytes:
    """Arrays in arrays, each of which claims to have as many values as there are bytes."""
    return x((b"\xdd" + size.to_bytes(4, "big")) * (size // 5))[:size].ljust(size, b"\xc0")


WORST: dict[str, Callable[[int], bytes]] = {
    "empty arrays": lambda size: filled(b"\x90", size),
    "empty maps": lambda size: filled(b"\x80", size),
    "maps of one": lambda size: filled(b"\x81\xa0\xc0", size),
    "maps in maps": lambda size: filled(b"\x81\xa0" * 13 + b"\xc0", size),
    "arrays in arrays": lambda size: filled(b"\x91" * 13 + b"\xc0", size),
    "short texts": lambda size: filled(b"\xa4\xf0\x9f\x83\x8f", size),
    "large integers": lambda size: filled(b"\xcd\xff\xff", size),
    "floats": lambda size: filled(b"\xca\x3f\xc0\x00\x00", size),
    "one text": lambda size: x(text(size - 3)),
    "long texts": lambda size: filled(text(64), size),
    "many keys": many_keys,
    "same key": same_key,
    "integer keys": integer_keys,
    "claims": claims,
}


def made_of(body: bytes) -> int:
    """Bytes of memory that decoding takes at its peak."""
    tracemalloc.start()
    try:
        decode(body)
    except CodecError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


@pytest.mark.parametrize("name", WORST)
def test_no_frame_takes_much_memory(name: str) -> None:
    """A megabyte of a bot's does not become a hundred in the referee."""
    for size in (LARGEST, MOST_VALUES):  # of the second none has too many values
        assert made_of(WORST[name](size)) < MEMORY


def calls_for(body: bytes) -> int:
    """How many functions are called to decode this."""
    count = 0

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        decode(body)
    except CodecError:
        pass
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.source_only  # what is compiled calls without being seen
@pytest.mark.parametrize("name", WORST)
def test_work_grows_with_the_size_of_a_frame_and_no_faster(name: str) -> None:
    """Twice the bytes take twice the calls at most, and none of them looks at all the bytes."""
    few, many = (calls_for(WORST[name](size)) for size in (1 << 14, 1 << 15))
    assert many <= 2.1 * few + 20
    assert calls_for(WORST[name](LARGEST)) <= 12 * MOST_VALUES


def test_what_is_encoded_is_what_is_decoded() -> None:
    """The referee's own frames can be read, too."""
    message = {"t": "act", "view": {"a": [1, -1, 0.5, None, True, "é"] * 9}, "n": 1 << 40}
    assert decode(encode(message)) == message
