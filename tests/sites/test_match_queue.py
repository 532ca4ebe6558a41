"""The queue of matches and submissions: in turn, tests first, and nothing for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.matches import Matches
from arena.site.database.submissions import Submissions
from arena.site.queue.queue import Queue
from arena.site.rules import matches as rules
from arena.site.rules.limits import AuthorLimits, TooOften
from arena.site.rules.matches import KEPT, MOST_ATTEMPTS, MatchBot, MatchState
from arena.site.rules.people import DAY, NotNow, Person, Role

from .test_keeping import Clock

pytestmark = pytest.mark.source_only
BOTS = tuple(MatchBot(name, "1", "0" * 64) for name in ("a", "b", "c"))
MANY = AuthorLimits(matches_a_day=KEPT * 2, matches_waiting=KEPT * 2)


class Kept:
    """A database with one author, who has handed something in."""

    def __init__(self, path: Path, limits: AuthorLimits = MANY) -> None:
        self.clock = Clock()
        self.database = Database(path / "site.db")
        self.person = Accounts(self.database, self.clock).join("ada", Role.AUTHOR)
        submissions = Submissions(self.database, self.clock)
        self.submission = submissions.next_number()
        submissions.add(self.submission, self.person, "friday", 1, "")
        self.matches = Matches(self.database, self.clock, limits)

    def add(self, submission: int | None = None, person: Person | None = None) -> int:
        """Start a match; return its number."""
        return self.matches.add(person or self.person, "friday", BOTS, 1, submission).number


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    """A database with one author."""
    found = Kept(tmp_path)
    yield found
    found.database.close()


def test_tests_of_bots_come_before_challenges(kept: Kept) -> None:
    """Who flooded the queue with challenges makes no author wait."""
    challenges = [kept.add() for _ in range(3)]
    test = kept.add(kept.submission)
    assert [each.number for each in kept.matches.open()] == [test, *challenges]
    taken = [kept.matches.take_next() for _ in range(5)]
    assert [each and each.number for each in taken] == [test, *challenges, None]


def test_a_match_is_tried_three_times_and_no_more(kept: Kept) -> None:
    """A match that brings the site down each time does not keep it from starting."""
    number = kept.add()
    for attempt in range(MOST_ATTEMPTS):
        taken = kept.matches.take_next()
        assert taken is not None
        assert taken.attempt == attempt + 1
        kept.matches.go_on()
    assert kept.matches.get(number).state is MatchState.FAILED
    assert kept.matches.take_next() is None


def test_a_site_that_is_full_takes_no_more(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many accounts somebody has, the queue has an end."""
    monkeypatch.setattr("arena.site.database.matches.MOST_WAITING", 2)
    kept.add()
    kept.add()
    with pytest.raises(TooOften, match="2 matches wait on this site"):
        kept.add()


def test_old_matches_are_forgotten_but_still_count(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk has an end; what was started in the last day stays, so that limits hold."""
    monkeypatch.setattr("arena.site.database.matches.KEPT", 3)
    old = [kept.add() for _ in range(5)]
    for _ in old[1:]:
        taken = kept.matches.take_next()
        assert taken is not None
        kept.matches.step(taken.number, MatchState.PLAYED)
    assert kept.matches.forget() == []
    kept.clock.now += DAY + 1
    assert kept.matches.forget() == old[:2]
    new = [kept.add() for _ in range(4)]
    assert kept.matches.today(kept.person) == 4
    assert kept.matches.numbers() == {*old[2:], *new}


def test_every_state_leads_somewhere_or_is_the_end() -> None:
    """Nothing hangs: from each open state a match can be withdrawn."""
    for state, after in rules.NEXT.items():
        assert (state in rules.OPEN) == bool(after)
        assert (MatchState.WITHDRAWN in after) == (state in rules.OPEN)
        for other in MatchState:
            if other not in after:
                with pytest.raises(NotNow):
                    rules.check_match_step(state, other)


class Line:
    """Work that notes when it was done, and fails now and then."""

    def __init__(self, name: str, waiting: int, done: list[str]) -> None:
        self._name = name
        self._waiting = waiting
        self._done = done

    def go_on(self) -> None:
        self._done.append(f"{self._name} begins")

    def serve_next(self) -> bool:
        if not self._waiting:
            return False
        self._waiting -= 1
        self._done.append(self._name)
        if self._waiting == 1:
            raise RuntimeError("a mistake of ours")
        return True

    def stop(self) -> None:
        pass


def test_each_kind_waits_for_one_of_the_other_at_most() -> None:
    """A hundred builds hold up no match, a hundred matches no build, and a failure neither."""
    done: list[str] = []
    queue = Queue((Line("bot", 4, done), Line("match", 3, done)))
    queue.start()
    deadline = time.monotonic() + 300
    while len(done) < 9 and time.monotonic() < deadline:
        queue.look()
        time.sleep(0.01)
    queue.stop()
    assert done[:2] == ["bot begins", "match begins"]
    assert done[2:] == ["bot", "match", "bot", "match", "bot", "match", "bot"]
