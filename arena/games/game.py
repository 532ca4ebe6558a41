"""The interface that every game implements; the rest of the arena knows games only through it.

A game comes in two parts. A `Game` is the rule book: it says how many can play and which
variants there are, describes itself to bot authors, and starts states. A `State` is one
game in progress. It changes only through `apply`, asks for nothing but decisions, and has
no clock, no I/O and no randomness of its own, so that the same deal and the same actions
always lead to the same end.

Conventions that hold for all games:

- A seat is an integer from 0, clockwise. A card is one small integer.
- An action is a tuple: a verb, then integers: `("play", 37, 40)`. On the wire it is an array.
- A state stops only where a seat has a choice of at least two actions. What is forced is
  carried out inside `apply` (and before `start` returns), with its events.
- Everything handed out (views, events, lists of actions) may be kept by the caller. It is
  made of plain values that JSON and msgpack can carry, save that actions are tuples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

from arena.games.events import Event, EventForm
from arena.games.rare import RareGame
from arena.games.variants import Variant, settle

Action: TypeAlias = tuple[Any, ...]
View: TypeAlias = dict[str, Any]
Rules: TypeAlias = dict[str, Any]
Schema: TypeAlias = dict[str, Any]
Sampler: TypeAlias = "Callable[[Random], State]"


class Shuffler(Protocol):
    """Where a state's chance comes from: `DealStream`, or a stacked deck in a test."""

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle `cards` in place; the same labels give the same permutation, always.

        Shuffles with different labels are independent, so a shuffler holds no position
        and any number of states can share one.
        """


class State(Protocol):
    """One game in progress: a class that derives from this one, or has all that is in it.

    Three attributes tell what happens next, and are kept current:

    `turn` is the seat that has to decide, -1 once the game is over.
    `kind` is the kind of decision, one of the keys of `Game.decisions`; "" once it is over.
    `events` holds what happened so far, numbered by position, or None in a state that keeps
    none (see `copy`).
    """

    __slots__ = ("events", "kind", "turn")

    turn: int
    kind: str
    events: list[Event] | None

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many play."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn < 0

    @abstractmethod
    def actions(self) -> list[Action]:
        """All legal actions of the decision at hand, at least two, in canonical order.

        Order and content may depend only on what the seat to decide can see. A finished
        game has none.
        """

    @abstractmethod
    def check(self, action: object) -> Action:
        """The canonical form of an action that came from outside, or `IllegalAction`.

        Takes anything, lists in place of tuples included, and does not list all actions.
        What it returns is in `actions()`, and it accepts every member of `actions()`.
        """

    @abstractmethod
    def apply(self, action: Action) -> None:
        """Carry out a legal action in canonical form, and all that is forced after it.

        The hot path: nothing is checked here. Use `check` on actions from outside.
        """

    @abstractmethod
    def sample(self, random: Random) -> Action:
        """A legal action by chance, each with a probability above zero, without listing all."""

    @abstractmethod
    def default(self) -> Action:
        """The action that is played for a seat whose program has failed.

        A plain one that neither helps nor harms the others much, and with which every
        game comes to its end.
        """

    @abstractmethod
    def view(self, seat: int) -> View:
        """What this seat can see, as `Game.view_schema` says, whoever's turn it is."""

    def glimpse(self, seat: int) -> View:
        """The view for who sends it on at once: parts may be the state's own, arrays tuples."""
        return self.view(seat)

    @abstractmethod
    def copy(self) -> State:
        """An independent copy for searching, as cheap as can be; it keeps no events."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Points by seat, as far as they are counted; final once the game is over."""


class Game(ABC):
    """The rules of one game: a stateless object that plugins register.

    `name` is what commands and records call it; lower-case letters, digits and hyphens.
    `version` names the rules as played: it changes when an old record would replay differently.
    `players` lists the numbers of players it takes, ascending.
    `low_wins` says whether the lowest score is the best.
    `variants` are the options of `start`, each with a default.
    `decisions`, by kind, is what a state can ask, and `view_schema` what a seat sees: JSON
    Schemas with a description on every part, and examples for the actions. They are
    documentation, contract and test at once.
    `event_forms`, by name, says of every event what is in it and who may see it.
    """

    name: str
    title: str
    summary: str
    version: str
    players: Sequence[int]
    low_wins: bool
    variants: Sequence[Variant]
    decisions: Mapping[str, Schema]
    view_schema: Schema
    event_forms: Mapping[str, EventForm]

    def rules(self, options: Mapping[str, object]) -> Rules:
        """The full rules: `options` checked, the rest by default; `ValueError` if wrong."""
        return settle(self.name, self.variants, options)

    @abstractmethod
    def start(self, seats: int, rules: Rules, shuffler: Shuffler) -> State:
        """A new game that keeps its events. `rules` is what `self.rules` returned."""

    @abstractmethod
    def sampler(self, view: View, events: Sequence[View], rules: Rules) -> Sampler:
        """What a seat knows, as a function that draws full states which agree with it.

        `view` and `events` are those of one seat, as `State.view` and `EventForm.show`
        give them. Every call of the sampler returns an independent state, uniform over
        the ways to place the cards that the seat cannot locate; asked for that seat's view
        it gives `view` again. The state keeps no events.
        """

    def rare_games(self) -> Sequence[RareGame]:
        """Games that lead a program to where it seldom comes, for the conformance check.

        By default one with each variant at another value than the usual one.
        """
        return [
            RareGame(
                f"{variant.name} {variant.unusual}",
                self.players[0],
                0,
                rules={variant.name: variant.unusual},
            )
            for variant in self.variants
        ]

    def rare_states(self) -> Mapping[str, Callable[[View], bool]]:
        """Rare states by name, each with a test whether a view is of one; none by default."""
        return {}

    def places(self, scores: Sequence[int]) -> list[int]:
        """Places by seat, 1 the best; equal scores share the better place."""
        if self.low_wins:
            return [1 + sum(other < score for other in scores) for score in scores]
        return [1 + sum(other > score for other in scores) for score in scores]

    def check_seats(self, seats: int) -> None:
        """`ValueError` unless the game takes so many players."""
        if seats not in self.players:
            few, many = self.players[0], self.players[-1]
            raise ValueError(f"{self.name}: expected {few} to {many} players, got {seats}")

    def show(self, event: Event, seat: int | None) -> dict[str, Any]:
        """An event as this seat sees it; None sees everything."""
        return self.event_forms[event[0]].show(event, seat)

    def tell(self, shown: View) -> str:
        """An event, as `show` gives it, in words; of what a seat may not see it is silent."""
        details = ", ".join(f"{key} {value}" for key, value in shown.items() if key != "event")
        return f"{shown['event']}: {details}" if details else str(shown["event"])
