"""Replay a recorded game under the rules, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.deal import DealStream
from arena.games.events import Event
from arena.games.game import Action, Game, State, Viewer
from arena.games.illegal import IllegalAction
from arena.records.canonical import canonical, canonical_bytes
from arena.records.difference import Difference
from arena.records.entries import Contest, SeatFault
from arena.records.game_record import GameRecord
from arena.records.verdicts import ILLEGAL, START_FAILED
from arena.referee.sights import Moment, Watch
from arena.wire.messages import LONGEST_NOTE_BYTES, MOST_NOTES_BYTES
from arena.wording import brief


@dataclass(frozen=True)
class Step:
    """One decision of a replay, with the faults before it and the events after it."""

    number: int
    seat: int
    kind: str
    action: Action
    note: str
    by_default: bool
    """Whether it is a default action, played for a seat that has failed."""
    faults: Sequence[SeatFault]
    """The faults of the seat at this decision; at the first one, those of any seat."""
    events: Sequence[Event]
    moments: Sequence[Moment]
    """What the viewers see, from event to event; one at least. Empty if there are no viewers."""


def game_of(contest: Contest, games: Mapping[str, Game]) -> Game:
    """Return the game of a log; raise `Difference` unless its rules are known and fit it."""
    name, version = contest.game, contest.version
    if name not in games:
        known = ", ".join(games) or "none"
        raise Difference(
            "game",
            f'"{name}"',
            f"{known}; the plugin that brings {name} is missing or left out "
            "(see arena plugin list)",
            "the games here are",
        )
    game = games[name]
    if version != game.version:
        raise Difference(
            "version",
            brief(version),
            f'"{game.version}"',
            f"the rules of {name} that are installed have",
        )
    try:
        rules = game.rules(contest.rules)
    except ValueError as error:
        raise Difference("rules", _short(contest.rules), str(error)) from None
    if canonical(rules) != canonical(contest.rules):
        raise Difference("rules", _short(contest.rules), f"in full {_short(rules)}")
    for seats in contest.tables:
        try:
            game.check_seats(seats)
        except ValueError as error:
            raise Difference("tables", f"tables of {seats}", str(error)) from None
    return game


class Replay:
    """A replay of a game; raises `Difference` as soon as the rules do not allow what is recorded.

    `state` is the game so far, `opening` has the events before its first decision. `watch` follows
    it for the viewers, if there are any. `before` is called with each action that a bot chose, in
    the state that it chose in. The cards come from the key of the block.
    """

    state: State

    def __init__(
        self,
        record: GameRecord,
        game: Game,
        viewers: Sequence[Viewer] = (),
        before: Callable[[State, Action], None] | None = None,
    ) -> None:
        self._record = record
        self._before = before
        self._notes = record.notes
        self._noted = [0] * record.seats
        self.faults = record.faults
        _check_faults(self.faults, record.seats)
        self.state = game.start(record.seats, record.contest.rules, DealStream(record.key))
        self.opening = self._news(0)
        self.watch = Watch(self.state, viewers) if viewers else None

    def steps(self) -> Iterator[Step]:
        """Yield every decision up to the end of the game. Call this only once."""
        failed: set[int] = set()
        actions = self._record.actions
        for number, recorded in enumerate(actions):
            try:
                yield self._step(number, recorded, failed)
            except Difference as difference:
                difference.decision = number
                raise
        self._check_end()

    def run(self) -> None:
        """Go through all decisions at once, as quickly as possible. Call this only once."""
        self.state = self.state.copy()  # which keeps no events
        failed: set[int] = set()
        number = 0
        try:
            for number, recorded in enumerate(self._record.actions):
                self._decide(number, recorded, failed)
        except Difference as difference:
            difference.decision = number
            raise
        self._check_end()

    def _check_end(self) -> None:
        actions = self._record.actions
        state = self.state
        if not state.over:
            after = f"the game goes on: seat {state.turn} has a decision of kind {state.kind!r}"
            raise Difference("actions", f"{len(actions)} of them", after)
        for at, fault in enumerate(self.faults):
            if fault.decision >= max(1, len(actions)):
                wanted = f"the game has {len(actions)} decisions"
                raise Difference(f"faults[{at}].decision", str(fault.decision), wanted)
        for decision in self._notes:
            if decision >= len(actions):
                wanted = f"the game has {len(actions)} decisions"
                raise Difference("notes", f"a note at decision {decision}", wanted)

    def _step(self, number: int, recorded: Sequence[Any], failed: set[int]) -> Step:
        state = self.state
        seat, kind, told = state.turn, state.kind, len(state.events or ())
        action, note, faults = self._decide(number, recorded, failed)
        events = self._news(told)
        moments = self.watch.moments() if self.watch else ()
        return Step(number, seat, kind, action, note, seat in failed, faults, events, moments)

    def _decide(
        self, number: int, recorded: Sequence[Any], failed: set[int]
    ) -> tuple[Action, str, Sequence[SeatFault]]:
        """Apply a decision; return the action, its note, and the faults before it."""
        state = self.state
        if state.over:
            ended = f"the game is over after {number} decisions"
            raise Difference(f"actions[{number}]", _short(recorded), ended)
        seat = state.turn
        faults: Sequence[SeatFault] = ()
        if self.faults:
            faults = [fault for fault in self.faults if fault.decision == number]
            for fault in faults:
                self._check_fault(fault)
                failed.add(fault.seat)
        note = self._notes.get(number, "")
        action = self._action(number, recorded)
        if seat in failed:
            default = state.default()
            if action != default:
                wanted = f"{_short(default)}, the default action, as seat {seat} has failed"
                raise Difference(f"actions[{number}]", _short(recorded), wanted)
            if note:
                wanted = f"no note, as seat {seat} has failed"
                raise Difference(f"note at {number}", brief(note), wanted)
        if note:
            self._check_note(number, seat, note)
        if self._before is not None and seat not in failed:
            self._before(state, action)
        state.apply(action)
        return action, note, faults

    def _check_note(self, number: int, seat: int, note: str) -> None:
        size = len(note.encode())
        if size > LONGEST_NOTE_BYTES:
            wanted = f"{LONGEST_NOTE_BYTES} bytes at most"
            raise Difference(f"note at {number}", f"{size} bytes", wanted, "a note has")
        self._noted[seat] += size
        if self._noted[seat] > MOST_NOTES_BYTES:
            wanted = f"{MOST_NOTES_BYTES} bytes at most"
            got = f"{self._noted[seat]} bytes of notes of seat {seat}"
            raise Difference(f"note at {number}", got, wanted, "a game has room for")

    def _action(self, number: int, recorded: Sequence[Any]) -> Action:
        try:
            action = self.state.check(recorded)
        except IllegalAction as illegal:
            raise Difference(f"actions[{number}]", _short(recorded), str(illegal)) from None
        if canonical_bytes(action) != canonical_bytes(recorded):
            wanted = f"{_short(action)} in canonical form"
            raise Difference(f"actions[{number}]", _short(recorded), wanted)
        return action

    def _check_fault(self, fault: SeatFault) -> None:
        """Raise `Difference` unless the seat decides now, or fails before the first decision."""
        turn = self.state.turn
        opening = fault.decision == 0 and fault.verdict != ILLEGAL
        if fault.seat != turn and not opening:
            at = self.faults.index(fault)
            raise Difference(f"faults[{at}].seat", str(fault.seat), f"seat {turn} decides here")

    def _news(self, told: int) -> list[Event]:
        events = self.state.events
        assert events is not None
        return events[told:]


def _check_faults(faults: Sequence[SeatFault], seats: int) -> None:
    """Raise `Difference` unless the faults are in order, each at another seat."""
    seen: set[int] = set()
    last = 0
    for at, fault in enumerate(faults):
        place = f"faults[{at}]"
        if fault.seat >= seats:
            raise Difference(f"{place}.seat", str(fault.seat), f"0..{seats - 1}")
        if fault.seat in seen:
            wanted = "a seat fails once at most"
            raise Difference(f"{place}.seat", f"{fault.seat}, for the second time", wanted)
        if fault.decision < last:
            wanted = f"{last} or more, in the order of the game"
            raise Difference(f"{place}.decision", str(fault.decision), wanted)
        if fault.verdict == START_FAILED and fault.decision:
            wanted = f"a bot can fail to start only at decision 0, not at {fault.decision}"
            raise Difference(f"{place}.verdict", f'"{fault.verdict}"', wanted)
        seen.add(fault.seat)
        last = fault.decision


def _short(value: Any) -> str:
    """Return a value of a record for a message: its canonical JSON, cut short."""
    text = canonical(value)
    return text if len(text) <= 80 else text[:77] + "..."
