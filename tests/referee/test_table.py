"""A table of scripted players: what each of them is told from the first message to the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from arena.games.events import Event
from arena.games.game import ONLOOKER, Action, State
from arena.records.entries import SeatFault, TimeControl
from arena.records.verdicts import CRASHED, FINISHED, ILLEGAL, START_FAILED
from arena.referee.deals import Deal
from arena.referee.faults import CANNOT_RUN, Fault
from arena.referee.observer import Observer
from arena.referee.player import Player
from arena.referee.sights import Watch
from arena.referee.table import FOLLOWS, Played, Table
from arena.referee.terms import Terms
from arena.wire.frames import frame

from .matches import CASTORS
from .scripted import Obliging

CONTROL = TimeControl(60_000, 60_000, 60_000)
DEAL = Deal(b"a key", 1)
RULES = CASTORS.rules({"laps": 1})


def seated(transport: Obliging) -> Player:
    """A player that has said hello."""
    player = Player(transport, CONTROL)
    player.greet("tests", {CASTORS.name: CASTORS.version}, {})
    return player


def played(*players: Player | Fault) -> Played:
    """A short game."""
    return Table(Terms(CASTORS, RULES, CONTROL), DEAL, players).play(7)


def kinds(transport: Obliging) -> list[str]:
    """What a bot heard, by the messages' names, repeated questions left out."""
    found: list[str] = []
    for message in transport.heard:
        if found[-1:] != [message["t"]]:
            found.append(message["t"])
    return found


def test_a_game_is_told_from_start_to_end() -> None:
    """Every bot hears where it sits, is asked, and hears how the game ended."""
    bots = [Obliging(actions=True), Obliging(actions=False, events=False)]
    game = played(*map(seated, bots))
    assert game.verdicts == [FINISHED] * 2
    for seat, bot in enumerate(bots):
        assert kinds(bot) == ["hello", "start", "act", "end"]
        assert bot.heard[1] == {
            "t": "start",
            "number": 7,
            "game": "castors",
            "rules": RULES,
            "seat": seat,
            "seats": 2,
            "seed": DEAL.seed(seat),
            "clock": {"decision": 60_000, "bank": 60_000, "start": 60_000},
        }
        end = bot.heard[-1]
        assert end["scores"] == game.scores
        assert end["places"] == game.places
        assert end["verdicts"] == game.verdicts
        assert not bot.closed


def test_a_bot_is_sent_what_it_wants_and_no_more() -> None:
    """Lists of actions and events come to those who asked for them in their hello."""
    wants, not_wants = Obliging(actions=True), Obliging(actions=False, events=False)
    played(seated(wants), seated(not_wants))
    always = {"t", "id", "kind", "view", "bank"}
    for message in wants.heard:
        if message["t"] == "act":
            assert set(message) == always | {"actions", "first_event", "events"}
            assert len(message["actions"]) >= 2
    for message in not_wants.heard:
        if message["t"] == "act":
            assert set(message) == always
    assert not_wants.heard[-1]["events"] == []


def test_events_come_without_gaps_or_repetitions() -> None:
    """A bot that keeps the events has the whole game, each event once and in order."""
    bots = [Obliging(), Obliging()]
    played(*map(seated, bots))
    for bot in bots:
        events: list[Any] = []
        for message in bot.heard[2:]:
            assert message["first_event"] == len(events)
            events += message["events"]
        assert len(events) > 10
        assert bot.heard[-1]["t"] == "end"


def test_a_bot_that_fails_is_told_and_hears_nothing_more() -> None:
    """The fault says what was wrong, where, and what follows; then it is told to go."""
    illegal = frame({"t": "action", "id": 2, "a": ["cheat"]})
    bots = [Obliging({2: illegal}), Obliging()]
    game = played(*map(seated, bots))
    assert kinds(bots[0]) == ["hello", "start", "act", "fault", "bye"]
    assert bots[0].closed
    (fault,) = game.faults
    told = {"verdict": ILLEGAL, "text": fault.text, "decision": fault.decision, "follows": FOLLOWS}
    assert bots[0].heard[-2] == {"t": "fault"} | told
    assert fault.text.startswith('action.a[0]: expected "')
    assert kinds(bots[1]) == ["hello", "start", "act", "end"]
    assert bots[1].heard[-1]["verdicts"] == game.verdicts == [ILLEGAL, FINISHED]
    assert game.places == [2, 1]


def test_a_seat_without_a_bot_is_played_on_by_default_actions() -> None:
    """A bot that did not start leaves a seat that still plays, and a game that ends."""
    bot = Obliging()
    game = played(Fault(START_FAILED, "no such program", code=CANNOT_RUN), seated(bot))
    assert game.verdicts == [START_FAILED, FINISHED]
    assert game.deciders.count(0) > 1
    assert [
        micros for seat, micros in zip(game.deciders, game.micros, strict=True) if not seat
    ] == [0] * game.deciders.count(0)
    assert kinds(bot) == ["hello", "start", "act", "end"]


def test_who_holds_out_longer_ranks_higher() -> None:
    """Among bots that fail, the later failure is the better place; together they share it."""
    error = frame({"t": "error", "text": "enough"})
    late, soon = Obliging({3: error}), Obliging({2: error})
    game = played(
        Fault(START_FAILED, "no", code=CANNOT_RUN),
        seated(late),
        seated(soon),
        Fault(START_FAILED, "no", code=CANNOT_RUN),
    )
    assert game.verdicts == [START_FAILED, CRASHED, CRASHED, START_FAILED]
    assert game.places == [3, 1, 2, 3]


@pytest.mark.parametrize("seat", [0, 1])
def test_notes_are_kept_with_the_decision_that_they_belong_to(seat: int) -> None:
    """Replays show what a bot thought, at the decision at which it thought it."""
    noted = frame({"t": "action", "id": 2, "i": 0, "note": "now"})
    bots = [Obliging(), Obliging()]
    bots[seat] = Obliging({2: noted})
    game = played(*map(seated, bots))
    second = [number for number, decider in enumerate(game.deciders) if decider == seat][1]
    assert game.notes == {second: "now"}


class Watching(Observer):
    """Keeps all that it is told, and looks at the table as an onlooker does."""

    def __init__(self) -> None:
        self.decided_by: list[int] = []
        self.actions: list[Action] = []
        self.notes: dict[int, str] = {}
        self.micros: list[int] = []
        self.faults: list[SeatFault] = []
        self.result: tuple[list[int], list[int]] | None = None
        self.seen: list[Event] = []

    def began(self, state: State) -> None:
        """Follow the state from its beginning."""
        self.watch = Watch(state, [ONLOOKER])
        self.seen += self.watch.opening.events

    def failed(self, fault: SeatFault) -> None:
        """Keep the fault."""
        self.faults.append(fault)

    def decided(self, seat: int, action: Action, note: str, micros: int) -> None:
        """Keep the decision, and what the onlooker then sees."""
        if note:
            self.notes[len(self.actions)] = note
        self.decided_by.append(seat)
        self.actions.append(action)
        self.micros.append(micros)
        for moment in self.watch.moments():
            self.seen += moment.events
            (sight,) = moment.sights
            assert sight.view["seat"] == ONLOOKER
            assert sight.view["drawn"] in (None, -1)

    def ended(self, scores: Sequence[int], places: Sequence[int]) -> None:
        """Keep the result."""
        self.result = (list(scores), list(places))


def test_an_observer_sees_a_game_as_it_is_played() -> None:
    """Somebody who watches is told all of it, also where no bot wants events and one fails."""
    absent = Fault(START_FAILED, "no such program", code=CANNOT_RUN)
    players = [seated(Obliging(actions=True, events=False)), absent]
    observer = Watching()
    game = Table(Terms(CASTORS, RULES, CONTROL), DEAL, players, observer).play(7)
    assert (observer.decided_by, observer.actions) == (game.deciders, game.actions)
    assert (observer.notes, observer.micros) == (game.notes, game.micros)
    assert observer.faults == game.faults
    assert observer.result == (game.scores, game.places)
    assert observer.seen[0][0] == "deal"
    assert observer.seen[-1][0] == "counted"
    assert observer.seen[-1][3] == game.scores


def test_without_an_observer_the_same_is_played() -> None:
    """To be watched changes nothing of a game."""
    bots = [seated(Obliging(actions=True)) for _ in range(2)]
    watched = Table(Terms(CASTORS, RULES, CONTROL), DEAL, bots, Watching()).play(7)
    alone = played(*[seated(Obliging(actions=True)) for _ in range(2)])
    assert (watched.actions, watched.scores) == (alone.actions, alone.scores)
