"""Games played by chance and written down, so that a test can go back to any moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from arena.games.castors.state import CARD, CastorsState
from arena.games.deal import DealStream
from arena.games.game import Action, Game, Rules, Shuffler, State
from arena.games.gargon.state import GargonState

from .stacked import CASTORS, GARGON, StackedDeck

SEEDS = st.integers(0, 2**32 - 1)
PATIENCE = 0.97
"""How often nobody calls the last round when he could: piles then run out now and then."""


@dataclass(frozen=True)
class Case:
    """A game, a number of players and rules."""

    game: Game
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game.name, str(self.seats), *self.options])

    @property
    def rules(self) -> Rules:
        """The full rules."""
        return self.game.rules(self.options)

    def start(self, shuffler: Shuffler) -> State:
        """A new game."""
        return self.game.start(self.seats, self.rules, shuffler)


CASES = [
    *[Case(GARGON, seats) for seats in GARGON.players],
    Case(GARGON, 4, {"open_winnings": True}),
    Case(GARGON, 3, {"amulets": list(range(12))}),
    *[Case(CASTORS, seats) for seats in CASTORS.players],
    Case(CASTORS, 3, {"laps": 1}),
    Case(CASTORS, 2, {"laps": 7}),
]


class Recorder:
    """A deal stream that keeps the order that every shuffle led to."""

    def __init__(self, seed: int) -> None:
        self.orders: dict[tuple[int, ...], list[int]] = {}
        self._stream = DealStream.of("tests", seed)

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle, and write the order down."""
        self._stream.shuffle(cards, *labels)
        self.orders[labels] = list(cards)


@dataclass(frozen=True)
class Record:
    """A whole game: the order of every shuffle, and every action."""

    case: Case
    orders: Mapping[tuple[int, ...], Sequence[int]]
    actions: Sequence[Action]

    def states(self) -> Iterator[State]:
        """The same state again and again: at the start and after each action."""
        state = self.case.start(StackedDeck(self.orders))
        yield state
        for action in self.actions:
            state.apply(action)
            yield state

    def at(self, time: int) -> State:
        """The state after so many actions."""
        state = self.case.start(StackedDeck(self.orders))
        for action in self.actions[:time]:
            state.apply(action)
        return state


def record(case: Case, seed: int) -> Record:
    """A game played by chance from its start to its end."""
    shuffler = Recorder(seed)
    random = Random(seed)
    state = case.start(shuffler)
    actions = []
    while not state.over:
        actions.append(pick(state, random))
        state.apply(actions[-1])
    return Record(case, shuffler.orders, actions)


def moment(case: Case, seed: int) -> State:
    """A game played by chance up to some moment before its end."""
    actions = record(case, seed).actions
    state = case.start(Recorder(seed))
    for action in actions[: Random(~seed).randrange(len(actions))]:
        state.apply(action)
    return state


def pick(state: State, random: Random) -> Action:
    """One of the listed actions by chance: first the verb, then the rest."""
    actions = state.actions()
    verbs = sorted({action[0] for action in actions})
    verb = random.choice(verbs)
    if state.kind == "call":
        verb = "wait" if random.random() < PATIENCE else "call"
    return random.choice([action for action in actions if action[0] == verb])


def events_of(state: State) -> list[tuple[Any, ...]]:
    """The events of a state that keeps them."""
    assert state.events is not None
    return state.events


def shown(game: Game, state: State, seat: int | None) -> list[dict[str, Any]]:
    """All events so far, as this seat sees them."""
    return [game.show(event, seat) for event in events_of(state)]


def whereabouts(state: State) -> list[int]:
    """Every card of the pack, wherever it is, ascending."""
    if isinstance(state, GargonState):
        drawn = zip(state.stacks, state.drawn, strict=True)
        places = [*state.hands, *state.table, *state.won, *(cards[at:] for cards, at in drawn)]
        return sorted([*state.discards, *(card for cards in places for card in cards)])
    assert isinstance(state, CastorsState)
    rows = [card & CARD for card in state.rows]
    drawn_card = [state.drawn] if state.drawn >= 0 else []
    return sorted([*rows, *state.pile, *state.discards, *drawn_card, *set_aside(state)])


def set_aside(state: CastorsState) -> list[int]:
    """The action cards that were replaced at the end of the deal that is on the table."""
    cards: list[int] = []
    for event in state.events or []:
        if event[0] == "deal":
            cards = []
        elif event[0] == "replaced":
            cards += event[3][:-1]
    return cards
