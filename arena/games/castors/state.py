"""A game of Gang de Castors in progress: deals of four hidden cards a player."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from arena.games.castors.actions import (
    CALL_ACTIONS,
    CARD_ACTIONS,
    DISCARD,
    DRAW_ONE,
    REJECT,
    TURN_ACTIONS,
    WAIT,
)
from arena.games.castors.cards import DRAW, KINDS, NINE, PACK, PEEK, ROW, SWAP
from arena.games.events import Event
from arena.games.game import Action, Rules, Shuffler, View
from arena.games.illegal import IllegalAction, expect_below, expect_count, expect_verb
from arena.games.score_parts import ScorePart

# A card in a row is one integer, so that a swap also moves all that is known about it.
# Bits 0-3: the card. Bits 4-9: the seats that know it. Bit 10: whether everybody knows that
# it is a value card, as it was drawn and kept. From bit 11: the shuffle that it came from.
CARD: Final = 15
KNOWN: Final = 4
VALUE: Final = 1 << 10
SHUFFLE: Final = 11

NOBODY: Final = -1
NOTHING: Final = -1
UNKNOWN: Final = -1


class CastorsState:
    """A `State`: all cards, who knows them, and where the deal stands.

    `rows` has position p of seat s at index 4 * s + p. The last card of `pile` and of
    `discards` is on top. `drawn` is the card in the hand of the seat to decide, -1 if none.
    `source` is the number of the shuffle that it came from, and `rejectable` says whether it
    is the first card from a played draw card. `moves` counts the completed turns of this
    deal. `caller` is the seat that called the last round, -1 until then.
    """

    __slots__ = (
        "caller",
        "deal",
        "discards",
        "drawn",
        "events",
        "kind",
        "moves",
        "on_event",
        "pile",
        "rejectable",
        "rows",
        "rules",
        "shuffler",
        "shuffles",
        "source",
        "totals",
        "turn",
    )

    turn: int
    kind: str
    events: list[Event] | None
    on_event: Callable[[], None] | None
    rules: Rules
    shuffler: Shuffler
    deal: int
    totals: list[int]
    rows: list[int]
    pile: list[int]
    discards: list[int]
    shuffles: int
    drawn: int
    source: int
    rejectable: bool
    moves: int
    caller: int

    @classmethod
    def begin(cls, seats: int, rules: Rules, shuffler: Shuffler) -> CastorsState:
        """Return the state at the start of a game."""
        state = cls()
        state.rules = rules
        state.shuffler = shuffler
        state.totals = [0] * seats
        state.events = []
        state.on_event = None
        state.deal = -1
        state._open_deal()
        return state

    @property
    def seats(self) -> int:
        return len(self.totals)

    @property
    def over(self) -> bool:
        return self.turn < 0

    @property
    def deals(self) -> int:
        """How many deals the game has."""
        seats = len(self.totals)
        return seats if seats > 2 else 4

    # Legal actions

    def actions(self) -> list[Action]:
        if self.kind == "card":
            found = CARD_ACTIONS[len(self.totals)][self.turn][self.drawn]
            return [*found, REJECT] if self.rejectable else found[:]
        if self.kind == "turn":
            return TURN_ACTIONS[:]
        return CALL_ACTIONS[:] if self.kind == "call" else []

    def check(self, action: object) -> Action:
        if self.kind == "turn":
            verb, numbers = expect_verb(action, "turn", ("draw", "take"))
        elif self.kind == "card":
            verb, numbers = expect_verb(action, "card", self._verbs())
        elif self.kind == "call":
            verb, numbers = expect_verb(action, "call", ("call", "wait"))
        else:
            raise IllegalAction("the game is over")
        if verb == "swap":
            expect_count(verb, numbers, 3, ", own position, seat, its position")
            expect_below(numbers, 1, ROW)
            if expect_below(numbers, 2, len(self.totals)) == self.turn:
                raise IllegalAction(f"expected the seat of an opponent, got {numbers[1]}", 2)
            expect_below(numbers, 3, ROW)
        elif verb in ("take", "keep", "peek"):
            expect_count(verb, numbers, 1, ", position")
            expect_below(numbers, 1, ROW)
        else:
            expect_count(verb, numbers, 0, "")
        return (verb, *numbers)

    def _verbs(self) -> tuple[str, ...]:
        """Return the verbs that the drawn card allows."""
        card = self.drawn
        use = "keep" if card <= NINE else {SWAP: "swap", PEEK: "peek", DRAW: "draw"}[card]
        return ("discard", use, "reject") if self.rejectable else ("discard", use)

    def sample(self, random: Random) -> Action:
        kind = self.kind
        if kind == "card":
            found = CARD_ACTIONS[len(self.totals)][self.turn][self.drawn]
            i = int(random.random() * (len(found) + self.rejectable))
            return found[i] if i < len(found) else REJECT
        found = TURN_ACTIONS if kind == "turn" else CALL_ACTIONS
        return found[int(random.random() * len(found))]

    def default(self) -> Action:
        return {"turn": DRAW_ONE, "card": DISCARD, "call": WAIT}[self.kind]

    # Playing

    def _tell(self, event: Event) -> None:
        """Keep an event, once the state shows what it tells; only states with events call this."""
        assert self.events is not None
        self.events.append(event)
        if self.on_event is not None:
            self.on_event()

    def apply(self, action: Action) -> None:
        kind = self.kind
        if kind == "card":
            self._use(action)
        elif kind == "turn":
            if action[0] == "take":
                self._take(action[1])
            else:
                self._draw(False)
        elif action[0] == "call":
            self.caller = self.turn
            if self.events is not None:
                self._tell(("called", self.turn))
            self._next_turn()
        elif self.moves == self.rules["laps"] * len(self.totals):
            self._close_deal(self.turn)
        else:
            self._next_turn()

    def _open_deal(self) -> None:
        self.deal += 1
        seats = len(self.totals)
        deck = list(PACK)
        self.shuffler.shuffle(deck, self.deal, 0)
        self.shuffles = 0
        self.rows = deck[: ROW * seats]
        for seat in range(seats):
            self.rows[ROW * seat] |= 1 << seat + KNOWN
            self.rows[ROW * seat + ROW - 1] |= 1 << seat + KNOWN
        self.discards = [deck[ROW * seats]]
        self.pile = deck[: ROW * seats : -1]
        self.drawn = NOTHING
        self.source = 0
        self.rejectable = False
        self.moves = 0
        self.caller = NOBODY
        dealer = self.deal % seats
        self.turn = dealer
        self.kind = "turn"
        if self.events is not None:
            self._tell(("deal", self.deal, dealer, self.discards[0]))
            for seat in range(seats):
                ends = [deck[ROW * seat], deck[ROW * seat + ROW - 1]]
                self._tell(("looked", seat, [0, ROW - 1], ends))
        self._next_turn()

    def _next_turn(self) -> None:
        """Begin the next seat's turn; it must draw if the top discard is an action card."""
        seat = self.turn + 1
        self.turn = seat if seat < len(self.totals) else 0
        if self.turn == self.caller:
            self._close_deal(self.caller)
        elif self.discards[-1] > NINE:
            self._draw(False)
        else:
            self.kind = "turn"

    def _end_turn(self) -> None:
        self.moves += 1
        if self.caller < 0 and self.moves >= len(self.totals):
            self.kind = "call"
        else:
            self._next_turn()

    def _take(self, position: int) -> None:
        at = ROW * self.turn + position
        card = self.discards[-1]
        old = self.rows[at]
        everybody = (1 << len(self.totals)) - 1
        self.rows[at] = card | everybody << KNOWN | self.shuffles << SHUFFLE
        self.discards[-1] = old & CARD
        if self.events is not None:
            self._tell(("took", self.turn, card, position, old & CARD))
        self._end_turn()

    def _draw(self, rejectable: bool) -> None:
        self.drawn = card = self.pile.pop()
        self.source = self.shuffles
        self.rejectable = rejectable
        self.kind = "card"
        if self.events is not None:
            self._tell(("drew", self.turn, card))
        if not self.pile:
            self._reshuffle(1)

    def _reshuffle(self, kept: int) -> None:
        """Turn the discards into a new pile, but for so many on top."""
        self.shuffles += 1
        size = len(self.discards) - kept
        cards = self.discards[:size]
        self.discards = self.discards[size:]
        self.shuffler.shuffle(cards, self.deal, self.shuffles)
        cards.reverse()
        self.pile = cards
        if self.events is not None:
            self._tell(("reshuffled", len(cards)))

    def _use(self, action: Action) -> None:
        verb = action[0]
        seat = self.turn
        card = self.drawn
        if verb == "keep":
            at = ROW * seat + action[1]
            old = self.rows[at]
            self.rows[at] = card | 1 << seat + KNOWN | VALUE | self.source << SHUFFLE
            card = old & CARD
        elif verb == "swap":
            self._swap(ROW * seat + action[1], ROW * action[2] + action[3])
        elif verb == "peek":
            self.rows[ROW * seat + action[1]] |= 1 << seat + KNOWN
        self.discards.append(card)
        self.drawn = NOTHING
        self.rejectable = False
        if self.events is not None:
            self._tell_use(action, card)
        if verb in ("draw", "reject"):
            self._draw(verb == "draw")
        else:
            self._end_turn()

    def _swap(self, mine: int, theirs: int) -> None:
        rows = self.rows
        rows[mine], rows[theirs] = rows[theirs], rows[mine]

    def _tell_use(self, action: Action, discarded: int) -> None:
        verb = action[0]
        seat = self.turn
        assert self.events is not None
        if verb == "keep":
            self._tell(("kept", seat, action[1], discarded))
        elif verb == "swap":
            self._tell(("swapped", seat, *action[1:]))
        elif verb == "peek":
            card = self.rows[ROW * seat + action[1]] & CARD
            self._tell(("peeked", seat, action[1], card))
        elif verb == "draw":
            self._tell(("drawing", seat))
        else:
            name = "rejected" if verb == "reject" else "discarded"
            self._tell((name, seat, discarded))

    def _close_deal(self, caller: int) -> None:
        """Replace the action cards in the rows, from the caller on, and count the points."""
        seats = len(self.totals)
        everybody = (1 << seats) - 1 << KNOWN
        rows = self.rows = [card | everybody for card in self.rows]
        for seat in range(caller, caller + seats):
            for at in range(seat % seats * ROW, seat % seats * ROW + ROW):
                if rows[at] & CARD > NINE:
                    self._replace(at)
        points = [
            sum([card & CARD for card in rows[at : at + ROW]]) for at in range(0, ROW * seats, ROW)
        ]
        self.totals = [a + b for a, b in zip(self.totals, points, strict=True)]
        if self.events is not None:
            shown = [[card & CARD for card in rows[ROW * s : ROW * s + ROW]] for s in range(seats)]
            self._tell(("counted", shown, points, list(self.totals)))
        if self.deal + 1 < self.deals:
            self._open_deal()
        else:
            self.turn = -1
            self.kind = ""

    def _replace(self, at: int) -> None:
        cards = [self.rows[at] & CARD]
        while cards[-1] > NINE:
            if not self.pile:
                self._reshuffle(0)
            cards.append(self.pile.pop())
        everybody = (1 << len(self.totals)) - 1 << KNOWN
        self.rows[at] = cards[-1] | everybody | self.shuffles << SHUFFLE
        if self.events is not None:
            self._tell(("replaced", at // ROW, at % ROW, cards))

    # Views and copies

    def view(self, seat: int) -> View:
        seats = len(self.totals)
        rows = self.rows
        bit = 1 << seat + KNOWN
        drawn_hidden = self.drawn >= 0 and self.turn != seat
        sources = {card >> SHUFFLE for card in rows}
        sources.add(self.shuffles)
        if self.drawn >= 0:
            sources.add(self.source)
        number = {source: i for i, source in enumerate(sorted(sources))}
        pools = [[0] * KINDS for _ in number]
        pile_pool = pools[-1]
        for card in self.pile:
            pile_pool[card] += 1
        for card in rows:
            if not card & bit:
                pools[number[card >> SHUFFLE]][card & CARD] += 1
        if drawn_hidden:
            pools[number[self.source]][self.drawn] += 1
        shown = [card & CARD if card & bit else UNKNOWN for card in rows]
        known_by = [card >> KNOWN & 63 for card in rows]
        kept = [card & VALUE > 0 for card in rows]
        row_pools = [number[card >> SHUFFLE] for card in rows]
        starts = range(0, ROW * seats, ROW)
        return {
            "seat": seat,
            "turn": self.turn,
            "kind": self.kind,
            "deal": self.deal,
            "deals": self.deals,
            "dealer": self.deal % seats,
            "moves": self.moves,
            "caller": self.caller,
            "rows": [shown[at : at + ROW] for at in starts],
            "known_by": [known_by[at : at + ROW] for at in starts],
            "kept": [kept[at : at + ROW] for at in starts],
            "discards": self.discards[:],
            "pile": len(self.pile),
            "drawn": UNKNOWN if drawn_hidden else None if self.drawn < 0 else self.drawn,
            "rejectable": self.rejectable,
            "pools": pools,
            "row_pools": [row_pools[at : at + ROW] for at in starts],
            "drawn_pool": number[self.source] if self.drawn >= 0 else -1,
            "totals": self.totals[:],
        }

    def public_view(self) -> View:
        everybody = (1 << len(self.totals)) - 1
        return self._outside_view([card >> KNOWN & everybody == everybody for card in self.rows])

    def full_view(self) -> View:
        view = self._outside_view([True] * len(self.rows))
        view["drawn"] = None if self.drawn < 0 else self.drawn
        return view

    def _outside_view(self, shown: list[bool]) -> View:
        """Return what an onlooker sees to whom these cards of the rows are shown."""
        view = self.view(0)
        for key in ("pools", "row_pools", "drawn_pool"):
            del view[key]
        cards = [
            card & CARD if seen else UNKNOWN for card, seen in zip(self.rows, shown, strict=True)
        ]
        view["seat"] = -1
        view["rows"] = [cards[at : at + ROW] for at in range(0, len(cards), ROW)]
        view["drawn"] = None if self.drawn < 0 else UNKNOWN
        return view

    def glimpse(self, seat: int) -> View:
        return self.view(seat)  # a view shares nothing with the state

    def copy(self) -> CastorsState:
        other = CastorsState.__new__(CastorsState)
        other.rules = self.rules
        other.shuffler = self.shuffler
        other.totals = self.totals
        other.deal = self.deal
        other.rows = self.rows[:]
        other.pile = self.pile[:]
        other.discards = self.discards[:]
        other.shuffles = self.shuffles
        other.drawn = self.drawn
        other.source = self.source
        other.rejectable = self.rejectable
        other.moves = self.moves
        other.caller = self.caller
        other.turn = self.turn
        other.kind = self.kind
        other.events = None
        return other

    def scores(self) -> list[int]:
        return self.totals[:]

    def score_parts(self, viewer: int | None) -> list[list[ScorePart] | None]:
        return [[ScorePart("deals", total)] for total in self.totals]
