"""How much machines are given: enough to keep them busy, whoever comes and goes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.cluster._pacing import BATCH, LEAST_WINDOW, Pacing

MACHINES = ("one", "two", "three")


def test_quick_machines_are_given_more_at_a_time() -> None:
    """What takes long comes one by one, so that others can have the next; the rest in batches."""
    pacing = Pacing(bots=4, seats=5)
    for name in MACHINES:
        assert pacing.join(name, referees=1) == 2
        assert pacing.most(name) == 1  # before anything is known of it
    pacing.took("one", 5.0)
    pacing.took("two", 0.1)
    pacing.took("three", 0.001)
    assert [pacing.most(name) for name in MACHINES] == [1, 5, BATCH]
    assert pacing.usual == 0.5
    pacing.took("one", 0.0)
    assert pacing.most("one") == 1  # one quick block does not make it quick


def test_very_many_machines_ask_less_often() -> None:
    """A thousand of them are given what keeps them busy for ten seconds."""
    pacing = Pacing(bots=4, seats=5)
    for number in range(1000):
        pacing.join(str(number), referees=1)
    pacing.took("7", 1.0)
    assert pacing.most("7") == 10


def test_in_a_large_field_a_machine_shares_the_games_of_many_blocks() -> None:
    """Its referees have two questions together, of as many blocks as keep all of them busy."""
    pacing = Pacing(bots=500, seats=5)
    assert pacing.join("large", referees=8) == 2
    assert pacing.most("large") == BATCH * 8
    pacing.took("large", 1.0)
    assert pacing.most("large") == 160


@given(
    st.lists(
        st.tuples(
            st.sampled_from(MACHINES),
            st.sampled_from(("joins", "leaves", "took")),
            st.sampled_from((0.001, 0.04, 0.3, 20.0)),
        )
    ),
    st.sampled_from((4, 500)),
)
def test_the_window_has_room_for_all_who_are_there(
    events: list[tuple[str, str, float]], bots: int
) -> None:
    """It is four times what all of them are given, after any comings and goings."""
    pacing = Pacing(bots, seats=5)
    questions: dict[str, int] = {}
    for name, what, seconds in events:
        if what == "joins":
            questions[name] = pacing.join(name, referees=MACHINES.index(name) + 1)
        elif what == "leaves":
            pacing.leave(name)
            questions.pop(name, None)
        else:
            pacing.took(name, seconds)
        ahead = sum(pacing.most(each) * number for each, number in questions.items())
        assert pacing.window == max(LEAST_WINDOW, 4 * ahead)
