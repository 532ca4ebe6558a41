"""The table: one game between players, from the deal to the record.

A fault ends the game for its player only. The seat is played on by default actions, and it
places below all that finished; of several with faults, a later fault gives a better place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import asdict

from arena.games.game import Action, Game, State
from arena.records.entries import SeatFault
from arena.records.times import Evidence
from arena.records.verdicts import FINISHED
from arena.referee.clock import Clock
from arena.referee.deals import Deal
from arena.referee.faults import Fault, HostStalled
from arena.referee.observer import Observer
from arena.referee.player import Player
from arena.referee.terms import Terms
from arena.wire import messages
from arena.wire.frames import render
from arena.wire.messages import MOST_NOTES_BYTES

FOLLOWS = "the seat is played on by default actions; this process gets no more games"


@dataclass
class Played:
    """A game that was played: what happened, and how long it took."""

    deciders: list[int]
    actions: list[Action]
    notes: dict[int, str]
    faults: list[SeatFault]
    scores: list[int]
    places: list[int]
    verdicts: list[str]
    micros: list[int] = field(default_factory=list)
    """Microseconds of each decision, 0 for those of a seat that had failed."""
    waits: dict[int, int] = field(default_factory=dict)
    """Microseconds that the host took and that were not charged, by decision, where measured."""
    evidence: list[Evidence] = field(default_factory=list)


class Table:
    """Players in their seats for one game."""

    def __init__(
        self,
        terms: Terms,
        deal: Deal,
        players: Sequence[Player | Fault],
        observer: Observer | None = None,
    ) -> None:
        self._terms = terms
        self._game = terms.game
        self._deal = deal
        self._players = players
        self._observer = observer
        seats = len(players)
        self._state: State = terms.game.start(seats, terms.rules, deal.stream)
        self._clocks = [Clock(terms.control) for _ in players]
        self._told = [0] * seats
        self._noted = [0] * seats
        self._failed: list[SeatFault | None] = [None] * seats
        self._played = Played([], [], {}, [], [], [], [])

    def play(self, number: int) -> Played:
        """Play the game to its end. `number` is the number of the game that the bots are told."""
        played = self._played
        state = self._state
        observer = self._observer
        if observer is not None:
            observer.began(state)
        for seat, player in enumerate(self._players):
            self._begin(seat, player, number)
        if observer is None and not any(_wants_events(player) for player in self._players):
            state.events = None
        while state.turn >= 0:
            seat = state.turn
            action = None if self._failed[seat] else self._ask(seat)
            if action is None:
                action = state.default()
                played.micros.append(0)
            played.deciders.append(seat)
            played.actions.append(action)
            state.apply(action)
            if observer is not None:
                note = played.notes.get(len(played.actions) - 1, "")
                observer.decided(seat, action, note, played.micros[-1])
        self._fail_expelled()
        played.scores = state.scores()
        played.places = places(self._game, played.scores, played.faults)
        played.verdicts = [fault.verdict if fault else FINISHED for fault in self._failed]
        for seat in range(len(self._players)):
            self._end(seat)
        if observer is not None:
            observer.ended(played.scores, played.places)
        return played

    def _begin(self, seat: int, player: Player | Fault, number: int) -> None:
        if isinstance(player, Fault):
            self._fail(seat, player)
            return
        player.begin(seat)
        start = messages.start(
            number,
            self._game.name,
            self._terms.rules,
            seat,
            len(self._players),
            self._deal.seed(seat),
            asdict(self._terms.control),
        )
        try:
            player.tell(start)
        except Fault as fault:
            self._fail(seat, fault)

    def _ask(self, seat: int) -> Action | None:
        """Return the seat's action; None if it failed."""
        state = self._state
        player = self._players[seat]
        clock = self._clocks[seat]
        assert isinstance(player, Player)
        told = self._told[seat]
        question = messages.act(
            state.kind,
            state.glimpse(seat),
            int(clock.bank * 1000),
            state.actions() if player.wants_actions else None,
            told,
            self._news(seat) if player.wants_events else None,
        )
        try:
            action, note, seconds = player.ask(question, state, clock)
        except Fault as fault:
            self._fail(seat, fault)
            return None
        except HostStalled as stall:
            stall.seat, stall.decision = seat, len(self._played.actions)
            raise
        played = self._played
        decision = len(played.actions)
        if note:
            size = len(note.encode())
            if self._noted[seat] + size <= MOST_NOTES_BYTES:
                self._noted[seat] += size
                played.notes[decision] = note
        if player.last_wait:
            played.waits[decision] = int(player.last_wait * 1e6)
        played.micros.append(int(seconds * 1e6))
        return action

    def _fail_expelled(self) -> None:
        """Fail the seats of bots that were ended after their last decision."""
        for seat, player in enumerate(self._players):
            if isinstance(player, Player) and not self._failed[seat] and player.expelled:
                self._fail(seat, player.expelled)

    def _news(self, seat: int) -> list[dict[str, Any]]:
        """Return the events since this seat was last told."""
        events = self._state.events or []
        told = self._told[seat]
        self._told[seat] = len(events)
        show = self._game.show
        return [show(event, seat) for event in events[told:]]

    def _fail(self, seat: int, fault: Fault) -> None:
        played = self._played
        decision = len(played.actions)
        failed = SeatFault(seat=seat, decision=decision, verdict=fault.verdict, text=fault.text)
        self._failed[seat] = failed
        played.faults.append(failed)
        if self._observer is not None:
            self._observer.failed(failed)
        player = self._players[seat]
        if isinstance(player, Fault):
            played.evidence.append(_evidence(seat, fault, sent=fault.sent, received=fault.received))
            return
        sent, received = player.sent, bytes(player.received)
        player.part(messages.fault(fault.verdict, fault.text, decision, FOLLOWS))
        player.close()
        played.evidence.append(
            _evidence(seat, fault, player.transport.stderr_tail, render(sent), render(received))
        )

    def _end(self, seat: int) -> None:
        player = self._players[seat]
        if self._failed[seat] or isinstance(player, Fault):
            return
        told = self._told[seat]
        news = self._news(seat) if player.wants_events else []
        played = self._played
        message = messages.end(played.scores, played.places, played.verdicts, told, news)
        try:
            player.tell(message)
        except Fault:
            pass  # the game is over; the next one will find that it has ended


def _evidence(
    seat: int, fault: Fault, stderr: str = "", sent: str = "", received: str = ""
) -> Evidence:
    return Evidence(
        seat=seat,
        code=fault.code,
        figures=fault.figures,
        stderr=stderr,
        sent=sent,
        received=received,
    )


def _wants_events(player: Player | Fault) -> bool:
    return isinstance(player, Player) and player.wants_events


def places(game: Game, scores: Sequence[int], faults: Sequence[SeatFault]) -> list[int]:
    """Return the places by seat: by score for those that finished, then the latest faults first."""
    failed = {fault.seat: fault.decision for fault in faults}
    finished = [seat for seat in range(len(scores)) if seat not in failed]
    result = [0] * len(scores)
    for seat, place in zip(finished, game.places([scores[seat] for seat in finished]), strict=True):
        result[seat] = place
    for seat, decision in failed.items():
        later = sum(other > decision for other in failed.values())
        result[seat] = 1 + len(finished) + later
    return result
