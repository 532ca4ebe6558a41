"""The folder of a match: its log, its replays, and what was told of it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from arena.site.matches.events import GamePlayed, Over, Wrote, read_event
from arena.site.rules.matches import Match
from arena.site.rules.people import Person

EVENTS: Final = "events"
LOG: Final = "log.jsonl"
"""Beside it lie the times, with what is kept of faults; they are sent to nobody."""


@dataclass(frozen=True)
class BotTotal:
    """How a bot did in the games of a match."""

    place: int
    """Its place in the match's list of bots."""
    games: int
    mean_place: float
    mean_score: float
    faults: int
    millis: float
    """The mean time of a decision."""


@dataclass(frozen=True)
class Results:
    """What came of a match so far, as somebody may see it."""

    games: Sequence[GamePlayed] = ()
    wrote: Mapping[int, str] = field(default_factory=dict)
    """The end of what bots wrote to stderr, by their places in the match."""

    def totals(self, bots: int) -> list[BotTotal]:
        """Return how each of so many bots did, the best first; nothing before the first game."""
        if not self.games:
            return []
        totals = [self._total(bot) for bot in range(bots)]
        return sorted(totals, key=lambda each: (each.mean_place, each.place))

    def _total(self, bot: int) -> BotTotal:
        seats = [(game, game.seating.index(bot)) for game in self.games]
        count = len(seats)
        return BotTotal(
            place=bot,
            games=count,
            mean_place=sum(game.places[seat] for game, seat in seats) / count,
            mean_score=sum(game.scores[seat] for game, seat in seats) / count,
            faults=sum(fault.bot == bot for game in self.games for fault in game.faults),
            millis=sum(game.micros[seat] for game, seat in seats) / count / 1000,
        )


def results(folder: Path, match: Match, person: Person | None) -> Results:
    """Return what came of a match, with what is private only of this person's bots."""
    own = match.bots_of(person)
    games: list[GamePlayed] = []
    wrote: dict[int, str] = {}
    try:
        data = (folder / EVENTS).read_bytes()
    except FileNotFoundError:
        return Results()
    for line in data[: data.rfind(b"\n") + 1].splitlines():
        try:
            event = read_event(line)
        except msgspec.DecodeError:
            continue  # half of a line, before which the disk was full
        if isinstance(event, GamePlayed):
            faults = tuple(f if f.bot in own else f.for_others() for f in event.faults)
            games.append(msgspec.structs.replace(event, faults=faults))
        elif isinstance(event, Wrote) and event.bot in own:
            wrote[event.bot] = event.text
        elif isinstance(event, Over):
            break
    return Results(games, wrote)


def replay_file(folder: Path, game: int) -> Path:
    """Return where the replay of a game lies, packed by gzip."""
    return folder / f"game-{game}.html.gz"


def write_replay(folder: Path, game: int, page: str) -> None:
    """Write the replay of a game."""
    made = folder / f"game-{game}.part"
    made.write_bytes(gzip.compress(page.encode(), mtime=0))
    made.replace(replay_file(folder, game))
