"""The ledger of a ladder with stages, and of those who leave for good."""

from __future__ import annotations

import pytest

from arena.records.codec import entry_line
from arena.records.difference import Difference
from arena.records.entries import (
    Annulled,
    Budget,
    Changed,
    Entered,
    Entry,
    Leaving,
    SetAside,
    Stage,
    StageEnded,
)
from arena.records.ledger import Ledger

from .test_ledger import BOTS, OPENED, block, entered, follow

pytestmark = pytest.mark.source_only

FIRST = Stage(name="qualification", budget=Budget(each=4))
FINAL = Stage(name="final", best=3, budget=Budget(each=9), prizes=1)
STAGES = Changed(stages=(FIRST, FINAL), set_aside=SetAside(faults=2, games=5))
ENDED = StageEnded(stage=0, reason="budget", places=((3,), (0, 1), (2,)), qualified=(0, 1, 3))
OVER = StageEnded(stage=1, reason="certain", places=((0,), (1,), (3,)))


def begun() -> Ledger:
    """A ledger in its first stage, after a block."""
    return follow(Ledger(), OPENED, STAGES, entered(0, 1, 2, 3), block(0, 0, 1, 2))


def refused(ledger: Ledger, entry: Entry, place: str) -> str:
    """What is said of an entry that cannot follow; nothing has changed then."""
    before = ledger.state()
    with pytest.raises(Difference) as found:
        ledger.follow(entry_line(entry), entry)
    assert ledger.state() == before
    assert found.value.place == place
    return str(found.value)


def leaving(number: int, kind: str, reason: str = "x") -> Entered:
    """One who leaves."""
    return Entered(leave=(Leaving(contestant=number, kind=kind, reason=reason),))  # type: ignore[arg-type]


def test_a_stage_ends_and_the_best_of_it_play_on() -> None:
    """Who is not among them has left, nobody else enters, and after the last nothing is played."""
    ledger = follow(begun(), ENDED)
    assert ledger.playing == (0, 1, 3)
    assert ledger.left[2].kind == "not-qualified"
    assert (ledger.stages.current, ledger.stages.began) == (FINAL, 1)
    assert "the first stage has ended" in refused(ledger, entered(4), "contestants")
    assert "places of earlier stages" in refused(
        ledger, Annulled(blocks=(0,), reason="x"), "blocks[0]"
    )
    refused(ledger, block(1, 0, 1, 2), "contestants")
    follow(ledger, block(1, 0, 1, 3), OVER)
    assert ledger.stages.over
    refused(ledger, block(2, 0, 1, 3), "entry")
    refused(ledger, OVER, "entry")
    restored = Ledger.restored(ledger.state())
    assert restored.state() == ledger.state()
    follow(restored, leaving(0, "disqualified"))
    assert restored.disqualified == {0}


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        (StageEnded(stage=1, reason="budget", places=ENDED.places, qualified=(0, 1, 3)), "stage"),
        (StageEnded(stage=0, reason="budget", places=((0,),), qualified=(0,)), "places"),
        (StageEnded(stage=0, reason="budget", places=ENDED.places), "qualified"),
        (StageEnded(stage=0, reason="budget", places=ENDED.places, qualified=(1, 0)), "qualified"),
        (StageEnded(stage=0, reason="budget", places=ENDED.places, qualified=(4,)), "qualified"),
    ],
)
def test_an_end_of_a_stage_names_all_who_play(entry: StageEnded, place: str) -> None:
    """And of those who play on, each once, in the stage that is on."""
    refused(begun(), entry, place)


@pytest.mark.parametrize(
    ("stages", "place"),
    [
        ((FIRST, FIRST), "stages[1].name"),
        ((FINAL,), "stages[0].best"),
        ((FIRST, Stage(name="final", budget=Budget(each=3))), "stages[1].best"),
        ((FIRST, Stage(name="final", best=2, budget=Budget(each=3))), "stages[1].best"),
        ((FIRST, Stage(name="final", best=3, budget=Budget(width=1))), "stages[1].budget"),
        (
            (FIRST, Stage(name="final", best=3, budget=Budget(each=3, minutes=1))),
            "stages[1].budget.minutes",
        ),
        ((FIRST, Stage(name="f", best=3, tables=(4,), budget=Budget(each=3))), "stages[1].tables"),
        (
            (FIRST, Stage(name="f", best=3, budget=Budget(each_at={"2": 3}))),
            "stages[1].budget.each_at",
        ),
        ((Stage(name="f", prizes=2, budget=Budget(each=3)), FINAL), "stages[0].prizes"),
        (
            (FIRST, Stage(name="f", best=3, order=("skill", "skill"), budget=Budget(each=3))),
            "stages[1].order",
        ),
    ],
)
def test_stages_that_cannot_be_played_are_refused(stages: tuple[Stage, ...], place: str) -> None:
    """The first place that is wrong is named."""
    refused(follow(Ledger(), OPENED, entered(0, 1, 2, 3)), Changed(stages=stages), place)


def test_stages_that_have_ended_stay_as_they_were() -> None:
    """Later ones can be changed while they have not ended."""
    ledger = follow(begun(), ENDED)
    longer = Stage(name="final", best=3, budget=Budget(each=90))
    refused(ledger, Changed(stages=(FINAL, longer)), "stages")
    refused(ledger, Changed(stages=(FIRST,)), "stages")
    follow(ledger, Changed(stages=(FIRST, longer), reason="more money"))
    assert ledger.stages.current == longer


def test_a_stage_that_has_begun_keeps_its_field_and_its_tables() -> None:
    """Only its budget and what decides its places can change, with a reason."""
    other = Stage(name="qualification", tables=(2,), budget=Budget(each=4))
    refused(begun(), Changed(stages=(other, FINAL)), "stages[0]")
    refused(begun(), Changed(stages=()), "stages[0]")
    longer = Stage(name="qualification", budget=Budget(each=8))
    assert follow(begun(), Changed(stages=(longer, FINAL))).stages.current == longer


def test_a_stage_has_a_block() -> None:
    """So that none is passed over."""
    ledger = follow(begun(), ENDED)
    refused(ledger, OVER, "entry")


def test_who_was_set_aside_or_disqualified_does_not_come_back() -> None:
    """Another version does; who has withdrawn comes back as he was, with his number."""
    for kind in ("set-aside", "disqualified"):
        ledger = follow(begun(), leaving(3, kind))
        assert kind in refused(ledger, entered(3), "contestants[0]")
        follow(ledger, entered(4))
        assert ledger.playing == (0, 1, 2, 4)
    ledger = follow(begun(), leaving(3, "withdrawn"), entered(3))
    assert ledger.playing == (0, 1, 2, 3)
    assert not ledger.left


def test_who_has_left_can_still_be_disqualified() -> None:
    """Once, and only who was there; nobody is set aside without a rule."""
    ledger = follow(begun(), leaving(3, "withdrawn", "tired"), leaving(3, "disqualified"))
    assert ledger.left[3].kind == "disqualified"
    refused(ledger, leaving(3, "disqualified"), "leave[0].contestant")
    refused(ledger, leaving(9, "disqualified"), "leave[0].contestant")
    follow(ledger, Changed(set_aside=SetAside(faults=0, games=0)))
    refused(ledger, leaving(2, "set-aside"), "leave[0].kind")


def test_nobody_enters_after_entries_are_closed() -> None:
    """Those who play can leave; the host can open them again."""
    ledger = follow(begun(), Changed(deadline="2026-12-01T18:00:00Z"), Changed(entries="closed"))
    assert ledger.deadline == "2026-12-01T18:00:00Z"
    assert "entries are closed" in refused(ledger, entered(4), "contestants")
    follow(ledger, leaving(0, "withdrawn"), Changed(entries="open"), entered(4))
    assert [BOTS[number].name for number in ledger.playing] == ["bob", "cid", "dot", "eve"]
