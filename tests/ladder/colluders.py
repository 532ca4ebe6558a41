"""Bots that play for each other, and honest ones of different strength, on the rules alone.

They see the whole state, which makes them short and quick. How good one is follows from how
often he plays by chance. Of two colluders the first gives and the other takes; whoever is at a
table without his partner plays like an honest bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any, Literal

from arena.discovery import discover
from arena.games.castors.cards import NINE, SWAP
from arena.games.castors.state import CARD
from arena.games.deal import DealStream, derived_key
from arena.games.game import Action, Game
from arena.games.gargon.cards import COLOUR_SHIFT
from arena.ladder.aims import aims_in
from arena.ladder.collusion import mean_shares
from arena.ladder.margins import scale_of
from arena.ladder.rating.collusion import Shares
from arena.ladder.rating.partiality import Aims
from arena.ladder.schedule import Schedule
from arena.records.codec import entry_line
from arena.records.entries import BlockPlayed, Contest, Contestant, Entered, Opened, TimeControl
from arena.records.entries import Game as GamePlayed
from arena.records.game_record import GameRecord, rotated
from arena.referee.table import places

Mode = Literal["honest", "half", "mild", "strong"]
"""Mild ones never take from each other, half ones do in every second case; of strong ones the
first gives as well."""

TRIES = 20
"""How many actions are drawn until one takes nothing from a friend."""
GIVES, TAKES = 2, 5
"""The two who collude."""


@cache
def game(name: str) -> Game:
    """The installed game of this name."""
    return discover({}).games[name]


@dataclass(frozen=True)
class Block:
    """A block that was played, and what audits take from it."""

    game: str
    entry: BlockPlayed

    @cached_property
    def shares(self) -> Shares:
        """Everybody's mean share."""
        return mean_shares(self.entry, scale_of(game(self.game)))

    @cached_property
    def aims(self) -> Aims:
        """Who acted against whom."""
        entry = self.entry
        key = bytes.fromhex(entry.key)
        everybody = entry.contestants
        return aims_in(
            [
                GameRecord(at, contest(self.game), "", 0, at, 0, key, rotated(everybody, at), (), g)
                for at, g in enumerate(entry.games)
            ],
            game(self.game),
        )


@cache
def contest(name: str) -> Contest:
    """What is played."""
    return Contest(
        name="collusion",
        game=name,
        version=game(name).version,
        rules=game(name).rules({}),
        tables=(4,),
        time=TimeControl(),
        limits={},
        sandbox="none",
        suspend=False,
        fresh=False,
    )


def log_of(blocks: Sequence[Block]) -> bytes:
    """The log of these blocks, whose contestants are called `bot-0` and so on."""
    everybody = range(1 + max(max(block.entry.contestants) for block in blocks))
    bots = (
        Contestant(name=f"bot-{number}", version="1", digest=f"{number:064x}")
        for number in everybody
    )
    opened = Opened(format=2, contest=contest(blocks[0].game), commitment="0" * 64)
    entries = [opened, Entered(contestants=tuple(bots)), *(block.entry for block in blocks)]
    return b"".join(entry_line(entry) + b"\n" for entry in entries)


def ladder(
    name: str,
    count: int,
    contestants: int,
    sizes: Sequence[int],
    seed: int,
    play: Callable[[Any, Sequence[int]], list[Action]],
) -> Iterator[Block]:
    """Play blocks of a ladder; `play` ends a state, given who sits where, and returns actions."""
    schedule = Schedule(f"collusion-{seed}", tuple(sizes))
    schedule.enter(range(contestants))
    for number in range(count):
        pairing = schedule.next()
        key = derived_key(b"collusion", seed, number)
        played = []
        for rotation in range(pairing.games):
            seats = pairing.seating(rotation)
            state = game(name).start(len(seats), game(name).rules({}), DealStream(key))
            actions = tuple(play(state, seats))
            scores = tuple(state.scores())
            placed = tuple(places(game(name), scores, ()))
            played.append(GamePlayed(actions=actions, scores=scores, places=placed))
        everybody = tuple(pairing.contestants)
        yield Block(
            name,
            BlockPlayed(number=number, key=key.hex(), contestants=everybody, games=tuple(played)),
        )


def blocks(name: str, count: int, mode: Mode, seed: int, contestants: int = 8) -> Iterator[Block]:
    """Play blocks of a ladder at tables of four."""
    random = Random(f"{name} {mode} {seed}")
    choose = castors if name == "castors" else gargon

    def play(state: Any, seats: Sequence[int]) -> list[Action]:
        state.events = None
        actions = []
        while state.turn >= 0:
            player = seats[state.turn]
            friend = friend_of(player, seats, mode, random)
            if random.random() < 0.05 + 0.06 * player:
                action = harmless(state, random, friend)
            else:
                gives = mode == "strong" and player == GIVES
                action = choose(state, random, friend, gives=gives)
            actions.append(action)
            state.apply(action)
        return actions

    return ladder(name, count, contestants, (4,), seed, play)


def friend_of(player: int, seats: Sequence[int], mode: Mode, random: Random) -> int | None:
    """The seat of the player's partner, if he has one, who is there, and thinks of him now."""
    partner = {GIVES: TAKES, TAKES: GIVES}.get(player)
    if mode == "honest" or partner not in seats or (mode == "half" and random.random() < 0.5):
        return None
    return seats.index(partner)


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
