"""Pictures of every page of a site, narrow and wide, light and dark, for people to look at.

From the folder `tests`, with Debian's Chromium: python -m sites.pictures FOLDER [PART OF A NAME...]

It fills a site, which takes some minutes, and writes NAME-360-light.png and so on, with sheets of
many pictures at once. With parts of names it makes those pictures alone. With --site the site stays
where that says, and is served again the next time, so that changes of a template or a style are
seen in seconds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .every_page import (
    full_site,
    full_site_again,
    new_site,
    new_site_entered,
    new_site_with_ladder,
    running_site,
)
from .shown import Filled, Shown, post_script

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS: Final = (360, 1400)
SCHEMES: Final = ("light", "dark")
HEIGHT: Final = 800
HIGHEST: Final = 6000
"""Pixels of a picture; what is below is not in it."""
A_SHEET: Final = {360: 14, 1400: 8}
"""Pictures on one sheet."""


@dataclass
class Camera:
    """Makes pictures of pages, as somebody sees them."""

    browser: Browser
    folder: Path
    parts: Sequence[str]

    def shoot(self, site: Filled) -> None:
        """Make the pictures of all pages of a site."""
        wanted = [each for each in site.pages if self._wants(each)]
        for width in WIDTHS:
            for who in dict.fromkeys(each.who for each in wanted):
                context = self.browser.new_context(viewport={"width": width, "height": HEIGHT})
                context.add_cookies(site.cookies(who))  # type: ignore[arg-type]
                page = context.new_page()
                for shown in (each for each in wanted if each.who == who):
                    self._shoot(page, site, shown, width)
                context.close()

    def _wants(self, shown: Shown) -> bool:
        return not self.parts or any(part in shown.name for part in self.parts)

    def _shoot(self, page: Page, site: Filled, shown: Shown, width: int) -> None:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            if scheme == SCHEMES[0] or not shown.form:
                open_page(page, site.served.address, shown)
                page.wait_for_timeout(150)  # what a script does first
            height = page.evaluate("document.documentElement.scrollHeight")
            page.screenshot(
                path=self.folder / f"{shown.name}-{width}-{scheme}.png",
                full_page=True,
                animations="disabled",
                clip={"x": 0, "y": 0, "width": width, "height": min(height, HIGHEST)},
            )

    def sheets(self) -> None:
        """Put many pictures on one, to be looked at together."""
        page = self.browser.new_page(viewport={"width": 1900, "height": 900})
        for width in WIDTHS:
            for scheme in SCHEMES:
                found = sorted(self.folder.glob(f"*-{width}-{scheme}.png"))
                found = [each for each in found if not each.name.startswith("sheet-")]
                for start in range(0, len(found), A_SHEET[width]):
                    part = found[start : start + A_SHEET[width]]
                    html = self.folder / "sheet.html"
                    html.write_text(_sheet(part, width))
                    page.goto(html.as_uri())
                    name = f"sheet-{width}-{scheme}-{start // A_SHEET[width]:02}.png"
                    page.screenshot(path=self.folder / name, full_page=True)
                    html.unlink()
        page.close()


def open_page(page: Page, address: str, shown: Shown) -> None:
    """Open a page; one that answers a form by sending that from a page of the site."""
    if shown.form is None:
        page.goto(address + shown.path, wait_until="load")
        return
    page.goto(f"{address}/sign-in")
    with page.expect_navigation(wait_until="load"):
        page.evaluate(post_script(shown))


def _sheet(pictures: Sequence[Path], width: int) -> str:
    columns = 7 if width < 700 else 4
    shown = "".join(
        f"<figure><figcaption>{each.stem}</figcaption><div><img src='{each.as_uri()}'></div>"
        "</figure>"
        for each in pictures
    )
    return (
        "<meta charset=utf-8><style>body{margin:4px;font:12px sans-serif;background:#888;"
        f"display:grid;grid-template-columns:repeat({columns},1fr);gap:4px}}"
        "figure{margin:0}img{width:100%;display:block}div{max-height:1100px;overflow:hidden}"
        f"</style>{shown}"
    )


def main() -> None:
    """Fill a site, and make pictures of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="for the pictures")
    parser.add_argument("part", nargs="*", help="of the names of the pictures that are made")
    parser.add_argument("--site", type=Path, help="keep the filled site here, to be used again")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    place = words.site or Path(tempfile.mkdtemp(prefix="arena-pictures-"))
    place.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium")
    from playwright.sync_api import sync_playwright  # here, as the wheel is tested without it

    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    sites: list[Filled] = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=options)
            camera = Camera(browser, words.folder.absolute(), words.part)
            _shoot_all(camera, place.absolute(), sites)
            camera.sheets()
    finally:
        for site in sites:
            site.served.remove()
        if words.site is None:
            shutil.rmtree(place, ignore_errors=True)


def _shoot_all(camera: Camera, place: Path, sites: list[Filled]) -> None:
    """Make pictures of a new site, of a full one, and of one whose ladders are played."""
    shutil.rmtree(place / "new", ignore_errors=True)
    new = new_site(place / "new")
    sites.append(new)
    camera.shoot(new)
    for step in (new_site_entered, new_site_with_ladder):
        step(new)
        camera.shoot(new)
    began = time.monotonic()
    is_filled = (place / "full-pages.json").exists()
    full = full_site_again(place / "full") if is_filled else full_site(place / "full")
    sites.append(full)
    print(f"{len(full.pages)} pages, after {time.monotonic() - began:.0f} s")
    camera.shoot(full)
    full.served.stop()
    running = running_site(full)
    sites.append(running)
    camera.shoot(running)
    running.served.stop()


if __name__ == "__main__":
    main()
