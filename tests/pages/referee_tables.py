"""What lies on the table by the referee's own state, after every event: what a page is held to.

This reads the states of the games, and shares no code with scenes or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from arena.games.castors.state import CARD, KNOWN, ROW, CastorsState
from arena.games.castors.words import name as castors_name
from arena.games.game import Game, State
from arena.games.gargon.cards import COLOURS
from arena.games.gargon.cards import name as gargon_name
from arena.games.gargon.state import GargonState
from arena.records.game_record import GameRecord
from arena.referee.replay import Replay

Table: TypeAlias = dict[str, Any]
"""Zones by name; cards by name, sorted where they lie in no order."""


def tables(record: GameRecord, game: Game) -> list[list[Table]]:
    """The table after the opening and after every event, as everybody and each seat sees it."""
    replay = Replay(record, game)
    viewers = [None, *range(record.seats)]
    look: Callable[[State, int | None], Table] = {"gargon": gargon, "castors": castors}[game.name]

    def sights() -> list[Table]:
        return [look(replay.state, viewer) for viewer in viewers]

    found = [sights()]
    seen: list[list[Table]] = []
    replay.state.on_event = lambda: seen.append(sights())
    for _ in replay.steps():
        found += [*seen[:-1], sights()]
        seen.clear()
    return found


def gargon(state: State, viewer: int | None) -> Table:
    """Gargon's table."""
    assert isinstance(state, GargonState)
    over = state.turn < 0
    table: Table = {}
    scores = state.scores()
    for seat in range(state.seats):
        sees = viewer in (None, seat)
        table[f"{seat} points"] = str(scores[seat]) if sees or over else "?"
        table[f"{seat}.0"] = _gargon_cards(state.hands[seat], sees)
        table[f"{seat}.1"] = _gargon_cards(state.table[seat], sees or state.kind != "play")
        counts = [sum(card >> 4 == colour for card in state.won[seat]) for colour in range(6)]
        table[f"{seat}.2"] = [
            "hidden" if not sees and not over else "none" if not count else f"{count} card"
            for count in counts
        ]
    for stack in range(2):
        backs = state.stack_backs[stack][state.drawn[stack] :]
        table[f"shared.{stack}"] = [f"a {COLOURS[colour]} card" for colour in backs]
    table["shared.2"] = sorted(map(gargon_name, state.discards))
    return table


def _gargon_cards(cards: Sequence[int], seen: bool) -> list[str]:
    return sorted(gargon_name(card) if seen else f"a {COLOURS[card >> 4]} card" for card in cards)


def castors(state: State, viewer: int | None) -> Table:
    """The table of Gang de Castors."""
    assert isinstance(state, CastorsState)
    table: Table = {}
    for seat in range(state.seats):
        table[f"{seat} points"] = str(state.totals[seat])
        row = []
        for card in state.rows[ROW * seat : ROW * seat + ROW]:
            knowers = [other for other in range(state.seats) if card >> KNOWN >> other & 1]
            seen = viewer is None or viewer in knowers
            foot = "all" if len(knowers) == state.seats else " ".join(map(str, knowers))
            name = castors_name(card & CARD) if seen else "a hidden card"
            row.append([name, foot] if foot else name)
        table[f"{seat}.0"] = row
        drawn = [state.drawn] if state.drawn >= 0 and state.turn == seat else []
        seen = viewer in (None, seat)
        table[f"{seat}.1"] = [castors_name(card) if seen else "a hidden card" for card in drawn]
    table["shared.0"] = list(map(castors_name, state.discards))
    table["shared.1"] = [["a hidden card", str(len(state.pile))]] if state.pile else []
    return table
