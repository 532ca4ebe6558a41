"""Golden frames from the referee: what every bot must understand, and what it must pass over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict
from raw import ARRAY, INT, MAP, NIL, UINT, float32, framed, nested, pack, pairs, text, wide
from transcripts import ARENA, DEALS

from arena.games.castors.game import Castors
from arena.records.entries import TimeControl
from arena.records.verdicts import CRASHED, FINISHED, ILLEGAL, TIMEOUT
from arena.referee.roster import LIMITS
from arena.referee.table import FOLLOWS
from arena.wire.codec import decode
from arena.wire.frames import HEADER, frame
from arena.wire.messages import BYE, end, fault, hello, start

GAME = Castors()
RULES = GAME.rules({})
CLOCK = asdict(TimeControl())
DEEPEST = 15
EXTRA = {
    "later": {"a": [1, -1, 0.5, None, True], "b": {}},
    "": "é海🦫",
    "large": [255, 256, 65535, 65536, (1 << 32) - 1, 1 << 32, (1 << 53) - 1],
    "small": [-1, -32, -33, -128, -129, -32768, -32769, -(1 << 31), -(1 << 31) - 1],
    "long": "x" * 300,
    "many": list(range(20)),
    "wide": {str(number): number for number in range(20)},
}
"""Keys of a later minor version, with values of all types and widths."""


def referee_frames() -> Iterator[dict[str, Any]]:
    """All of them: name, bytes, what they mean, and which message answers them."""
    greeting = hello(ARENA, {GAME.name: GAME.version}, LIMITS)
    yield _entry("hello", greeting, "hello")
    yield _entry("hello, more games", {**greeting, "games": {"castors": "1", "go": "2"}}, "hello")
    later = {**greeting, **EXTRA, "protocol": [1, 9], "limits": {**LIMITS, "memory": 512}}
    yield _entry("hello, a later minor version", later, "hello")
    for name, seed in (("start", 305419896), ("start, seed 0", 0), ("start, seed", (1 << 32) - 1)):
        yield _entry(f"{name}, the largest" if seed > 1 << 31 else name, _start(seed))
    more = {**_start(1), **EXTRA, "clock": {**CLOCK, "later": 1}}
    yield _entry("start, unknown keys", more)
    yield from _questions()
    text = "action.a[1]: expected 0..3, got 4"
    yield _entry("fault", fault(ILLEGAL, text, 17, FOLLOWS))
    yield _entry("fault, unknown keys", {**fault(TIMEOUT, "late", 0, FOLLOWS), **EXTRA})
    verdicts = [FINISHED, FINISHED, CRASHED]
    yield _entry("end", end([31, 42, 80], [1, 2, 3], verdicts, 7, [{"event": "called", "seat": 2}]))
    yield _entry("end, no events", end([42, 31, 31], [3, 1, 1], [FINISHED] * 3, 0, []))
    unknown = end([1, 2, 3], [1, 2, 3], [FINISHED, "a later verdict", FINISHED], 0, [])
    yield _entry("end, unknown keys and an unknown verdict", {**unknown, **EXTRA})
    yield _entry("bye", BYE)
    yield _entry("bye, unknown keys", {**BYE, **EXTRA})
    yield _entry("an unknown message", {"t": "weather", "id": 1, "view": {}, **EXTRA})


def _questions() -> Iterator[dict[str, Any]]:
    """A real question, with more and less in it, and in unusual widths."""
    state = GAME.start(3, RULES, DEALS.block(0).deal(0).stream)
    assert state.events is not None
    seat = state.turn
    least = {"t": "act", "id": 1, "kind": state.kind, "view": state.view(seat), "bank": 10000}
    listed = {"actions": [list(action) for action in state.actions()]}
    events = {
        "first_event": 0,
        "events": [GAME.show(event, seat) for event in state.events],
    }
    yield _entry("act, with actions and events", {**least, **listed, **events}, "action")
    yield _entry("act, without either", least, "action")
    yield _entry("act, with actions", {**least, **listed}, "action")
    yield _entry("act, with events", {**least, **events}, "action")
    none = {"first_event": 4, "events": []}
    yield _entry("act, nothing happened", {**least, **listed, **none, "bank": 0}, "action")
    yield _entry("act, unknown keys", {**least, **listed, **events, **EXTRA}, "action")
    items = [("t", text(0, "act")), ("id", wide(UINT, 3, 1)), ("kind", text(1, "turn"))]
    items += [("view", pairs(("seat", wide(INT, 3, 2)), head=wide(MAP, 2, 1)))]
    items += [("bank", wide(UINT, 2, 9999)), ("later", float32(1.5)), ("none", NIL)]
    items += [("actions", wide(ARRAY, 2, 1) + wide(ARRAY, 1, 2) + text(2, "take") + b"\xcc\x01")]
    items += [("deep", nested(DEEPEST)), ("first_event", wide(UINT, 0, 0)), ("events", pack([]))]
    body = pairs(*items, head=wide(MAP, 1, len(items)))
    yield _bytes("act, in unusual widths, nested as deep as allowed", framed(body), "action")


def _start(seed: int) -> dict[str, Any]:
    return start(12, GAME.name, RULES, 2, 3, seed, CLOCK)


def _entry(name: str, message: dict[str, Any], answer: str | None = None) -> dict[str, Any]:
    return _bytes(name, frame(message), answer)


def _bytes(name: str, data: bytes, answer: str | None) -> dict[str, Any]:
    message = decode(data[HEADER:])
    return {"name": name, "hex": data.hex(), "message": message, "answer": answer}
