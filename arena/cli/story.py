"""A recorded game told move by move: as data for programs, and as lines to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from msgspec.structs import asdict

from arena.cli.output import printable
from arena.games.events import Event
from arena.games.game import Game
from arena.games.telling import plain
from arena.records.canonical import canonical
from arena.records.entries import SeatFault
from arena.records.game_record import GameRecord
from arena.records.times import GameTimes
from arena.referee.replay import Replay, Step

HEADING, MOVE, EVENT, NOTE, FAULT, POSITION = "bold", "cyan", "", "green", "red", "dim"
"""Styles of lines, for terminals with colours."""
LINES = 8
"""How many of the last lines of stderr are shown."""


@dataclass(frozen=True)
class StoryLine:
    """A line of the story, and the style in which a terminal shows it."""

    text: str
    style: str = EVENT


class Story:
    """One game with everything in it, or as one seat saw it.

    For a seat, the actions and notes of the others and the texts of their faults are hidden, as
    they tell of cards; what the seat saw of them is in the events.
    """

    def __init__(
        self,
        record: GameRecord,
        game: Game,
        seat: int | None,
        first: int | None,
        last: int | None,
        times: GameTimes | None = None,
        *,
        positions: bool = False,
    ) -> None:
        self._times = times
        self._positions = positions
        self._record = record
        self._game = game
        self._seat = seat
        self._first = 0 if first is None else first
        self._last = len(record.actions) - 1 if last is None else last
        self._replay = Replay(record, game)
        self._position: list[StoryLine] = []
        """The position before the decision that is told next."""

    def as_map(self) -> dict[str, Any]:
        """Return the game as data, with the chosen decisions."""
        record = self._record
        contest = record.contest
        return {
            "number": record.number,
            "game": contest.game,
            "version": contest.version,
            "rules": contest.rules,
            "time": asdict(contest.time),
            "sandbox": record.sandbox,
            "seen_by": self._seat,
            "seats": [{"seat": seat, **asdict(bot)} for seat, bot in enumerate(record.bots)],
            "deal": {
                "contest": contest.name,
                "block": record.block,
                "rotation": record.rotation,
                "attempt": record.attempt,
                "key": record.key.hex() if self._seat is None else None,
            },
            "opening": self._shown(self._replay.opening) if not self._first else [],
            "decisions": [self._decision(step) for step in self._steps()],
            "scores": list(record.game.scores),
            "places": list(record.game.places),
            "verdicts": record.verdicts,
            "faults": [
                {**asdict(fault), "text": self._text(fault), **self._kept(fault)}
                for fault in self._replay.faults
            ],
        }

    def lines(self) -> Iterator[StoryLine]:
        """Yield the game as lines to read, as far as the rules allow what is recorded."""
        record = self._record
        seen = "" if self._seat is None else f", as seat {self._seat} saw it"
        contest = record.contest
        title = f"game {record.number}: {self._game.title}, rules version {contest.version}"
        yield StoryLine(f"{title}{seen}", HEADING)
        for seat, bot in enumerate(record.bots):
            version = printable(bot.version)
            yield StoryLine(f"  seat {seat}: {bot.name} {version} ({bot.digest[:12]})")
        rules = ", ".join(f"{key} {canonical(value)}" for key, value in contest.rules.items())
        block = f"block {record.block}, rotation {record.rotation}"
        yield StoryLine(f"  rules: {rules or 'no options'}")
        yield StoryLine(f"  deal: {contest.kind} {contest.name}, {block}")
        yield StoryLine("")
        if not self._first:
            yield from self._events(self._replay.opening)
        for step in self._steps():
            yield from self._position
            yield from self._move(step)
        if self._positions and self._last == len(record.actions) - 1:
            yield from self._look()
        yield StoryLine("")
        yield StoryLine("result", HEADING)
        ends = zip(record.game.scores, record.game.places, record.verdicts, strict=True)
        for seat, (score, place, verdict) in enumerate(ends):
            text = f"  {self._name(seat)}: place {place}, {score} points, {verdict}"
            yield StoryLine(text, EVENT if verdict == "finished" else FAULT)
            parts = self._replay.state.score_parts(self._seat)[seat] or ()
            if made := ", ".join(f"{part.title} {part.how}" for part in parts if part.how):
                yield StoryLine(f"    {made}")

    def _steps(self) -> Iterator[Step]:
        """Yield the chosen decisions, each with its position before it."""
        steps = self._replay.steps()
        for number in count():
            chosen = self._first <= number <= self._last
            self._position = list(self._look()) if self._positions and chosen else []
            step = next(steps, None)
            if step is None:
                return
            if chosen:
                yield step

    def _look(self) -> Iterator[StoryLine]:
        """Yield the position as it stands, for all seats or for the one that is shown."""
        state = self._replay.state
        seats = range(self._record.seats) if self._seat is None else (self._seat,)
        for line in self._game.position([state.view(seat) for seat in seats]):
            yield StoryLine(f"       | {line}", POSITION)
        if self._seat is None:
            points = ", ".join(map(str, state.scores()))
            yield StoryLine(f"       | points if the game ended now: {points}", POSITION)

    def _move(self, step: Step) -> Iterator[StoryLine]:
        for fault in step.faults:
            text = self._text(fault)
            told = f"{fault.verdict}: {printable(text)}" if text else fault.verdict
            yield StoryLine(f"{step.number:>5}  {self._name(fault.seat)}: {told}", FAULT)
            for line in self._stderr(fault):
                yield StoryLine(f"         stderr: {printable(line)}", FAULT)
        action = f" {canonical(step.action)}" if self._sees(step.seat) else ""
        by = ", by default" if step.by_default else ""
        micros = self._micros(step)
        took = f", {micros / 1000:.1f} ms" if micros else ""
        told = f"{self._name(step.seat)}: {step.kind}{action}{by}{took}"
        yield StoryLine(f"{step.number:>5}  {told}", MOVE)
        if step.note and self._sees(step.seat):
            yield StoryLine(f"         note: {printable(step.note)}", NOTE)
        yield from self._events(step.events)

    def _events(self, events: Sequence[Event]) -> Iterator[StoryLine]:
        for shown in self._shown(events):
            yield StoryLine(f"         {plain(self._game.tell(shown))}")

    def _shown(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        return [self._game.show(event, self._seat) for event in events]

    def _decision(self, step: Step) -> dict[str, Any]:
        sees = self._sees(step.seat)
        return {
            "number": step.number,
            "seat": step.seat,
            "kind": step.kind,
            "action": list(step.action) if sees else None,
            "note": step.note if sees else "",
            "by_default": step.by_default,
            "micros": self._micros(step),
            "events": self._shown(step.events),
        }

    def _micros(self, step: Step) -> int | None:
        """Return how long a decision took, if that was kept."""
        if self._times is None or step.number >= len(self._times.micros) or step.by_default:
            return None
        return self._times.micros[step.number]

    def _stderr(self, fault: SeatFault) -> list[str]:
        """Return the last lines that a bot wrote to stderr before its fault."""
        if self._times is None or not self._sees(fault.seat):
            return []
        kept = (each.stderr for each in self._times.evidence if each.seat == fault.seat)
        return next(kept, "").strip().splitlines()[-LINES:]

    def _kept(self, fault: SeatFault) -> dict[str, list[str]]:
        return {} if self._times is None else {"stderr": self._stderr(fault)}

    def _sees(self, seat: int) -> bool:
        return self._seat in (None, seat)

    def _text(self, fault: SeatFault) -> str:
        return fault.text if self._sees(fault.seat) else ""

    def _name(self, seat: int) -> str:
        return f"seat {seat} ({self._record.bots[seat].name})"
