"""Which games of a ladder are shown apart, and which have replays; seen once, in their order."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Final

from arena.games.game import Game
from arena.records.game_record import GameRecord
from arena.records.times import GameTimes

LATEST: Final = 1000
"""How many of the last games have replays."""
MOST_OTHERS: Final = 500
"""How many earlier games have replays at most, because of what happened in them."""
OF_EACH_KIND: Final = 10
"""How many games of each telling kind have replays."""
OF_A_BOT: Final = 5
"""How many best, worst and faulted games of a bot are listed."""


@dataclass(frozen=True)
class PlayedGame:
    """A game of the log, with its times if they are known."""

    record: GameRecord
    times: GameTimes | None


@dataclass
class _Best:
    """The games with the least keys; of equal ones the newest."""

    most: int
    found: list[tuple[float, float, int, PlayedGame]] = field(default_factory=list)

    def add(self, key: float, second: float, game: PlayedGame) -> None:
        if len(self.found) == self.most and key > self.found[-1][0]:
            return
        insort(self.found, (key, second, -game.record.number, game), key=lambda each: each[:3])
        del self.found[self.most :]

    @property
    def games(self) -> list[PlayedGame]:
        return [each[3] for each in self.found]


@dataclass
class OfBot:
    """The games of one bot that are listed on its page."""

    best: _Best = field(default_factory=lambda: _Best(OF_A_BOT))
    worst: _Best = field(default_factory=lambda: _Best(OF_A_BOT))
    faulted: deque[PlayedGame] = field(default_factory=lambda: deque(maxlen=OF_A_BOT))


class Selection:
    """Chooses among the games that it is given, one after the other."""

    def __init__(self, game: Game, skills: Mapping[int, float]) -> None:
        self._sign = 1 if game.low_wins else -1
        self._skills = skills
        """By the numbers of the contestants."""
        self.latest: deque[PlayedGame] = deque(maxlen=LATEST)
        self.closest = _Best(OF_EACH_KIND)
        self.clearest = _Best(OF_EACH_KIND)
        self.upsets = _Best(OF_EACH_KIND)
        self.of_bots: dict[str, OfBot] = {}

    def add(self, played: PlayedGame, *, counts: bool) -> None:
        """Look at the next game; one that was annulled is not shown apart."""
        self.latest.append(played)
        if not counts:
            return
        record = played.record
        faulty = {fault.seat for fault in record.faults}
        for seat, bot in enumerate(record.bots):
            self._add_to_bot(self.of_bots.setdefault(bot.name, OfBot()), played, seat, faulty)
        if not faulty:
            self._add_telling(played)

    def _add_to_bot(self, of: OfBot, played: PlayedGame, seat: int, faulty: set[int]) -> None:
        game = played.record.game
        place = (game.places[seat] - 1) / (played.record.seats - 1)
        lost = game.scores[seat] * self._sign
        of.best.add(place, lost, played)
        of.worst.add(-place, -lost, played)
        if seat in faulty:
            of.faulted.append(played)

    def _add_telling(self, played: PlayedGame) -> None:
        record = played.record
        scores = sorted(score * self._sign for score in record.game.scores)
        self.closest.add(scores[-1] - scores[0], 0, played)
        self.clearest.add(scores[0] - scores[1], 0, played)
        winners = [seat for seat, place in enumerate(record.game.places) if place == 1]
        if len(winners) == 1:
            skills = [self._skills.get(player, 0.0) for player in record.players]
            self.upsets.add(skills[winners[0]] - max(skills), 0, played)

    def with_replays(self) -> dict[int, PlayedGame]:
        """Return the games that have replays, by number."""
        kinds = (self.closest.games, self.clearest.games, self.upsets.games)
        of_bots = [self.of_bots[name] for name in sorted(self.of_bots)]
        lists = [
            *([game for kind in kinds for game in kind],),
            *(list(reversed(of.faulted)) for of in of_bots),
            *(of.best.games for of in of_bots),
            *(of.worst.games for of in of_bots),
        ]
        latest = {each.record.number: each for each in self.latest}
        others: dict[int, PlayedGame] = {}
        for each in _in_turn(lists):
            if len(others) == MOST_OTHERS:
                break
            if each.record.number not in latest:
                others[each.record.number] = each
        return dict(sorted((latest | others).items()))


def _in_turn(lists: list[list[PlayedGame]]) -> Iterator[PlayedGame]:
    """Yield the first of each, then the second of each, and so on."""
    return (each for each in chain.from_iterable(zip_longest(*lists)) if each is not None)
