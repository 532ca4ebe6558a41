"""Actions from outside: legal ones are understood, and everything else is refused in one line."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.game import Action, State
from arena.games.illegal import IllegalAction

from .playing import CASES, SEEDS, Case, moment, record

MESSAGE = re.compile(r"action(\[\d+\])?: \S.*")
LONGEST_MESSAGE = 400
every_case = pytest.mark.parametrize("case", CASES, ids=str)
VERBS = ["play", "pass", "battle", "draw", "take", "keep", "swap", "peek", "discard", "reject"]
VERBS += ["call", "wait", "", "Play"]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 100),
    st.floats(),
    st.text(max_size=80),
    st.binary(max_size=8),
    st.sampled_from(VERBS),
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=12),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    ),
    max_leaves=20,
)
ACTION_LIKE = st.builds(lambda verb, rest: [verb, *rest], st.sampled_from(VERBS), st.lists(JUNK))


@cache
def positions() -> list[State]:
    """One state for every case and kind of decision, and a finished game of each."""
    found: dict[tuple[str, str], State] = {}
    for case in CASES:
        for state in record(case, 1).states():
            found.setdefault((str(case), state.kind), state.copy())
    assert {kind for case, kind in found if case == "gargon-3"} == {"play", "battle", "draw", ""}
    assert {kind for case, kind in found if case == "castors-3"} == {"turn", "card", "call", ""}
    return list(found.values())


def assert_refused(state: State, action: object) -> None:
    """The action is refused, with one line that names the place."""
    with pytest.raises(IllegalAction) as error:
        state.check(action)
    assert_readable(str(error.value))
    assert_readable(error.value.describe("action"))


def assert_readable(message: str) -> None:
    """A message of one printable line, not too long, that starts with the place."""
    assert MESSAGE.fullmatch(message), message
    assert message.isprintable()
    assert len(message) <= LONGEST_MESSAGE


def is_plain(action: list[Any]) -> bool:
    """Whether this is a verb and then integers, true and false not among them."""
    return bool(action) and all(type(number) is int for number in action[1:])


def canonical(action: list[Any]) -> Action:
    """The canonical form: a tuple, and played cards ascending."""
    rest = sorted(action[1:]) if action[0] == "play" else action[1:]
    return (action[0], *rest)


def mutate(action: list[Any], random: Random) -> None:
    """Change one thing about an action."""
    at = random.randrange(len(action))
    change = random.randrange(8)
    if change < 3:
        number = random.choice([action[at], random.randint(-2, 100), random.randint(0, 6)])
        shift = random.choice([-16, -1, 0, 1, 16])
        action[at] = number + shift if isinstance(number, int) else random.choice(VERBS)
    elif change == 3:
        del action[at]
    elif change == 4:
        action.insert(at, random.choice([action[at], random.randint(0, 95)]))
    elif change == 5:
        action.append(random.choice([action[-1], random.randint(0, 4), random.randint(0, 95)]))
    elif change == 6:
        random.shuffle(action)
    else:
        odd: list[Any] = [
            True,
            False,
            None,
            1.0,
            float(len(action)),
            "1",
            b"play",
            [1],
            {},
            1 << 70,
        ]
        action[at] = random.choice(odd)


@every_case
@settings(max_examples=20)
@given(seed=SEEDS)
def test_every_listed_action_is_accepted(case: Case, seed: int) -> None:
    """A listed action is accepted as it is, as an array, and with its cards in any order."""
    state = moment(case, seed)
    random = Random(seed)
    for action in state.actions():
        assert state.check(action) == action
        found = state.check(list(action))
        assert found == action
        assert isinstance(found, tuple)
        if action[0] == "play":
            assert state.check(["play", *random.sample(action[1:], len(action) - 1)]) == action


@every_case
@settings(max_examples=30)
@given(seed=SEEDS)
def test_a_changed_action_is_accepted_only_if_it_is_listed(case: Case, seed: int) -> None:
    """After any change an action is accepted exactly if its canonical form is listed."""
    state = moment(case, seed)
    random = Random(seed)
    actions = state.actions()
    for _ in range(40):
        action = list(random.choice(actions))
        for _ in range(random.randint(1, 2)):
            if action:
                mutate(action, random)
        if is_plain(action) and canonical(action) in actions:
            assert state.check(action) == canonical(action)
        else:
            assert_refused(state, action)


@settings(max_examples=300)
@given(position=st.integers(0, 60), junk=JUNK | ACTION_LIKE)
def test_junk_is_refused(position: int, junk: Any) -> None:
    """Whatever a program sends in place of an action, it gets a message and nothing breaks."""
    state = positions()[position % len(positions())]
    if isinstance(junk, list | tuple) and is_plain(list(junk)):
        try:
            is_listed = canonical(list(junk)) in state.actions()
        except TypeError:
            is_listed = False
        if is_listed:
            return
    assert_refused(state, junk)


def nested(depth: int) -> list[Any]:
    """Arrays within arrays."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


MONSTERS: dict[str, Any] = {
    "an integer of 70 bits": 1 << 70,
    "a negative integer of 70 bits": -(1 << 70),
    "an integer of 300 bits": 1 << 300,
    "an integer of 20000 bits": 1 << 20_000,
    "a negative integer of 20000 bits": -(1 << 20_000),
    "nested arrays": nested(12),
    "deeply nested arrays": nested(5_000),
    "a long text": "x" * 100_000,
    "a text of many lines": "a\nb\r\x0b\x1b[31m\u2028" * 9,
    "half a character": "\ud800",
    "a long array": [1] * 100_000,
    "not a number": float("nan"),
    "infinity": float("inf"),
}


@pytest.mark.parametrize("monster", MONSTERS.values(), ids=MONSTERS)
def test_monsters_are_refused(monster: Any) -> None:
    """Huge numbers, long texts, control characters and deep nesting get a short message too."""
    for state in positions():
        assert_refused(state, monster)
        assert_refused(state, [monster, 1])
        for verb in VERBS:
            assert_refused(state, [verb, monster])
            assert_refused(state, [verb, 0, monster])
            assert_refused(state, [verb, 0, 1, monster])
            assert_refused(state, {verb: monster})


def test_a_finished_game_takes_no_action() -> None:
    """After the end every action is refused with the reason."""
    for state in positions():
        if state.over:
            for verb in VERBS:
                with pytest.raises(IllegalAction, match="over"):
                    state.check([verb])


def test_messages_name_the_element_that_is_wrong() -> None:
    """The message says which element is wrong, what was expected there and what came."""
    for state in positions():
        for wrong in ([42], ["no such verb", 1], [None]):
            if not state.over:
                with pytest.raises(
                    IllegalAction, match=r"^action\[0\]: expected .*, got "
                ) as error:
                    state.check(wrong)
                assert error.value.at == 0
        if state.kind in ("battle", "draw"):
            with pytest.raises(IllegalAction, match=r"^action\[1\]: expected 0\.\.\d, got 104$"):
                state.check([state.kind, 104])
