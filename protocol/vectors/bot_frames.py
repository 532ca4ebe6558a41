"""Golden frames from a bot: what the referee understands, and what it says of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from raw import (
    ARRAY,
    BINARY,
    EXTENSION,
    INT,
    MAP,
    NIL,
    TIMESTAMP,
    UINT,
    float32,
    framed,
    nested,
    pack,
    pairs,
    text,
    wide,
)

from arena.wire.codec import MOST_VALUES
from arena.wire.frames import LARGEST, FrameError, FrameReader, frame
from arena.wire.messages import LONGEST_NOTE_BYTES, MessageError, read

OK, PROTOCOL, INCOMPLETE = "ok", "protocol", "incomplete"

HELLO = {"t": "hello", "protocol": [1, 0], "name": "first"}
ACTION = {"t": "action", "id": 3, "i": 1}
DEEPEST = 15
"""How many arrays a value of a message can have around it: the message is a level too."""

GOOD: dict[str, dict[str, Any]] = {
    "hello, the least": HELLO,
    "hello, all fields": {**HELLO, "version": "1.2", "actions": True, "events": False},
    "hello, flags the other way": {**HELLO, "actions": False, "events": True},
    "hello, a later minor version": {**HELLO, "protocol": [1, 40]},
    "hello, empty texts": {**HELLO, "name": "", "version": ""},
    "hello, a name beyond ASCII": {**HELLO, "name": "Bièvre 海狸 🦫"},
    "hello, a name longer than is kept": {**HELLO, "name": "n" * (LONGEST_NOTE_BYTES + 1)},
    "hello, unknown keys of all types": {
        **HELLO,
        "author": {"names": ["A", "B"], "since": 2019, "ratio": 0.25, "active": True},
        "none": None,
        "": [[], {}, -1, 1.5, False],
    },
    "hello, keys in another order": {"name": "first", "protocol": [1, 0], "t": "hello"},
    "action, its index": ACTION,
    "action, index 0": {**ACTION, "i": 0},
    "action, an index below 0 is illegal, not a wrong message": {**ACTION, "i": -1},
    "action, as such": {"t": "action", "id": 3, "a": ["take", 2]},
    "action, without numbers": {"t": "action", "id": 3, "a": ["draw"]},
    "action, of another type is illegal, not a wrong message": {"t": "action", "id": 3, "a": 7},
    "action, nil is illegal, not a wrong message": {"t": "action", "id": 3, "a": None},
    "action, a map is illegal, not a wrong message": {"t": "action", "id": 3, "a": {"take": 2}},
    "action, as such, and nil for the index": {"t": "action", "id": 3, "a": ["draw"], "i": None},
    "action, a note": {**ACTION, "note": "worth 3 points"},
    "action, an empty note": {**ACTION, "note": ""},
    "action, a note beyond ASCII": {**ACTION, "note": "Σ ≥ 0, 50 %, naïve, 🃏\n"},
    "action, a note as long as is kept": {**ACTION, "note": "é" * (LONGEST_NOTE_BYTES // 2)},
    "action, a note longer than is kept": {**ACTION, "note": "é" * (LONGEST_NOTE_BYTES // 2 + 1)},
    "action, unknown keys": {**ACTION, "nodes": 70000, "line": [["draw"], {"v": -0.5}]},
    "error": {"t": "error", "text": "no table for 6 seats"},
    "error, an empty text": {"t": "error", "text": ""},
    "error, no text": {"t": "error"},
}

GOOD_BYTES = {
    f"action, the id as {kind} of {8 << width} bits": pairs(
        ("t", pack("action")), ("id", wide(heads, width, 3)), ("i", pack(1))
    )
    for kind, heads in (("an unsigned integer", UINT), ("a signed integer", INT))
    for width in heads
} | {
    "action, an index below 0 in 64 bits": pairs(
        ("t", pack("action")), ("id", pack(3)), ("i", wide(INT, 3, -2))
    ),
    "action, an id of 53 bits": pairs(
        ("t", pack("action")), ("id", pack((1 << 53) - 1)), ("i", pack(1))
    ),
    "action, an unknown float of single precision": pairs(
        ("t", pack("action")), ("id", pack(3)), ("i", pack(1)), ("x", float32(-2.75))
    ),
    "action, an unknown value nested as deep as allowed": pairs(
        ("t", pack("action")), ("id", pack(3)), ("i", pack(1)), ("x", nested(DEEPEST))
    ),
    "action, an array with a length of 16 bits": pairs(
        ("t", pack("action")),
        ("id", pack(3)),
        ("a", wide(ARRAY, 1, 2) + pack("take") + wide(UINT, 1, 2)),
    ),
    "hello, a map with a length of 16 bits": pairs(
        ("t", text(0, "hello")),
        ("protocol", wide(ARRAY, 1, 2) + b"\x01\x00"),
        ("name", text(1, "first")),
        head=wide(MAP, 1, 3),
    ),
    "hello, a map with a length of 32 bits": pairs(
        (text(0, "t"), text(1, "hello")),
        (text(1, "protocol"), wide(ARRAY, 2, 2) + wide(UINT, 3, 1) + wide(INT, 3, 0)),
        (text(2, "name"), text(2, "first")),
        head=wide(MAP, 2, 3),
    ),
}

BAD: dict[str, dict[str, Any]] = {
    "no t": {"id": 3, "i": 1},
    "no key at all": {},
    "t is nil": {"t": None},
    "t is no text": {"t": 5},
    "t is an array": {"t": ["action"]},
    "t is unknown": {"t": "play", "card": 3},
    "t is one of the referee's": {"t": "act", "id": 3},
    "hello without protocol": {"t": "hello", "name": "first"},
    "hello.protocol is a text": {**HELLO, "protocol": "1.0"},
    "hello.protocol is a number": {**HELLO, "protocol": 1},
    "hello.protocol has one number": {**HELLO, "protocol": [1]},
    "hello.protocol has three numbers": {**HELLO, "protocol": [1, 0, 0]},
    "hello.protocol has floats": {**HELLO, "protocol": [1.5, 0]},
    "hello.protocol has booleans": {**HELLO, "protocol": [True, False]},
    "hello.protocol is a later major version": {**HELLO, "protocol": [2, 0]},
    "hello.protocol is an earlier major version": {**HELLO, "protocol": [0, 9]},
    "hello without name": {"t": "hello", "protocol": [1, 0]},
    "hello.name is nil": {**HELLO, "name": None},
    "hello.name is a number": {**HELLO, "name": 7},
    "hello.version is a number": {**HELLO, "version": 2},
    "hello.actions is a number": {**HELLO, "actions": 1},
    "hello.actions is nil": {**HELLO, "actions": None},
    "hello.events is a text": {**HELLO, "events": "yes"},
    "action without id": {"t": "action", "i": 1},
    "action.id is nil": {**ACTION, "id": None},
    "action.id is a text": {**ACTION, "id": "3"},
    "action.id is a float": {**ACTION, "id": 3.5},
    "action.id is a boolean": {**ACTION, "id": True},
    "action.i is a text": {**ACTION, "i": "1"},
    "action.i is a float": {**ACTION, "i": 0.5},
    "action.i is a boolean": {**ACTION, "i": False},
    "action.i is nil, and there is no a": {**ACTION, "i": None},
    "action.note is a number": {**ACTION, "note": 5},
    "action.note is nil": {**ACTION, "note": None},
    "action with both a and i": {**ACTION, "a": ["draw"]},
    "action with neither a nor i": {"t": "action", "id": 3},
    "error.text is a number": {"t": "error", "text": 137},
    "error.text is nil": {"t": "error", "text": None},
}

BAD_BYTES = {
    "text where a length should be": b"Hello\n",
    "a length of one byte too many": (LARGEST + 1).to_bytes(4, "big"),
    "a length of all ones": b"\xff\xff\xff\xff",
    "a length in little-endian order": b"\x19\x00\x00\x00",
    "an empty body": framed(b""),
    "a body that ends too early": framed(pairs(("t", pack("error")))[:-1]),
    "a body with a byte too many": framed(pairs(("t", pack("error"))) + NIL),
    "a body of two maps": framed(pairs(("t", pack("error"))) * 2),
    "a body that is nil": framed(NIL),
    "a body that is an array": framed(pack(["error"])),
    "a body that is a text": framed(pack("error")),
    "a body that is JSON": framed(b'{"t":"error"}'),
    "a byte that msgpack does not use": framed(b"\xc1"),
    "a value that msgpack does not use": framed(pairs(("t", pack("error")), ("x", b"\xc1"))),
    "an extension type": framed(pairs(("t", pack("error")), ("x", EXTENSION))),
    "an extension type in an array": framed(
        pairs(("t", pack("error")), ("x", b"\x91" + EXTENSION))
    ),
    "a timestamp": framed(pairs(("t", pack("error")), ("x", TIMESTAMP))),
    "binary data": framed(pairs(("t", pack("error")), ("x", BINARY))),
    "binary data in a map": framed(pairs(("t", pack("error")), ("x", pairs(("y", BINARY))))),
    "a key that is an integer": framed(pairs(("t", pack("error")), (b"\x01", NIL))),
    "a key that is nil": framed(pairs(("t", pack("error")), (NIL, NIL))),
    "a key that is binary data, nested": framed(
        pairs(("t", pack("error")), ("x", pairs((BINARY, NIL))))
    ),
    "a key that is an array": framed(pairs(("t", pack("error")), (b"\x91\x01", NIL))),
    "a key that stands twice": framed(pairs(("t", pack("error")), ("t", pack("error")))),
    "a key that stands twice, in two widths": framed(
        pairs(("t", pack("error")), (text(0, "t"), pack("error")))
    ),
    "a key that stands twice, nested": framed(
        pairs(("t", pack("error")), ("x", b"\x91" + pairs(("y", NIL), ("z", NIL), ("y", NIL))))
    ),
    "a text that is not UTF-8": framed(pairs(("t", pack("error")), ("text", b"\xa2\xc3\x28"))),
    "a text with a surrogate": framed(pairs(("t", pack("error")), ("text", b"\xa3\xed\xa0\x80"))),
    "a key that is not UTF-8": framed(pairs(("t", pack("error")), (b"\xa1\xff", NIL))),
    "a value nested one level too deep": framed(
        pairs(("t", pack("error")), ("x", nested(DEEPEST + 1)))
    ),
    "a value nested 2000 deep": framed(pairs(("t", pack("error")), ("x", nested(2000)))),
    "an array that claims more than there is": framed(
        pairs(("t", pack("error")), ("x", wide(ARRAY, 1, 9)))
    ),
    "an array that claims more values than are allowed": framed(
        pairs(("t", pack("error")), ("x", wide(ARRAY, 2, MOST_VALUES)))
    ),
    "a map that claims more values than are allowed": framed(
        pairs(("t", pack("error")), ("x", wide(MAP, 2, MOST_VALUES // 2)))
    ),
}

UNFINISHED = {
    "nothing": b"",
    "a part of the length": frame(ACTION)[:3],
    "the length alone": frame(ACTION)[:4],
    "a part of the body": frame(ACTION)[:-1],
    "the largest length": LARGEST.to_bytes(4, "big") + b"\x81",
}


def bot_frames() -> Iterator[dict[str, Any]]:
    """All of them, each with its verdict."""
    for name, message in GOOD.items():
        yield _judged(name, frame(message), OK)
    for name, body in GOOD_BYTES.items():
        yield _judged(name, framed(body), OK)
    for name, data in UNFINISHED.items():
        yield _judged(name, data, INCOMPLETE)
    for name, data in BAD_BYTES.items():
        yield _judged(name, data, PROTOCOL)
    for name, message in BAD.items():
        yield _judged(name, frame(message), PROTOCOL)


def _judged(name: str, data: bytes, expected: str) -> dict[str, Any]:
    """The arena's verdict, which must be the one that is written down here."""
    verdict: dict[str, Any]
    try:
        message = FrameReader().take(data)
        if message is None:
            verdict = {"verdict": INCOMPLETE}
        else:
            read(message)
            verdict = {"verdict": OK, "message": message}
    except (FrameError, MessageError) as error:
        verdict = {"verdict": PROTOCOL, "error": str(error)}
    if verdict["verdict"] != expected:
        raise AssertionError(f"{name}: expected {expected}, got {verdict}")
    return {"name": name, "hex": data.hex(), **verdict}
