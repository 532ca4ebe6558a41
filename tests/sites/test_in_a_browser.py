"""A site in a real browser: from nothing to a stranger's bot handed in, by clicks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pages.shut_out import shut_out

from .conftest import Serve
from .served import LADDER, Served
from .test_handing_in import bot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FAILING = 'import sys\nprint("a long line " * 60, file=sys.stderr)\nraise SystemExit(3)\n'


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new browser, in which nobody is signed in, with a passkey's device."""
    yield from new_page(browser)


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """Another one."""
    yield from new_page(browser)


def new_page(browser: Browser) -> Iterator[Page]:
    """A browser with an authenticator, in which every error of a script is a failure."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on(
        "console",
        lambda said: failures.append(said.text) if "Content Security" in said.text else None,
    )
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.set_default_timeout(300_000)
    yield page
    context.close()
    assert failures == []


def join(page: Page, link: str, name: str) -> None:
    """Join by a link, and make a passkey."""
    page.goto(link)
    page.get_by_label("Your name here").fill(name)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("button", name="Make a passkey").click()
    page.get_by_text("not used yet").wait_for()


def hand_in(page: Page, path: Path, button: str = "Hand it in") -> None:
    """Hand a bot in by clicks, from the first page."""
    page.get_by_role("link", name="friday").click()
    page.get_by_role("link", name="Hand in a bot").click()
    page.get_by_label("A zip or tar").set_input_files(path)
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/submissions/*")


def test_from_nothing_to_a_strangers_bot(
    serve: Serve, page: Page, other: Page, tmp_path: Path
) -> None:
    """A host and a stranger, two browsers: links, passkeys, a ladder, an invitation, a bot."""
    served = serve()
    join(page, served.link, "hosty")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("link", name="hosty").wait_for()
    page.get_by_role("link", name="Make a ladder").click()
    page.get_by_label("Its name").fill("friday")
    page.get_by_label("Its definition").fill(LADDER)
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("heading", name="friday").wait_for()
    page.get_by_role("link", name="People").click()
    page.get_by_label("Invite somebody").fill("a stranger")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".secret").inner_text()

    join(other, link, "stranger")
    other.goto(served.address)
    (tmp_path / "bot.zip").write_bytes(bot("strange"))
    hand_in(other, tmp_path / "bot.zip")
    other.get_by_text("strange passes").wait_for()  # told live, without a reload
    other.get_by_text("plays gargon").first.wait_for()


def test_a_failing_bot_is_told_of_live_and_without_script(
    site: Served, browser: Browser, page: Page, tmp_path: Path
) -> None:
    """The whole diagnosis is there as it comes, and the same where no script runs."""
    host = site.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    link = host.post("/people/invitations", role="author", note="").secret
    join(page, link, "failing")
    page.goto(site.address)
    (tmp_path / "bot.zip").write_bytes(bot("fails", program=FAILING))
    hand_in(page, tmp_path / "bot.zip")
    page.get_by_text("did not pass").first.wait_for()
    told = page.locator("#report").inner_text()
    assert "a long line a long line" in told
    assert "what to do" in told
    cookies = page.context.cookies()
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    plain = context.new_page()
    plain.goto(page.url)
    assert plain.locator("#report").inner_text() == told
    context.close()


def test_a_bot_is_tried_played_and_entered_by_clicks(
    serve: Serve, page: Page, axe: str, tmp_path: Path
) -> None:
    """Only try it, let it play, watch a replay, enter it; without a reload by hand."""
    served = serve()
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    page.add_init_script(axe)
    page.context.add_cookies(
        [{"name": "session", "value": host.cookies["session"], "url": served.address}]
    )
    (tmp_path / "bot.zip").write_bytes(bot("tried"))
    page.goto(served.address)
    hand_in(page, tmp_path / "bot.zip", "Only try it")
    page.get_by_text("passed; not entered").wait_for()
    submission = page.url
    page.get_by_label("Opponent 1").select_option("gargon-backs")
    page.get_by_role("button", name="Let it play").click()
    page.get_by_role("link", name="watch game 0").wait_for()
    for width in (360, 1400):
        page.set_viewport_size({"width": width, "height": 800})
        for path in (page.url, submission, f"{served.address}/ladders/friday/matches"):
            page.goto(path)
            assert page.evaluate(OVERFLOW) <= 0, (path, width)
            assert shut_out(page) == [], path
        page.goto(submission)
        page.get_by_role("link", name="1", exact=True).click()
    page.get_by_role("link", name="watch game 0").click()
    page.get_by_role("heading", name="Gargon").first.wait_for()
    page.goto(submission)
    page.get_by_role("button", name="Enter it").click()
    page.get_by_text("on the ladder").first.wait_for()


def test_a_passkey_that_is_not_known_signs_nobody_in(site: Served, page: Page) -> None:
    """A browser without a passkey of this site is told so, in words."""
    page.goto(f"{site.address}/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("No passkey was given.").wait_for()
