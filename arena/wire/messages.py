"""The messages of the protocol: build the referee's, and read a bot's with every field checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from arena.wire.codec import CodecError, last_value
from arena.wire.frames import HEADER, is_whole
from arena.wording import brief

VERSION = (1, 0)
LONGEST_NOTE_BYTES: Final = 500
"""Longer notes, names, versions and error texts of bots are cut to so many bytes of UTF-8."""
MOST_NOTES_BYTES: Final = 1 << 14
"""The record of a game holds at most so many bytes of a seat's notes; others are left out."""

_PLAIN: Final = b"\x83\xa1t\xa6action\xa2id"
"""How the body of a plain answer begins: a map of three keys, and its first two."""
_AFTER_PLAIN: Final = HEADER + len(_PLAIN)
_KEYS: Final = 3
# How msgpack begins a number of one byte and one of two bytes, and the greatest of none.
UINT8: Final = 0xCC
UINT16: Final = 0xCD
MOST_FIXINT: Final = 0x7F
TEXT_OF_ONE: Final = 0xA1
"""How msgpack begins a text of one byte."""
INDEX: Final = 0x69
ACTION: Final = 0x61
"""The letters i and a."""

Message: TypeAlias = dict[str, Any]


class MessageError(ValueError):
    """A bot's message that breaks the protocol: where, what was expected, what came."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A bot's hello: its name, and whether it wants to be sent legal actions and events."""

    name: str
    version: str
    actions: bool
    events: bool


@dataclass(slots=True)
class Answer:
    """A bot's answer: an action, or an index into the list of legal actions."""

    id: int
    action: Any
    index: int | None
    note: str


@dataclass(frozen=True, slots=True)
class BotError:
    """A bot's message that it cannot go on."""

    text: str


# Messages of the referee


def hello(arena: str, games: Mapping[str, str], limits: Mapping[str, int]) -> Message:
    """Return the first message to a bot; `games` has the versions of the rules by name."""
    return {
        "t": "hello",
        "protocol": list(VERSION),
        "arena": arena,
        "games": dict(games),
        "limits": dict(limits),
    }


def start(
    number: int,
    game: str,
    rules: Mapping[str, Any],
    seat: int,
    seats: int,
    seed: int,
    clock: Mapping[str, int],
) -> Message:
    """Return the message that a game begins."""
    return {
        "t": "start",
        "number": number,
        "game": game,
        "rules": dict(rules),
        "seat": seat,
        "seats": seats,
        "seed": seed,
        "clock": dict(clock),
    }


def act(
    kind: str,
    view: Mapping[str, Any],
    bank: int,
    actions: Sequence[Any] | None,
    first_event: int,
    events: Sequence[Any] | None,
) -> Message:
    """Return a question for a decision, without lists that are None; the player sets its id."""
    message: Message = {"t": "act", "id": 0, "kind": kind, "view": view, "bank": bank}
    if actions is not None:
        message["actions"] = actions
    if events is not None:
        message["first_event"] = first_event
        message["events"] = events
    return message


def fault(verdict: str, text: str, decision: int, follows: str) -> Message:
    """Return the message that the bot has failed and its seat is played on without it."""
    return {
        "t": "fault",
        "verdict": verdict,
        "text": text,
        "decision": decision,
        "follows": follows,
    }


def end(
    scores: Sequence[int],
    places: Sequence[int],
    verdicts: Sequence[str],
    first_event: int,
    events: Sequence[Any],
) -> Message:
    """Return the message that a game has ended."""
    return {
        "t": "end",
        "scores": scores,
        "places": places,
        "verdicts": verdicts,
        "first_event": first_event,
        "events": events,
    }


BYE: Message = {"t": "bye"}


# Messages of a bot


def read(message: Mapping[str, Any]) -> Hello | Answer | BotError:
    """Return a bot's message; raise `MessageError` if it is wrong. Unknown keys are ignored."""
    kind = message.get("t")
    if kind == "action":
        return _answer(message)
    if kind == "hello":
        return _hello(message)
    if kind == "error":
        return BotError(_text(message, "error", "text", ""))
    if kind is None:
        raise MessageError('t: expected "hello", "action" or "error", got a message without t')
    raise MessageError(f't: expected "hello", "action" or "error", got {brief(kind)}')


def plain_answer(data: bytes, number: int) -> Answer | None:
    """Return the answer to this question if it stands in one frame in the most usual form.

    That is a map with just `t`, `id`, and `i` or `a`, in this order. Of all other bytes, right or
    wrong, `FrameReader` and `read` say what they are; of these they would say the same, and take
    thrice as long.
    """
    if data[HEADER:_AFTER_PLAIN] != _PLAIN or not is_whole(data):
        return None
    end = len(data)
    at = _AFTER_PLAIN
    if end < at + 4:  # the least that an id and an index take
        return None
    given = data[at]
    at += 1
    if given == UINT8:
        given = data[at]
        at += 1
    elif given == UINT16:
        given = data[at] << 8 | data[at + 1]
        at += 2
    elif given > MOST_FIXINT:
        return None
    if given != number or end < at + 3 or data[at] != TEXT_OF_ONE:
        return None
    if data[at + 1] == INDEX:
        index = data[at + 2]
        plain = end == at + 3 and index <= MOST_FIXINT
        return Answer(number, None, index, "") if plain else None
    if data[at + 1] != ACTION:
        return None
    try:
        return Answer(number, last_value(data, at + 2, _KEYS), None, "")
    except CodecError:
        return None


def _answer(message: Mapping[str, Any]) -> Answer:
    number = message.get("id")
    if type(number) is not int:
        raise MessageError(f"action.id: expected the id of the question, got {_got(message, 'id')}")
    note = message.get("note", "")
    if type(note) is not str:
        raise MessageError(f"action.note: expected a text, got {brief(note)}")
    note = _cut(note)
    index = message.get("i")
    if "a" in message:
        if index is not None:
            raise MessageError("action: expected either a (the action) or i (its index), got both")
        return Answer(number, message["a"], None, note)
    if type(index) is not int:
        if "i" in message:
            raise MessageError(f"action.i: expected an index, got {brief(index)}")
        raise MessageError("action: expected a (the action) or i (its index), got neither")
    return Answer(number, None, index, note)


def _hello(message: Mapping[str, Any]) -> Hello:
    version = message.get("protocol")
    if (
        type(version) is not list
        or len(version) != 2
        or not all(type(number) is int for number in version)
    ):
        expected = f"hello.protocol: expected [{VERSION[0]}, minor]"
        raise MessageError(f"{expected}, got {_got(message, 'protocol')}")
    if version[0] != VERSION[0]:
        raise MessageError(
            f"hello.protocol[0]: expected {VERSION[0]}, got {brief(version[0])}; this arena "
            f"speaks version {VERSION[0]}.{VERSION[1]}"
        )
    return Hello(
        name=_text(message, "hello", "name", None),
        version=_text(message, "hello", "version", ""),
        actions=_flag(message, "actions", False),
        events=_flag(message, "events", True),
    )


def _text(message: Mapping[str, Any], kind: str, key: str, default: str | None) -> str:
    value = message.get(key, default)
    if type(value) is not str:
        raise MessageError(f"{kind}.{key}: expected a text, got {_got(message, key)}")
    return _cut(value)


def _cut(text: str) -> str:
    """The text; if it has too many bytes, as many of its characters as fit, and three dots."""
    if 4 * len(text) <= LONGEST_NOTE_BYTES:  # no character has more bytes
        return text
    data = text.encode()
    if len(data) <= LONGEST_NOTE_BYTES:
        return text
    return data[: LONGEST_NOTE_BYTES - 3].decode(errors="ignore") + "..."


def _flag(message: Mapping[str, Any], key: str, default: bool) -> bool:
    value = message.get(key, default)
    if type(value) is not bool:
        raise MessageError(f"hello.{key}: expected true or false, got {brief(value)}")
    return value


def _got(message: Mapping[str, Any], key: str) -> str:
    return brief(message[key]) if key in message else "no such key"
