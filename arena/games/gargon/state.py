"""A game of Gargon in progress: rounds of playing cards, passing and battles."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from random import Random
from typing import Final

from arena.games.events import Event
from arena.games.game import Action, Rules, View
from arena.games.gargon.cards import COLOUR_SHIFT, COLOURS, score
from arena.games.gargon.checks import check_pass, check_play
from arena.games.gargon.plays import (
    EVERY_COLOUR,
    Shape,
    can_play,
    passes,
    plays,
    shape_of,
    some_play,
)
from arena.games.gargon.points import parts
from arena.games.illegal import IllegalAction, expect_below, expect_count, expect_verb
from arena.games.score_parts import ScorePart

HAND: Final = 10
PASS_BY_CHANCE: Final = 0.3


class GargonState:
    """A `State`: all cards, and where the round stands.

    `stacks` and the colours of their backs, `stack_backs`, never change, so that copies share
    them; `drawn` counts the cards already drawn from each. Hands are kept in ascending order,
    and `backs` counts their colours. `colours` is the bit set of the colours played in this
    round. `fighting` is the colour of the battle that waits for the draws of the seats in
    `drawing`, -1 if none does.
    """

    __slots__ = (
        "backs",
        "colours",
        "discards",
        "drawing",
        "drawn",
        "events",
        "fighting",
        "hands",
        "kind",
        "on_event",
        "passed",
        "round",
        "rules",
        "shape",
        "stack_backs",
        "stacks",
        "starter",
        "table",
        "turn",
        "won",
    )

    turn: int
    kind: str
    events: list[Event] | None
    on_event: Callable[[], None] | None
    rules: Rules
    hands: list[list[int]]
    stacks: tuple[tuple[int, ...], tuple[int, ...]]
    stack_backs: tuple[list[int], list[int]]
    drawn: list[int]
    backs: list[list[int]]
    table: list[list[int]]
    won: list[list[int]]
    discards: list[int]
    round: int
    starter: int
    shape: Shape | None
    colours: int
    passed: list[bool]
    fighting: int
    drawing: list[int]

    @classmethod
    def deal(cls, seats: int, rules: Rules, deck: list[int]) -> GargonState:
        """Return the start of a game with the pack in this order."""
        state = cls()
        state.rules = rules
        state.hands = [sorted(deck[HAND * s : HAND * s + HAND]) for s in range(seats)]
        rest = deck[HAND * seats :]
        half = len(rest) // 2
        state.set_stacks(tuple(rest[:half]), tuple(rest[half:]))
        state.count_backs()
        state.table = [[] for _ in range(seats)]
        state.won = [[] for _ in range(seats)]
        state.discards = []
        state.round = -1
        state.fighting = -1
        state.drawing = []
        state.on_event = None
        state.events = [
            ("dealt", seat, [card >> COLOUR_SHIFT for card in hand], list(hand))
            for seat, hand in enumerate(state.hands)
        ]
        state._open_round(0)
        return state

    def set_stacks(self, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        """Set both stacks, each with its top card first and nothing drawn yet."""
        self.stacks = (first, second)
        self.stack_backs = ([card >> 4 for card in first], [card >> 4 for card in second])
        self.drawn = [0, 0]

    def count_backs(self) -> None:
        """Set `backs` from the hands."""
        self.backs = [_colours(hand) for hand in self.hands]

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def over(self) -> bool:
        return self.turn < 0

    # Legal actions

    def actions(self) -> list[Action]:
        if self.kind == "play":
            starts = self.turn == self.starter
            found = plays(self.hands[self.turn], None if starts else self.shape, self._bounds())
            return found if starts else found + passes(self._left(0), self._left(1))
        if self.kind == "battle":
            chosen = sorted({card >> COLOUR_SHIFT for card in self.table[self.turn]})
            return [("battle", colour) for colour in chosen]
        if self.kind == "draw":
            return [("draw", 0), ("draw", 1)]
        return []

    def check(self, action: object) -> Action:
        if self.kind == "play":
            verb, numbers = expect_verb(action, self.kind, ("play", "pass"))
            shape = None if self.turn == self.starter else self.shape
            if verb == "play":
                return check_play(numbers, self.hands[self.turn], shape, self._bounds())
            if shape is None:
                raise IllegalAction('expected "play", for the starter of a round cannot pass', 0)
            return check_pass(numbers, self._left(0), self._left(1))
        if self.kind == "battle":
            verb, numbers = expect_verb(action, self.kind, ("battle",))
            expect_count(verb, numbers, 1, ", colour")
            colour = expect_below(numbers, 1, len(COLOURS))
            if colour not in [card >> COLOUR_SHIFT for card in self.table[self.turn]]:
                got = COLOURS[colour]
                raise IllegalAction(f"expected a colour that you have on the table, got {got}", 1)
            return (verb, colour)
        if self.kind == "draw":
            verb, numbers = expect_verb(action, self.kind, ("draw",))
            expect_count(verb, numbers, 1, ", stack")
            return (verb, expect_below(numbers, 1, 2))
        raise IllegalAction("the game is over")

    def sample(self, random: Random) -> Action:
        kind = self.kind
        if kind == "draw":
            return ("draw", 0) if random.random() < 0.5 else ("draw", 1)
        if kind == "battle":
            cards = self.table[self.turn]
            return ("battle", cards[int(random.random() * len(cards))] >> COLOUR_SHIFT)
        starts = self.turn == self.starter
        if starts or random.random() > PASS_BY_CHANCE:
            shape = None if starts else self.shape
            play = some_play(self.hands[self.turn], shape, self._bounds(), random)
            if play:
                return play
            if starts:
                return ("play", random.choice(self.hands[self.turn]))
        found = passes(self._left(0), self._left(1))
        return found[int(random.random() * len(found))]

    def default(self) -> Action:
        if self.kind == "play":
            if self.turn == self.starter:
                return ("play", self.hands[self.turn][0])
            first = min(1, self._left(0))
            return ("pass", first, min(1 - first, self._left(1)))
        if self.kind == "battle":
            return ("battle", min(self.table[self.turn]) >> COLOUR_SHIFT)
        return ("draw", 0)

    def _bounds(self) -> int:
        """Return the colours that the seat to play may use; only the last player is restricted."""
        last = (self.turn + 1) % len(self.hands) == self.starter
        return self.colours if last else EVERY_COLOUR

    def _left(self, stack: int) -> int:
        return len(self.stacks[stack]) - self.drawn[stack]

    # Playing

    def _tell(self, event: Event) -> None:
        """Keep an event, once the state shows what it tells; only states with events call this."""
        assert self.events is not None
        self.events.append(event)
        if self.on_event is not None:
            self.on_event()

    def apply(self, action: Action) -> None:
        verb = action[0]
        if verb == "play":
            self._play(self.turn, list(action[1:]))
        elif verb == "draw":
            self._draw(self.drawing.pop(0), action[1])
            self._fight()
        elif verb == "pass":
            self._pass(self.turn, action[1], action[2])
        else:
            self._battle(self.turn, action[1])

    def _open_round(self, starter: int) -> None:
        hands = self.hands
        seats = len(hands)
        for _ in range(seats):
            if hands[starter]:
                break
            starter = (starter + 1) % seats
        else:
            self._finish()
            return
        self.round += 1
        self.starter = starter
        self.shape = None
        self.colours = 0
        self.passed = [False] * seats
        self.turn = starter
        self.kind = "play"
        if self.events is not None:
            self._tell(("round", self.round, starter))
        if len(hands[starter]) == 1:
            self._play(starter, [hands[starter][0]])

    def _play(self, seat: int, cards: list[int]) -> None:
        hand = self.hands[seat]
        backs = self.backs[seat]
        for card in cards:
            hand.remove(card)
            backs[card >> 4] -= 1
            self.colours |= 1 << (card >> 4)
        self.table[seat] = cards
        if seat == self.starter:
            self.shape = shape_of(cards)
        if self.events is not None:
            self._tell(("played", seat, [card >> 4 for card in cards], list(cards)))
        self._next_player(seat)

    def _pass(self, seat: int, first: int, second: int) -> None:
        self.passed[seat] = True
        drawn = self.drawn
        a, b = drawn
        cards = [*self.stacks[0][a : a + first], *self.stacks[1][b : b + second]]
        drawn[0] = a + first
        drawn[1] = b + second
        hand = self.hands[seat]
        backs = self.backs[seat]
        for card in cards:
            insort(hand, card)
            backs[card >> 4] += 1
        if self.events is not None:
            colours = [card >> COLOUR_SHIFT for card in cards]
            self._tell(("passed", seat, [first, second], colours, cards))
        self._next_player(seat)

    def _next_player(self, seat: int) -> None:
        seat = (seat + 1) % len(self.hands)
        if seat == self.starter:
            self._open_battles()
            return
        self.turn = seat
        self.kind = "play"
        drawn = self.drawn
        stacks = self.stacks
        left = len(stacks[0]) - drawn[0] + len(stacks[1]) - drawn[1]
        if left < 2 and not can_play(self.hands[seat], self.shape or (), self._bounds()):
            self._pass(seat, self._left(0), self._left(1))

    def _open_battles(self) -> None:
        self.kind = "battle"
        if self.events is not None:
            self._tell(("revealed", [list(cards) for cards in self.table]))
        self._next_battle()

    def _next_battle(self) -> None:
        """Let the first player with cards on the table choose a colour, or close the round."""
        table = self.table
        seats = len(table)
        chooser = self.starter
        for _ in range(seats):
            cards = table[chooser]
            if cards:
                break
            chooser = (chooser + 1) % seats
        else:
            self._close_round()
            return
        colour = cards[0] >> 4
        if len(cards) == 1 or cards[0] >> 4 == cards[-1] >> 4 == colour:
            self._battle(chooser, colour)
        else:
            self.turn = chooser
            self.kind = "battle"

    def _battle(self, seat: int, colour: int) -> None:
        self.fighting = colour
        if self.events is not None:
            self._tell(("battle", seat, colour))
        self._fight()

    def _fight(self) -> None:
        """Fight in one colour until it is gone from the table or a loser has to choose a stack."""
        table = self.table
        seats = len(table)
        colour = self.fighting
        drawing = self.drawing
        while True:
            while drawing:
                first, second = self._left(0), self._left(1)
                if first and second:
                    self.turn = drawing[0]
                    self.kind = "draw"
                    return
                loser = drawing.pop(0)
                if first or second:
                    self._draw(loser, 0 if first else 1)
            fighters = []
            best = -1
            for place in range(self.starter, self.starter + seats):
                seat = place % seats
                high = -1
                for card in table[seat]:
                    if card >> 4 == colour and card > high:
                        high = card
                if high >= 0:
                    fighters.append((seat, high))
                    best = max(best, high)
            if len(fighters) > 1:
                self._compare(fighters, best)
                continue
            if fighters:
                self._win_alone(fighters[0][0], colour)
            self.fighting = -1
            self._next_battle()
            return

    def _compare(self, fighters: list[tuple[int, int]], best: int) -> None:
        """One battle: the best card wins, unless all are zeros; the others are discarded."""
        winner = -1
        for seat, card in fighters:
            self.table[seat].remove(card)
            if card == best and card & 15:
                winner = seat
                self.won[seat].append(card)
            else:
                self.discards.append(card)
        if winner >= 0:
            self.drawing[:] = [seat for seat, _ in fighters if seat != winner]
        if self.events is not None:
            seats = [seat for seat, _ in fighters]
            cards = [card for _, card in fighters]
            self._tell(("fought", seats, cards, winner))

    def _win_alone(self, seat: int, colour: int) -> None:
        cards = [card for card in self.table[seat] if card >> 4 == colour]
        self.table[seat] = [card for card in self.table[seat] if card >> 4 != colour]
        self.won[seat] += cards
        if self.events is not None:
            self._tell(("won", seat, cards))

    def _draw(self, seat: int, stack: int) -> None:
        at = self.drawn[stack]
        card = self.stacks[stack][at]
        self.drawn[stack] = at + 1
        insort(self.hands[seat], card)
        self.backs[seat][card >> 4] += 1
        if self.events is not None:
            self._tell(("drew", seat, stack, card >> COLOUR_SHIFT, card))

    def _close_round(self) -> None:
        if self._left(0) and self._left(1):
            self._open_round((self.starter + 1) % len(self.hands))
        else:
            self._finish()

    def _finish(self) -> None:
        self.turn = -1
        self.kind = ""
        if self.events is not None:
            self._tell(("scored", [list(pile) for pile in self.won], self.scores()))

    # Views and copies

    def view(self, seat: int) -> View:
        view = self.glimpse(seat)
        view["shape"] = list(self.shape) if self.shape else None
        for key in ("passed", "hand", "discards", "drawing"):
            view[key] = view[key][:]
        for key in ("hands", "table", "won"):
            view[key] = [None if part is None else part[:] for part in view[key]]
        return view

    def public_view(self) -> View:
        view = self.view(0)
        view["seat"] = -1
        view["hand"] = []
        if self.kind == "play":
            view["table"][0] = None
        if not self.rules["open_winnings"] and self.turn >= 0:
            view["won"][0] = None
        return view

    def full_view(self) -> View:
        view = self.public_view()
        for key, piles in (("fronts", self.hands), ("table", self.table), ("won", self.won)):
            view[key] = [pile[:] for pile in piles]
        return view

    def glimpse(self, seat: int) -> View:
        table: list[list[int] | None]
        if self.kind == "play":
            table = [None] * len(self.hands)
            table[seat] = self.table[seat]
        else:
            table = [*self.table]
        won: list[list[int] | None]
        if self.rules["open_winnings"] or self.turn < 0:
            won = [*self.won]
        else:
            won = [None] * len(self.hands)
            won[seat] = self.won[seat]
        first, second = self.drawn
        return {
            "seat": seat,
            "turn": self.turn,
            "kind": self.kind,
            "round": self.round,
            "starter": self.starter,
            "shape": self.shape,
            "passed": self.passed,
            "hand": self.hands[seat],
            "hands": self.backs,
            "played": [_colours(cards) if cards else [0, 0, 0, 0, 0, 0] for cards in self.table],
            "table": table,
            "stacks": [self.stack_backs[0][first:], self.stack_backs[1][second:]],
            "won": won,
            "discards": self.discards,
            "fighting": self.fighting,
            "drawing": self.drawing,
        }

    def copy(self) -> GargonState:
        other = GargonState.__new__(GargonState)
        other.rules = self.rules
        other.hands = [cards[:] for cards in self.hands]
        other.backs = [counts[:] for counts in self.backs]
        other.stacks = self.stacks
        other.stack_backs = self.stack_backs
        other.drawn = self.drawn[:]
        other.table = [cards[:] for cards in self.table]
        other.won = [cards[:] for cards in self.won]
        other.discards = self.discards[:]
        other.round = self.round
        other.starter = self.starter
        other.shape = self.shape
        other.colours = self.colours
        other.passed = self.passed[:]
        other.fighting = self.fighting
        other.drawing = self.drawing[:]
        other.turn = self.turn
        other.kind = self.kind
        other.events = None
        return other

    def scores(self) -> list[int]:
        return score(self.won, self.rules["amulets"])

    def score_parts(self, viewer: int | None) -> list[list[ScorePart] | None]:
        found = parts(self.won, self.rules["amulets"])
        if viewer is None or self.turn < 0 or self.rules["open_winnings"]:
            return [*found]
        return [part if seat == viewer else None for seat, part in enumerate(found)]


def _colours(cards: list[int]) -> list[int]:
    """Count the cards of each colour."""
    counts = [0, 0, 0, 0, 0, 0]
    for card in cards:
        counts[card >> 4] += 1
    return counts
