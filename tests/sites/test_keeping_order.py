"""The host keeps order on a ladder by the site: wishes, what becomes of them, and who may."""

from __future__ import annotations

import html
import json
import re
import time
from pathlib import Path

import pytest

from command import arena
from languages.toolchains import need

from .conftest import Serve
from .served import LADDER, Reply, Served, Visitor, token_of
from .test_handing_in import SECONDS, bot, decided

pytestmark = pytest.mark.source_only


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    begun(site)
    return host


def begun(site: Served, ladder: str = "friday") -> Path:
    """The log of a ladder, as soon as it has games."""
    log = site.folder / "ladders" / f"{ladder}.ladder" / "log"
    deadline = time.monotonic() + SECONDS
    while not log.exists() or '"entry":"block"' not in log.read_text():
        assert time.monotonic() < deadline, site.log[-2000:]
        time.sleep(0.2)
    return log


def last_entry(log: Path) -> dict[str, object]:
    """The last entry of a log that is no block."""
    lines = [line for line in log.read_text().splitlines() if '"entry":"block"' not in line]
    found: dict[str, object] = json.loads(lines[-1][33:])
    return found


def asked(host: Visitor, ladder: str = "friday", **form: object) -> Reply:
    """The page on which a host is asked once before his wish is left."""
    return host.post(f"/ladders/{ladder}/host", **form)


def became(host: Visitor, reply: Reply) -> str:
    """What a wish's page shows as soon as it is answered."""
    assert reply.status == 303, reply.text
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        page = host.get(reply.where).text
        if "data-waiting" not in page:
            return page
        time.sleep(0.2)
    raise AssertionError(page)


def wished(host: Visitor, ladder: str = "friday", **form: object) -> str:
    """What becomes of a wish that is confirmed by the form that the site sends for that."""
    page = asked(host, ladder, **form).text
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page)
    fields = {key: html.unescape(value) for key, value in found}
    assert fields == {key: str(value) for key, value in form.items()}, page
    return became(host, host.post(f"/ladders/{ladder}/wishes", **fields))


def digest(site: Served, name: str) -> str:
    """The digest of the last version of a bot in the standings."""
    path = "/ladders/friday/standings"
    found = site.visitor().call("GET", path).json["overview"]["standings"]
    return str([row["digest"] for row in found if row["bot"] == name][-1])


def contestants(log: Path) -> dict[str, str]:
    """The digests of all that have entered, by name."""
    found = {}
    for line in log.read_text().splitlines():
        entry = json.loads(line[33:])
        if entry["entry"] == "enter":
            found |= {each["name"]: each["digest"] for each in entry.get("contestants", ())}
    return found


def test_a_ladder_is_paused_goes_on_and_ends_elsewhere(site: Served, host: Visitor) -> None:
    """Each question names what will happen; each answer is the log's, and can be read again."""
    log = begun(site)
    question = asked(host, wish="pause", reason="more memory").text
    assert "Pause friday?" in question
    assert "more memory" in question
    assert "paused" not in log.read_text()  # nothing has happened by asking
    page = wished(host, wish="pause", reason="more memory")
    assert "paused: nothing is played from block" in page
    assert last_entry(log) == {"entry": "change", "paused": True, "reason": "more memory"}
    deadline = time.monotonic() + SECONDS
    while "Paused by its host." not in site.visitor().get("/ladders/friday").text:
        assert time.monotonic() < deadline  # what is shown to many may be a second old
        time.sleep(0.2)
    again = asked(host, wish="pause")
    assert again.status == 409
    assert "this ladder is paused already" in again.text
    assert "goes on with block" in wished(host, wish="go-on")
    page = wished(host, wish="budget", each="8", reason="short of time")
    assert "the budget is each = 8" in page
    assert last_entry(log)["budget"] == {"each": 8}
    listed = host.get("/ladders/friday/host").text
    assert listed.count(">granted<") == 3
    assert "more memory" in listed
    assert "hosty" in listed


def test_bots_are_taken_out_and_their_authors_read_why(site: Served, host: Visitor) -> None:
    """Set aside a version stays out, though its author enters it again; a newer one comes in."""
    log = begun(site)
    author = site.invited(host, "ada")
    handed = author.hand_in("friday", bot("crashes"))
    assert "on the ladder" in decided(author, handed)
    own = contestants(log)["crashes"]
    refused = asked(host, wish="set-aside", bot=own, reason="  ")
    assert refused.status == 400
    assert "say why" in refused.text
    assert (
        "Set crashes 1 aside on friday?"
        in asked(host, wish="set-aside", bot=own, reason="fails").text
    )
    assert "(set aside: fails &lt;b&gt;)" in wished(
        host, wish="set-aside", bot=own, reason="fails <b>"
    )
    deadline = time.monotonic() + SECONDS
    while "taken it out: set aside: fails" not in author.get(handed.where).text:
        assert time.monotonic() < deadline, author.get(handed.where).text
        time.sleep(0.3)
    again = decided(author, author.post(handed.where + "/enter-again"))
    assert "did not let it in: the host has taken it out: set aside: fails" in again
    assert "hand in another version" in again
    assert "on the ladder" in decided(author, author.hand_in("friday", bot("crashes", "2")))
    newer = contestants(log)["crashes"]
    assert "crashes 2 plays no more" in wished(host, wish="withdraw", bot=newer, reason="")
    page = wished(host, wish="disqualify", bot=newer, reason="two names")
    assert "(disqualified: two names)" in page
    assert "disqualified" in json.dumps(last_entry(log))
    few = asked(host, wish="withdraw", bot=contestants(log)["random"], reason="")
    assert few.status == 409
    assert "tables of 3 need 3 contestants, and 2 would be left" in few.text


def test_blocks_are_annulled_and_mistakes_are_named(site: Served, host: Visitor) -> None:
    """Whole blocks stop counting, by numbers as the command takes them."""
    log = begun(site)
    question = asked(host, wish="annul", blocks="0", reason="no memory").text
    assert "Annul 1 block of friday?" in question
    assert "This cannot be taken back." in question
    assert "1 block annulled (no memory)" in wished(
        host, wish="annul", blocks="0", reason="no memory"
    )
    assert last_entry(log)["blocks"] == [0]
    for form, status, words in (
        ({"wish": "annul", "blocks": "0", "reason": "x"}, 409, "block 0: is annulled already"),
        ({"wish": "annul", "blocks": "4-2", "reason": "x"}, 400, "first to last"),
        ({"wish": "annul", "blocks": "x", "reason": "x"}, 400, "expected the number of a block"),
        ({"wish": "annul", "blocks": "0-9999999", "reason": "x"}, 400, "5000 blocks"),
        ({"wish": "annul", "blocks": "", "reason": "x"}, 400, "such as 12 40-43"),
        ({"wish": "budget", "each": "0"}, 400, "each: expected a number from 1"),
        ({"wish": "budget", "certain": "2"}, 400, "certain: expected a number above 0.5"),
        ({"wish": "budget"}, 409, "expected a part of a budget"),
        ({"wish": "disqualify", "bot": "", "reason": "x"}, 400, "choose one"),
        ({"wish": "disqualify", "bot": "nobody", "reason": "x"}, 409, "nobody of this name"),
        ({"wish": "pause", "reason": "x" * 901}, 400, "reason: expected"),
        ({"wish": "enter"}, 400, "expected what is to happen"),
    ):
        for path in ("host", "wishes"):
            reply = host.post(f"/ladders/friday/{path}", **form)
            assert reply.status == status, (form, reply.text)
            assert words in reply.text, (form, reply.text)


def test_nobody_but_the_host_keeps_order(site: Served, host: Visitor) -> None:
    """Authors, spectators, strangers, other sites and tokens without the scope change nothing."""
    log = begun(site)
    left = len(host.call("GET", "/ladders/friday/wishes", token_of(host, "host")).json["wishes"])
    before = log.read_bytes()
    paths = ("/ladders/friday/host", "/ladders/friday/wishes/1", "/ladders/friday/wishes/1/state")
    people = {
        "stranger": site.visitor(),
        "author": site.invited(host, "nosy"),
        "spectator": site.invited(host, "looks-on", "spectator"),
    }
    for name, somebody in people.items():
        for path in paths:
            reply = somebody.get(path)
            assert reply.status == (303 if name == "stranger" else 403), (name, path)
        for path in ("host", "wishes"):
            reply = somebody.post(f"/ladders/friday/{path}", wish="close", because="host")
            assert reply.status == (303 if name == "stranger" else 403), (name, path)
            assert "/wishes/" not in reply.where
    assert "Keep order" not in people["author"].get("/ladders/friday").text
    for origin in ("https://evil.example", "null"):
        headers = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
        for path in ("host", "wishes"):
            reply = host.send("POST", f"/ladders/friday/{path}", b"wish=close", headers)
            assert reply.status == 403
    own = [token_of(people["author"]), token_of(host, "read", "submit"), None, "arena_wrong"]
    for token in own:
        for method, path in (
            ("GET", "/ladders/friday/status"),
            ("GET", "/ladders/friday/wishes"),
            ("GET", "/ladders/friday/wishes/1"),
            ("POST", "/ladders/friday/wishes"),
        ):
            reply = host.call(method, path, token, {"wish": "close"} if method == "POST" else None)
            assert reply.status in (401, 403), (token, path)
    found = host.call("GET", "/ladders/friday/wishes", token_of(host, "host")).json["wishes"]
    assert len(found) == left
    assert log.read_bytes() == before


def test_programs_keep_order_and_a_closed_ladder_stays_closed(serve: Serve, tmp_path: Path) -> None:
    """A host's token does all that the pages do; what comes after the end is refused, not lost."""
    served = serve()
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    log = begun(served)
    token = token_of(host, "host")

    def left(**wish: object) -> Reply:
        return host.call("POST", "/ladders/friday/wishes", token, wish)

    def answered(number: int) -> dict[str, object]:
        deadline = time.monotonic() + SECONDS
        while True:
            found = host.call("GET", f"/ladders/friday/wishes/{number}", token).json
            if found["state"] != "waiting":
                return dict(found)
            assert time.monotonic() < deadline
            time.sleep(0.2)

    for wish, words in (
        ({"wish": "pause", "reason": 3}, "the body does not fit"),
        ({"wish": "enter", "bots": []}, "the body does not fit"),
        ({"wish": "set-aside", "bot": "random", "reason": ""}, "the body does not fit"),
        ({"wish": "budget", "budget": {"each": 0}}, "the body does not fit"),
    ):
        refused = left(**wish)
        assert refused.status == 400
        assert words in refused.json["error"]
    assert left(wish="go-on").json["error"] == "this ladder is not paused"
    kept = left(wish="close")
    assert kept.status == 202
    assert kept.json["state"] == "waiting"
    done = answered(kept.json["number"])
    assert done["state"] == "granted"
    assert str(done["answer"]).startswith("closed after")
    assert last_entry(log)["entry"] == "close"
    assert "closed" in left(wish="pause").json["error"]
    path = log.parent
    status = host.call("GET", "/ladders/friday/status", token).json
    shown = arena("ladder", "status", str(path), "--json").json
    for found in (status["status"], shown):
        found["host"].pop("load")
        found["disk"].pop("free")
        found.pop("run")
        found.pop("store")
    assert status["status"] == shown
    assert arena("ladder", "verify", str(path)).code == 0


def test_a_wish_waits_for_a_run_and_survives_kills(serve: Serve) -> None:
    """Where no run is on the page says so; a wish that a kill kept from the inbox is left again."""
    served = serve(settings="play = false\n")
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    early = asked(host, wish="pause")
    assert early.status == 409
    assert "has not begun" in early.text
    ladders, vault = served.folder / "ladders", {"ARENA_VAULT": str(served.folder / "vault")}
    made = arena("ladder", "run", "friday.toml", "--games", "3", cwd=ladders, env=vault)
    assert made.code == 0, made.err
    reply = host.post("/ladders/friday/wishes", wish="pause", reason="")
    assert "waits for a run of the ladder; none is on" in host.get(reply.where).text
    served.kill()
    (left,) = (ladders / "friday.ladder" / "inbox").iterdir()
    left.unlink()  # as if the kill had come before it was left
    served = serve(served.folder)
    host.address = served.address
    deadline = time.monotonic() + SECONDS
    while not left.exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    done = arena("ladder", "budget", "friday.ladder", "--each", "9", cwd=ladders, env=vault)
    assert done.code == 0, done.err
    assert "paused: nothing is played" in became(host, reply)
