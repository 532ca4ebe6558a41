"""Ladders of the bundled bots in one process, some of whom play for each other.

Bots are asked as the referee asks them, so they see what they may see. Of two colluders the
first gives and the other takes; whoever is at a table without his partner plays honestly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from arena.games.game import Action
from arena_bots.castors import hasty, odds, reference, thresholds
from arena_bots.castors.plausible import estimates
from arena_bots.castors.search import Search
from arena_bots.gargon.backs import BacksBot
from arena_bots.gargon.hand import HandBot
from arena_bots.gargon.majority import MajorityBot
from arena_bots.gargon.reference import ReferenceBot
from arena_bots.gargon.search import SearchBot
from arena_bots.random_bot import RandomBot
from arena_bots.thinking import Thinking
from arena_sdk import Bot, Question, Start
from arena_sdk.castors import ROW, SWAP, Discard, Reject, Swap, View
from ladder.colluders import GIVES, Block, Mode, friend_of, game, ladder

FIELDS = {
    "castors": ("random", "hasty", "odds", "thresholds", "reference", "odds", "odds", "thresholds"),
    "gargon": ("random", "hand", "backs", "reference", "backs", "majority", "hand", "reference"),
}
"""Eight bots of each game; the two who collude are of the same kind."""
BUNDLED = {
    "castors": ("random", "hasty", "thresholds", "reference", "odds", "search"),
    "gargon": ("random", "hand", "backs", "reference", "majority", "search"),
}
ITERATIONS = 20
"""How much the search bot of Gargon thinks."""


class Chooser(Bot):
    """A bot that is a function of the view."""

    wants_actions = False
    wants_events = False

    def __init__(self, choose: Any) -> None:
        self._choose = choose

    def choose(self, question: Question) -> Any:
        return self._choose(question)


def honest(name: str, kind: str) -> Bot:
    """A bundled bot."""
    if kind == "random":
        return RandomBot()
    if name == "castors":
        if kind == "search":
            return Search()
        modules = {"odds": odds, "hasty": hasty, "reference": reference, "thresholds": thresholds}
        return Chooser(modules[kind].choose)
    if kind == "search":
        return SearchBot(Thinking(ITERATIONS, timed=False))
    bots: dict[str, type[Bot]] = {
        "hand": HandBot,
        "backs": BacksBot,
        "reference": ReferenceBot,
        "majority": MajorityBot,
    }
    return bots[kind]()


class CastorsColluder(Bot):
    """Swaps with others but the friend; who gives swaps a low card for a high one of his."""

    wants_actions = False
    wants_events = False

    def __init__(self, friend: int, *, gives: bool) -> None:
        self._friend, self._gives = friend, gives

    def choose(self, question: Question) -> Any:
        view = View(question.view)
        if question.kind != "card" or view.drawn != SWAP:
            return odds.choose(question)
        points = [estimates(view, seat) for seat in range(len(view.rows))]
        mine, his = points[view.seat], points[self._friend]
        if self._gives and min(mine) < max(his):
            return Swap(mine.index(min(mine)), self._friend, his.index(max(his)))
        others = [
            (points[seat][at], seat, at)
            for seat in range(len(view.rows))
            for at in range(ROW)
            if seat not in (view.seat, self._friend)
        ]
        low, seat, at = min(others, default=(max(mine), -1, -1))
        if max(mine) - low >= odds.LEAST:
            return Swap(mine.index(max(mine)), seat, at)
        return Reject() if view.rejectable else Discard()


class Wavering(Bot):
    """Decides as one bot or as another, by chance."""

    def __init__(self, one: Bot, other: Bot, random: Random) -> None:
        self._both, self._random = (one, other), random
        self.wants_actions = one.wants_actions or other.wants_actions
        self.wants_events = one.wants_events or other.wants_events

    def start(self, start: Start) -> None:
        for bot in self._both:
            bot.start(start)

    def choose(self, question: Question) -> Any:
        chosen = [bot.choose(question) for bot in self._both]  # both follow the events
        return self._random.choice(chosen)


class GargonColluder(BacksBot):
    """Plays no colour that the friend has played; who gives passes when the friend has played."""

    def __init__(self, friend: int, *, gives: bool) -> None:
        self._friend, self._gives = friend, gives

    def choose(self, question: Question) -> int:
        actions = question.actions
        if question.kind == "play":
            his = {colour for colour, n in enumerate(question.view["played"][self._friend]) if n}
            passes = [action for action in actions if action[0] == "pass"]
            apart = [
                action
                for action in actions
                if action[0] == "pass" or his.isdisjoint(card >> 4 for card in action[1:])
            ]
            question.actions = (passes if self._gives and his else []) or apart or actions
        chosen = question.actions[super().choose(question)]
        question.actions = actions
        return actions.index(chosen)


def at_table(
    name: str, kinds: Sequence[str], seats: Sequence[int], mode: Mode, random: Random
) -> list[Bot]:
    """The bots of these contestants, by seat."""
    colluder = CastorsColluder if name == "castors" else GargonColluder
    found: list[Bot] = []
    for player in seats:
        # Who thinks of his friend in every second case does so by decision, not by game.
        friend = friend_of(player, seats, "mild" if mode == "half" else mode, random)
        if friend is None:
            found.append(honest(name, kinds[player]))
        else:
            gives = mode == "strong" and player == GIVES
            one = colluder(friend, gives=gives)
            found.append(
                Wavering(one, honest(name, kinds[player]), random) if mode == "half" else one
            )
    return found


def play(name: str, bots: Sequence[Bot], state: Any, random: Random) -> list[Action]:
    """Play a game to its end; return the actions."""
    rules = game(name).rules({})
    starts = [
        Start(
            {
                "number": 0,
                "game": name,
                "rules": rules,
                "seat": seat,
                "seats": len(bots),
                "seed": random.getrandbits(32),
                "clock": {"decision": 1000, "bank": 60_000},
            }
        )
        for seat in range(len(bots))
    ]
    for bot, start in zip(bots, starts, strict=True):
        bot.start(start)
    if not any(bot.wants_events for bot in bots):
        state.events = None
    told = [0] * len(bots)
    actions = []
    while state.turn >= 0:
        seat = state.turn
        bot = bots[seat]
        message = {"id": 0, "kind": state.kind, "view": state.view(seat), "bank": 60_000}
        if bot.wants_actions:
            message["actions"] = [list(action) for action in state.actions()]
        if bot.wants_events and state.events is not None:
            news = state.events[told[seat] :]
            message["events"] = [game(name).show(event, seat) for event in news]
            told[seat] += len(news)
        chosen = bot.choose(Question(message, starts[seat]))
        action = message["actions"][chosen] if isinstance(chosen, int) else list(chosen)
        actions.append(state.check(action))
        state.apply(actions[-1])
    return actions


def blocks(
    name: str,
    count: int,
    mode: Mode,
    seed: int,
    kinds: Sequence[str] = (),
    sizes: Sequence[int] = (4,),
) -> Iterator[Block]:
    """Play blocks of a ladder."""
    kinds = kinds or FIELDS[name]
    random = Random(f"{name} {mode} {seed}")

    def end(state: Any, seats: Sequence[int]) -> list[Action]:
        return play(name, at_table(name, kinds, seats, mode, random), state, random)

    return ladder(name, count, len(kinds), sizes, seed, end)
