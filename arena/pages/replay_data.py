"""A recorded game as data for its page: what each viewer sees, step by step, as changes.

A page holds the game for one viewer or for several. What a viewer may not see is filtered here and
nowhere else: of a page for one seat, all of the file is what that seat saw. Scenes, told events
and the parts of points come from the game; the page draws them and knows no rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from arena.games.events import Event
from arena.games.game import ONLOOKER, Game, View, Viewer
from arena.games.table import Card, Cell, Pile, Scene, Zone
from arena.games.telling import Face, Seat, Segment
from arena.pages.legible import legible
from arena.records.canonical import canonical
from arena.records.entries import SeatFault
from arena.records.game_record import GameRecord
from arena.records.times import Evidence, GameTimes
from arena.referee.replay import Replay, Step
from arena.referee.sights import Moment, Sight

Json: TypeAlias = dict[str, Any]
"""A part of the page's data: plain values, as its script reads them."""

LONGEST_NOTE: Final = 500
LONGEST_TEXT: Final = 1000
LONGEST_OUTPUT: Final = 4000
LONGEST_VALUE: Final = 2000


class ReplayData:
    """The data of one game's page. Making it plays the game again; `Difference` if that fails."""

    def __init__(
        self,
        record: GameRecord,
        game: Game,
        viewers: Sequence[Viewer],
        times: GameTimes | None = None,
    ) -> None:
        self._record = record
        self._game = game
        self._viewers = viewers
        self._times = times
        self._faces: dict[Face, int] = {}
        self._cards: dict[int, tuple[Card, object]] = {}
        """What was written for a card, by its id: games hand out the same cards again and again."""
        self._piles: dict[int | tuple[int, ...], tuple[Pile, list[object]]] = {}
        """What was written for a pile: by its id if it cannot change, or by those of its cards."""
        self._facts: dict[str, int] = {}
        self._last: list[dict[int, object]] = [{} for _ in viewers]
        self._replay = Replay(record, game, viewers)
        self.steps = [self._opening()]
        for step in self._replay.steps():
            self.steps += self._decision(step)

    def as_map(self) -> Json:
        """Return all of the page's data."""
        record, game, layout = self._record, self._game, self._game.layout
        return {
            "game": game.title,
            "number": record.number,
            "period": layout.period if layout else "",
            "plotted": layout.plotted if layout else "Points",
            "lowWins": game.low_wins,
            "about": self.about(),
            "seats": self.seats(),
            "viewers": self._viewers,
            "suits": [[suit.name, suit.symbol] for suit in layout.suits] if layout else [],
            "seatZones": [_zone(zone) for zone in layout.seat_zones] if layout else [],
            "sharedZones": [_zone(zone) for zone in layout.shared_zones] if layout else [],
            "facts": [[key, self._fact_words(key)] for key in self._facts],
            "faces": [[face.text, self._suit(face), face.name] for face in self._faces],
            "steps": self.steps,
        }

    def about(self) -> list[tuple[str, str]]:
        """What was played, and on what terms."""
        record = self._record
        contest = record.contest
        clock = contest.time
        rules = ", ".join(f"{key} {canonical(value)}" for key, value in contest.rules.items())
        found = [
            ("Rules", f"{self._game.title}, version {contest.version}"),
            ("Variant", legible(rules, LONGEST_TEXT) or "no options"),
            (contest.kind.capitalize(), contest.name),
            ("Block", f"{record.block}, rotation {record.rotation}, attempt {record.attempt}"),
            ("Time", f"{clock.decision} ms a decision, {clock.bank} ms in the bank"),
            ("Sandbox", legible(record.sandbox, 100)),
        ]
        return [(key, text) for key, text in found if text]

    def seats(self) -> list[Json]:
        """Who sat where, and how the game ended for him."""
        record = self._record
        times = self._times
        return [
            {
                "name": bot.name,
                "version": legible(bot.version, 60),
                "digest": bot.digest[:12],
                "points": record.game.scores[seat],
                "place": record.game.places[seat],
                "verdict": record.verdicts[seat],
                "micros": times.paces[seat].micros
                if times and seat < len(times.paces) and self._any_sees(seat)
                else None,
            }
            for seat, bot in enumerate(record.bots)
        ]

    # Steps

    def _opening(self) -> Json:
        told = self._told(self._replay.opening) or [
            [[_everybody(self._viewers), ["the game begins"]]]
        ]
        assert self._replay.watch is not None
        return {"told": told, **self._table(self._replay.watch.opening)}

    def _decision(self, step: Step) -> list[Json]:
        found = []
        for moment in step.moments:
            told = self._told(moment.events) if moment.events else [self._silent(step)]
            found.append({"told": told, **self._table(moment, step.seat)})
        first = found[0]
        first.update(d=step.number, s=step.seat, k=step.kind)
        if step.by_default:
            first["default"] = 1
        if self._any_sees(step.seat):
            if step.note:
                first["note"] = legible(step.note, LONGEST_NOTE)
            micros = self._times.micros if self._times else ()
            if step.number < len(micros) and micros[step.number]:
                first["micros"] = micros[step.number]
        if self._game.layout is None and self._any_sees(step.seat):
            first["action"] = legible(canonical(step.action), LONGEST_TEXT)
        if step.faults:
            first["faults"] = [self._fault(fault) for fault in step.faults]
        return found

    def _told(self, events: Sequence[Event]) -> list[list[list[Any]]]:
        """Return, for each event, what is told to whom."""
        return [
            self._by_viewer([self._segments(event, v) for v in self._viewers]) for event in events
        ]

    def _segments(self, event: Event, viewer: Viewer) -> list[str | int | list[int]]:
        return [self._segment(s) for s in self._game.tell(self._game.show(event, viewer)) if s]

    def _segment(self, segment: Segment) -> str | int | list[int]:
        if isinstance(segment, Seat):
            return [segment.number]
        if isinstance(segment, Face):
            return self._face(segment)
        return legible(segment, LONGEST_VALUE)

    def _silent(self, step: Step) -> list[list[Any]]:
        """Tell of a decision that led to no event: what was chosen, to whoever may know."""
        chosen = " ".join(map(str, step.action))
        return self._by_viewer(
            [
                [[step.seat], f" chooses: {chosen}" if viewer in (None, step.seat) else " decides"]
                for viewer in self._viewers
            ]
        )

    def _fault(self, fault: SeatFault) -> Json:
        told: Json = {"seat": fault.seat, "verdict": fault.verdict}
        if self._any_sees(fault.seat):
            told["text"] = legible(fault.text, LONGEST_TEXT)
            told |= _output(self._evidence(fault.seat))
        return told

    def _evidence(self, seat: int) -> Evidence | None:
        found = self._times.evidence if self._times else ()
        return next((each for each in found if each.seat == seat), None)

    def _any_sees(self, seat: int) -> bool:
        """Whether somebody for whom this page is made sees what only this seat knows."""
        return None in self._viewers or seat in self._viewers

    # The table

    def _table(self, moment: Moment, seat: int = -1) -> Json:
        """Return what has changed on the table, and whose move it was."""
        changed: list[list[tuple[int, object]]] = []
        event = moment.events[-1] if moment.events else None
        table: Json = {}
        if event and self._game.layout is None:
            table["words"] = self._game.event_forms[event[0]].summary
        for last, viewer, sight in zip(self._last, self._viewers, moment.sights, strict=True):
            shown = self._game.show(event, viewer) if event else None
            values = self._values(sight, shown, table)
            changed.append([(zone, v) for zone, v in values.items() if last.get(zone) != v])
            changed[-1] += [(zone, None) for zone in last if zone not in values]
            last.clear()
            last.update(values)
        acting = self._game.show(event, ONLOOKER).get("seat") if event else seat
        if isinstance(acting, int) and acting >= 0:
            table["by"] = acting
        zones: dict[int, list[object]] = {}
        for at, changes in enumerate(changed):
            for zone, value in changes:
                zones.setdefault(zone, [_SAME] * len(self._viewers))[at] = value
        table["z"] = [
            [zone, *variant]
            for zone, values_by_viewer in sorted(zones.items())
            for variant in self._by_viewer(values_by_viewer)
        ]
        return table

    def _values(self, sight: Sight, event: View | None, table: Json) -> dict[int, object]:
        """Return what lies in each zone, by its number."""
        if self._game.layout is None:
            return self._fact_values(sight)
        scene = self._game.scene(sight.view, event, sight.parts)
        table["p"] = scene.period
        return dict(enumerate(self._scene_values(scene)))

    def _scene_values(self, scene: Scene) -> Iterable[object]:
        for seat in scene.seats:
            yield seat.points
            yield seat.words
            yield seat.plotted
            for pile in seat.zones:
                yield self._pile(pile)
        for pile in scene.shared:
            yield self._pile(pile)

    def _fact_values(self, sight: Sight) -> dict[int, object]:
        """Return the points of the seats, and after them every key of a view, as text."""
        values: dict[int, object] = {}
        for parts in sight.parts:
            points = None if parts is None else sum(part.points for part in parts)
            for value in (points, "", points):
                values[len(values)] = value
        first = len(values)
        for key, value in sight.view.items():
            number = self._facts.setdefault(key, len(self._facts))
            values[first + number] = legible(json.dumps(value, ensure_ascii=False), LONGEST_VALUE)
        return values

    def _pile(self, pile: Pile) -> list[object]:
        key = id(pile) if isinstance(pile, tuple) else tuple(map(id, pile))
        known = self._piles.get(key)
        if known is not None:
            return known[1]
        written = [self._card(each) if isinstance(each, Card) else _cell(each) for each in pile]
        kept = pile if isinstance(pile, tuple) else [*pile]
        self._piles[key] = kept, written  # as long as they are kept, no others have their ids
        return written

    def _card(self, card: Card) -> object:
        known = self._cards.get(id(card))
        if known is not None:
            return known[1]
        face = self._face(card.face)
        written = [face, card.mark, card.foot] if card.mark or card.foot else face
        self._cards[id(card)] = card, written  # as long as it is kept, no other has its id
        return written

    def _face(self, face: Face) -> int:
        return self._faces.setdefault(face, len(self._faces))

    def _suit(self, face: Face) -> int:
        layout = self._game.layout
        names = [suit.name for suit in layout.suits] if layout else []
        return names.index(face.suit) if face.suit in names else -1

    def _fact_words(self, key: str) -> str:
        """What the schema says of a key of a view."""
        fields: Mapping[str, Json] = self._game.view_schema.get("properties", {})
        return str(fields.get(key.rpartition(": ")[2], {}).get("description", ""))

    def _by_viewer(self, values: Sequence[object]) -> list[list[Any]]:
        """Return the different values, each after the bit set of the viewers that it is for."""
        found: list[list[Any]] = []
        for at, value in enumerate(values):
            if value is _SAME:
                continue
            for variant in found:
                if variant[1] == value:
                    variant[0] |= 1 << at
                    break
            else:
                found.append([1 << at, value])
        return found


_SAME: Final = object()
"""In place of a value that is as it was."""


def _everybody(viewers: Sequence[Viewer]) -> int:
    """The bit set of all viewers."""
    return (1 << len(viewers)) - 1


def _zone(zone: Zone) -> list[Any]:
    return [zone.title, zone.style, zone.width, list(zone.heads)]


def _cell(cell: Cell) -> list[str]:
    return [cell.number, *cell.lines]


def _output(evidence: Evidence | None) -> Json:
    """What is kept of a fault for the bot's author, as far as there is any."""
    if evidence is None:
        return {}
    kept = {
        "stderr": evidence.stderr,
        "sent": evidence.sent,
        "received": evidence.received,
        "figures": evidence.figures,
    }
    return {key: legible(text, LONGEST_OUTPUT) for key, text in kept.items() if text}
