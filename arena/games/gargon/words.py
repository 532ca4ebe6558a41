"""Gargon's events in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.game import View
from arena.games.gargon.cards import COLOURS, name


def tell(shown: View) -> str:
    """Describe an event as a seat sees it: cards by name, or by colour where they are hidden."""
    return _TELLERS[shown["event"]](shown)


def _dealt(shown: View) -> str:
    return f"seat {shown['seat']} is dealt {_cards(shown)}"


def _round(shown: View) -> str:
    return f"round {shown['round']} begins with seat {shown['starter']}"


def _played(shown: View) -> str:
    return f"seat {shown['seat']} plays {_cards(shown)}, face down"


def _passed(shown: View) -> str:
    draws = [
        f"{amount} from stack {stack}" for stack, amount in enumerate(shown["amounts"]) if amount
    ]
    if not draws:
        return f"seat {shown['seat']} passes and draws nothing"
    return f"seat {shown['seat']} passes and draws {' and '.join(draws)}: {_cards(shown)}"


def _revealed(shown: View) -> str:
    before = [f"seat {seat} {_names(cards)}" for seat, cards in enumerate(shown["table"]) if cards]
    return f"the cards are turned up: {'; '.join(before)}"


def _battle(shown: View) -> str:
    return f"seat {shown['seat']} opens the battle for {COLOURS[shown['colour']]}"


def _fought(shown: View) -> str:
    sides = [
        f"seat {seat} {name(card)}"
        for seat, card in zip(shown["seats"], shown["cards"], strict=True)
    ]
    winner = shown["winner"]
    end = f"seat {winner} wins" if winner >= 0 else "nobody wins"
    return f"{' against '.join(sides)}: {end}"


def _won(shown: View) -> str:
    return f"seat {shown['seat']} is left alone and wins {_names(shown['cards'])}"


def _drew(shown: View) -> str:
    card = name(shown["card"]) if "card" in shown else f"a {COLOURS[shown['colour']]} card"
    return f"seat {shown['seat']} draws {card} from stack {shown['stack']}"


def _scored(shown: View) -> str:
    piles = [
        f"seat {seat} has {score} points with {_names(sorted(cards)) if cards else 'no cards'}"
        for seat, (score, cards) in enumerate(zip(shown["scores"], shown["won"], strict=True))
    ]
    return f"the game ends: {'; '.join(piles)}"


def _cards(shown: View) -> str:
    if "cards" in shown:
        return _names(shown["cards"])
    colours = shown["colours"]
    backs = [f"{colours.count(c)} {COLOURS[c]}" for c in range(len(COLOURS)) if c in colours]
    return ", ".join(backs)


def _names(cards: Sequence[int]) -> str:
    return ", ".join(map(name, cards))


_TELLERS: dict[str, Callable[[View], str]] = {
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
