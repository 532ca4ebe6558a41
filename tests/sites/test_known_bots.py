"""What everybody learns of bots: whose they are, and the way from published pages to the site."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from command import arena, assert_refused
from languages.toolchains import need

from .served import LADDER, Served, Visitor
from .test_handing_in import SECONDS, bot, decided

pytestmark = pytest.mark.source_only
FAILING = "raise SystemExit(3)\n"


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    return host


def shown(visitor: Visitor, path: str, words: str) -> str:
    """A page, as soon as it has these words: what is shown to many may be some seconds old."""
    deadline = time.monotonic() + SECONDS
    while words not in (page := visitor.get(path)).text or page.status != 200:
        assert time.monotonic() < deadline, (path, page.status, page.text)
        time.sleep(0.3)
    return page.text


def test_a_bots_page_says_who_has_handed_it_in(site: Served, host: Visitor) -> None:
    """From the standings to the bot, to its author, to his other bots; versions that left stay."""
    author, stranger = site.invited(host, "ada"), site.visitor()
    for name, version in (("mine", "1"), ("mine", "2"), ("other", "1")):
        assert "on the ladder" in decided(author, author.hand_in("friday", bot(name, version)))
    page = shown(stranger, "/ladders/friday", 'href="/ladders/friday/bots/other"')
    assert page.count('href="/authors/ada"') == 3
    page = shown(stranger, "/ladders/friday/bots/mine", "replaced by version 2")
    assert page.count('href="/authors/ada"') == 2
    page = stranger.get("/authors/ada").text
    assert 'href="/ladders/friday/bots/other"' in page
    assert "nobody: it is the host" in stranger.get("/ladders/friday/bots/random").text
    found = stranger.call("GET", "/ladders/friday/bots/mine").json["versions"]
    listed = [(each["standing"]["version"], each["author"]) for each in found]
    assert listed == [("2", "ada"), ("1", "ada")]
    bots = stranger.call("GET", "/authors/ada").json["versions"]
    assert {each["standing"]["bot"] for each in bots} == {"mine", "other"}


def test_what_never_entered_is_nobodys_business(site: Served, host: Visitor) -> None:
    """Who has only failed, or hands in nothing, is no author; nor is there a page of such a bot."""
    author, stranger = site.invited(host, "only-fails"), site.visitor()
    assert "did not pass" in decided(author, author.hand_in("friday", bot("f", program=FAILING)))
    for path in ("/authors/only-fails", "/authors/hosty", "/authors/nobody", "/authors/%00"):
        assert stranger.get(path).status == 404, path
        assert stranger.call("GET", path).status == 404, path
    for name in ("f", "nope", "..%2f..", "%3Cscript%3E"):
        reply = stranger.get(f"/ladders/friday/bots/{name}")
        assert reply.status == 404, name
        assert "<script>" not in reply.text.replace('<script src="/assets/site.js" defer>', "")


def test_published_pages_lead_back_to_the_site(site: Served, host: Visitor, tmp_path: Path) -> None:
    """Each published page has a link to the ladder's page, a bot's page one to who handed it in."""
    stranger = site.visitor()
    home = f"{site.address}/ladders/friday"
    assert f'href="{home}"' in shown(stranger, "/ladders/friday/pages/", "Who beats whom")
    assert f'href="{home}"' in stranger.get("/ladders/friday/pages/trust.html").text
    page = stranger.get("/ladders/friday/pages/bots/random.html").text
    assert f'href="{home}/bots/random"' in page
    assert stranger.get("/ladders/friday/bots/random").status == 200
    store = str(site.folder / "ladders" / "friday.ladder")
    for wrong in ("javascript:alert(1)", "//evil.example", "friday"):
        done = arena("ladder", "publish", store, str(tmp_path / "pages"), "--home", wrong)
        assert_refused(done, "--home: expected an address")
