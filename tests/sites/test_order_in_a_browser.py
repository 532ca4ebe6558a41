"""A host keeps order on a ladder by clicks, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pages.shut_out import shut_out

from .conftest import Serve
from .served import LADDER
from .test_in_a_browser import OVERFLOW, page
from .test_keeping_order import begun

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["page"]

pytestmark = pytest.mark.source_only


def test_a_host_pauses_sets_aside_and_closes_by_clicks(serve: Serve, page: Page, axe: str) -> None:
    """Each click is asked about once, and the answer shows without a reload, wide and narrow."""
    served = serve()
    host = served.host()
    bots = '["random", "gargon-hand", "gargon-backs", "gargon-majority"]'
    definition = LADDER.replace('["random", "gargon-hand", "gargon-backs"]', bots)
    host.post("/new-ladder", name="friday", definition=definition)
    begun(served)
    page.add_init_script(axe)
    page.context.add_cookies(
        [{"name": "session", "value": host.cookies["session"], "url": served.address}]
    )
    page.goto(f"{served.address}/ladders/friday")

    def fits() -> None:
        for width in (360, 1400):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(OVERFLOW) <= 0, (page.url, width)
        assert shut_out(page) == [], page.url

    page.get_by_role("link", name="Keep order on it").click()
    fits()
    page.get_by_label("Why it is paused").fill("more memory")
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("heading", name="Pause friday?").wait_for()
    fits()
    page.get_by_role("button", name="Pause it").click()
    page.get_by_text("paused: nothing is played from block").wait_for()
    fits()
    page.get_by_role("link", name="Back to friday").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Let it go on").click()
    page.get_by_text("goes on with block").wait_for()
    page.get_by_role("link", name="Back to friday").click()
    page.get_by_role("row", name="gargon-backs").get_by_role("link", name="take out").click()
    page.get_by_label("Why it is taken out").fill("crashes")
    page.get_by_role("button", name="Take it out").click()
    page.get_by_role("heading", name="aside on friday?").wait_for()
    page.get_by_role("button", name="Set it aside").click()
    page.get_by_text("(set aside: crashes)").wait_for()
    page.get_by_role("link", name="Back to friday").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("link", name="No, go back").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_text("This cannot be taken back.").wait_for()
    page.get_by_role("button", name="Close it for good").click()
    page.get_by_text("closed after").wait_for()
