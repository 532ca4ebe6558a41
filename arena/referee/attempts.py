"""Attempts at a block: one that a stall of the host breaks off is played again on other cards.

A bot may have seen cards before the stall, so nothing of the attempt counts: the whole block is
played again on a deal of its own. What was broken off is kept beside the record.

A bot must not be able to stop a ladder by stalls. While the referee itself runs, a stall counts for
the bot that was asked, and the third in one block is that bot's fault. Stalls in which the referee
was stopped count for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.programs.contestant import Contestant
from arena.referee.faults import HostStalled

FAULT_AT = 3
"""Which stall of one bot in a block is its fault."""
MOST = 10
"""How many attempts there are at most; a host that stalls more often has failed."""


@dataclass(frozen=True)
class BrokenOff:
    """An attempt that was broken off: where, and what was measured."""

    attempt: int
    rotation: int
    seat: int
    bot: str
    decision: int
    seconds: float
    """The seconds that were the host's in this decision."""
    stopped: float
    """The seconds of them in which the referee itself was stopped."""


class Attempts:
    """The attempts at one block."""

    def __init__(self) -> None:
        self.broken_off: list[BrokenOff] = []
        self._stalls: Counter[str] = Counter()

    @property
    def number(self) -> int:
        """The number of the attempt that is under way, from 0."""
        return len(self.broken_off)

    def break_off(self, stall: HostStalled, rotation: int, seated: Sequence[Contestant]) -> None:
        """Go on to the next attempt; raise the stall if there were too many."""
        bot = seated[stall.seat] if stall.seat >= 0 else None
        self.broken_off.append(
            BrokenOff(
                self.number,
                rotation,
                stall.seat,
                "" if bot is None else bot.name,
                stall.decision,
                round(stall.seconds, 3),
                round(stall.stopped, 3),
            )
        )
        if bot is not None and stall.counts:
            self._stalls[bot.digest] += 1
        if self.number == MOST:
            raise stall

    def tolerated(self, seated: Sequence[Contestant]) -> list[bool]:
        """For each seat, whether one more stall while it is asked is still the host's."""
        return [self._stalls[contestant.digest] < FAULT_AT - 1 for contestant in seated]
