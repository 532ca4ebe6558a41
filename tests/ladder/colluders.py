"""Bots that play for each other, and honest ones of different strength, on the rules alone.

They see the whole state, which makes them short and quick. How good one is follows from how
often he plays by chance. Of two colluders the first gives and the other takes; whoever is at a
table without his partner plays like an honest bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, Literal

from arena.discovery import discover
from arena.games.castors.cards import NINE, SWAP
from arena.games.castors.state import CARD
from arena.games.deal import DealStream
from arena.games.game import Action, Game
from arena.games.gargon.cards import COLOUR_SHIFT
from arena.ladder.collusion import mean_shares
from arena.ladder.margins import scale_of
from arena.ladder.schedule import Schedule
from arena.records.entries import BlockPlayed
from arena.records.entries import Game as GamePlayed
from arena.referee.table import places

Mode = Literal["honest", "mild", "strong"]
"""Mild ones never take from each other; of strong ones the first gives as well."""
Shares = tuple[Sequence[int], Sequence[float]]

TRIES = 20
"""How many actions are drawn until one takes nothing from a friend."""
GIVES, TAKES = 2, 5
"""The two who collude."""


@cache
def game(name: str) -> Game:
    """The installed game of this name."""
    return discover({}).games[name]


def blocks(name: str, count: int, mode: Mode, seed: int, contestants: int = 8) -> Iterator[Shares]:
    """Play blocks of a ladder at tables of four; yield who sat there, with mean shares."""
    rules = game(name)
    schedule = Schedule(f"collusion-{seed}", (4,))
    schedule.enter(range(contestants))
    random = Random(f"{name} {mode} {seed}")
    choose = castors if name == "castors" else gargon
    for block in range(count):
        pairing = schedule.next()
        played = []
        for rotation in range(4):
            seats = pairing.seating(rotation)
            deal = DealStream.of("collusion", seed, block)
            state: Any = rules.start(4, rules.rules({}), deal)
            state.events = None
            while state.turn >= 0:
                player = seats[state.turn]
                partner = {GIVES: TAKES, TAKES: GIVES}.get(player) if mode != "honest" else None
                friend = seats.index(partner) if partner in seats else None
                if random.random() < 0.05 + 0.06 * player:
                    state.apply(harmless(state, random, friend))
                else:
                    gives = mode == "strong" and player == GIVES
                    state.apply(choose(state, random, friend, gives=gives))
            scores = tuple(state.scores())
            placed = tuple(places(rules, scores, ()))
            played.append(GamePlayed(actions=(), scores=scores, places=placed))
        yield mean_shares(
            BlockPlayed(
                number=block,
                key="0" * 64,
                contestants=tuple(pairing.contestants),
                games=tuple(played),
            ),
            scale_of(rules),
        )


def harmless(state: Any, random: Random, friend: int | None) -> Action:
    """Draw a legal action that takes nothing from a friend, if one is found."""
    found: Action = state.sample(random)
    for _ in range(TRIES):
        if friend is None or not takes(state, found, friend):
            break
        found = state.sample(random)
    return found


def takes(state: Any, action: Action, friend: int) -> bool:
    """Whether this swaps a card with a friend, or fights him for a colour."""
    if action[0] == "swap":
        return bool(action[2] == friend)
    if state.kind != "play" or action[0] == "pass":
        return False
    colours = {card >> COLOUR_SHIFT for card in state.table[friend]}
    return any(card >> COLOUR_SHIFT in colours for card in action[1:])


def castors(state: Any, random: Random, friend: int | None, *, gives: bool) -> Action:
    """Keep low cards, swap for a low one of somebody, call with a low row."""
    seat = state.turn
    rows = [[card & CARD for card in state.rows[4 * s : 4 * s + 4]] for s in range(state.seats)]
    worth = [[min(card, NINE) for card in row] for row in rows]
    worst = max(range(4), key=worth[seat].__getitem__)
    if state.kind == "call":
        return ("call",) if sum(worth[seat]) < 12 else ("wait",)
    if state.kind == "turn":
        top = state.discards[-1]
        return ("take", worst) if top < min(5, worth[seat][worst]) else ("draw",)
    if state.drawn <= NINE:
        return ("keep", worst) if state.drawn < worth[seat][worst] else ("discard",)
    if state.drawn == SWAP:
        if gives and friend is not None:
            best = min(range(4), key=worth[seat].__getitem__)
            high = max(range(4), key=worth[friend].__getitem__)
            if worth[seat][best] < worth[friend][high]:
                return ("swap", best, friend, high)
        others = [s for s in range(state.seats) if s not in (seat, friend)]
        victim = random.choice(others)
        low = min(range(4), key=worth[victim].__getitem__)
        if worth[victim][low] < worth[seat][worst]:
            return ("swap", worst, victim, low)
    return ("discard",)


def gargon(state: Any, random: Random, friend: int | None, *, gives: bool) -> Action:
    """Play the best of some plays: high cards, in colours that are free."""
    seat = state.turn
    if state.kind != "play":
        found: Action = state.sample(random)
        return found
    taken = [
        {card >> COLOUR_SHIFT for card in cards} if other != seat else set()
        for other, cards in enumerate(state.table)
    ]
    if gives and friend is not None and taken[friend] and seat != state.starter:
        passes = [action for action in state.actions() if action[0] == "pass"]
        if passes:
            return random.choice(passes)

    def worth(action: Action) -> float:
        if action[0] == "pass":
            return 6.0
        value = 0.0
        for card in action[1:]:
            colour, high = card >> COLOUR_SHIFT, card % 16
            for other, colours in enumerate(taken):
                if colour in colours and other != friend:
                    value -= 10.0 - high
            value += high
        return value

    return max((harmless(state, random, friend) for _ in range(6)), key=worth)
