"""The interface that every game implements; the rest of the arena knows games only through it.

A game comes in two parts. A `Game` is the rule book: it says how many can play and which
variants there are, describes itself to bot authors, and starts states. A `State` is one
game in progress. It changes only through `apply`, stops only for decisions, and has no
clock, no I/O and no randomness of its own, so that the same deal and the same actions
always lead to the same end.

Conventions that hold for all games:

- A seat is an integer from 0, clockwise. A card is one small integer.
- An action is a tuple: a verb, then integers: `("play", 37, 40)`. On the wire it is an array.
- A state stops only where a seat has a choice of at least two actions. Forced moves are
  carried out inside `apply` (and before `start` returns), with their events.
- Everything handed out (views, events, lists of actions) may be kept by the caller. It is
  made of plain values that JSON and msgpack can carry, except that actions are tuples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, Protocol, TypeAlias

from arena.games.events import Event, EventForm
from arena.games.rare import RareGame
from arena.games.score_parts import ScorePart
from arena.games.table import Scene, TableLayout
from arena.games.telling import Seat, Segment, listed
from arena.games.variants import Variant, settle

Action: TypeAlias = tuple[Any, ...]
View: TypeAlias = dict[str, Any]
Rules: TypeAlias = dict[str, Any]
Schema: TypeAlias = dict[str, Any]
Viewer: TypeAlias = int | None
"""Who looks at a game: a seat, `ONLOOKER`, or None, who sees everything."""
ONLOOKER: Final = -1
"""Somebody who sits nowhere, and sees what everybody sees."""
Sampler: TypeAlias = "Callable[[Random], State]"


class Shuffler(Protocol):
    """A state's source of randomness: `DealStream`, or a stacked deck in a test."""

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle `cards` in place; the same labels always give the same permutation.

        Shuffles with different labels are independent, so a shuffler holds no position
        and any number of states can share one.
        """


class State(Protocol):
    """One game in progress. A class can derive from this one, or just have the same members.

    Three attributes say where the game stands:

    `turn` is the seat that has to decide, -1 once the game is over.
    `kind` is the kind of decision, one of the keys of `Game.decisions`; "" once it is over.
    `events` lists what happened so far, numbered by position. It is None in a state that
    keeps no events (see `copy`).

    A state may have one more, so that pages show it after every event and not only where a seat
    decides: `on_event`, None at the start. While it is set, the state calls it after each event,
    as soon as its views show what the event tells.
    """

    __slots__ = ("events", "kind", "on_event", "turn")

    turn: int
    kind: str
    events: list[Event] | None

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of players."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn < 0

    @abstractmethod
    def actions(self) -> list[Action]:
        """Return all legal actions of the current decision, at least two, in canonical order.

        Order and content may depend only on what the seat to decide can see. A finished
        game has none.
        """

    @abstractmethod
    def check(self, action: object) -> Action:
        """Return the canonical form of an action from outside; raise `IllegalAction` if illegal.

        Accept any object, lists in place of tuples included, without listing all actions.
        The result is in `actions()`, and every member of `actions()` is accepted.
        """

    @abstractmethod
    def apply(self, action: Action) -> None:
        """Carry out a legal action in canonical form, and every forced move after it.

        Nothing is checked here, as this is the hot path. Use `check` on actions from outside.
        """

    @abstractmethod
    def sample(self, random: Random) -> Action:
        """Return a random legal action without listing all; each can come up."""

    @abstractmethod
    def default(self) -> Action:
        """Return the action that is played for a seat whose program has failed.

        It is a simple action that neither helps nor harms the others much, and with which
        every game comes to its end.
        """

    @abstractmethod
    def view(self, seat: int) -> View:
        """Return what this seat can see, as `Game.view_schema` says, whoever's turn it is."""

    def glimpse(self, seat: int) -> View:
        """Return the view for a caller that sends it on at once.

        It may share parts with the state, and its arrays may be tuples.
        """
        return self.view(seat)

    def public_view(self) -> View:
        """Return what an onlooker sees who sits nowhere; by default nothing."""
        return {}

    def full_view(self) -> View:
        """Return what all cards on the table are, whether a seat knows them or not.

        By default these are the views of all seats, by seat.
        """
        return {
            f"seat {seat}: {key}": value
            for seat in range(self.seats)
            for key, value in self.view(seat).items()
        }

    def score_parts(self, viewer: Viewer) -> Sequence[Sequence[ScorePart] | None]:
        """Return the parts of each seat's points; None for a seat whose points are hidden.

        The parts of a seat add up to its points in `scores`. By default a seat sees its own alone
        until the game is over.
        """
        return [
            [ScorePart("points", score)] if self.over or viewer in (None, seat) else None
            for seat, score in enumerate(self.scores())
        ]

    @abstractmethod
    def copy(self) -> State:
        """Return an independent copy for searching, as cheaply as possible; it keeps no events."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return the points by seat as counted so far; they are final once the game is over."""


class Game(ABC):
    """The rules of one game: a stateless object that plugins register.

    `name` is its name in commands and records: lower-case letters, digits and hyphens.
    `version` names the rules as played: it changes when an old record would replay differently.
    `players` lists the possible numbers of players, ascending.
    `low_wins` says whether the lowest score is the best.
    `margin` is how many points are a clear margin between two players, a third of the usual
    spread of scores; None if only places count. Comparisons of bots and skills by margins use it.
    `interaction` is the largest part of a share of opponents that one honest opponent's style
    gives or takes at tables of four: what is beyond it, the audit for collusion flags.
    `partiality` is the largest factor by which an honest player acts more, or less, often against
    one opponent than the habits of both lead to expect: beyond it, the audit flags, too. It
    counts what `aims` says.
    `variants` are the options of `start`, each with a default.
    `decisions` describes, by kind, the decisions that a state can ask for, and `view_schema`
    what a seat sees: JSON Schemas with a description on every part, and examples for the
    actions. They are documentation, contract and test at once.
    `event_forms` describes, by name, what each event holds and who may see it.
    `layout` says how pages draw the game's table, of which `scene` says what lies on it. None if
    the game has no table of its own: then pages show views and events by what the schemas say.
    """

    name: str
    title: str
    summary: str
    version: str
    players: Sequence[int]
    low_wins: bool
    margin: float | None = None
    interaction: float = 0.02
    partiality: float = 2.0
    variants: Sequence[Variant]
    decisions: Mapping[str, Schema]
    view_schema: Schema
    event_forms: Mapping[str, EventForm]
    layout: TableLayout | None = None

    def rules(self, options: Mapping[str, object]) -> Rules:
        """Return `options` and defaults for the other rules; raise `ValueError` if one is wrong."""
        return settle(self.name, self.variants, options)

    @abstractmethod
    def start(self, seats: int, rules: Rules, shuffler: Shuffler) -> State:
        """Return a new game that keeps its events. `rules` is what `self.rules` returned."""

    @abstractmethod
    def sampler(self, view: View, events: Sequence[View], rules: Rules) -> Sampler:
        """Return a function that draws full states which agree with what a seat knows.

        `view` and `events` are those of one seat, as `State.view` and `EventForm.show`
        return them. Every call of the function returns an independent state, uniform over
        the ways to place the cards that the seat cannot locate; that seat's view of it is
        `view` again. The state keeps no events.
        """

    def rare_games(self) -> Sequence[RareGame]:
        """Return games that lead a program to rare states, for the conformance check.

        By default there is one for each variant, with an unusual value of it.
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
        """Return tests for rare states by name: whether a view is of one. None by default."""
        return {}

    def places(self, scores: Sequence[int]) -> list[int]:
        """Return the places by seat, 1 the best; equal scores share the better place."""
        if self.low_wins:
            return [1 + sum(other < score for other in scores) for score in scores]
        return [1 + sum(other > score for other in scores) for score in scores]

    def aims(self, state: State, action: Action) -> Mapping[int, bool]:
        """Return the seats that the seat to decide could act against, and if this action does.

        To act against somebody is to take from him, to attack him, to fight him: what two who
        play for each other would not do to each other. An action of another kind has no such
        seats. `state` is the one that the action is chosen in. By default there are none, and
        the audit for collusion looks only at results.
        """
        return {}

    def check_seats(self, seats: int) -> None:
        """Raise `ValueError` unless the game can have this many players."""
        if seats not in self.players:
            few, many = self.players[0], self.players[-1]
            raise ValueError(f"{self.name}: expected {few} to {many} players, got {seats}")

    def show(self, event: Event, seat: Viewer) -> dict[str, Any]:
        """Return an event as this viewer sees it."""
        return self.event_forms[event[0]].show(event, seat)

    def position(self, views: Sequence[View]) -> list[str]:
        """Describe a position in words, a line each, as the seats with these views see it."""
        return [
            f"seat {view['seat']} sees {key} {value}"
            for view in views
            for key, value in view.items()
            if key != "seat"
        ]

    def tell(self, shown: View) -> Sequence[Segment]:
        """Describe an event in words, as `show` returns it; hidden fields are omitted."""
        details: list[list[Segment]] = [
            [Seat(value)] if key == "seat" and isinstance(value, int) else [f"{key} {_word(value)}"]
            for key, value in shown.items()
            if key != "event"
        ]
        return [f"{shown['event']}: ", *listed(details)] if details else [str(shown["event"])]

    def scene(
        self, view: View, event: View | None, parts: Sequence[Sequence[ScorePart] | None]
    ) -> Scene:
        """Return what lies on the table, for a game with a `layout`.

        `view` is that of a seat, the public or the full one; `event` is what just happened, as
        `show` returns it to the same viewer, None before all events; `parts` are what
        `State.score_parts` returned for him. Nothing else is known here, so that a page can
        show nothing that its viewer may not see.
        """
        raise NotImplementedError(f"{self.name} has a layout, but no scene")


def _word(value: object) -> object:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
