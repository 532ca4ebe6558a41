"""Games that have just finished, in a real browser: one after the other, at a pace to look at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pages.shut_out import shut_out

from .served import Served
from .test_finished_games import LADDER
from .test_in_a_browser import OVERFLOW
from .test_spectators import SETTINGS, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only
WIDE, NARROW = (1400, 900), (360, 780)
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
STEP = "Number(document.getElementById('slider').value)"
LAST = "Number(document.getElementById('slider').max)"
HIDDEN = """
[...document.querySelectorAll('#head .outcome, #story .now ~ .step, #chart .tail, #chart .scale')]
  .every((part) => !part.checkVisibility({ visibilityProperty: true }))
"""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A ladder that plays when a test tells it to."""
    folder = tmp_path_factory.mktemp("watched") / "own"
    folder.mkdir(mode=0o700)
    (folder / "site.toml").write_text(SETTINGS.format(all=8, each=8))
    served = Served(folder)
    yield Watched(served, LADDER.format(publish=""))
    served.remove()


@contextmanager
def opened(
    browser: Browser,
    watched: Watched,
    link: str = "/ladders/friday/watch",
    *,
    size: tuple[int, int] = WIDE,
    dark: bool = False,
    script: bool = True,
    still: bool = False,
    clock: bool = True,
    expected: str = "never",
) -> Iterator[Page]:
    """The page in a window whose clock a test moves; an error in its console is a failure."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if still else "no-preference",
        java_script_enabled=script,
    )
    wrong: list[str] = []
    page = context.new_page()
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_default_timeout(60_000)
    if clock and script:
        page.clock.install(time=BEGAN)
    page.goto(watched.site.address + link)
    if clock and script:
        page.locator("#head h1").wait_for()
        page.clock.pause_at(BEGAN + timedelta(hours=1))
    yield page
    context.close()
    assert [words for words in wrong if expected not in words] == []


def number(page: Page) -> str:
    """The number of the game that is shown."""
    return page.locator("#head h1 small").inner_text()


def to_the_end(page: Page) -> None:
    """Let a game be played to its end."""
    page.clock.run_for(int(page.evaluate(LAST)) * 1200 + 1000)
    page.locator("body.result").wait_for()


def another(page: Page) -> None:
    """Ask for the next game, and wait until it is shown."""
    before = number(page)
    page.get_by_role("button", name="Next game").click()
    changed = "before => document.querySelector('#head h1 small').textContent !== before"
    page.wait_for_function(changed, arg=before)


def watch_all(page: Page) -> None:
    """Go through all games that have finished, and ask for one more."""
    while page.locator("#games a:not(.seen)").count():
        another(page)
    page.get_by_role("button", name="Next game").click()


def test_games_follow_one_after_the_other(browser: Browser, watched: Watched) -> None:
    """Without a touch: a game at a pace, its result, and the next one, until all were shown."""
    with opened(browser, watched) as page:
        first = number(page)
        assert page.locator("#status").inner_text().startswith("Game ")
        at = page.evaluate(STEP)
        page.clock.run_for(6_000)
        assert page.evaluate(STEP) == at + 5
        assert page.locator("#status").inner_text().startswith("Game ")  # it is silent meanwhile
        to_the_end(page)
        told = r"\S+ is first, with \d+ points\.|.+ and \S+ are first, with \d+ points each\."
        assert re.fullmatch(told, page.locator("#line b").inner_text())
        said = page.locator("#status").inner_text()
        assert said.startswith("The game is over.")
        assert "The next game follows in 8 seconds." in said
        page.clock.run_for(8_100)
        page.locator("body.veiled").wait_for()
        second = number(page)
        assert second != first
        page.clock.run_for(2_500)
        assert page.evaluate(STEP) == 2
        watch_all(page)
        page.get_by_text("The next one is shown as soon as it is finished.").wait_for()
        assert page.locator("#games a:not(.seen)").count() == 0


def test_the_next_game_comes_when_it_is_finished(browser: Browser, watched: Watched) -> None:
    """Who has seen all waits, and is shown the newest without doing anything."""
    with opened(browser, watched) as page:
        watch_all(page)
        page.get_by_text("as soon as it is finished").wait_for()
        newest = page.locator("#games a").first.inner_text()
        watched.play(36)
        for _ in range(60):
            page.clock.run_for(20_000)
            page.wait_for_timeout(500)
            if page.get_by_text("Finished games, the newest first.").is_visible():
                break
        assert page.locator("#games a").first.inner_text() != newest
        assert page.locator("#games a[aria-current]").inner_text() != newest


def test_nothing_is_told_beforehand(browser: Browser, watched: Watched) -> None:
    """Neither places nor points nor what comes are on the page before the game's end."""
    with opened(browser, watched, f"/ladders/friday/watch{_key(watched)}#step=10") as page:
        assert page.evaluate(STEP) == 10
        assert page.evaluate(HIDDEN)
        assert page.locator("body.result").count() == 0
        assert page.locator("#story .step:visible").count() == 11
        page.keyboard.press("End")
        page.locator("body.result").wait_for()
        assert not page.evaluate(HIDDEN)
        page.keyboard.press("Home")
        assert page.locator("#head .outcome").first.is_visible()  # who has seen it knows it


def test_a_person_pauses_steps_and_picks_by_the_keyboard(
    browser: Browser, watched: Watched
) -> None:
    """Space pauses and goes on, arrows step, n is the next game; back leads to the one before."""
    with opened(browser, watched) as page:
        page.keyboard.press(" ")
        at = page.evaluate(STEP)
        page.clock.run_for(10_000)
        assert page.evaluate(STEP) == at
        assert page.locator("#status").inner_text().startswith(f"Step {at}")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(STEP) == at + 1
        page.keyboard.press(" ")
        page.clock.run_for(2_500)
        assert page.evaluate(STEP) == at + 3
        page.get_by_label("Speed").select_option("300")
        page.clock.run_for(3_100)
        assert page.evaluate(STEP) == at + 13
        first = number(page)
        page.keyboard.press("n")
        page.wait_for_function(
            "before => document.querySelector('#head h1 small').textContent !== before", arg=first
        )
        picked = page.locator("#games a").nth(3)
        name = picked.inner_text()
        picked.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("name => document.title.endsWith(name)", arg=name.lower())
        assert "?game=" in page.url
        assert page.locator("#games a[aria-current]").inner_text() == name
        page.keyboard.press(" ")
        page.keyboard.press("ArrowRight")
        link = page.url
        assert "#step=" in link
        page.go_back()
        page.wait_for_function("name => !document.title.endsWith(name)", arg=name.lower())
    with opened(browser, watched, link.removeprefix(watched.site.address)) as page:
        assert page.evaluate("document.title").endswith(name.lower())
        assert page.url == link
        page.clock.run_for(5_000)
        assert page.url == link  # it is shown as it was linked to, and waits


def test_who_wants_no_motion_starts_it(browser: Browser, watched: Watched) -> None:
    """Where motion is to be reduced, nothing moves before somebody says so."""
    with opened(browser, watched, still=True) as page:
        page.clock.run_for(20_000)
        assert page.evaluate(STEP) == 0
        page.get_by_role("button", name="Play", exact=True).click()
        page.clock.run_for(2_500)
        assert page.evaluate(STEP) == 2


def test_a_site_that_is_away_is_waited_for(browser: Browser, watched: Watched) -> None:
    """What cannot be had now is asked for again; the game that is shown stays."""
    with opened(browser, watched, expected="429 (Too Many Requests)") as page:
        first = number(page)
        page.context.route("**/api/**", lambda route: route.fulfill(status=429, body="{}"))
        page.get_by_role("button", name="Next game").click()
        page.get_by_text("Not connected. It tries again by itself.").wait_for()
        assert number(page) == first
        page.context.unroute("**/api/**")
        page.clock.run_for(21_000)
        page.wait_for_function(
            "before => document.querySelector('#head h1 small').textContent !== before", arg=first
        )
        assert page.get_by_text("Finished games, the newest first.").is_visible()


def test_it_is_read_without_script(browser: Browser, watched: Watched) -> None:
    """The newest game as a story, its result, and a link to the next one."""
    with opened(browser, watched, script=False) as page:
        first = page.locator("h2").first.inner_text()
        assert page.locator("ol li").count() > 30
        assert page.get_by_text("Who plays:").is_visible()
        assert page.locator("table caption").inner_text() == "Result"
        with page.expect_navigation():
            page.get_by_text("Next:").locator("a").click()
        assert page.locator("h2").first.inner_text() != first
        with page.expect_navigation():
            page.get_by_role("link", name="The newest game").click()
        assert page.locator("h2").first.inner_text() == first


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_it_fits_and_shuts_nobody_out(
    size: tuple[int, int], browser: Browser, watched: Watched, axe: str
) -> None:
    """Wide and narrow, light and dark, at the start, in a game, at its end: nothing overflows."""
    for dark in (False, True):
        with opened(browser, watched, size=size, dark=dark, clock=False) as page:
            page.keyboard.press(" ")
            for key in ("Home", "c", "End"):
                page.keyboard.press(key)
                assert page.evaluate(OVERFLOW) <= 0
                # The policy lets no script in, but the window's own tools may run one.
                page.evaluate(axe)
                # On the table cards that lie face down are faded; readers have it in words.
                assert shut_out(page, exclude=["#table"]) == []
        with opened(browser, watched, size=size, dark=dark, script=False) as page:
            assert page.locator("#plain").is_visible()


def test_a_ladders_page_shows_them_in_place(browser: Browser, watched: Watched) -> None:
    """Who looks at the standings opens the games there; closed, they take nothing."""
    with opened(browser, watched, "/ladders/friday", clock=False) as page:
        assert page.locator("iframe").count() == 0
        page.get_by_text("Watch games just finished").click()
        frame = page.frame_locator("iframe.watched")
        frame.locator("#head h1").wait_for()
        page.wait_for_function(
            "() => { const frame = document.querySelector('iframe.watched');"
            " return frame.contentDocument.documentElement.scrollHeight <= frame.clientHeight; }"
        )
        assert frame.locator(".site").is_hidden()
        frame.get_by_role("button", name="Next game").click()
        frame.locator("#head h1").wait_for()
        assert page.url.endswith("/ladders/friday")
        page.get_by_text("Watch games just finished").click()
        page.locator("iframe").wait_for(state="detached")


def _key(watched: Watched) -> str:
    games = watched.site.visitor().call("GET", "/ladders/friday/watch").json["games"]
    return f"?game={games[0]['key']}"
