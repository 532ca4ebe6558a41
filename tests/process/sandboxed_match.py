"""A referee as a program of its own that plays in the sandbox, so that a test can kill it.

Arguments: a mark that its bots have in their command lines, "grouped" or "ungrouped", and
"nursery" if one is to fork their keepers.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

from arena.process.nursery import FORKED_HERE, Nursery
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.bubblewrap import Bubblewrap
from referee.matches import DEALS, GARGON, GENEROUS, misbehaving


def main(mark: str, groups: str, where: str = "here") -> None:
    """Play on and on, with new processes in every game."""
    bots = [misbehaving("forks_and_leaves_children", mark)] + [misbehaving("honest_bot", mark)] * 2
    sandbox = Bubblewrap(grouped=groups == "grouped")
    terms = Terms(
        GARGON, GARGON.rules({}), GENEROUS, sandbox, suspend=groups == "grouped", fresh=True
    )
    with (
        nullcontext(FORKED_HERE) if where == "here" else Nursery() as keepers,
        Roster(bots, terms, keepers=keepers) as roster,
    ):
        for _ in Match(roster, DEALS).play(1_000_000):
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
