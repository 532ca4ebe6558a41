"""Gargon a second time, told as its rules are told; slow, and only for tests."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from . import Ask, Scripted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from . import Action, Script

COLOURS = WHITE, BLUE, VIOLET, RED, YELLOW, GREEN = range(6)
VALUES = (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
STACKS = (0, 1)
HAND = 10
SHAPES = ([1], [2], [1, 1], [2, 1], [1, 1, 1])
AMULETS = (5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)


class Card(NamedTuple):
    """A creature card; the two zeros of a colour are equal and interchangeable."""

    colour: int
    value: int

    @property
    def number(self) -> int:
        """The card in data (Cards: "colour * 16 + value")."""
        return self.colour * 16 + self.value

    @classmethod
    def of(cls, number: int) -> Card:
        """The card that a number in data stands for."""
        return cls(number // 16, number % 16)


class SlowGargon(Scripted):
    """One game of Gargon. All piles are lists of cards; a stack's top is its first card."""

    hands: list[list[Card]]
    table: list[list[Card]]
    won: list[list[Card]]
    stacks: list[list[Card]]
    discards: list[Card]

    def script(self) -> Script:
        """The game: rounds, until one of the stacks is used up or all hands are empty."""
        self.set_up()
        starter: int | None = 0  # Set-up: "Seat 0 starts."
        while starter is not None:
            yield from self.card_playing_phase(starter)
            yield from self.battle_phase(starter)
            starter = None if self.a_stack_is_empty() else self.next_starter(starter)
        # The end: "Hands are discarded."
        for hand in self.hands:
            self.discards += hand
            hand.clear()

    def set_up(self) -> None:
        """Set-up: "Ten cards each; the rest is cut into two equal stacks"."""
        numbers = [Card(colour, value).number for colour in COLOURS for value in VALUES]
        self.shuffler.shuffle(numbers, 0)
        deck = [Card.of(number) for number in numbers]
        self.hands = []
        for _ in range(self.seats):
            self.hands.append(deck[:HAND])
            deck = deck[HAND:]
        half = len(deck) // 2
        self.stacks = [deck[:half], deck[half:]]
        self.table = [[] for _ in range(self.seats)]
        self.won = [[] for _ in range(self.seats)]
        self.discards = []

    # Rules 1 to 3: playing and passing

    def card_playing_phase(self, starter: int) -> Script:
        """Rules 1 and 2: the starter plays, then the others, clockwise, play or pass."""
        for seat in self.clockwise_from(starter):
            verb, *rest = yield Ask(seat, "play", partial(self.plays_and_passes, seat, starter))
            if verb == "play":
                for card in map(Card.of, rest):
                    self.hands[seat].remove(card)
                    self.table[seat].append(card)
            else:
                for stack, count in zip(STACKS, rest, strict=True):
                    for _ in range(count):
                        self.draw(seat, stack)

    def plays_and_passes(self, seat: int, starter: int) -> list[Action]:
        """Plays, by number of cards, then by cards; then passes, by cards from each stack."""
        plays = {
            tuple(sorted(card.number for card in cards))
            for size in (1, 2, 3)
            for cards in combinations(self.hands[seat], size)
            if self.may_play(cards, seat, starter)
        }
        passes = [
            counts for counts in product(range(4), repeat=2) if self.may_pass(counts, seat, starter)
        ]
        return [
            *(("play", *numbers) for numbers in sorted(plays, key=lambda play: (len(play), play))),
            *(("pass", *counts) for counts in sorted(passes)),
        ]

    def may_play(self, cards: Sequence[Card], seat: int, starter: int) -> bool:
        """Rules 1 and 2: which cards a seat may lay down."""
        # 1: "shapes 1, 2, 1+1, 2+1, 1+1+1. Never three of one colour."
        if shape(cards) not in SHAPES:
            return False
        if seat == starter:
            return True
        # 2: "Each other player plays cards of the same shape in colours of his choice".
        if shape(cards) != shape(self.table[starter]):
            return False
        # 2: "The last player (the starter's right-hand neighbour) may use only colours already
        # on the table this round."
        if seat == self.clockwise_from(starter)[-1]:
            on_the_table = {card.colour for played in self.table for card in played}
            return all(card.colour in on_the_table for card in cards)
        return True

    def may_pass(self, counts: tuple[int, ...], seat: int, starter: int) -> bool:
        """Rules 1 and 3: whether a seat may pass and draw so many cards from each stack."""
        # 1: "He can't pass."
        if seat == starter:
            return False
        # 3: "none if both stacks are empty".
        if all(not stack for stack in self.stacks):
            return sum(counts) == 0
        # 3: "one to three cards, from one stack or both"; "At least one is drawn while any is
        # left".
        there_are_enough = all(
            count <= len(stack) for count, stack in zip(counts, self.stacks, strict=True)
        )
        return sum(counts) in (1, 2, 3) and there_are_enough

    def draw(self, seat: int, stack: int) -> None:
        """Rule 3: "always from the top"."""
        self.hands[seat].append(self.stacks[stack].pop(0))

    # Rules 4 to 7: battles

    def battle_phase(self, starter: int) -> Script:
        """Rule 4: from the starter, each chooses among his colours until he has none left."""
        for chooser in self.clockwise_from(starter):
            while self.table[chooser]:
                _, colour = yield Ask(chooser, "battle", partial(self.own_colours, chooser))
                yield from self.fight_over(colour, starter)

    def own_colours(self, chooser: int) -> list[Action]:
        """Rule 4: "one of his own colours"."""
        return [("battle", colour) for colour in COLOURS if self.played_in(colour, chooser)]

    def played_in(self, colour: int, seat: int) -> list[Card]:
        """The cards of a colour that still lie before a seat."""
        return [card for card in self.table[seat] if card.colour == colour]

    def players_in(self, colour: int) -> list[int]:
        """The seats that have a card of the colour before them."""
        return [seat for seat in range(self.seats) if self.played_in(colour, seat)]

    def fight_over(self, colour: int, starter: int) -> Script:
        """Rule 5: nobody else in the colour, or a battle, and a second one if it must be."""
        # "alone in it, its owner wins all his cards of it."
        if len(self.players_in(colour)) == 1:
            self.win_without_battle(colour)
            return
        yield from self.one_battle(colour, starter)
        # "If one player then still has a card of the colour he wins it;"
        if len(self.players_in(colour)) == 1:
            self.win_without_battle(colour)
        # "if two or more do, a second battle is fought the same way."
        elif len(self.players_in(colour)) > 1:
            yield from self.one_battle(colour, starter)
        assert not self.players_in(colour)

    def win_without_battle(self, colour: int) -> None:
        """Rule 5, first and last case; here also a 0 wins (rule 6)."""
        [owner] = self.players_in(colour)
        for card in self.played_in(colour, owner):
            self.table[owner].remove(card)
            self.won[owner].append(card)

    def one_battle(self, colour: int, starter: int) -> Script:
        """Rules 5 and 6: each player in the colour fights with his highest card of it."""
        fighting = {
            seat: max(self.played_in(colour, seat), key=lambda card: card.value)
            for seat in self.players_in(colour)
        }
        for seat, card in fighting.items():
            self.table[seat].remove(card)
        # 6: "If the only cards in a battle are zeros, they are discarded, nobody wins, and nobody
        # draws".
        if all(card.value == 0 for card in fighting.values()):
            self.discards += fighting.values()
            return
        # 5: "the highest wins and goes to its owner's won pile, the other fighting cards are
        # discarded". (Above 0 no two cards of a colour are equal.)
        highest = max(card.value for card in fighting.values())
        [winner] = [seat for seat, card in fighting.items() if card.value == highest]
        for seat, card in fighting.items():
            if seat == winner:
                self.won[seat].append(card)
            else:
                self.discards.append(card)
        # 5: "each player who lost one draws one card at once, from a stack of his choice, clockwise
        # from the round's starter".
        for seat in self.clockwise_from(starter):
            if seat in fighting and seat != winner:
                yield from self.consolation(seat)

    def consolation(self, loser: int) -> Script:
        """Rule 7: "from the only stack left where one is empty, and not at all where both are"."""
        if self.stacks_to_draw_from():
            _, stack = yield Ask(loser, "draw", self.stacks_to_draw_from)
            self.draw(loser, stack)

    def stacks_to_draw_from(self) -> list[Action]:
        """The stacks that still have a card."""
        return [("draw", stack) for stack in STACKS if self.stacks[stack]]

    # Rule 8 and the end

    def a_stack_is_empty(self) -> bool:
        """End: "When the last card of one of the two stacks is drawn"."""
        return any(not stack for stack in self.stacks)

    def next_starter(self, starter: int) -> int | None:
        """Rule 8: the left neighbour, or the next with cards in hand; None if nobody has any."""
        _, *others = self.clockwise_from(starter)
        for seat in [*others, starter]:
            if self.hands[seat]:
                return seat
        return None

    def scores(self) -> list[int]:
        """End: amulets and bonus points, over all colours."""
        totals = []
        for seat in range(self.seats):
            total = 0
            for colour in COLOURS:
                total += self.amulet_points(seat, colour)
                total += self.bonus_points(seat, colour)
            totals.append(total)
        return totals

    def won_in(self, colour: int, seat: int) -> list[Card]:
        """The cards of a colour that a seat has won."""
        return [card for card in self.won[seat] if card.colour == colour]

    def amulet_points(self, seat: int, colour: int) -> int:
        """End: "count double with one 0 of it in the won pile, four times with both"."""
        points = sum(self.amulets(card) for card in self.won_in(colour, seat))
        for card in self.won_in(colour, seat):
            if card.value == 0:
                points = points * 2
        return points

    def amulets(self, card: Card) -> int:
        """Cards: amulets by value, as the rules' table says for 1 to 12; 0 and 13-15 none."""
        table = self.rules.get("amulets", AMULETS)
        amulets: dict[int, int] = dict(zip(range(1, 13), table, strict=True))
        return amulets.get(card.value, 0)

    def bonus_points(self, seat: int, colour: int) -> int:
        """End: most cards of a colour +10, tied for most +5 each, nothing if nobody won any."""
        counts = [len(self.won_in(colour, each)) for each in range(self.seats)]
        if counts[seat] == 0 or counts[seat] < max(counts):
            return 0
        return 10 if counts.count(max(counts)) == 1 else 5

    def cards(self) -> dict[str, list[int]]:
        """Where each of the 102 cards is."""
        places: dict[str, Iterable[Card]] = {"discards": self.discards}
        for stack in STACKS:
            places[f"stack {stack}"] = self.stacks[stack]
        for seat in range(self.seats):
            places[f"hand {seat}"] = self.hands[seat]
            places[f"table {seat}"] = self.table[seat]
            places[f"won {seat}"] = self.won[seat]
        return {place: [card.number for card in cards] for place, cards in places.items()}


def shape(cards: Iterable[Card]) -> list[int]:
    """How many cards of one colour, of another and of a third; the most first."""
    return sorted(Counter(card.colour for card in cards).values(), reverse=True)
