"""Bytes that nobody meant: whatever comes, it is a message or a fault, never an accident."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice, pairwise
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.games.deal import DealStream
from arena.games.illegal import IllegalAction
from arena.records.canonical import canonical_bytes
from arena.records.entries import TimeControl
from arena.records.verdicts import FINISHED, MEANINGS
from arena.referee.game_record import logged, timed
from arena.wire import messages
from arena.wire.codec import DEEPEST, CodecError, decode, encode
from arena.wire.frames import HEADER, LARGEST, FrameError, FrameReader, frame, render
from arena.wire.messages import Answer, BotError, Hello, MessageError

from . import mutations, pipe_fuzz
from .matches import CASTORS, GARGON, RANDOM, assert_nothing_left, misbehaving, new_mark, play
from .test_acceptor import TAKES_ALL, only_outcome

INTEGERS = st.integers(-(1 << 63), (1 << 64) - 1)
SCALARS = st.none() | st.booleans() | INTEGERS | st.floats() | st.text()


def nested(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Arrays and maps of these values, or the values themselves."""
    maps = st.dictionaries(st.text(), values, max_size=4)
    return values | st.lists(values, max_size=4) | maps


VALUES = nested(nested(nested(SCALARS)))
KEYS = st.sampled_from(["t", "id", "i", "a", "note", "protocol", "name", "actions", "text"])
KINDS = st.sampled_from(["action", "hello", "error"])
MESSAGES = st.dictionaries(KEYS | st.text(), VALUES, max_size=6)
ALIEN = st.recursive(
    SCALARS | st.binary() | st.builds(msgpack.ExtType, st.integers(0, 127), st.binary()),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(SCALARS | st.binary(), inner, max_size=4)
    ),
    max_leaves=20,
)
STREAMS = st.binary() | st.lists(MESSAGES.map(frame), min_size=1, max_size=4).map(b"".join)


def read_all(pieces: list[bytes]) -> tuple[list[dict[str, Any]], str | None]:
    """The messages in a stream that comes in pieces, and the error that it ends with."""
    reader = FrameReader()
    found: list[dict[str, Any]] = []
    try:
        for piece in pieces:
            message = reader.take(piece)
            while message is not None:
                found.append(message)
                message = reader.next()
            assert reader.pending <= HEADER + LARGEST
    except FrameError as error:
        return found, str(error)
    return found, None


@st.composite
def cut(draw: st.DrawFn, streams: st.SearchStrategy[bytes]) -> list[bytes]:
    """A stream, cut up anywhere."""
    data = draw(streams)
    places = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    return [data[start:end] for start, end in pairwise([0, *places, len(data)])]


@st.composite
def mutated(draw: st.DrawFn, messages: st.SearchStrategy[Any] = MESSAGES) -> bytes:
    """A good frame in which some bytes have been changed, removed or added."""
    data = bytearray(frame(draw(messages)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(data)


@given(VALUES.map(lambda value: {"a": value}))
def test_what_is_sent_is_what_is_read(message: dict[str, Any]) -> None:
    """Every value of the protocol survives the way through a pipe."""
    assert repr(decode(encode(message))) == repr(message)


@given(st.binary() | ALIEN.map(msgpack.packb))
@example(b"\x81\xc4\x01t\x01")
@example(b"\xdf\xff\xff\xff\xff")
@example(b"\x81\x90\x01")
def test_any_bytes_are_a_map_or_an_error(data: bytes) -> None:
    """Nothing that a bot can pack gets past the codec unless the protocol knows it."""
    try:
        message = decode(data)
    except CodecError:
        return
    assert type(message) is dict
    assert all(type(key) is str for key in message)
    json.dumps(message).encode()


class Pairs(list[tuple[Any, Any]]):
    """A map as it was sent: keys of all types, some of them twice."""


def allowed(value: Any, levels: int = DEEPEST) -> Any:
    """The value, with dicts for its maps; `ValueError` if the protocol does not allow it."""
    if isinstance(value, list):
        if levels == 0:
            raise ValueError
        if not isinstance(value, Pairs):
            return [allowed(item, levels - 1) for item in value]
        keys = [key for key, _ in value if isinstance(key, str)]
        if not len(set(keys)) == len(keys) == len(value):
            raise ValueError
        return {key: allowed(item, levels - 1) for key, item in value}
    if not isinstance(value, int | float | str | None):
        raise ValueError
    return value


def read_by_another(data: bytes) -> dict[str, Any] | None:
    """What the library msgpack reads in these bytes; None if the protocol does not allow that."""
    try:
        value = msgpack.unpackb(data, strict_map_key=False, object_pairs_hook=Pairs)
        found = allowed(value)
    except (ValueError, msgpack.UnpackException):
        return None
    return found if isinstance(found, dict) else None


def same_as_another(data: bytes) -> bool:
    """Whether the codec reads what the library reads; if so, whether that is a message."""
    try:
        found = decode(data)
    except CodecError:
        assert read_by_another(data) is None
        return False
    assert repr(found) == repr(read_by_another(data))
    return True


@given(st.binary() | ALIEN.map(msgpack.packb) | mutated().map(lambda data: data[HEADER:]))
@example(b"\x82\xa1t\x01\xa1t\x01")
@example(b"\x81\xa1x" + b"\x91" * 16 + b"\x01")
@example(b"\x81\xa1x\xc4\x01b")
@example(b"\x81\xa1x\x01\xc0")
def test_the_codec_reads_what_the_protocol_allows_and_nothing_else(data: bytes) -> None:
    """Another library, held to the protocol afterwards, takes the same bytes for the same."""
    same_as_another(data)


def test_the_codec_agrees_with_another_library_on_mutated_answers() -> None:
    """So it does on bytes that are nearly an answer."""
    chance = Random(2)
    bodies = [mutations.mutated(chance)[HEADER:] for _ in range(5000)]
    assert 1000 < sum(map(same_as_another, bodies)) < 4000


@given(st.data())
def test_a_frame_means_the_same_in_whatever_way_it_arrives(data: st.DataObject) -> None:
    """Whether it comes at once or late, whole or in pieces makes no difference to the player."""
    answers = MESSAGES.map(lambda message: {"t": "action", "id": 1, "i": 0} | message)
    stream = data.draw(mutated(answers) | answers.map(frame) | mutated())
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=4))
    only_outcome(TAKES_ALL, stream, places)


@given(cut(STREAMS | mutated()))
def test_where_a_stream_is_cut_makes_no_difference(pieces: list[bytes]) -> None:
    """A bot's verdict does not depend on how its pipe was read."""
    whole = read_all([b"".join(pieces)])
    assert repr(read_all(pieces)) == repr(whole)


@given(mutated() | st.binary())
def test_all_bytes_can_be_shown(data: bytes) -> None:
    """The evidence of a fault can be shown and kept, whatever the bytes were."""
    text = render(data)
    assert len(text) <= 2000
    canonical_bytes(text)


@given(st.builds(lambda message, kind: message | {"t": kind}, MESSAGES, KINDS) | MESSAGES)
def test_any_message_is_read_or_refused(message: dict[str, Any]) -> None:
    """A map with anything in it is one of the three messages, or an error that can be kept."""
    try:
        found = messages.read(message)
    except MessageError as error:
        canonical_bytes(str(error))
        return
    assert isinstance(found, Answer | Hello | BotError)
    if isinstance(found, Answer):
        assert len(found.note.encode()) <= messages.LONGEST_NOTE_BYTES


@given(st.builds(lambda action, seats: (action, seats), VALUES, st.integers(3, 5)))
def test_any_action_is_legal_or_illegal(case: tuple[Any, int]) -> None:
    """Whatever is sent as an action, the rules have an answer to it that can be kept."""
    action, seats = case
    state = GARGON.start(seats, GARGON.rules({}), DealStream.of("tests", 1))
    try:
        assert state.check(action) in state.actions()
    except IllegalAction as illegal:
        canonical_bytes(illegal.describe("action.a"))


def test_bots_that_babble_get_verdicts() -> None:
    """Hundreds of random messages over real pipes, and not one of them gets the referee down."""
    mark = new_mark()
    control = TimeControl(decision=40, bank=200, start=2000)
    verdicts: set[str] = set()
    for seed in range(24):
        bots = [misbehaving("babbles", str(seed * 2 + bot), mark) for bot in range(2)]
        game = [CASTORS, GARGON][seed % 2]
        options: dict[str, object] = {"laps": 1} if game is CASTORS else {}
        for played in play([*bots, RANDOM], 2, control, game=game, options=options):
            assert len(played.played.verdicts) == 3
            verdicts.update(played.played.verdicts)
            canonical_bytes([logged(played.played), timed(played.played)])
    assert verdicts <= set(MEANINGS)
    assert len(verdicts - {FINISHED}) >= 3
    assert_nothing_left(mark)


@pytest.mark.parametrize("rounds", [5, pytest.param(100, marks=pytest.mark.wide)])
def test_whatever_a_bot_does_to_its_pipes_the_others_play_on(rounds: int) -> None:
    """No trick of a bot escapes the verdicts, hangs the referee or harms an honest bot."""
    counts = sum(islice(pipe_fuzz.fuzz(rounds), rounds), Counter())
    assert counts["games"] == rounds * pipe_fuzz.SEATS
    assert counts["answers"] > counts["games"]
    assert len(set(counts) & set(MEANINGS) - {FINISHED}) >= 3
