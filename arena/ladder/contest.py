"""A ladder's terms, as definitions have them and as a log opens with them."""

from __future__ import annotations

from msgspec.structs import asdict

from arena.records.canonical import canonical
from arena.records.entries import FORMAT, Contest, Opened
from arena.referee.deals import commitment


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
