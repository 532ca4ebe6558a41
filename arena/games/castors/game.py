"""The rule book of Gang de Castors, which a plugin registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.games.castors.position import position
from arena.games.castors.rare import RARE_STATES, rare_games
from arena.games.castors.sampler import sampler
from arena.games.castors.schema import DECISIONS, EVENTS, VIEW
from arena.games.castors.state import CastorsState
from arena.games.castors.table import LAYOUT, scene
from arena.games.castors.words import tell
from arena.games.game import Action, Game, Rules, Sampler, Shuffler, State, View
from arena.games.rare import RareGame
from arena.games.score_parts import ScorePart
from arena.games.table import Scene
from arena.games.telling import Segment
from arena.games.variants import Variant


class Castors(Game):
    """Keep the lowest row of four hidden cards, most of which you have never seen."""

    name = "castors"
    title = "Gang de Castors"
    summary = (
        "Four hidden cards a row: exchange high ones for low ones, peek, swap with the others, "
        "and call the last round when yours is the lowest. Fewest points over all deals win."
    )
    version = "1"
    players = range(2, 7)
    low_wins = True
    margin = 5.0
    interaction = 0.02
    partiality = 2.0
    variants = (
        Variant(
            "laps",
            int,
            100,
            "After so many turns of everybody a deal ends even if nobody has called.",
            low=1,
            high=1000,
        ),
    )
    decisions = DECISIONS
    view_schema = VIEW
    event_forms = EVENTS
    layout = LAYOUT

    def start(self, seats: int, rules: Rules, shuffler: Shuffler) -> CastorsState:
        self.check_seats(seats)
        return CastorsState.begin(seats, rules, shuffler)

    def sampler(self, view: View, events: Sequence[View], rules: Rules) -> Sampler:
        return sampler(view, rules)

    def aims(self, state: State, action: Action) -> Mapping[int, bool]:
        """Who swaps acts against the seat that he swaps with, and could against any other."""
        if action[0] != "swap":
            return {}
        seats = (seat for seat in range(state.seats) if seat != state.turn)
        return {seat: seat == action[2] for seat in seats}

    def position(self, views: Sequence[View]) -> list[str]:
        return list(position(views))

    def tell(self, shown: View) -> Sequence[Segment]:
        return tell(shown)

    def scene(
        self, view: View, event: View | None, parts: Sequence[Sequence[ScorePart] | None]
    ) -> Scene:
        return scene(view, parts)

    def rare_games(self) -> Sequence[RareGame]:
        return rare_games()

    def rare_states(self) -> Mapping[str, Callable[[View], bool]]:
        return RARE_STATES
