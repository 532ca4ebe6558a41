"""Matches: starters tried before they enter, test games, and challenges that everybody sees."""

from __future__ import annotations

import gzip
import io
import re
import time
import zipfile
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from arena.ladder.store import Store
from arena.packing.pack import is_packed, pack
from arena.programs.manifest import load_manifest
from arena.site.folder import SiteFolder
from arena.site.starters import Starters
from arena.starters.starter import starters, write_starter
from command import arena
from languages.toolchains import need

from .conftest import Serve
from .hostile import seeds_of_the_check
from .served import LADDER, Reply, Served, Visitor, token_of, write_bot
from .test_handing_in import bot, decided

pytestmark = pytest.mark.source_only
SECONDS = 600
AMULETS = [7] * 12
OTHER_RULES = LADDER + f"[rules]\namulets = {AMULETS}\n[time]\nbank = 60_000\n"
KNOWN = str(sorted(seeds_of_the_check()))
"""By its seeds a bot can tell its check, so it can pass it and fail here."""
FAILS = """\
import sys
from arena_sdk import run

def choose(question):
    if question.start.seed not in {known}:
        {what}
    return question.random.choice(question.actions)

run(choose, name="{name}")
""".replace("{known}", KNOWN)
CRASH = 'sys.stderr.write("my secret plan\\n"); raise ValueError("not yet")'
FOR_EVER = "while True: pass"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=OTHER_RULES).status == 303
    until_it_plays(site, host)
    return host


def until_it_plays(site: Served, somebody: Visitor) -> None:
    """Wait until the ladder has contestants."""
    deadline = time.monotonic() + SECONDS
    while not somebody.call("GET", "/ladders/friday").json["begun"]:
        assert time.monotonic() < deadline, site.log
        time.sleep(0.2)


def over(somebody: Visitor, where: str, token: str | None = None) -> Any:
    """What the interface tells of a match when it is over."""
    deadline = time.monotonic() + SECONDS
    while True:
        found = somebody.call("GET", where, token).json
        if not found["match"]["open"]:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.2)


def games_of(site: Served) -> int:
    """How many games the ladder's log has."""
    with Store.open(site.folder / "ladders" / "friday.ladder") as store:
        return store.ledger.games


def unpacked(data: bytes, folder: Path) -> Path:
    """The one folder in a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    (inside,) = folder.iterdir()
    return inside


def packed(folder: Path) -> bytes:
    """A zip of a folder, as people make it."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder.parent))
    return data.getvalue()


def try_it(author: Visitor, archive: bytes) -> Reply:
    """Hand an archive in by the form's other button."""
    edge = "edge"
    parts = b"".join(
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
        + value
        + b"\r\n"
        for name, more, value in (
            ("archive", '; filename="bot.zip"', archive),
            ("try", "", b"yes"),
        )
    )
    headers = {
        "Origin": author.address,
        "Content-Type": f"multipart/form-data; boundary={edge}",
    }
    body = parts + f"--{edge}--\r\n".encode()
    return author.send("POST", "/ladders/friday/hand-in", body, headers)


@pytest.mark.parametrize("language", starters())
def test_a_starter_from_the_site_is_what_the_command_writes(
    language: str, site: Served, host: Visitor, tmp_path: Path
) -> None:
    """Who has nothing installed gets the same files, with his bot's name in them."""
    page = site.visitor().get(f"/ladders/friday/starter?language={language}&name=eager-beaver")
    assert 'filename="eager-beaver.zip"' in page.headers["content-disposition"]
    call = site.visitor().call("GET", f"/starters/gargon/{language}?name=eager-beaver")
    assert call.body == page.body
    folder = tmp_path / "eager-beaver"
    written = write_starter(folder, language, "gargon", "eager-beaver")
    with zipfile.ZipFile(io.BytesIO(page.body)) as archive:
        inside = {member.filename: archive.read(member) for member in archive.infolist()}
    assert inside == {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in written}


def test_a_starter_that_the_host_has_packed_is_downloaded_packed(tmp_path: Path) -> None:
    """Libraries, lock file and offline build come with it, and the author's name is filled in."""
    own = SiteFolder(tmp_path / "own")
    made = tmp_path / "my-bot"
    write_starter(made, "python", "gargon", "my-bot")
    packed_there = own.starter("python", "gargon")
    pack(load_manifest(made), packed_there, lambda _: None)
    (packed_there / "vendor").mkdir()
    (packed_there / "vendor" / "library").write_text("hashes of my-bot are kept")
    folder = unpacked(Starters(own).zip("python", "gargon", "eager"), tmp_path / "out")
    assert load_manifest(folder).name == "eager"
    assert is_packed(folder)
    assert "eager" in (folder / "README.md").read_text()
    assert (folder / "vendor" / "library").read_text() == "hashes of my-bot are kept"


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("name=../../etc", 400, "expected a name of lower-case letters"),
        ("name=a%0d%0aset-cookie:x", 400, "expected a name of lower-case letters"),
        ("language=cobol", 404, "no starter in"),
        ("language=../../referee", 404, "no starter in"),
    ],
)
def test_a_starter_that_cannot_be_is_refused(
    query: str, status: int, words: str, site: Served, host: Visitor
) -> None:
    """A name that no bot can have, or a language that is not there, is answered in a line."""
    reply = site.visitor().get(f"/ladders/friday/starter?{query}")
    assert reply.status == status
    assert words in reply.text


def test_a_starter_is_changed_tried_played_and_entered(
    site: Served, host: Visitor, tmp_path: Path
) -> None:
    """From the site's zip to the board: tried off the ladder, test games, and one click."""
    author = site.invited(host, "ada")
    stranger = site.invited(host, "curious")
    archive = author.get("/ladders/friday/starter?language=python&name=beaver").body
    folder = unpacked(archive, tmp_path)
    program = folder / "bot.py"
    said = 'def choose(question: Question) -> Move:\n    print("beaver was here")\n'
    program.write_text(program.read_text().replace(said.partition("\n")[0] + "\n", said))
    reply = try_it(author, packed(folder))
    page = decided(author, reply)
    assert "passed; not entered" in page
    assert "beaver" not in str(site.visitor().call("GET", "/ladders/friday/bots").json)

    game = author.post(reply.where + "/matches", bot=["gargon-hand", "random", ""], deals=2)
    assert game.status == 303, game.text
    token = token_of(author)
    found = over(author, game.where, token)
    assert found["match"]["state"] == "played", found
    assert len(found["games"]) == 6
    assert "beaver was here" in str(found["stderr"])
    shown = author.get(game.where).text
    assert "beaver was here" in shown
    assert "Mean place" in shown
    replay = author.get(game.where + "/games/5")
    assert "Gargon, game 5" in replay.text
    assert author.get(game.where + "/games/6").status == 404
    packed_replay = author.send(
        "GET", game.where + "/games/5", headers={"Accept-Encoding": "gzip, br"}
    )
    assert gzip.decompress(packed_replay.body) == replay.body
    (tmp_path / "log").write_bytes(author.get(game.where + "/log").body)
    verified = arena("replay", "verify", str(tmp_path / "log"))
    assert "6 games verified" in verified.out, verified.err

    # All of that is nobody else's business.
    others = token_of(stranger)
    for somebody, with_token in (
        (stranger, others),
        (host, token_of(host)),
        (site.visitor(), None),
    ):
        for path in ("", "/games/5", "/log"):
            assert somebody.get(game.where + path).status == 404
            assert somebody.call("GET", game.where + path, with_token).status == 404
    assert "beaver" not in site.visitor().get("/ladders/friday/matches").text
    number, digest = reply.where.rpartition("/")[2], found["match"]["bots"][0]["digest"]
    for name in ("beaver", digest):
        body = {"bots": [name, "random", "random"]}
        assert stranger.call("POST", "/ladders/friday/matches", others, body).status == 404
    body = {"opponents": ["random", "random"]}
    assert stranger.call("POST", f"/submissions/{number}/matches", others, body).status == 404
    assert stranger.call("POST", f"/submissions/{number}/enter", others).status == 404

    left = author.post(reply.where + "/enter")
    assert "on the ladder" in decided(author, left)
    again = author.call("POST", f"/submissions/{number}/enter", token)
    assert again.status == 409
    assert "only what was tried" in again.json["error"]


def test_a_challenge_is_everybodys_but_what_failed_is_its_authors(
    site: Served, host: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that fails on the ladder: its author sees why, others only that."""
    author, rival = site.invited(host, "author"), site.invited(host, "rival")
    token = token_of(author)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("ARENA_TOKEN", token)
    program = FAILS.replace("{what}", CRASH)
    folder = write_bot(tmp_path / "crashes", "crashes", SCRIPT, program)
    words = ("--ladder", "friday", "--site", site.address, "--against", "random")
    refused = arena("submit", str(folder), *words)
    assert refused.code == 2
    assert "--against needs --try" in refused.err
    tried = arena("submit", str(folder), *words, "--against", "gargon-hand", "--try", limit=SECONDS)
    assert tried.code == 1, tried.err
    assert "passed; not entered" in tried.out
    assert "my secret plan" in tried.out
    assert f"{site.address}/matches/" in tried.out
    number = re.findall(r"/submissions/(\d+)", tried.err)[0]
    assert author.call("POST", f"/submissions/{number}/enter", token).status == 202
    entered = f"/submissions/{number}"
    assert "on the ladder" in decided(author, Reply(303, {"location": entered}, b""))

    rated = games_of(site)
    body = {"bots": ["crashes", "random", "gargon-hand"]}
    made = rival.call("POST", "/ladders/friday/matches", token_of(rival), body)
    assert made.status == 202, made.text
    where = f"/matches/{made.json['number']}"
    found = over(site.visitor(), where)
    assert len(found["games"]) == 3
    for somebody in (rival, host, site.visitor()):
        page = somebody.get(where).text
        assert "ValueError" in page or "crash" in page
        assert "my secret plan" not in page
        assert SCRIPT not in page
        replay = somebody.get(where + "/games/0").text
        assert "my secret plan" not in replay + somebody.get(where + "/log").text
        assert SCRIPT not in replay
    assert "my secret plan" not in str(found)
    shown = author.get(where).text
    assert "my secret plan" in shown
    assert "bot.py" in shown
    assert str(site.folder) not in shown + tried.out
    assert "my secret plan" in author.call("GET", where, token).text
    listed = site.visitor().get("/ladders/friday/matches").text
    assert f'href="{where}"' in listed
    assert games_of(site) == rated == 6


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"bots": ["random", "random"]}, 400, "expected 3 to 5 players, got 2"),
        ({"bots": ["random"] * 6}, 400, "expected 3 to 5 players, got 6"),
        ({"bots": ["random"] * 3, "deals": 0}, 400, "deals: expected 1 to 4, got 0"),
        ({"bots": ["random"] * 3, "deals": 10**30}, 400, "deals: expected 1 to 4"),
        ({"bots": ["random"] * 17}, 400, "does not fit"),
        ({"bots": ["random", "random", SCRIPT]}, 404, "can be asked"),
        ({"bots": ["random", "random", "../../vault"]}, 404, "can be asked"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_a_line(
    body: dict[str, object], status: int, words: str, site: Served, host: Visitor
) -> None:
    """The sizes that the game takes, the deals, and the bots that there are."""
    reply = host.call("POST", "/ladders/friday/matches", token_of(host), body)
    assert reply.status == status
    assert words in reply.json["error"]


def test_onlookers_start_nothing(site: Served, host: Visitor) -> None:
    """Spectators and people who are not signed in see challenges, and can start none."""
    spectator = site.invited(host, "spectator", "spectator")
    page = spectator.get("/ladders/friday/matches")
    assert page.status == 200
    assert "Start it" not in page.text
    form = {"bot": ["random", "random", "random"]}
    assert spectator.post("/ladders/friday/matches", **form).status == 403
    assert site.visitor().post("/ladders/friday/matches", **form).where.startswith("/sign-in")
    body = {"bots": ["random"] * 3}
    assert site.visitor().call("POST", "/ladders/friday/matches", None, body).status == 401


def test_limits_hold_against_haste_and_against_bots_that_think_for_ever(serve: Serve) -> None:
    """So many at once and a day, however fast they are asked for; so long, whatever bots do."""
    served = serve(settings="[limits]\nmatches-a-day = 5\nmatches-waiting = 2\nmatch-seconds = 6\n")
    host = served.host()
    host.post("/new-ladder", name="friday", definition=OTHER_RULES)
    until_it_plays(served, host)
    page = host.get("/ladders/friday/matches").text
    assert "5 matches in 24 hours" in page
    assert "6 s" in page
    reply = try_it(host, bot("thinks", program=FAILS.replace("{what}", FOR_EVER)))
    assert "passed; not entered" in decided(host, reply)
    token, where = token_of(host), f"/submissions/{reply.where.rpartition('/')[2]}/matches"
    statuses: list[int] = []

    def ask() -> None:
        body = {"opponents": ["random", "random"]}
        statuses.append(host.call("POST", where, token, body).status)

    threads = [Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [202] * 2 + [429] * 10
    first, second = sorted(
        each["number"] for each in host.call("GET", "/matches", token).json["matches"]
    )
    assert host.call("POST", f"/matches/{second}/withdraw", token).status == 200
    found = over(host, f"/matches/{first}", token)
    assert found["match"]["state"] == "failed"
    assert "0 of 3 games could be played in its time" in str(found)
    for _ in range(3):
        made = host.call("POST", where, token, {"opponents": ["random", "random"]})
        assert made.status == 202
        host.call("POST", f"/matches/{made.json['number']}/withdraw", token)
    often = host.call("POST", where, token, {"opponents": ["random", "random"]})
    assert often.status == 429
    assert "try tomorrow" in often.json["error"]
    assert served.stop() == 0


def test_a_match_that_was_killed_is_played_again(serve: Serve) -> None:
    """A server that is killed while a match is played plays it after its start, once."""
    served = serve()
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    until_it_plays(served, host)
    token = token_of(host)
    numbers = [
        host.call("POST", "/ladders/friday/matches", token, {"bots": ["random"] * 3}).json["number"]
        for _ in range(2)
    ]
    deadline = time.monotonic() + SECONDS
    while host.call("GET", f"/matches/{numbers[0]}").json["match"]["state"] == "queued":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    served.kill()
    (served.folder / "matches" / "99").mkdir()
    served = serve(served.folder)
    host.address = served.address
    for number in numbers:
        found = over(host, f"/matches/{number}")
        assert found["match"]["state"] == "played"
        assert [game["number"] for game in found["games"]] == [0, 1, 2]
    folders = {path.name for path in (served.folder / "matches").iterdir()}
    assert folders == {str(number) for number in numbers}
