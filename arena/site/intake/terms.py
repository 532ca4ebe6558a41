"""The terms by which a submission is checked, in words, and as the command that does the same."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict

from arena.records.canonical import canonical
from arena.records.entries import TimeControl
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits

LONGEST = 600


def terms_in_words(terms: Terms, tables: Sequence[int]) -> list[str]:
    """Return what an author should know, each in a few words; what is as usual is left out."""
    clock = terms.control
    times = f"{clock.decision} ms a decision, {clock.bank} ms in the bank of a game"
    found = [
        f"tables of {', '.join(map(str, tables))}",
        f"{times}, {clock.start} ms to start",
        *(f"{name} {value}" for name, value in _unusual_rules(terms)),
        *(f"{name} {value:,}" for name, value in _unusual_limits(terms)),
    ]
    if not terms.suspend:
        found.append("bots run on while others are asked")
    if terms.fresh:
        found.append("a new process for every game")
    return [each[:LONGEST] for each in found]


def check_command(terms: Terms, tables: Sequence[int]) -> str:
    """Return the command that checks a bot by these terms."""
    words = ["--game", terms.game.name, "--tables", ",".join(map(str, tables))]
    for option, values in (
        ("--rules", _unusual_rules(terms)),
        ("--time", _unusual_times(terms.control)),
        ("--limit", _unusual_limits(terms)),
    ):
        for name, value in values:
            words += [option, f"{name}={value}"]
    return f"arena bot check FOLDER {shlex.join([*words, '--sandbox', 'auto'])}"


def _unusual_rules(terms: Terms) -> list[tuple[str, str]]:
    """Return the rules that are not the usual ones, written as options have them."""
    usual = terms.game.rules({})
    return [(name, _text(each)) for name, each in terms.rules.items() if each != usual[name]]


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else canonical(value)


def _unusual_limits(terms: Terms) -> list[tuple[str, int]]:
    usual = asdict(Limits())
    return [(name, value) for name, value in asdict(terms.limits).items() if value != usual[name]]


def _unusual_times(clock: TimeControl) -> list[tuple[str, int]]:
    usual = TimeControl()
    names = TimeControl.__struct_fields__
    return [(n, getattr(clock, n)) for n in names if getattr(clock, n) != getattr(usual, n)]
