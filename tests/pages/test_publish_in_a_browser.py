"""Published ladders in a real browser: from disk and from a server, with script and without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from arena.cli.arguments import plugins
from arena.ladder.source import games_in, open_source
from arena.publishing import publish as publishing
from command import arena

from .browsers import PATIENCE
from .published_ladders import Played, ladder
from .shut_out import SERIOUS, shut_out
from .test_in_a_browser import NARROW, SMUGGLE, WIDE, Quiet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only

KINDS = [
    "index.html",
    "by-faults.html",
    "pairs.html",
    "tables.html",
    "trust.html",
    "games/index.html",
    "games/0.html",
    "bots/hostile.html",
    "bots/gargon-backs.html",
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A ladder that is closed."""
    found = ladder(tmp_path_factory.mktemp("played"))
    found.close()
    return found


@pytest.fixture(scope="module")
def site(played: Played) -> Path:
    """It published, with ten games on a page of the list, and with what verification says."""
    verified = played.folder / "verified.json"
    words = ("ladder", "verify", str(played.store), "--json", "--workers", "1")
    verified.write_text(arena(*words).out)
    path = played.folder / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "GAMES_A_PAGE", 10)
        found = publishing.read_verified(verified)
        source, game = open_source(played.store), plugins().games["gargon"]
        publishing.publish(source, game, path, 1, lambda _made, _of: None, found)
    return path


@contextmanager
def window(
    browser: Browser,
    *,
    size: tuple[int, int] = WIDE,
    dark: bool = False,
    script: bool = True,
) -> Iterator[Page]:
    """A window; an error in its console or a question of a script is a failure."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
    )
    wrong: list[str] = []
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: wrong.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    page.on("dialog", lambda dialog: wrong.append(f"{page.url}: {dialog.message}"))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("file:", "http://127.0.0.1"))
            else wrong.append(request.url)
        ),
    )
    yield page
    context.close()
    assert wrong == []


def test_every_page_opens_from_disk(browser: Browser, site: Path) -> None:
    """No page has an error, asks for anything from elsewhere, or runs a word of a bot."""
    with window(browser) as page:
        for path in sorted(site.rglob("*.html")):
            page.goto(path.as_uri())
            assert page.evaluate("typeof stolen") == "undefined"
            assert page.locator("img, i[onclick]").count() == 0
            assert page.title()


@pytest.mark.parametrize("served", [False, True], ids=["disk", "server"])
def test_a_reader_comes_from_the_standings_to_a_fault(
    browser: Browser, site: Path, played: Played, served: bool
) -> None:
    """From the table to a bot, and from its last fault to that decision of the replay; from disk,
    and from a folder within a server.
    """
    failed = [
        (record.number, fault)
        for record, _ in games_in(open_source(played.store))
        for fault in record.faults
    ]
    number, fault = failed[-1]
    with window(browser) as page, address(site, served=served) as start:
        page.goto(f"{start}index.html")
        page.locator(".standings").get_by_role("link", name="hostile").first.click()
        assert page.locator("h1").inner_text().startswith("hostile")
        page.locator(".faults tbody tr").first.get_by_role("link").click()
        page.locator("#app").wait_for()
        assert page.locator("#decision").input_value() == str(fault.decision)
        assert f"game {number}" in page.locator("h1").inner_text()
        assert "fault-of-hostile" in page.locator("#said").inner_text()
        assert page.locator("#story .fault details", has_text="stderr").count() == 0
        assert page.evaluate("typeof stolen") == "undefined"


@contextmanager
def address(site: Path, *, served: bool) -> Iterator[str]:
    """Where the site begins: on disk, or on a server in a folder of another site."""
    if not served:
        yield f"{site.as_uri()}/"
        return
    handler = partial(Quiet, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
        server.shutdown()


def numbers(page: Page) -> list[int]:
    """The numbers of the games that are listed."""
    return [int(text) for text in page.locator("#data th").all_inner_texts()]


@pytest.mark.parametrize("served", [False, True], ids=["disk", "server"])
def test_games_are_filtered_over_all_pages(
    browser: Browser, site: Path, played: Played, served: bool
) -> None:
    """By bot, its place, how it ended and table size; the address keeps what was asked."""
    records = [record for record, _ in games_in(open_source(played.store))]
    faulty = [each.number for each in records if each.faults]
    first = [
        each.number
        for each in records
        for seat, bot in enumerate(each.bots)
        if bot.name == "ada" and each.game.places[seat] == 1
    ]
    with window(browser) as page, address(site, served=served) as start:
        page.goto(f"{start}games/index.html")
        assert numbers(page) == list(range(23, 13, -1))
        page.select_option("[name=end]", "fault")
        page.get_by_text("in all games").wait_for()
        assert numbers(page) == faulty[::-1]
        page.select_option("[name=end]", "")
        page.select_option("[name=bot]", "ada")
        page.select_option("[name=place]", "1")
        page.get_by_text(f"{len(first)} found in all games").wait_for()
        assert numbers(page) == first[::-1]
        assert page.url.endswith("#bot=ada&place=1")
        page.goto(f"{start}bots/ada.html")
        page.get_by_role("link", name="All games with ada").click()
        page.get_by_text("in all games").wait_for()
        assert len(numbers(page)) == sum("ada" in [b.name for b in each.bots] for each in records)


def test_without_script_everything_can_be_read(browser: Browser, site: Path) -> None:
    """Games are listed by pages, the standings sorted by links; what needs script says so."""
    with window(browser, script=False) as page:
        page.goto((site / "index.html").as_uri())
        page.locator("thead").get_by_role("link", name="Share").click()
        assert page.locator("th[aria-sort=descending]").inner_text().startswith("Share")
        shares = page.locator(".of-share").all_inner_texts()[1:]
        assert shares == sorted(shares, key=lambda text: -int(text.split()[0]))
        page.get_by_role("navigation").get_by_role("link", name="Games").click()
        assert page.locator("#filters").is_hidden()
        page.get_by_role("link", name="0–9").click()
        assert numbers(page) == list(range(9, -1, -1))
        page.locator("#data th a").first.click()
        assert "needs JavaScript" in page.inner_text("body")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_shut_out(
    browser: Browser, axe: str, site: Path, size: tuple[int, int], dark: bool
) -> None:
    """axe-core finds nothing serious on any kind of page, and nothing is wider than the window."""
    with window(browser, size=size, dark=dark) as page:
        for name in KINDS:
            page.goto((site / name).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            page.evaluate(axe)
            assert shut_out(page, SERIOUS) == [], name


def test_no_other_script_can_run(browser: Browser, site: Path) -> None:
    """The browser holds every kind of page to its policy."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    for name in ("index.html", "games/index.html", "replay.html", "replays/3.html"):
        page.goto((site / name).as_uri())
        assert str(page.evaluate(SMUGGLE)).startswith("script-src"), name
        assert page.evaluate("typeof stolen") == "undefined"
    page.close()


def test_a_strange_frame_cannot_tell_a_game(browser: Browser, site: Path, tmp_path: Path) -> None:
    """A page that puts a replay into a frame and sends it data of its own is not heard."""
    outer = tmp_path / "outer.html"
    source = (site / "replay.html").as_uri()
    outer.write_text(
        f'<iframe src="{source}?game=3"></iframe><script>setInterval(() => '
        "frames[0].postMessage('{\"game\":\"forged\"}', '*'), 1)</script>"
    )
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(outer.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("#app").wait_for()
    assert "game 3" in frame.locator("h1").first.inner_text()
    page.close()
