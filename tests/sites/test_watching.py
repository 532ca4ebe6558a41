"""What spectators see in a real browser: standings that move, without jumping about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from .conftest import Serve
from .test_in_a_browser import new_page
from .test_spectators import SETTINGS, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser in which nobody is signed in."""
    yield from new_page(browser)


def test_standings_are_renewed_while_one_reads(serve: Serve, page: Page) -> None:
    """New figures come into the rows that are there; focus stays; who pauses is left alone."""
    watched = Watched(serve(settings=SETTINGS.format(all=8, each=8)))
    page.goto(f"{watched.site.address}/ladders/friday")
    page.get_by_text("Live: renewed as games are played.").wait_for()
    page.evaluate("document.querySelectorAll('tbody tr').forEach((row) => row.seen = row.id)")
    page.get_by_role("button", name="Pause").focus()
    watched.play(24)
    page.get_by_text("24 games of Gargon").wait_for()
    kept = "[...document.querySelectorAll('tbody tr')].every((row) => row.seen === row.id)"
    assert page.evaluate(kept)
    assert page.evaluate("document.activeElement.textContent") == "Pause"
    page.get_by_role("button", name="Pause").click()
    watched.play(36)
    page.get_by_text("Paused.").wait_for()
    page.wait_for_timeout(3000)
    assert page.get_by_text("24 games of Gargon").is_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("36 games of Gargon").wait_for()


def test_rows_wait_while_one_points_at_them(serve: Serve, page: Page) -> None:
    """A new order is shown when nobody points at the rows any more, or asks for it."""
    watched = Watched(serve(settings=SETTINGS.format(all=8, each=8)))
    page.goto(f"{watched.site.address}/ladders/friday")
    page.get_by_text("Live: renewed as games are played.").wait_for()
    names = (
        "[...document.querySelectorAll('tbody th > a:first-child')].map((name) => name.textContent)"
    )
    page.evaluate(
        """document.querySelectorAll('tbody').forEach((body) => {
            while (body.children[0].textContent.includes('random') === false)
                body.append(body.children[0]);
        })"""
    )  # as if the last had led
    page.locator("tbody tr").first.hover()
    assert "random" in page.evaluate(names)[0]
    watched.play(24)
    page.get_by_text("24 games of Gargon").wait_for()
    assert "random" in page.evaluate(names)[0]
    page.get_by_role("button", name="Show the new order").click()
    assert "random" not in page.evaluate(names)[0]


def test_who_gets_no_stream_sees_it_slowly(serve: Serve, page: Page) -> None:
    """Where all places are taken the page says so, and asks every half minute."""
    watched = Watched(serve(settings=SETTINGS.format(all=1, each=1)))
    other = page.context.new_page()
    other.goto(f"{watched.site.address}/ladders/friday")
    other.get_by_text("Live: renewed as games are played.").wait_for()
    page.clock.install()
    page.goto(f"{watched.site.address}/ladders/friday")
    page.get_by_text("Renewed every half minute, as many people watch.").wait_for()
    watched.play(24)
    page.clock.fast_forward(41_000)
    page.get_by_text("24 games of Gargon").wait_for()
