"""One acceptor: what a bot has sent means the same, however and whenever it arrives."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from time import perf_counter
from typing import Any, cast

import pytest

from arena.games.deal import DealStream
from arena.games.game import State
from arena.records.entries import TimeControl
from arena.referee.clock import Clock
from arena.referee.faults import NOT_A_FRAME, Fault
from arena.referee.player import Player
from arena.wire.frames import frame

from .matches import GARGON
from .mutations import framed, mutated
from .scripted import Delivers

PATIENT = TimeControl(decision=60_000, bank=60_000, start=60_000)
ROUNDS = 3000
Outcome = list[tuple[Any, ...]]


class TakesAll:
    """A game in which every action is legal, so that the wire alone refuses."""

    def check(self, action: object) -> tuple[str, str]:
        """Take it."""
        return ("took", repr(action))

    def actions(self) -> list[tuple[str]]:
        """All that an index can mean."""
        return [("first",), ("second",)]


TAKES_ALL = cast("State", TakesAll())


def a_state() -> State:
    """A game of Gargon before its first decision, which refuses most actions."""
    return GARGON.start(3, GARGON.rules({}), DealStream.of("tests", 0))


def outcome(state: State, pieces: Sequence[bytes], *, late: bool) -> Outcome:
    """What comes of two questions: actions and notes, and the fault that ends them."""
    player = Player(Delivers(pieces, late=late), PATIENT)
    found: Outcome = []
    try:
        for _ in range(2):
            action, note, _ = player.ask({"t": "act"}, state, Clock(PATIENT))
            found.append((action, note))
    except Fault as fault:
        found.append((fault.verdict, fault.text, fault.code))
    return found


def only_outcome(state: State, data: bytes, places: Sequence[int] = ()) -> Outcome:
    """What these bytes mean at once or late, whole or cut at these places: always the same."""
    pieces = [data[start:end] for start, end in pairwise([0, *sorted(places), len(data)])]
    first = outcome(state, [data], late=False)
    assert outcome(state, [data], late=True) == first, data
    assert outcome(state, pieces, late=False) == first, pieces
    assert outcome(state, pieces, late=True) == first, pieces
    return first


def compare(rounds: int, seed: int) -> Counter[str]:
    """Send so many mutated frames in all ways; how often they were taken, and the faults."""
    chance = Random(seed)
    states = (TAKES_ALL, a_state())
    counts: Counter[str] = Counter()
    for _ in range(rounds):
        data = mutated(chance)
        places = [chance.randrange(len(data) + 1) for _ in range(chance.randrange(4))]
        found = only_outcome(chance.choice(states), data, places)
        counts["taken" if len(found) > 1 else found[0][2]] += 1
    return counts


def test_mutated_frames_mean_the_same_in_whatever_way_they_arrive() -> None:
    """A verdict depends on the bytes alone, not on the time they took or on how they were cut."""
    counts = compare(ROUNDS, 1)
    assert counts["taken"] > ROUNDS / 10
    assert counts[NOT_A_FRAME] > ROUNDS / 10
    assert len(counts) >= 6


def action(value: bytes) -> bytes:
    """The body of an answer with this action."""
    return b"\x83\xa1t\xa6action\xa2id\x01\xa1a" + value


def numbers(count: int) -> bytes:
    """An array of so many numbers."""
    return b"\xdc" + count.to_bytes(2, "big") + b"\x01" * count


def test_as_many_values_as_the_protocol_allows_are_taken() -> None:
    """The body, its three keys with their values, and the numbers in the action."""
    data = framed(action(numbers(65_529)))
    found = only_outcome(TAKES_ALL, data, [3, 20, len(data) - 1])
    assert found[0][0][0] == "took"


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param(action(b"\x90") + b"\xc0", "one msgpack map, got 1 bytes more", id="more"),
        pytest.param(action(b"\x91\xc4\x01n"), "arrays and maps, got binary data", id="binary"),
        pytest.param(action(b"\x91" * 16 + b"\x01"), "at most 16 levels of nesting", id="deep"),
        pytest.param(action(numbers(65_530)), "at most 65536 values, got more", id="many"),
        pytest.param(
            b"\x84" + action(b"\x90")[1:] + b"\xa2id\x01", 'got "id" twice', id="key twice"
        ),
    ],
)
def test_what_the_protocol_refuses_is_refused_at_any_speed(
    body: bytes, text: str, late: bool
) -> None:
    """No game is so tolerant that a wrong frame with a legal action gets through."""
    ((verdict, said, code),) = outcome(TAKES_ALL, [framed(body)], late=late)
    assert (verdict, code) == ("protocol", NOT_A_FRAME)
    assert text in said


@pytest.mark.parametrize(
    "more",
    [
        {"note": "n" * 5000},
        {"x": None},
        {"i": None},
        {"x": [[[{"y": -0.5}]]], "z": "é" * 70_000},
    ],
    ids=["long note", "unknown key", "no index", "long and deep"],
)
def test_what_the_protocol_allows_is_taken_at_any_speed(more: dict[str, Any]) -> None:
    """Answers that are not as short and plain as most are answers nevertheless."""
    data = frame({"t": "action", "id": 1, "a": ["go"]} | more)
    found = only_outcome(TAKES_ALL, data, [3, 20, len(data) - 1])
    assert found[0][0] == ("took", "['go']")


def test_what_was_received_is_kept_once() -> None:
    """A bot that is always half an answer ahead does not fill the referee's memory."""
    answers = [frame({"t": "action", "id": n, "i": 0, "x": "x" * 999}) for n in range(1, 301)]
    ahead = [answers[0] + answers[1][:500]]
    ahead += [b[500:] + c[:500] for b, c in pairwise(answers[1:])]
    player = Player(Delivers(ahead), PATIENT)
    for number in range(len(ahead)):
        player.ask({"t": "act"}, TAKES_ALL, Clock(PATIENT))
        assert len(player.received) <= 2 * len(answers[number])


def test_an_answer_in_many_pieces_is_kept_once() -> None:
    """What a fault's evidence shows of an answer is the whole of it, without what came before."""
    first, second = (frame({"t": "action", "id": n, "i": 9 * (n - 1)}) for n in (1, 2))
    pieces = [bytes([byte]) for byte in first + second]
    player = Player(Delivers(pieces), PATIENT)
    player.ask({"t": "act"}, TAKES_ALL, Clock(PATIENT))
    assert player.received == first
    with pytest.raises(Fault, match="an index into the list"):
        player.ask({"t": "act"}, TAKES_ALL, Clock(PATIENT))
    assert player.received == second


if __name__ == "__main__":  # python -m referee.test_acceptor ROUNDS SEED, in tests
    began = perf_counter()
    total = compare(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{total.total()} frames in {perf_counter() - began:.0f} s, no difference")
    for what, count in total.most_common():
        print(f"{count:9} {what}")
