"""Every page of a site: when it was just made, full, and while its ladders are played."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.mail_addresses import MailAddresses
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.rules.submissions import State

from .filled import (
    BOTS,
    LONG,
    PEOPLE,
    SetClock,
    contestants_of,
    fill_database,
    run,
    write_ladders,
    write_settings,
)
from .filled_by_hand import hand_in, until_published
from .served import LADDER, Served
from .shown import Filled, Shown


def new_site(folder: Path) -> Filled:
    """Serve a site that was just made, by the settings that it has then, but without runs."""
    folder.mkdir(mode=0o700)
    (folder / "site.toml").write_text("play = false\n")
    served = Served(folder)
    site = Filled(served, {})
    site.show("new-home-stranger", "/")
    site.show("new-sign-in", "/sign-in")
    site.show("new-enter-host", served.link)
    return site


def new_site_entered(site: Filled) -> None:
    """Let the first host in: only with him are there these pages."""
    host = site.served.host()
    site.sessions = {"host": host.cookies["session"]}
    site.pages = []
    site.show("new-home-host", "/", "host")
    site.show("new-account", "/account?new=1", "host")
    site.show("new-people", "/people", "host")
    site.show("new-queue", "/queue", "host")
    site.show("new-my-bots", "/submissions", "host")
    site.show("new-ladder-form", "/new-ladder", "host")


def new_site_with_ladder(site: Filled) -> None:
    """Make the first ladder, which has not begun."""
    site.visitor("host").post("/new-ladder", name="friday", definition=LADDER)
    site.pages = []
    site.show("one-home-stranger", "/")
    site.show("one-ladder-not-begun", "/ladders/friday")
    site.show("one-ladder-not-begun-host", "/ladders/friday", "host")
    site.show("one-host-not-begun", "/ladders/friday/host", "host")
    site.show("one-my-bots", "/submissions", "host")
    site.show("one-challenges", "/ladders/friday/matches")


def full_site(folder: Path, *, bots: int = 40, games: int = 80) -> Filled:
    """Fill a folder, serve it without runs, and hand in what shows every state."""
    SiteFolder(folder).make()
    write_settings(folder, play=False)
    write_ladders(folder, bots, games)
    sessions = fill_database(folder)
    site = Filled(Served(folder), sessions)
    try:
        hand_in(site)
        until_published(site)
        list_pages(site)
    except BaseException:
        site.served.remove()
        raise
    known = {"sessions": dict(sessions), "pages": [asdict(each) for each in site.pages]}
    _known(folder).write_text(json.dumps(known))
    return site


def full_site_again(folder: Path) -> Filled:
    """Serve a folder again that was filled before, as after a change of a template."""
    known = json.loads(_known(folder).read_text())
    write_settings(folder, play=False)
    return Filled(Served(folder), known["sessions"], [Shown(**each) for each in known["pages"]])


def _known(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-pages.json")


def list_pages(site: Filled) -> None:
    """List the pages of a full site."""
    _people_pages(site)
    _ladder_pages(site)
    _host_pages(site)
    _refusals(site)
    _published_pages(site)


def _people_pages(site: Filled) -> None:
    show, host = site.show, "host"
    show("home-stranger", "/")
    show("home-author", "/", "author")
    show("home-host", "/", host)
    show("sign-in", "/sign-in")
    show("sign-in-sent", "/sign-in", form={"mail": "somebody@example.org"})
    show("join", "/join")
    show("join-name-taken", "/join", form={"name": "ada"})
    show("enter-by-link", _link(site, "/people/invitations", {"role": "author", "note": "x"}))
    number = next(n for n, name in enumerate(("hosty", *PEOPLE), 1) if name == "ada")
    show("enter-sign-in", _link(site, f"/people/{number}/link", {}))
    show("enter-used", "/enter/0123456789abcdef0123456789abcdef")
    show("account", "/account", "author")
    show("account-spectator", "/account", "spectator")
    show("delete-refused", "/account/delete", "author", {"name": "ada"})
    show("token-once", "/account/tokens", "author", {"label": "CI", "scope": "read"})
    show("link-once", "/account/link", "author", {})
    show("mail-sent", "/account/mail", "author", {"mail": "ada@example.org"})
    show("mail-confirm", f"/account/mail/{_mail_link(site, 'spectator')}", "spectator")
    show("login-code", "/login", "author")
    show("login-allow", f"/login/{_login(site)}", "author")
    show("people", "/people", host)
    show("invitation-once", "/people/invitations", host, {"role": "author", "note": "Jean"})
    show("queue", "/queue", host)
    show("new-ladder", "/new-ladder", host)
    mistake = 'game = "gargon"\ncontestants = ["random", "my-bot"]\ntables = [2, 9]\nbuget = 3\n'
    show("new-ladder-wrong", "/new-ladder", host, {"name": "Sunday", "definition": mistake})
    show("new-ladder-wrong-2", "/new-ladder", host, {"name": "sunday", "definition": mistake})


def _ladder_pages(site: Filled) -> None:
    show, friday = site.show, "/ladders/friday"
    for who in ("stranger", "author", "spectator", "host"):
        show(f"ladder-{who}", friday, who)
    for name in ("everybody", "autumn-cup", "stages-now", "winter", "spring", "at-home"):
        show(f"ladder-{name}", f"/ladders/{name}", "author")
    name = "a-ladder-whose-name-is-as-long-as-names-of-ladders-may-ever-be"
    show("ladder-long-name", f"/ladders/{name}", "author")
    show("hand-in", f"{friday}/hand-in", "author")
    show("hand-in-no-sandbox", "/ladders/at-home/hand-in", "author")
    show("hand-in-closed", "/ladders/autumn-cup/hand-in", "author")
    show("my-bots", "/submissions", "author")
    with closing(Database(SiteFolder(site.served.folder).database)) as database:
        left = Submissions(database, SetClock()).in_state(State.RETIRED, State.WITHDRAWN)
        for each in (each for each in left if each.author == "ada"):
            show(f"submission-{each.state}-{each.number}", f"/submissions/{each.number}", "author")
    show("watch", f"{friday}/watch")
    show("bot", f"{friday}/bots/night-owl")
    show("bot-of-host", f"{friday}/bots/gargon-backs")
    show("bot-long-name", f"/ladders/everybody/bots/{BOTS[-1]}")
    show("author", "/authors/ada")
    show("author-long-name", f"/authors/{PEOPLE[-1]}")
    show("challenges", f"{friday}/matches")
    show("challenges-author", f"{friday}/matches", "author")
    show("challenges-none", "/ladders/spring/matches", "author")


def _refusals(site: Filled) -> None:
    show, friday = site.show, "/ladders/friday"
    show("not-there", "/nowhere")
    show("no-such-ladder", "/ladders/monday", "author")
    show("not-allowed", "/people", "author")
    show("not-an-author", f"{friday}/hand-in", "spectator")
    show("others-submission", "/submissions/1", "spectator")
    three = ["random", "gargon-hand", "gargon-backs"]
    show("too-often", f"{friday}/matches", "author", {"bot": three, "deals": "1"})
    show("too-large", f"{friday}/matches", "author", {"bot": "x" * 70_000, "deals": "1"})
    show("wrong-method", f"{friday}/bots/night-owl", "author", {})
    report = SiteFolder(site.served.folder).report(1)
    report.unlink(missing_ok=True)
    report.mkdir()
    show("site-failed", "/submissions/1", "author")
    show("no-pages-yet", "/ladders/spring/pages/")


def _host_pages(site: Filled) -> None:
    show, host, friday = site.show, "host", "/ladders/friday"
    bots = contestants_of(site.served.folder, "friday")
    brittle = next(each.digest for each in bots if each.name == "brittle")
    for name in ("friday", "everybody", "autumn-cup", "winter", "spring"):
        show(f"host-{name}", f"/ladders/{name}/host", host)
    show("host-bot-chosen", f"{friday}/host?bot={brittle}", host)
    out = {"bot": brittle, "reason": "it crashes in every other game"}
    asked: Mapping[str, Mapping[str, str]] = {
        "pause": {"wish": "pause", "reason": "the host moves"},
        "close": {"wish": "close", "because": "host"},
        "set-aside": {"wish": "set-aside", **out},
        "withdraw": {"wish": "withdraw", **out},
        "disqualify": {"wish": "disqualify", **out},
        "annul": {"wish": "annul", "blocks": "0 2-3", "reason": "the machine slept"},
        "budget": {"wish": "budget", "each": "2000", "reason": ""},
        "no-reason": {"wish": "set-aside", "bot": brittle, "reason": ""},
        "bad-blocks": {"wish": "annul", "blocks": "seven", "reason": "why"},
        "bad-budget": {"wish": "budget", "each": "many", "reason": ""},
    }
    for name, form in asked.items():
        show(f"ask-{name}", f"{friday}/host", host, form)
    left = site.visitor(host)
    waiting = left.post(f"{friday}/wishes", **asked["set-aside"]).where
    show("wish-waiting", waiting, host)
    pause = "/ladders/stages-now/wishes"
    granted, refused = (left.post(pause, wish="pause", reason="a storm").where for _ in range(2))
    run(site.served.folder, "stages-now", "--games", "18")
    show("wish-granted", granted, host)
    show("wish-refused", refused, host)


def _published_pages(site: Filled) -> None:
    for name in ("index", "by-faults", "pairs", "tables", "trust", "games/index", "bots/brittle"):
        site.show(f"public-{name.replace('/', '-')}", f"/ladders/friday/pages/{name}.html")
    for name in ("index", "pairs", "games/index", f"bots/{BOTS[0]}"):
        path = f"/ladders/everybody/pages/{name}.html"
        site.show(f"public-many-{name.replace('/', '-')}", path)
    for name in ("index", "trust", "tables"):
        site.show(f"public-closed-{name}", f"/ladders/autumn-cup/pages/{name}.html")
    site.show("public-stages", "/ladders/stages-now/pages/index.html")
    site.show("public-replay", "/ladders/friday/pages/replay.html?game=0")
    site.show("public-replay-castors", "/ladders/autumn-cup/pages/replay.html?game=0")


def _link(site: Filled, path: str, form: Mapping[str, str]) -> str:
    return site.visitor("host").post(path, **form).secret


def _mail_link(site: Filled, who: str) -> str:
    with closing(Database(SiteFolder(site.served.folder).database)) as database:
        person = Accounts(database, SetClock()).by_session(site.sessions[who]).person
        assert person is not None
        addresses = MailAddresses(database, lambda: int(time.time()))
        return addresses.link(person, "somebody.with.a.long.name@mail.example.org")


def _login(site: Filled) -> str:
    asked = site.served.visitor().call(
        "POST", "/logins", None, {"label": "arena on ada's laptop", "scopes": ["read", "submit"]}
    )
    return str(asked.json["code"])


def running_site(site: Filled) -> Filled:
    """Serve the same folder again, with runs of its ladders."""
    folder = site.served.folder
    write_settings(folder, play=True)
    again = Filled(Served(folder), site.sessions)
    host = again.visitor("host")
    deadline = time.monotonic() + LONG
    while "a run is on" not in host.get("/ladders/friday/host").text:
        assert time.monotonic() < deadline, again.served.log
        time.sleep(0.5)
    again.show("running-ladder", "/ladders/friday", "author")
    again.show("running-host", "/ladders/friday/host", "host")
    again.show("running-queue", "/queue", "host")
    return again
