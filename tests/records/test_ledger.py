"""The ledger: which entry may follow which, and what a log says so far."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.codec import entry_line
from arena.records.difference import Difference
from arena.records.entries import (
    FORMAT,
    Annulled,
    Beacon,
    BlockPlayed,
    Budget,
    Changed,
    Closed,
    Contest,
    Contestant,
    Entered,
    Entry,
    Game,
    Leaving,
    Opened,
    SeatFault,
    TimeControl,
)
from arena.records.ledger import NO_BEACON, Ledger, follow_lines
from arena.records.tree import Tree

from .generated import ENTRIES

pytestmark = pytest.mark.source_only

CONTEST = Contest(
    name="friday",
    game="castors",
    version="1",
    rules={},
    tables=(2, 3),
    time=TimeControl(),
    limits={},
    sandbox="none",
    suspend=True,
    fresh=False,
)
OPENED = Opened(format=FORMAT, contest=CONTEST, commitment="00" * 32)
BOTS = [
    Contestant(name=name, version="1", digest=f"{at:064x}")
    for at, name in enumerate(("ada", "bob", "cid", "dot", "eve"))
]
KEY = "11" * 32


def entered(*bots: int, leave: tuple[int, ...] = ()) -> Entered:
    """These enter, and those leave."""
    return Entered(
        contestants=tuple(BOTS[bot] for bot in bots),
        leave=tuple(Leaving(contestant=each) for each in leave),
    )


def block(number: int, *contestants: int, **more: Any) -> BlockPlayed:
    """A block of these, with as many games as it should have."""
    size = len(contestants)
    game = Game(actions=(["pass"],), scores=(0,) * size, places=(1,) * size)
    games = more.pop("games", (game,) * size)
    return BlockPlayed(number=number, key=KEY, contestants=contestants, games=games, **more)


def follow(ledger: Ledger, *entries: Entry) -> Ledger:
    """The ledger after these entries."""
    for entry in entries:
        ledger.follow(entry_line(entry), entry)
    return ledger


def begun() -> Ledger:
    """A ledger of a ladder with four contestants and two blocks."""
    return follow(Ledger(), OPENED, entered(0, 1, 2, 3), block(0, 1, 0), block(1, 3, 1, 2))


def refusal(ledger: Ledger, entry: Entry) -> Difference:
    """What is said of an entry that cannot follow; and that nothing has changed."""
    before = ledger.state() if ledger.begun else None
    with pytest.raises(Difference) as found:
        follow(ledger, entry)
    assert (ledger.state() if ledger.begun else None) == before
    return found.value


def test_a_ledger_says_what_its_entries_said() -> None:
    """Who plays, how many blocks and games there are, on what terms, in which sandbox."""
    ledger = begun()
    assert (ledger.blocks, ledger.games, ledger.tree.size) == (2, 5, 4)
    assert ledger.playing == (0, 1, 2, 3)
    assert ledger.beacon == NO_BEACON
    follow(ledger, Changed(sandbox="bwrap 0.8", budget=Budget(games=9)), Changed(arena="2"))
    assert (ledger.sandbox, ledger.arena, ledger.budget) == ("bwrap 0.8", "2", Budget(games=9))
    follow(ledger, entered(4, leave=(1,)), entered(1))
    assert ledger.playing == (0, 1, 2, 3, 4)
    assert [bot.name for bot in ledger.contestants] == ["ada", "bob", "cid", "dot", "eve"]
    assert [(field.block, field.contestants) for field in ledger.fields] == [
        (0, (0, 1, 2, 3)),
        (2, (0, 1, 2, 3, 4)),
    ]
    follow(ledger, Annulled(blocks=(1,), reason="power"), Beacon(source="x", round=1, value="00"))
    assert ledger.annulled == {1}
    assert ledger.beacon == ledger.root
    follow(ledger, Closed(reason="host", secret="00"))
    assert ledger.closed is not None


TWO = Game(actions=(["pass"],), scores=(0, 0), places=(1, 1))
FAULT = SeatFault(seat=2, decision=0, verdict="timeout", text="")
WRONG: list[tuple[Entry, str]] = [
    (OPENED, "entry"),
    (Entered(), "contestants"),
    (entered(leave=(4,)), "leave[0].contestant"),
    (entered(leave=(1, 1)), "leave[1].contestant"),
    (entered(4, leave=(0, 1, 2, 3)), "contestants"),
    (entered(0), "contestants[0].digest"),
    (entered(4, 4), "contestants[1].digest"),
    (
        Entered(
            contestants=(Contestant(name="x", version="1", digest=BOTS[0].digest),),
            leave=(Leaving(contestant=0),),
        ),
        "contestants[0]",
    ),
    (Changed(reason="nothing"), "change"),
    (block(1, 0, 1), "number"),
    (block(3, 0, 1), "number"),
    (block(2, 0, 1, 2, 3), "contestants"),
    (block(2, 0, 0), "contestants"),
    (block(2, 0, 4), "contestants"),
    (block(2, 0, 1, games=(TWO,)), "games"),
    (block(2, 0, 1, games=(TWO,) * 3), "games"),
    (
        block(2, 0, 1, games=(TWO, Game(actions=(), scores=(0,), places=(1, 1)))),
        "games[1].scores",
    ),
    (
        block(2, 0, 1, games=(Game(actions=(), scores=(0, 0), places=(1,)), TWO)),
        "games[0].places",
    ),
    (
        block(
            2, 0, 1, games=(TWO, Game(actions=(), faults=(FAULT,), scores=(0, 0), places=(1, 2)))
        ),
        "games[1].faults[0].seat",
    ),
    (
        block(
            2,
            0,
            1,
            games=(
                TWO,
                Game(actions=(), notes=((1, "b"), (1, "a")), scores=(0, 0), places=(1, 1)),
            ),
        ),
        "games[1].notes[1]",
    ),
    (Annulled(blocks=(2,), reason="x"), "blocks[0]"),
    (Annulled(blocks=(0, 0), reason="x"), "blocks[1]"),
]


@pytest.mark.parametrize(("entry", "place"), WRONG, ids=[place for _, place in WRONG])
def test_what_cannot_follow_is_named_and_changes_nothing(entry: Entry, place: str) -> None:
    """An entry that does not fit those before it leaves the ledger as it was."""
    found = refusal(begun(), entry)
    assert found.place == place, found
    assert found.by == "expected"


@given(ENTRIES)
def test_a_log_begins_with_open_and_ends_with_close(entry: Entry) -> None:
    """Nothing comes before the one or after the other."""
    closed = follow(begun(), Closed(reason="host", secret="00"))
    assert refusal(closed, entry).place == "entry"
    if not isinstance(entry, Opened):
        assert refusal(Ledger(), entry).place == "entry"


@given(st.data())
def test_a_ledger_goes_on_from_its_state(data: st.DataObject) -> None:
    """Whatever entries come, sound or not: who has the state only says the same as who saw all.

    And the root is that of the lines that were taken.
    """
    ledger = follow(Ledger(), OPENED, entered(0, 1, 2))
    tree = Tree()
    for line in (entry_line(OPENED), entry_line(entered(0, 1, 2))):
        tree.add(line)
    for _ in range(data.draw(st.integers(0, 12))):
        entry = data.draw(plausible(ledger))
        line = entry_line(entry)
        other = Ledger.restored(ledger.state())
        said = [_said(each, line, entry) for each in (ledger, other)]
        assert said[0] == said[1]
        assert ledger.state() == other.state()
        if not said[0]:
            tree.add(line)
        assert (ledger.tree.size, ledger.root) == (tree.size, tree.root)


def plausible(ledger: Ledger) -> st.SearchStrategy[Entry]:
    """Entries of which many can follow."""
    numbers = st.integers(0, 4)
    seats = st.lists(numbers, min_size=2, max_size=3, unique=True)
    return st.one_of(
        seats.map(lambda found: block(ledger.blocks, *found)),
        st.tuples(st.lists(numbers, max_size=2), st.lists(numbers, max_size=1)).map(
            lambda found: entered(*found[0], leave=tuple(found[1]))
        ),
        st.builds(Changed, budget=st.just(Budget(games=7)), arena=st.sampled_from([None, "2"])),
        st.lists(numbers, min_size=1, max_size=2).map(
            lambda found: Annulled(blocks=tuple(found), reason="x")
        ),
        st.just(Beacon(source="x", round=1, value="00")),
        ENTRIES,
    )


def _said(ledger: Ledger, line: bytes, entry: Entry) -> str:
    try:
        ledger.follow(line, entry)
    except Difference as difference:
        return str(difference)
    return ""


def test_a_difference_in_a_log_has_its_line() -> None:
    """Lines are counted from 1."""
    lines = [entry_line(OPENED), entry_line(entered(0, 1, 2)), b"{}"]
    with pytest.raises(Difference) as found:
        list(follow_lines(lines, Ledger()))
    assert found.value.line == 3


def test_only_a_ladder_counts_its_games_from_the_beginning() -> None:
    """A match that is added to a file goes on counting; a ladder has a log of its own."""
    later = Opened(format=FORMAT, contest=CONTEST, commitment="00" * 32, first_game=4)
    assert refusal(Ledger(), later).place == "first_game"


def test_a_paused_ladder_has_no_block_until_it_goes_on() -> None:
    """Whoever reads a log can rely on it that nothing was played in a pause."""
    ledger = Ledger()
    for entry in (OPENED, entered(0, 1, 2), Changed(paused=True, reason="repairs")):
        ledger.follow(entry_line(entry), entry)
    assert Ledger.restored(ledger.state()).paused
    with pytest.raises(Difference, match="no block while the ladder is paused"):
        ledger.follow(entry_line(block(0, 0, 1)), block(0, 0, 1))
    for entry in (Changed(paused=False), block(0, 0, 1)):
        ledger.follow(entry_line(entry), entry)
    assert (ledger.paused, ledger.blocks) == (False, 1)
