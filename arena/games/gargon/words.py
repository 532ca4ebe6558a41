"""Gargon's events in words, with the cards that they are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from arena.games.game import View
from arena.games.gargon.cards import COLOUR_SHIFT, COLOURS, HIGHEST, name
from arena.games.telling import Face, Seat, Segment, listed


@cache
def front(card: int) -> Face:
    """Return the front of a card."""
    return Face(COLOURS[card >> COLOUR_SHIFT], str(card & HIGHEST), name(card))


@cache
def back(colour: int) -> Face:
    """Return the back of a card of this colour."""
    return Face(COLOURS[colour], "", f"a {COLOURS[colour]} card")


def tell(shown: View) -> list[Segment]:
    """Describe an event as a seat sees it: cards by name, or by colour where they are hidden."""
    return _TELLERS[shown["event"]](shown)


def _dealt(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " is dealt ", *_cards(shown)]


def _round(shown: View) -> list[Segment]:
    return [f"round {shown['round']} begins with ", Seat(shown["starter"])]


def _played(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " plays ", *_cards(shown), ", face down"]


def _passed(shown: View) -> list[Segment]:
    draws = [
        f"{amount} from stack {stack}" for stack, amount in enumerate(shown["amounts"]) if amount
    ]
    if not draws:
        return [Seat(shown["seat"]), " passes and draws nothing"]
    return [Seat(shown["seat"]), f" passes and draws {' and '.join(draws)}: ", *_cards(shown)]


def _revealed(shown: View) -> list[Segment]:
    before: list[list[Segment]] = [
        [Seat(seat), " ", *_fronts(cards)] for seat, cards in enumerate(shown["table"]) if cards
    ]
    return ["the cards are turned up: ", *listed(before, "; ")]


def _battle(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), f" opens the battle for {COLOURS[shown['colour']]}"]


def _fought(shown: View) -> list[Segment]:
    sides: list[list[Segment]] = [
        [Seat(seat), " ", front(card)]
        for seat, card in zip(shown["seats"], shown["cards"], strict=True)
    ]
    winner = shown["winner"]
    end: list[Segment] = [Seat(winner), " wins"] if winner >= 0 else ["nobody wins"]
    return [*listed(sides, " against "), ": ", *end]


def _won(shown: View) -> list[Segment]:
    return [Seat(shown["seat"]), " is left alone and wins ", *_fronts(shown["cards"])]


def _drew(shown: View) -> list[Segment]:
    card = front(shown["card"]) if "card" in shown else back(shown["colour"])
    return [Seat(shown["seat"]), " draws ", card, f" from stack {shown['stack']}"]


def _scored(shown: View) -> list[Segment]:
    piles: list[list[Segment]] = [
        [Seat(seat), f" has {score} points with ", *_fronts(sorted(cards), "no cards")]
        for seat, (score, cards) in enumerate(zip(shown["scores"], shown["won"], strict=True))
    ]
    return ["the game ends: ", *listed(piles, "; ")]


def _cards(shown: View) -> list[Segment]:
    if "cards" in shown:
        return _fronts(shown["cards"])
    colours = shown["colours"]
    backs: list[list[Segment]] = [
        [f"{colours.count(c)} ", Face(COLOURS[c], "", COLOURS[c])]
        for c in range(len(COLOURS))
        if c in colours
    ]
    return listed(backs)


def _fronts(cards: Sequence[int], empty: str = "") -> list[Segment]:
    return listed([[front(card)] for card in cards], empty=empty)


_TELLERS: dict[str, Callable[[View], list[Segment]]] = {
    "dealt": _dealt,
    "round": _round,
    "played": _played,
    "passed": _passed,
    "revealed": _revealed,
    "battle": _battle,
    "fought": _fought,
    "won": _won,
    "drew": _drew,
    "scored": _scored,
}
