"""The claims about a ladder that verification decides on, and what each would need from outside."""

from __future__ import annotations

from typing import Literal

from arena.records.difference import Difference
from arena.records.entries import Form

HOLDS: Literal["holds"] = "holds"
FAILS: Literal["fails"] = "fails"
NOT_SHOWN: Literal["not shown"] = "not shown"

FORM, RULES, TABLES, KEYS, ATTEMPTS, DECISIONS, END, RATINGS, STANDINGS, LABEL = (
    "form",
    "rules",
    "tables",
    "keys",
    "attempts",
    "decisions",
    "end",
    "ratings",
    "standings",
    "label",
)
WHOLE = "whole"
SHOWN = {
    FORM: "The entries are whole, in order, and of one log.",
    RULES: "Every game follows the rules, from the cards that its block's key deals to its scores.",
    TABLES: "Every table and seat is the one that the schedule has for those who had entered.",
    KEYS: "The keys of all blocks come from the secret that was committed to at the beginning.",
    ATTEMPTS: "No bot's blocks were dealt anew more often than chance allows.",
    DECISIONS: "Stages ended, and bots were set aside, where and as the rules in the log say.",
    END: "It ended where the budget in its log says, which stood there before the first block.",
    LABEL: "The sandbox's label is one that the terms allow.",
    RATINGS: "The ratings are those of the trueskill package, to a billionth.",
    STANDINGS: "The published standings are those of the log, give or take one in the last digit.",
}
"""What a log can show, in the order in which it is told."""
ELSEWHERE = {
    WHOLE: (
        "No entry up to a head that was kept elsewhere was rewritten or cut off.",
        "a head (size and root) that somebody else has kept: give it with --head",
    ),
    "entries": (
        "Bots entered and left, and blocks were annulled, at that time and for that reason.",
        "heads that were published while it ran, and the word of the authors",
    ),
    "identities": (
        "The contestants are the programs that their digests are of.",
        "the programs themselves: `arena bot show` prints a folder's digest",
    ),
    "secret": (
        "The secret was not chosen among several.",
        "randomness from outside that came after the commitment (an entry `beacon`)",
    ),
    "moves": (
        "The moves and notes are the bots' own.",
        "the bots, asked again with the same questions",
    ),
    "once": (
        "No result was thrown away: a block was played again only where the host had stalled.",
        "a second machine that played the same blocks",
    ),
    "faults": (
        "Those who failed did fail, and nobody who failed was spared.",
        "a second machine that played the same blocks",
    ),
    "conditions": (
        "Clock, limits, suspension and sandbox were those that the log names.",
        "a second machine that played the same blocks",
    ),
}
"""What no log can show by itself, and what would."""


class Claim(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A claim about a ladder, and what its log says to it."""

    key: str
    text: str
    state: Literal["holds", "fails", "not shown"]
    detail: str = ""
    """Where it fails, what it would need, or what was counted."""


class Findings:
    """Collects what is found of the claims: the first difference of each."""

    def __init__(self) -> None:
        self._found: dict[str, Claim] = {}

    def holds(self, key: str, detail: str = "") -> None:
        """Say that a claim holds, unless it is decided already."""
        self._say(key, HOLDS, detail)

    def fails(self, key: str, entry: int | None, difference: Difference) -> None:
        """Say where a claim fails, unless it fails already at another place."""
        if not self.failed(key):
            where = "" if entry is None else f"at entry {entry}: "
            difference.line = None  # the entry says it
            self._found.pop(key, None)
            self._say(key, FAILS, f"{where}{difference}")

    def not_shown(self, key: str, needs: str) -> None:
        """Say what a claim would need to be shown, unless it is decided already."""
        self._say(key, NOT_SHOWN, needs)

    def failed(self, key: str) -> bool:
        """Whether a claim fails."""
        return key in self._found and self._found[key].state == FAILS

    def claims(self) -> list[Claim]:
        """Return all claims; what was not decided was not shown."""
        shown = [
            self._found.get(
                key,
                Claim(
                    key=key,
                    text=text,
                    state=NOT_SHOWN,
                    detail="would need a log whose entries hold up to its end",
                ),
            )
            for key, text in SHOWN.items()
        ]
        elsewhere = [
            self._found.get(
                key, Claim(key=key, text=text, state=NOT_SHOWN, detail=f"would need {needs}")
            )
            for key, (text, needs) in ELSEWHERE.items()
        ]
        return shown + elsewhere

    def _say(self, key: str, state: Literal["holds", "fails", "not shown"], detail: str) -> None:
        if key not in self._found:
            text = SHOWN[key] if key in SHOWN else ELSEWHERE[key][0]
            self._found[key] = Claim(key=key, text=text, state=state, detail=detail)
