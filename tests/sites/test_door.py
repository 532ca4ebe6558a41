"""The door of a site: whatever was answered when, bots enter and leave as their authors want."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.ladder.inbox import ANSWERS, Inbox
from arena.ladder.wishes import Close, Enter, Pause, Withdraw
from arena.records.entries import Contestant
from arena.site.rules.people import NotNow
from arena.site.rules.submissions import State

from .still import StillSite

pytestmark = pytest.mark.source_only


@pytest.fixture
def site(tmp_path: Path) -> Iterator[StillSite]:
    """A site with a ladder of five bots."""
    site = StillSite.new(tmp_path / "own")
    yield site
    site.database.close()


def withdraw(site: StillSite, number: int) -> State:
    """Withdraw a submission; return its state when all is settled."""
    site.submissions.step(number, State.LEAVING, "withdrawn")
    site.settle()
    return site.submissions.get(number).state


def playing(site: StillSite) -> int:
    """A submission that plays."""
    site.hand_in()
    number = site.examine("old").number
    site.settle()
    assert site.submissions.get(number).state is State.PLAYING
    return number


def test_a_bot_whose_answer_is_forgotten_can_still_leave(site: StillSite) -> None:
    """Answers are not kept for ever; whoever entered long ago leaves the ladder like others."""
    number = playing(site)
    shutil.rmtree(site.store / ANSWERS)
    assert withdraw(site, number) is State.RETIRED
    assert f"old-{number}" not in site.players()


def test_a_bot_that_the_ladder_kept_can_leave_later(site: StillSite) -> None:
    """A ladder keeps a bot without which it could not play; that does not hold for ever."""
    inbox = Inbox(site.store)
    inbox.leave(Withdraw(bots=("ada", "bob")), "host-1")
    number = playing(site)
    inbox.leave(Withdraw(bots=("cid",)), "host-2")
    site.settle()
    assert withdraw(site, number) is State.PLAYING
    assert "would be left" in site.submissions.get(number).reason
    playing(site)
    site.now += 1
    assert withdraw(site, number) is State.RETIRED


def test_a_copy_that_never_entered_takes_nobody_out(site: StillSite) -> None:
    """Somebody hands in the same bot twice and withdraws the second: the first plays on."""
    first = site.submissions.get(playing(site))
    site.hand_in()
    taken = site.submissions.take_next()
    assert taken is not None
    same = (first.bot, first.version, first.digest)
    site.submissions.step(taken.number, State.WAITING, "", same)
    assert withdraw(site, taken.number) is State.WITHDRAWN
    assert first.bot in site.players()


def test_nobody_waits_for_a_ladder_that_is_closed(site: StillSite) -> None:
    """Who enters or leaves when it has ended is told so, as no run comes that would answer."""
    first, second = playing(site), playing(site)
    inbox = Inbox(site.store)
    inbox.leave(Close())
    site.play()
    site.hand_in()
    late = site.examine("old").number
    site.hand_in()
    asked = site.examine("old")
    bot = Contestant(asked.bot, asked.version, asked.digest)
    inbox.leave(Enter(bots=(bot,)), f"site-submission-{asked.number}-enters")  # as the run ended
    site.submissions.step(asked.number, State.LEAVING, "withdrawn")
    site.submissions.step(second, State.LEAVING, "withdrawn")
    site.serve_door()
    found = {each.number: each for each in site.submissions.of(site.person)}
    assert {number: each.state for number, each in found.items()} == {
        first: State.PLAYING,
        second: State.PLAYING,
        late: State.FAILED,
        asked.number: State.WITHDRAWN,
    }
    assert "the ladder keeps it: this ladder is closed" in found[second].reason
    assert "did not let it in: this ladder is closed" in found[late].reason
    assert inbox.waiting() == []


def test_a_host_wishes_nothing_while_the_site_is_copied(site: StillSite) -> None:
    """The copy would have the answer and not the wish; he is told to try again."""
    with site.folder.door_shut(), pytest.raises(NotNow, match="is being copied"):
        site.host_wishes.leave(site.ladder, Pause(), site.person)
    assert site.host_wishes.of(site.ladder) == []
    site.host_wishes.leave(site.ladder, Pause(), site.person)
    assert len(site.host_wishes.of(site.ladder)) == 1
