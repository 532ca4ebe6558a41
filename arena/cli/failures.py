"""What `arena play` tells an author whose bot has failed: where, what was said, and what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.records.entries import SeatFault
from arena.records.times import Evidence
from arena.referee.match import MatchGame

LINES = 8
"""How many of the last lines of stderr are shown."""
LONGEST = 700
"""Longer messages are cut to this many characters."""
LABEL = 12


@dataclass(frozen=True)
class FirstFailure:
    """The first fault of a bot, and what is known of it."""

    game: int
    fault: SeatFault
    evidence: Evidence

    @property
    def stderr(self) -> str:
        """The end of stderr; of a bot that did not start it stands with the figures."""
        return (self.evidence.stderr or self.evidence.figures).strip()


class Failures:
    """Takes note of the first fault of each bot."""

    def __init__(self) -> None:
        self._first: dict[int, FirstFailure] = {}

    def add(self, game: MatchGame) -> None:
        """Look for faults in a game."""
        played = game.played
        for fault, evidence in zip(played.faults, played.evidence, strict=True):
            bot = game.seating[fault.seat]
            self._first.setdefault(bot, FirstFailure(game.number, fault, evidence))

    def lines(self, bots: Sequence[str], options: Sequence[str]) -> Iterator[str]:
        """Yield what to tell, about each text of the command line once.

        `options` are those with which a check comes to the same.
        """
        told = set()
        for bot, failure in sorted(self._first.items()):
            text = bots[bot]
            if text not in told:
                told.add(text)
                yield from _about(text, failure, options)


def _about(text: str, failure: FirstFailure, options: Sequence[str]) -> Iterator[str]:
    fault, evidence = failure.fault, failure.evidence
    yield (
        f"{text} failed first in game {failure.game}, seat {fault.seat}, decision {fault.decision}:"
        f" {fault.verdict}: {fault.text}"
    )
    for label, message in (("last sent", evidence.sent), ("last got", evidence.received)):
        if message:
            yield _labelled(
                label, message if len(message) <= LONGEST else message[:LONGEST] + "..."
            )
    lines = failure.stderr.splitlines()[-LINES:]
    for number, line in enumerate(lines):
        yield _labelled("" if number else "stderr", line)
    check = shlex.join(["arena", "bot", "check", text, *options])
    yield _labelled("what to do", f"{check} says what is wrong, and what to do about it;")
    debug = shlex.join(["--debug", text])
    yield _labelled("", f"{debug} shows its frames, --stderr DIR keeps all of its stderr")


def _labelled(label: str, text: str) -> str:
    return f"  {label:{LABEL}}{text}"
