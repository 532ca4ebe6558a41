"""Handing in: from an archive to the ladder's door, watched by its author and by nobody else."""

from __future__ import annotations

import io
import os
import random
import re
import signal
import tarfile
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from arena.programs.vault import Vault
from command import arena
from languages.toolchains import need

from .conftest import Serve
from .served import BOT, LADDER, MANIFEST, Reply, Served, Visitor, token_of, write_bot

pytestmark = pytest.mark.source_only
SECONDS = 600


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    return host


def zipped(**files: str) -> bytes:
    """A zip with these files; a double underscore in a name stands for a dot."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "."), text)
    return data.getvalue()


def bot(name: str = "mine", version: str = "1", program: str = BOT) -> bytes:
    """A zip with a bot."""
    manifest = MANIFEST.format(name=name, version=version)
    return zipped(bot__toml=manifest, bot__py=program.replace("{name}", name))


def decided(author: Visitor, reply: Reply) -> str:
    """The page of a submission, as soon as it is decided what becomes of it."""
    assert reply.status == 303, reply.text
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        page = author.get(reply.where).text
        if not re.search(r'class="state (queued|examined|waiting|leaving)"', page):
            return page
        time.sleep(0.3)
    raise AssertionError(page)


def versions(site: Served, name: str) -> set[tuple[str, bool]]:
    """The versions of a bot in the standings, and whether they play."""
    found = site.visitor().call("GET", "/ladders/friday/standings").json["overview"]["standings"]
    return {(row["version"], row["active"]) for row in found if row["bot"] == name}


def test_a_bot_that_plays_passes(site: Served, host: Visitor) -> None:
    """A zip with a working bot is unpacked, sealed, checked, and enters at the next block."""
    author = site.invited(host, "ada")
    page = decided(author, author.hand_in("friday", bot()))
    assert "On the ladder from block" in page
    assert "mine passes" in page
    assert "plays gargon" in page


def test_what_fails_is_told_in_full_to_its_author_and_to_nobody_else(
    site: Served, host: Visitor
) -> None:
    """The diagnosis, stderr and frames are the author's; others, and the host, get nothing."""
    program = 'import sys\nprint("look at me", __file__, file=sys.stderr)\nraise SystemExit(3)\n'
    author, other = site.invited(host, "failing"), site.invited(host, "curious")
    reply = author.hand_in("friday", bot("crashes", program=program))
    page = decided(author, reply)
    assert "did not pass" in page
    assert "look at me" in page
    assert "what to do" in page
    assert str(site.folder) not in page
    sealed = {each.spec.name for each in Vault(site.folder / "vault").all()}
    assert "crashes" not in sealed, "it would fill the disk"
    for somebody in (other, host, site.visitor()):
        for path in ("", "/events", "/archive", "/frames"):
            found = somebody.get(reply.where + path)
            assert found.status in (303, 401, 404), (path, found.status)
            assert "look at me" not in found.text
        assert somebody.post(reply.where + "/withdraw").status in (303, 404)
    number = reply.where.rpartition("/")[2]
    token = token_of(other)
    for path in ("", "/report", "/archive"):
        assert other.call("GET", f"/submissions/{number}{path}", token).status == 404
    assert "look at me" not in host.get("/queue").text


def test_nothing_is_left_of_what_was_looked_at(site: Served, host: Visitor) -> None:
    """Each submission unpacks up to the site's limit; what did not go would fill the disk."""
    author = site.invited(host, "messy")
    many = {f"file{number}": "x" * 50_000 for number in range(300)}
    for name in ("One", "Two", "Three", "Four"):
        reply = author.hand_in("friday", zipped(bot__toml=f'name = "{name}"\n', **many))
        assert "did not pass" in decided(author, reply)
    assert list((site.folder / "work").iterdir()) == []


def test_the_output_of_a_failed_build_is_told(site: Served, host: Visitor) -> None:
    """A compiler's message reaches the author word for word."""
    manifest = MANIFEST.format(name="builds", version="1") + 'build = ["sh", "build.sh"]\n'
    # In two parts, of which one ends within a character.
    script = "printf 'line 7: \\303'; sleep 0.3; printf '\\244 semicolon <expected>\\n'; exit 4\n"
    author = site.invited(host, "builder")
    archive = zipped(bot__toml=manifest, bot__py=BOT, build__sh=script)
    page = decided(author, author.hand_in("friday", archive))
    assert "line 7: ä semicolon &lt;expected&gt;" in page
    assert "exit code 4" in page


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"bot.py": "x"}, "bot.toml: no such file"),
        ({"bot.toml": 'name = "X Y"\n', "bot.py": "x"}, "name: expected lower-case letters"),
        ({"bot.toml": MANIFEST.format(name="random", version="1"), "bot.py": "x"}, "belongs to"),
        (
            {"bot.toml": MANIFEST.format(name="c", version="1").replace("gargon", "castors")},
            "does not play gargon",
        ),
    ],
    ids=["no description", "wrong name", "another's name", "another game"],
)
def test_a_bot_that_cannot_be_is_refused_in_a_line(
    files: dict[str, str], words: str, site: Served, host: Visitor
) -> None:
    """What is wrong with a description is said without a path of the site's machine."""
    author = site.invited(host, f"wrong-{len(words)}")
    archive = zipped(**{name.replace(".", "__"): text for name, text in files.items()})
    page = decided(author, author.hand_in("friday", archive))
    assert words in page
    assert str(site.folder) not in page


def test_a_name_belongs_to_whoever_had_it_first(site: Served, host: Visitor) -> None:
    """Nobody enters a new version of somebody else's bot."""
    first, second = site.invited(host, "had-it"), site.invited(host, "wants-it")
    assert "on the ladder" in decided(first, first.hand_in("friday", bot("fought-for")))
    page = decided(second, second.hand_in("friday", bot("fought-for", "2")))
    assert "belongs to somebody else" in page
    before = first.call("GET", "/submissions", token_of(first)).json["submissions"]
    assert "on the ladder" in decided(first, first.hand_in("friday", bot("fought-for", "2")))
    new, old = first.call("GET", "/submissions", token_of(first)).json["submissions"]
    assert (new["state"], old["state"]) == ("playing", "retired")
    assert before[0]["number"] == old["number"]
    wanted, deadline = {("1", False), ("2", True)}, time.monotonic() + SECONDS
    while wanted != versions(site, "fought-for"):  # standings may be some seconds old
        assert time.monotonic() < deadline
        time.sleep(0.3)


def test_a_bot_is_checked_by_the_terms_of_its_ladder(
    site: Served, host: Visitor, tmp_path: Path
) -> None:
    """What passes can play there: another edition, its tables alone; and the author is told so."""
    narrow = LADDER.replace('"gargon-backs"]', '"gargon-backs"]\n\n[rules]\nopen_winnings = true')
    narrow += "\n[time]\ndecision = 5000\n"
    assert host.post("/new-ladder", name="narrow", definition=narrow).status == 303
    program = BOT.replace(
        "lambda question: choice(question.actions)",
        "lambda question: choice(question.actions) if question.start.seats == 3 "
        'and question.start.rules["open_winnings"] else None',
    )
    author = site.invited(host, "narrow-minded")
    elsewhere = decided(author, author.hand_in("friday", bot("narrow", program=program)))
    assert "did not pass" in elsewhere
    page = decided(author, author.hand_in("narrow", bot("narrow", program=program)))
    assert "On the ladder from block" in page
    assert "Checking that it can play on narrow" in page
    assert "tables of 3; 5000 ms a decision" in page
    assert "open_winnings true" in page
    said = re.search(r"<code>(arena bot check FOLDER[^<]+)</code>", page)
    assert said is not None
    command = said[1].replace("FOLDER", str(write_bot(tmp_path / "narrow", program=program)))
    same = arena(*command.split()[1:], limit=SECONDS)
    assert same.code == 0, same.out
    assert "--rules open_winnings=true --time decision=5000" in command


def test_a_submission_can_be_withdrawn_downloaded_and_entered_again(
    site: Served, host: Visitor
) -> None:
    """An author takes a version back, and enters the old one again as it was."""
    author = site.invited(host, "changes-mind")
    archive = bot("changed")
    reply = author.hand_in("friday", archive)
    decided(author, reply)
    assert author.get(reply.where + "/archive").body == archive
    left = author.post(reply.where + "/withdraw")
    assert "no longer on the ladder" in decided(author, left)
    again = author.post(reply.where + "/enter-again")
    assert again.where != reply.where
    assert "on the ladder" in decided(author, again)


def test_the_stream_tells_all_that_the_page_has(site: Served, host: Visitor) -> None:
    """Who watches live sees what who comes later sees."""
    author = site.invited(host, "watching")
    reply = author.hand_in("friday", bot("watched"))
    stream = author.stream(reply.where + "/events", until="event: end")
    assert stream.count("event: told") > 8
    assert "watched passes" in stream
    page = author.get(reply.where).text
    for line in ("starts", "ends when told"):
        assert line in page
        assert line in stream


def test_an_author_needs_only_the_command_line(
    site: Served, host: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log in by a token, hand a folder in; the same steps are shown as by `arena bot check`."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    author = site.invited(host, "terminal")
    monkeypatch.setenv("ARENA_TOKEN", token_of(author))
    folder = write_bot(tmp_path / "typed", "typed")
    done = arena("submit", str(folder), "--ladder", "friday", "--site", site.address, limit=SECONDS)
    assert done.code == 0, done.err + done.out
    assert "pass  plays gargon" in done.out
    assert "on the ladder" in done.out
    worse = write_bot(tmp_path / "worse", "typed", "2", "raise ValueError('not yet')\n")
    failed = arena(
        "submit", str(worse), "--ladder", "friday", "--site", site.address, limit=SECONDS
    )
    assert failed.code == 1, failed.err
    assert "ValueError: not yet" in failed.out
    unknown = arena("submit", str(folder), "--ladder", "nope", "--site", site.address)
    assert unknown.code == 2
    assert "there is no ladder 'nope' here" in unknown.err


def test_what_was_acknowledged_survives_kills(serve: Serve, tmp_path: Path) -> None:
    """A site that is killed while it looks at bots looks at them again, and forgets none."""
    served = serve()
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    author = served.invited(host, "ada")
    token = token_of(author)
    replies = [author.hand_in("friday", bot(f"bot-{number}")) for number in range(3)]
    assert all(reply.status == 303 for reply in replies)
    for seconds in (0.0, 1.0):
        time.sleep(seconds)
        served.kill()
        (served.folder / "uploads" / "99.part").write_bytes(b"half of an archive")
        served = serve(served.folder)
        author.address = served.address
        assert not list((served.folder / "uploads").glob("*.part"))
    for reply in replies:
        assert "on the ladder" in decided(author, reply)
    found = author.call("GET", "/submissions", token).json["submissions"]
    assert sorted(each["bot"] for each in found) == ["bot-0", "bot-1", "bot-2"]
    assert {each["state"] for each in found} == {"playing"}
    assert served.stop() == 0


def test_limits_are_stated_and_kept(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many times a day, so large, so many bots; each is refused with the number that counts."""
    served = serve(settings="[limits]\nuploads-a-day = 4\nupload-mb = 1\nbots = 1\n")
    host = served.host()
    host.post("/new-ladder", name="friday", definition=LADDER)
    author = served.invited(host, "ada")
    page = author.get("/ladders/friday/hand-in").text
    assert "at most 1 MiB" in page
    assert "4 times in 24 hours" in page
    assert "on the ladder" in decided(author, author.hand_in("friday", bot("one")))
    assert "you can have 1 bot" in decided(author, author.hand_in("friday", bot("two")))
    assert "on the ladder" in decided(author, author.hand_in("friday", bot("one", "2")))
    assert author.hand_in("friday", b"PK\3\4" + bytes(1 << 20)).status == 413
    large = write_bot(tmp_path / "large", "one", "9")
    (large / "weights").write_bytes(random.Random(1).randbytes(2 << 20))
    monkeypatch.setenv("ARENA_TOKEN", token_of(author))
    words = ("--ladder", "friday", "--site", served.address)
    refused = arena("submit", str(large), *words)
    assert refused.code == 2
    assert "may have 1 MiB" in refused.err
    assert author.hand_in("friday", bot("one", "3")).status == 303
    often = author.hand_in("friday", bot("one", "4"))
    assert often.status == 429
    assert "try tomorrow" in often.text


def test_a_tar_is_as_good_as_a_zip(site: Served, host: Visitor, tmp_path: Path) -> None:
    """An archive of the folder itself, as people make it, has the bot one level down."""
    folder = write_bot(tmp_path / "my-bot", "from-a-tar")
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        archive.add(folder, "my-bot")
    author = site.invited(host, "packer")
    assert "on the ladder" in decided(author, author.hand_in("friday", data.getvalue()))


def test_the_pages_of_a_ladder_are_made_and_served(site: Served, host: Visitor) -> None:
    """Bots, games and replays can be looked at by everybody, and nothing else of the folder."""
    stranger = site.visitor()
    assert stranger.get("/ladders/friday/pages").where == "/ladders/friday/pages/"
    deadline = time.monotonic() + SECONDS
    while (found := stranger.get("/ladders/friday/pages/")).status != 200:
        assert time.monotonic() < deadline, site.log[-2000:]
        time.sleep(0.5)
    assert "Who beats whom" in found.text
    assert "'unsafe" not in found.headers["content-security-policy"] + found.text
    assert stranger.get("/ladders/friday/pages/trust.html").status == 200
    assert "All pages of the ladder" in stranger.get("/ladders/friday").text
    for path in ("../friday.toml", "%2e%2e/%2e%2e/site.db", "..%2ffriday.ladder%2fsecret", "//etc"):
        assert stranger.get(f"/ladders/friday/pages/{path}").status == 404
    for name in ("nope", "..", "friday.ladder"):
        assert stranger.get(f"/ladders/{name}/pages/index.html").status == 404


def test_a_run_that_is_killed_is_started_again(site: Served, host: Visitor) -> None:
    """A ladder plays on after its run has died, and the host's page says how often that was."""
    lock = site.folder / "ladders" / "friday.ladder.lock"
    deadline = time.monotonic() + SECONDS
    while not lock.exists() or not lock.read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.2)
    before = int(lock.read_text())
    os.kill(before, signal.SIGKILL)
    while True:
        assert time.monotonic() < deadline, site.log[-2000:]
        with suppress(OSError, ValueError):
            if int(lock.read_text()) != before:
                break
        time.sleep(0.2)
    assert "started again 1 time" in host.get("/queue").text
    author = site.invited(host, "after-the-kill")
    assert "on the ladder" in decided(author, author.hand_in("friday", bot("after")))
