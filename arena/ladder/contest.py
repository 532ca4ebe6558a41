"""A ladder's terms, as definitions have them and as a log opens with them."""

from __future__ import annotations

from msgspec.structs import asdict

from arena.games.game import Game
from arena.records.canonical import canonical
from arena.records.entries import FORMAT, Contest, Opened
from arena.referee.deals import commitment
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import Sandbox

MOST_CONTESTANTS = 1000
"""The most that play at once; counts of pairs grow with the square of it."""


def opened(contest: Contest, secret: bytes) -> Opened:
    """Return the first entry of the log of a new ladder."""
    return Opened(format=FORMAT, contest=contest, commitment=commitment(secret))


def changes(before: Contest, now: Contest) -> list[str]:
    """Return the differences between two contests' terms, one text each."""
    others = asdict(now)
    return [
        f"{key}: {canonical(value)} before, {canonical(others[key])} now"
        for key, value in asdict(before).items()
        if value != others[key]
    ]


def terms_of(contest: Contest, game: Game, sandbox: Sandbox) -> Terms:
    """Return the terms of a ladder's games, with the game and the sandbox that the ladder names."""
    return Terms(
        game,
        contest.rules,
        contest.time,
        sandbox,
        Limits(**contest.limits),
        contest.suspend,
        contest.fresh,
    )
