"""Gang de Castors a second time, told as its rules are told; slow, and only for tests."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from . import Ask, Scripted

if TYPE_CHECKING:
    from collections.abc import Generator

    from . import Action, Script

SWAP, PEEK, DRAW = 10, 11, 12
# Cards: "values 0 to 8 four times each, 9 nine times; 9 swap, 7 peek, 5 draw".
COPIES = {**dict.fromkeys(range(9), 4), 9: 9, SWAP: 9, PEEK: 7, DRAW: 5}
POSITIONS = (0, 1, 2, 3)
LAPS = 100
DEALS = {2: 4, 3: 3, 4: 4, 5: 5, 6: 6}


class SlowCastors(Scripted):
    """One game of Gang de Castors.

    The top of the pile is its first card, the top of the discards their last.
    """

    rows: list[list[int]]
    pile: list[int]
    discards: list[int]
    drawn: list[int]
    aside: list[int]
    totals: list[int]
    deal: int
    shuffles: int

    def script(self) -> Script:
        """Set-up: "As many deals as players; with two players four" make a game."""
        self.totals = [0] * self.seats
        for deal in range(DEALS[self.seats]):
            self.set_up(deal)
            caller = yield from self.laps_and_last_round()
            self.replace_action_cards(caller)
            self.add_up_rows()

    def set_up(self, deal: int) -> None:
        """Set-up: four cards each, one card turned up, the rest is the pile."""
        deck = [card for card, copies in COPIES.items() for _ in range(copies)]
        self.shuffler.shuffle(deck, deal, 0)
        self.deal = deal
        self.shuffles = 0
        self.rows = []
        for _ in range(self.seats):
            self.rows.append([deck.pop(0) for _ in POSITIONS])
        # "One card is turned up to start the discard pile".
        self.discards = [deck.pop(0)]
        self.pile = deck
        self.drawn = []
        self.aside = []

    # A deal

    def laps_and_last_round(self) -> Generator[Ask, Action, int]:
        """Last round: turn after turn up to a call or the last lap; returns who (as if) called."""
        # Set-up: "The dealer is seat 0 in the first deal and moves one to the left each deal; the
        # dealer's left neighbour begins."
        dealer = self.deal % self.seats
        beginner = (dealer + 1) % self.seats
        everybody = self.clockwise_from(beginner)
        for lap in range(1, self.rules.get("laps", LAPS) + 1):
            for seat in everybody:
                yield from self.turn_of(seat)
                # "once every player has had a turn: the last player of the first lap is the first
                # who can."
                if lap == 1 and seat != everybody[-1]:
                    continue
                (answer,) = yield Ask(seat, "call", lambda: [("call",), ("wait",)])
                if answer == "call":
                    # "After the call each other player has one more turn and the deal ends."
                    _, *others = self.clockwise_from(seat)
                    for other in others:
                        yield from self.turn_of(other)
                    return seat
        # "If nobody calls, the deal ends [...] as if the player who has just moved had called with
        # no further turns."
        return everybody[-1]

    def turn_of(self, seat: int) -> Script:
        """A turn is A or B."""
        verb, *where = yield Ask(seat, "turn", self.a_or_b)
        if verb == "take":
            self.put_into_row(seat, where[0], self.discards.pop())
        else:
            yield from self.draw_and_use(seat, rejectable=False)

    def a_or_b(self) -> list[Action]:
        """B always; A "if it is a value card"."""
        a: list[Action] = [("take", own) for own in POSITIONS if is_value(self.discards[-1])]
        return [("draw",), *a]

    def draw_and_use(self, seat: int, *, rejectable: bool) -> Script:
        """B: "draw the top card of the pile" and use it; or reject it, if it may be."""
        self.draw_card()
        verb, *rest = yield Ask(seat, "card", partial(self.uses, seat, rejectable=rejectable))
        [card] = self.drawn
        self.drawn = []
        if verb == "keep":
            self.put_into_row(seat, rest[0], card)
            return
        # Whether it is discarded, rejected or played: "A played action card goes to the discard
        # pile when it is played, so what follows lands on top of it."
        self.discards.append(card)
        if verb == "swap":
            own, opponent, other = rest
            mine, theirs = self.rows[seat][own], self.rows[opponent][other]
            self.rows[seat][own], self.rows[opponent][other] = theirs, mine
        elif verb == "draw":
            # Draw: "draw a card and use it as in B; instead of using it, it can be rejected".
            # So too for a further draw card, which "starts afresh".
            yield from self.draw_and_use(seat, rejectable=True)
        elif verb == "reject":
            # When it was rejected, "a second card is drawn and must be used as in B".
            yield from self.draw_and_use(seat, rejectable=False)

    def uses(self, seat: int, *, rejectable: bool) -> list[Action]:
        """What can be done with the card that was drawn."""
        [card] = self.drawn
        # B: a value card, "exchange it for one of one's four, or discard it"; an action card, "play
        # it or discard it without effect. It is never put into a row."
        uses: list[Action] = [("discard",)]
        if is_value(card):
            uses += [("keep", own) for own in POSITIONS]
        if card == DRAW:
            uses += [("draw",)]
        if card == PEEK:
            # "look at one of one's own four".
            uses += [("peek", own) for own in POSITIONS]
        if card == SWAP:
            # "one of one's own four against any one card of any opponent [...] Nobody is
            # protected, the caller of the last round included."
            uses += [
                ("swap", own, opponent, other)
                for own, opponent, other in product(POSITIONS, range(self.seats), POSITIONS)
                if opponent != seat
            ]
        if rejectable:
            uses += [("reject",)]
        return uses

    def put_into_row(self, seat: int, position: int, card: int) -> None:
        """A and B: the card takes the place of another, which is discarded."""
        self.discards.append(self.rows[seat][position])
        self.rows[seat][position] = card

    def draw_card(self) -> None:
        """The pile's top card is drawn; an empty pile is made anew at once."""
        self.drawn = [self.pile.pop(0)]
        # "When the pile is empty, all discards but the top one are shuffled into a new pile, in
        # the middle of a turn too."
        if not self.pile:
            *below, top = self.discards
            self.discards = [top]
            self.shuffle_into_pile(below)

    def shuffle_into_pile(self, cards: list[int]) -> None:
        """Cards, in the order in which they lay, the lowest first, become the pile."""
        self.shuffles += 1
        self.shuffler.shuffle(cards, self.deal, self.shuffles)
        self.pile = cards

    # The end of a deal

    def replace_action_cards(self, caller: int) -> None:
        """Last round: "from the caller clockwise, each action card in a row is set aside [...]"."""
        for seat in self.clockwise_from(caller):
            for position in POSITIONS:
                # "and replaced from the pile until a value card lies there".
                while not is_value(self.rows[seat][position]):
                    self.aside.append(self.rows[seat][position])
                    # "if the pile runs out, the discards (the top one included) are shuffled into
                    # it."
                    if not self.pile:
                        self.shuffle_into_pile(self.discards)
                        self.discards = []
                    self.rows[seat][position] = self.pile.pop(0)

    def add_up_rows(self) -> None:
        """Last round: "Each player adds up his row", and the deals are added up."""
        for seat in range(self.seats):
            self.totals[seat] += sum(self.rows[seat])

    def scores(self) -> list[int]:
        """Totals over the deals that have ended."""
        return list(self.totals)

    def cards(self) -> dict[str, list[int]]:
        """Where each of the 66 cards is; after the last deal, where it was left."""
        rows = {f"row {seat}": list(self.rows[seat]) for seat in range(self.seats)}
        return rows | {
            "pile": list(self.pile),
            "discards": list(self.discards),
            "drawn": list(self.drawn),
            "aside": list(self.aside),
        }


def is_value(card: int) -> bool:
    """Cards: "0-9 its value, 10 swap, 11 peek, 12 draw"."""
    return card in range(10)
