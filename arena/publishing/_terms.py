"""The terms of a ladder in words, as its page on terms and trust has them."""

from __future__ import annotations

from arena.games.game import Game
from arena.pages.legible import legible
from arena.records.canonical import canonical
from arena.records.entries import Budget
from arena.records.ledger import Ledger

LONGEST = 600


def terms(game: Game, ledger: Ledger) -> list[tuple[str, str]]:
    """Return the terms, each with its name."""
    contest = ledger.contest
    clock = contest.time
    rules = ", ".join(f"{key} {canonical(value)}" for key, value in contest.rules.items())
    limits = ", ".join(f"{key} {value:,}" for key, value in contest.limits.items())
    when = "as they are played"
    if ledger.publish == "after-close":
        when = "when the ladder is closed, as notes and replays teach rivals"
    times = (
        f"{clock.decision} ms a decision, {clock.bank} ms in the bank of a game, "
        f"{clock.start} ms to start"
    )
    found = [
        ("Game", f"{game.title}, rules version {contest.version}"),
        ("Variant", rules or "no options"),
        ("Tables", ", ".join(map(str, contest.tables))),
        ("Time", times),
        ("Sandbox", ledger.sandbox or contest.sandbox),
        ("Limits of a bot", limits),
        ("While others are asked", "bots are suspended" if contest.suspend else "bots run on"),
        ("Processes", "new ones for every game" if contest.fresh else "play many games"),
        ("Ends", _budget(ledger.budget)),
        ("Games are published", when),
    ]
    if contest.anchor:
        found.append(("Anchor", f"the mu of {contest.anchor} is shown as 25"))
    if ledger.closed:
        found.append(("Closed", ledger.closed.reason))
    return [(key, legible(text, LONGEST)) for key, text in found]


def _budget(budget: Budget) -> str:
    """Return where the ladder ends, by its budget."""
    by_size = budget.quota or {}
    parts = [
        f"after {budget.games:,} games" if budget.games else "",
        f"after {budget.each:,} games of each" if budget.each else "",
        *(f"after {games:,} games of each at tables of {size}" for size, games in by_size.items()),
        f"when no interval is wider than {budget.width:g}" if budget.width else "",
        f"when the order is certain at {budget.certain:.0%}" if budget.certain else "",
        f"after {budget.minutes:g} minutes of a run" if budget.minutes else "",
    ]
    return ", or ".join(filter(None, parts)) or "when its host says so"
