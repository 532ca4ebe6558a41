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

from arena.records.entries import Contestant
from arena.records.times import BrokenOff
from arena.referee.faults import HostStalled

FAULT_AT = 3
"""Which stall of one bot in a block is its fault."""
MOST = 10
"""How many attempts there are at most; a host that stalls more often has failed."""


class Attempts:
    """The attempts at one block."""

    def __init__(self, broken_off: Sequence[BrokenOff] = ()) -> None:
        """`broken_off` are those before; they count for no bot."""
        self.broken_off = list(broken_off)
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
                attempt=self.number,
                rotation=rotation,
                seat=stall.seat,
                bot="" if bot is None else bot.name,
                decision=stall.decision,
                seconds=round(stall.seconds, 3),
                stopped=round(stall.stopped, 3),
            )
        )
        if bot is not None and stall.counts:
            self._stalls[bot.digest] += 1
        if self.number == MOST:
            raise stall

    def tolerated(self, seated: Sequence[Contestant]) -> list[bool]:
        """For each seat, whether one more stall while it is asked is still the host's."""
        return [self._stalls[contestant.digest] < FAULT_AT - 1 for contestant in seated]
