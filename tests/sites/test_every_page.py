"""Every page of a site in a real browser, with what a site has after some months."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from languages.toolchains import need
from pages.shut_out import shut_out

from .every_page import full_site, new_site, new_site_entered, new_site_with_ladder
from .pictures import open_page
from .shown import Filled
from .test_in_a_browser import OVERFLOW

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only
WAYS: Final = ((1400, "light"), (360, "dark"))
"""How each page is looked at. What takes long is looked for in one of them, by turns."""


def faults(browser: Browser, axe: str, site: Filled) -> list[str]:
    """What is wrong with the pages of a site, each as each of its readers sees it."""
    found = []
    for who in dict.fromkeys(each.who for each in site.pages):
        context = browser.new_context()
        context.add_cookies(site.cookies(who))  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(axe)
        for place, shown in enumerate(each for each in site.pages if each.who == who):
            open_page(page, site.served.address, shown)
            for turn, (width, scheme) in enumerate(WAYS):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                page.set_viewport_size({"width": width, "height": 800})
                said = [*cut_off(page), *(shut_out(page) if place % 2 == turn else [])]
                found += [f"{shown.name}, {width}, {scheme}: {each}" for each in said]
        context.close()
    return found


def cut_off(page: Page) -> list[str]:
    """Whether a page scrolls sideways."""
    over = page.evaluate(OVERFLOW)
    return [f"{over} pixels are out of sight"] if over > 0 else []


def test_every_page_fits_and_shuts_nobody_out(browser: Browser, axe: str, tmp_path: Path) -> None:
    """No page of a site scrolls sideways, narrow or wide, and readers of every kind find names,
    labels and contrast, light and dark: new and full, in every state, as host, author and stranger.
    """
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    sites: list[Filled] = []
    found: list[str] = []
    try:
        sites.append(new_site(tmp_path / "new"))
        found += faults(browser, axe, sites[0])
        for step in (new_site_entered, new_site_with_ladder):
            step(sites[0])
            found += faults(browser, axe, sites[0])
        sites.append(full_site(tmp_path / "full", bots=12, games=24))
        found += faults(browser, axe, sites[1])
    finally:
        for site in sites:
            site.served.remove()
    assert found == []
