"""What follows from results: places, who plays on, who is set aside; deadlines, hours of play."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from arena.ladder.decisions import deciding_pairs, qualified, stage_places
from arena.ladder.failures import Failures
from arena.ladder.hours import Hours, HoursOfPlay
from arena.ladder.regulations import NOBODY, Regulations, to_state
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
from command import arena, arena_here, assert_refused
from ladder.fields import definition, export, games_of, run

pytestmark = pytest.mark.source_only

FIRST = Stage(name="first", budget=Budget(each=4))
FINAL = Stage(name="final", best=2, budget=Budget(each=4), prizes=1)


def book_of(results: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], players: int) -> Scorebook:
    """The scorebook of blocks of one result each, repeated in all rotations."""
    book = Scorebook(players, None)
    for number, (seated, places) in enumerate(results):
        size = len(seated)
        games = tuple(
            Game(
                actions=(),
                scores=(0,) * size,
                places=tuple(places[(seat + turn) % size] for seat in range(size)),
            )
            for turn in range(size)
        )
        block = BlockPlayed(number=number, key="00" * 32, contestants=seated, games=games)
        book.add_block(block, stage=0)
    return book


def test_who_is_equal_in_all_figures_shares_a_place_and_plays_on() -> None:
    """Nobody is sent home by the order in which they entered."""
    book = book_of([((0, 1, 2, 3), (1, 2, 2, 4))] * 6, 4)
    stage = Stage(name="x", budget=Budget(each=1), order=("skill", "share"))
    places = stage_places(stage, 0, (0, 1, 2, 3), book)
    assert places == ((0,), (1, 2), (3,))
    skills = book.ratings.skills()
    assert qualified(FINAL, places, skills) == (0, 1, 2)
    assert qualified(Stage(name="f", best=3, budget=Budget(each=1)), places, skills) == (0, 1, 2)


def test_later_figures_decide_between_equals() -> None:
    """And the rating, which depends on the order of the games, is one of them."""
    book = book_of([((0, 1), (1, 2)), ((0, 1), (2, 1))], 2)
    by_share = Stage(name="x", budget=Budget(each=1), order=("share",))
    by_both = Stage(name="x", budget=Budget(each=1), order=("share", "rating"))
    assert stage_places(by_share, 0, (0, 1), book) == ((0, 1),)
    assert len(stage_places(by_both, 0, (0, 1), book)) == 2


def test_all_play_on_whom_the_intervals_allow() -> None:
    """With few games these are many; with many only those who are near."""
    few = book_of([((0, 1, 2, 3), (1, 2, 3, 4)), ((3, 2, 1, 0), (2, 1, 4, 3))], 4)
    many = book_of([((0, 1, 2, 3), (1, 2, 3, 4))] * 60, 4)
    final = Stage(name="f", best=2, allowed=True, budget=Budget(each=1))
    for book, wanted in ((few, (0, 1, 2, 3)), (many, (0, 1))):
        places = stage_places(FIRST, 0, (0, 1, 2, 3), book)
        assert qualified(final, places, book.ratings.skills()) == wanted


def test_what_a_stage_has_to_show_to_end_early() -> None:
    """Who plays on is above all others; who has a prize is above all behind him."""
    places = ((4,), (2,), (0, 1), (3,))
    assert set(deciding_pairs(FIRST, FINAL, places)) == {
        (above, below) for above in (4, 2) for below in (0, 1, 3)
    }
    assert set(deciding_pairs(FINAL, None, places)) == {(4, below) for below in (0, 1, 2, 3)}
    shared = list(deciding_pairs(Stage(name="f", budget=Budget(each=1), prizes=3), None, places))
    assert {(0, 1), (1, 0)} <= set(shared)  # never certain both
    three = Stage(name="f", best=3, budget=Budget(each=1))
    assert {(0, 1), (1, 0)} <= set(deciding_pairs(FIRST, three, places))


def test_only_the_last_games_of_a_bot_count_against_it() -> None:
    """Whoever has mended itself is not set aside for what was; all is kept over a restart."""
    failures = Failures()
    for game in range(30):
        failures.add((0, 1), {1} if game < 9 else ())
    for found in (failures, Failures(failures.state())):
        assert found.among_last(1, 30) == (9, 30)
        assert found.among_last(1, 22) == (1, 22)
        assert found.among_last(1, 21) == (0, 21)
        assert found.among_last(0, 1000) == (0, 30)
        assert found.among_last(7, 10) == (0, 0)


def begun() -> Ledger:
    """A ledger of a ladder with two contestants."""
    contest = Contest(
        name="x", game="castors", version="1", rules={}, tables=(2,), time=TimeControl(),
        limits={}, sandbox="none", suspend=True, fresh=False,
    )  # fmt: skip
    bots = tuple(Contestant(name=f"b{n}", version="1", digest=f"{n:064x}") for n in range(2))
    ledger = Ledger()
    opened = Opened(format=FORMAT, contest=contest, commitment="00" * 32)
    for entry in (opened, Entered(contestants=bots)):
        ledger.follow(entry_line(entry), entry)
    return ledger


def test_regulations_are_stated_once_and_the_deadline_closes_entries() -> None:
    """Whatever changes is stated; a deadline that was moved opens them again."""
    ledger = begun()
    before, after = datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 3, 1, tzinfo=UTC)
    wanted = Regulations(
        stages=(FIRST, FINAL),
        set_aside=SetAside(faults=1, games=9),
        deadline="2027-02-01T00:00:00Z",
    )

    def said(regulations: Regulations, now: datetime) -> Changed | None:
        change = to_state(regulations, ledger, now)
        if change is not None:
            ledger.follow(entry_line(change), change)
        return change

    first = said(wanted, before)
    assert first == Changed(
        stages=wanted.stages, set_aside=wanted.set_aside, deadline=wanted.deadline
    )
    assert said(wanted, before) is None
    assert said(wanted, after) == Changed(entries="closed", reason="the deadline is over")
    assert said(wanted, after) is None
    assert not ledger.can_enter
    later = Regulations(stages=wanted.stages, deadline="2027-04-01T00:00:00Z")
    assert said(later, after) == Changed(
        set_aside=NOBODY, deadline="2027-04-01T00:00:00Z", entries="open"
    )
    assert (ledger.set_aside, ledger.can_enter) == (None, True)
    assert said(Regulations(), after) == Changed(stages=(), deadline="")


def test_hours_of_play() -> None:
    """In the zone that they are in, also past midnight and over the change of clocks."""
    zurich = ZoneInfo("Europe/Zurich")
    night = HoursOfPlay((Hours(frozenset({4}), time(22), time(2)),), zurich)  # friday night
    for text, playing in (
        ("2026-11-20T20:59", False),
        ("2026-11-20T21:00", True),
        ("2026-11-21T00:59", True),
        ("2026-11-21T01:00", False),
        ("2026-11-21T21:30", False),
        ("2026-07-03T20:30", True),  # in summer
    ):
        now = datetime.fromisoformat(f"{text}:00+00:00")
        assert night.open(now) is playing, text
    monday = datetime(2026, 11, 16, 9, tzinfo=UTC)
    assert night.opens(monday) == datetime(2026, 11, 20, 22, tzinfo=zurich)
    assert HoursOfPlay().open(monday)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("stages = 3", "stages: expected tables [[stages]], got 3"),
        ("[[stages]]\neach = 9", 'stages[0].name: expected a name such as "final"'),
        ('[[stages]]\nname = "a"', "stages[0].budget: expected games, each or each_at"),
        ('[[stages]]\nname = "a"\neach = 9\nminutes = 3', "stages[0].budget.minutes: expected no"),
        ('[[stages]]\nname = "a"\neach = 9\nbest = 3', "stages[0].best: expected no number"),
        ('[[stages]]\nname = "a"\neach = 9\nodd = 3', "stages[0].odd: unknown key"),
        ('[[stages]]\nname = "a"\neach = 9\norder = ["luck"]', "stages[0].order: expected a list"),
        ('[[stages]]\nname = "a"\neach = 9\n[budget]\neach = 9', "budget.each: with stages, each"),
        ("set_aside = { faults = 5 }", "set_aside: expected { faults = 5, games = 20 }"),
        ("set_aside = { faults = -1, games = 3 }", "set_aside.faults: expected an integer from 0"),
        ("deadline = 2027-01-31", "deadline: expected a time as 2027-01-31T18:00:00+01:00"),
        ('zone = "Atlantis"', 'zone: expected a time zone such as "Europe/Zurich", got "Atlantis"'),
        ('[[play]]\ndays = ["someday"]', "play[0].days: expected a list of some of mon"),
        ('[[play]]\nfrom = "18:00"', "play[0].from: expected a time of the day as 18:00:00"),
    ],
)
def test_what_is_wrong_in_a_definition_is_said_in_a_line(
    more: str, says: str, tmp_path: Path
) -> None:
    """With the key, what was expected and what was found."""
    path = definition(tmp_path, games=None, more=more)
    assert_refused(arena_here("ladder", "schedule", path.name, cwd=tmp_path), says)


def test_the_first_stage_waits_for_the_deadline(tmp_path: Path) -> None:
    """Who comes in time plays it, and nobody comes later."""
    stages = '\n[[stages]]\nname = "a"\neach = 8\n[[stages]]\nname = "b"\nbest = 4\neach = 8'
    later = f"deadline = 2099-01-01T00:00:00Z\n{stages}"
    bots = ("ada", "bob", "cid", "dot")
    done = run(definition(tmp_path, games=None, more=later, bots=bots), "--json")
    assert "the stage ends when no more bots can enter" in done.err
    assert min(row["games"] for row in done.json["standings"]) >= 8
    done = run(definition(tmp_path, games=None, more=later), "--json")
    assert min(row["games"] for row in done.json["standings"]) >= 8
    assert b'"entry":"stage"' not in export(tmp_path)
    fay = arena("ladder", "enter", "test.ladder", "random", "--name", "fay", cwd=tmp_path)
    assert fay.code == 0, fay.err
    over = f"deadline = 2020-01-01T00:00:00Z\n{stages}"
    done = run(definition(tmp_path, games=None, more=over, bots=(*bots, "eve", "late")))
    assert "entries are closed" in done.err
    log = export(tmp_path)
    assert log.count(b'"entry":"stage"') == 2
    assert b'"eve"' in log
    assert b'"late"' not in log
    end = next(entry for entry in map(json.loads, log.splitlines()) if entry["entry"] == "stage")
    first = [game for game in games_of(log) if game["block"] < blocks_before(log, end)]
    played = Counter(bot["name"] for game in first for bot in game["bots"])
    assert min(played.values()) >= 8
    assert set(played) == {*bots, "eve", "fay"}  # who came in time, although no run was on


def blocks_before(log: bytes, entry: object) -> int:
    """How many blocks come before an entry."""
    lines = [json.loads(line) for line in log.splitlines()]
    return sum(line["entry"] == "block" for line in lines[: lines.index(entry)])


def test_the_next_season_has_the_field_and_the_terms_of_the_last(tmp_path: Path) -> None:
    """Without those who were taken out; it can be played at once."""
    stages = (
        '[[stages]]\nname = "a"\neach = 8\n[[stages]]\nname = "b"\nbest = 4\neach = 8\nprizes = 2'
    )
    run(definition(tmp_path, games=None, more=stages))
    gone = arena("ladder", "disqualify", "test.ladder", "eve", "--reason", "x", cwd=tmp_path)
    assert gone.code == 0, gone.err
    made = arena("ladder", "new", "next.toml", "--from", "test.ladder", cwd=tmp_path)
    assert made.code == 0, made.err
    said = arena("ladder", "schedule", "next.toml", "--json", cwd=tmp_path).json
    assert [bot["name"] for bot in said["contestants"]] == ["ada", "bob", "cid", "dot"]
    assert "Then comes b with the best 4" in said["end"]
    assert_refused(
        arena("ladder", "new", "x.toml", "--from", "test.ladder", "random", cwd=tmp_path),
        "--from takes over",
    )
