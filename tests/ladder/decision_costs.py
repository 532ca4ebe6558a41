"""What decisions cost in a long ladder: `python tests/ladder/decision_costs.py CONTESTANTS BLOCKS`.

It simulates a stage that never ends, although its widths and its order are looked at, with a rule
for bots that fail. It prints the CPU time of the schedule, of counting, and of deciding.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from arena.bench.calibration import Field, spread
from arena.ladder.decisions import due
from arena.ladder.schedule import Schedule
from arena.ladder.schedule_terms import ScheduleTerms
from arena.ladder.scorebook import Scorebook
from arena.records.codec import entry_line
from arena.records.entries import (
    FORMAT,
    BlockPlayed,
    Budget,
    Changed,
    Contest,
    Contestant,
    Entered,
    Game,
    Opened,
    SetAside,
    Stage,
    TimeControl,
)
from arena.records.ledger import Ledger

TABLE = 4
ENDLESS = Budget(each=10**6, width=0.01, certain=0.999)


def begun(contestants: int) -> Ledger:
    """The ledger of a ladder with so many contestants and one stage, before its first block."""
    contest = Contest(
        name="costs", game="x", version="1", rules={}, tables=(TABLE,), time=TimeControl(),
        limits={}, sandbox="none", suspend=True, fresh=False,
    )  # fmt: skip
    bots = (Contestant(name=f"b{n}", version="1", digest=f"{n:064x}") for n in range(contestants))
    ledger = Ledger()
    for entry in (
        Opened(format=FORMAT, contest=contest, commitment="00" * 32),
        Entered(contestants=tuple(bots)),
        Changed(
            stages=(Stage(name="all", budget=ENDLESS),), set_aside=SetAside(faults=5, games=20)
        ),
    ):
        ledger.follow(entry_line(entry), entry)
    return ledger


def cost(contestants: int, blocks: int) -> None:
    """Play so many blocks, and print what they took."""
    random = np.random.default_rng(1)
    field = Field("", spread(contestants, 8.0))
    ledger = begun(contestants)
    schedule = Schedule("costs", (TABLE,))
    terms = ScheduleTerms(schedule, (TABLE,))
    terms.follow(Changed(stages=ledger.stages.listed, set_aside=ledger.set_aside), lambda _: ())
    schedule.enter(ledger.playing)
    book = Scorebook(contestants, None)
    scheduling = counting = deciding = 0.0
    checkpoints = looks = 0
    for _ in range(blocks):
        began = process_time()
        pairing = schedule.next()
        scheduling += process_time() - began
        outcomes, _ = field.block(pairing.contestants, random)
        block = BlockPlayed(
            number=pairing.block,
            key="00" * 32,
            contestants=tuple(pairing.contestants),
            games=tuple(
                Game(actions=(), scores=(0,) * TABLE, places=tuple(map(int, places)))
                for _, places in outcomes
            ),
        )
        began = process_time()
        book.add_block(block, stage=0)
        counted = process_time()
        decision = due(ledger, schedule, book)
        counting += counted - began
        deciding += process_time() - counted
        assert decision is None
        checkpoints += pairing.checkpoint
        looks += pairing.checkpoint and (pairing.measured or pairing.look > 0)
    print(
        f"{contestants} contestants, {blocks} blocks: schedule {scheduling:.2f} s, counting "
        f"{counting:.2f} s, deciding {deciding:.2f} s at {checkpoints} checkpoints, with a fit at "
        f"{looks} of them"
    )


if __name__ == "__main__":
    cost(int(sys.argv[1]), int(sys.argv[2]))
