"""The rule book of Gargon, which a plugin registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.games.game import Action, Game, Rules, Sampler, Shuffler, State, View
from arena.games.gargon.cards import AMULETS, COLOUR_SHIFT, PACK
from arena.games.gargon.position import position
from arena.games.gargon.rare import RARE_STATES, rare_games
from arena.games.gargon.sampler import sampler
from arena.games.gargon.schema import DECISIONS, EVENTS, VIEW
from arena.games.gargon.state import GargonState
from arena.games.gargon.table import LAYOUT, scene
from arena.games.gargon.words import tell
from arena.games.rare import RareGame
from arena.games.score_parts import ScorePart
from arena.games.table import Scene
from arena.games.telling import Segment
from arena.games.variants import Variant


class Gargon(Game):
    """Creatures of six colours fight for amulets; majorities and zeros decide."""

    name = "gargon"
    title = "Gargon"
    summary = (
        "Play cards face down by colour, battle for them colour by colour, and win amulets; "
        "the most cards of a colour earn a bonus, zeros double its amulets."
    )
    version = "1"
    players = range(3, 6)
    low_wins = False
    margin = 6.0
    interaction = 0.015
    partiality = 1.5
    variants = (
        Variant("open_winnings", bool, False, "Won cards lie open for all to see."),
        Variant(
            "amulets",
            list,
            list(AMULETS),
            "Amulets on the cards of value 1 to 12. One translation's example needs "
            "5 5 4 3 3 3 2 2 2 1 1 1.",
            high=99,
            length=12,
        ),
    )
    decisions = DECISIONS
    view_schema = VIEW
    event_forms = EVENTS
    layout = LAYOUT

    def start(self, seats: int, rules: Rules, shuffler: Shuffler) -> GargonState:
        self.check_seats(seats)
        deck = list(PACK)
        shuffler.shuffle(deck, 0)
        return GargonState.deal(seats, rules, deck)

    def sampler(self, view: View, events: Sequence[View], rules: Rules) -> Sampler:
        return sampler(view, events, rules)

    def aims(self, state: State, action: Action) -> Mapping[int, bool]:
        """Who plays a colour acts against all who have played it in this round before.

        Who passes acts against nobody, and could have.
        """
        assert isinstance(state, GargonState)
        if state.kind != "play":
            return {}
        played = action[1:] if action[0] == "play" else ()
        colours = {card >> COLOUR_SHIFT for card in played}
        return {
            seat: not colours.isdisjoint(card >> COLOUR_SHIFT for card in cards)
            for seat, cards in enumerate(state.table)
            if cards
        }

    def position(self, views: Sequence[View]) -> list[str]:
        return list(position(views))

    def tell(self, shown: View) -> Sequence[Segment]:
        return tell(shown)

    def scene(
        self, view: View, event: View | None, parts: Sequence[Sequence[ScorePart] | None]
    ) -> Scene:
        return scene(view, event, parts)

    def rare_games(self) -> Sequence[RareGame]:
        return rare_games()

    def rare_states(self) -> Mapping[str, Callable[[View], bool]]:
        return RARE_STATES
