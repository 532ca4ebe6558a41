"""A referee as a program of its own, so that a test can end it in any way.

Arguments: how it ends by itself ("error" after the first game, or "never"), a mark that
its keepers share, and what suspends bots, if anything. It prints a line when the first
game is over.
"""

from __future__ import annotations

import sys
import time

from arena.process.suspension import turn_gate
from arena.process.suspension.turn_gate import SIGNALS
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms

from .matches import DEALS, GARGON, GENEROUS, RANDOM, misbehaving


def main(ending: str, mark: str, suspend: str = "") -> None:
    """Play on and on."""
    if suspend == SIGNALS:
        turn_gate.freezer_home = lambda: None
    bots = [misbehaving("forks_and_leaves_children", mark), RANDOM, misbehaving("honest_bot", mark)]
    terms = Terms(GARGON, GARGON.rules({}), GENEROUS, suspend=bool(suspend))
    with Roster(bots, terms) as roster:
        for game in Match(roster, DEALS).play(1_000_000):
            if game.number == 0:
                print(game.played.verdicts, flush=True)
                if ending == "error":
                    raise RuntimeError("the disk is full")
            time.sleep(0.001)


if __name__ == "__main__":
    main(*sys.argv[1:])
