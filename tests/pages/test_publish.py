"""Published ladders as files: what is in them and what is not, and what a second run writes."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree

import pytest

from arena.ladder.source import games_in, open_source
from command import arena, assert_refused
from plugins.test_page import example
from plugins.test_plugins import Site

from .published_ladders import Played, contents, ladder, publish

ATOM = "{http://www.w3.org/2005/Atom}"
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A ladder with a secret, of which 24 games are played."""
    return ladder(tmp_path_factory.mktemp("running"))


@pytest.fixture(scope="module")
def site(running: Played) -> Path:
    """It published."""
    return running.publish()


@pytest.fixture
def copy(running: Played, tmp_path: Path) -> Played:
    """The same ladder in a folder of its own, to be played on."""
    shutil.copytree(running.folder, tmp_path / "copy", ignore=shutil.ignore_patterns("site*"))
    return Played(tmp_path / "copy" / running.toml.name)


class Links(HTMLParser):
    """Collects the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key in ("href", "src") and value]


def links(path: Path) -> list[str]:
    """The links of a page."""
    parser = Links()
    parser.feed(path.read_text("utf-8"))
    return parser.found


def test_every_link_leads_somewhere(site: Path) -> None:
    """Links are relative and lead to a file that is there, a link to a replay to its data."""
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    replays = set()
    for page in pages:
        for link in links(page):
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc) == ("", ""), f"{page}: {link}"
            target = (page.parent / unquote(parts.path)).resolve()
            assert target.is_file(), f"{page}: {link}"
            assert target.is_relative_to(site)
            for game in parse_qs(parts.query).get("game", ()):
                assert (site / "replays" / f"{game}.html").is_file(), f"{page}: {link}"
                replays.add(game)
    assert len(replays) == 24
    feed = ElementTree.parse(site / "feed.xml").getroot()
    for each in feed.iter(f"{ATOM}link"):
        assert (site / each.attrib["href"]).is_file()


def secrets_of(played: Played) -> list[bytes]:
    """What no file of a running ladder may have."""
    secret = (played.store / "secret").read_bytes().split(b"\n")[0]
    return [secret, bytes.fromhex(secret.decode()), *map(str.encode, played.unplayed_keys())]


def test_nothing_secret_is_published_while_it_runs(running: Played, site: Path) -> None:
    """Neither the secret, nor a key of a block to come, nor what bots wrote to stderr."""
    found = contents(site)
    log = arena("ladder", "log", "hostile", str(running.store))
    assert "for-its-author-alone" in log.out
    assert any(b"noted-by-hostile" in data for data in found.values())
    assert any(b"fault-of-hostile" in data for data in found.values())
    for name, data in found.items():
        for each in secrets_of(running):
            assert each not in data, name
        assert b"for-its-author-alone" not in data, name


@pytest.mark.source_only
def test_after_close_hides_games_until_then(tmp_path: Path) -> None:
    """Standings are there; games, notes, faults' texts, keys and the log come with the close."""
    played = ladder(tmp_path, publish="after-close")
    hidden = [b"noted-by-hostile", b"fault-of-hostile", b'"actions"', *secrets_of(played)]
    hidden += [record.key.hex().encode() for record, _ in games_in(open_source(played.store))]
    before = contents(played.publish())
    assert "index.html" in before
    assert "bots/hostile.html" in before
    assert not any(name.startswith(("games/", "replays/", "friday.jsonl")) for name in before)
    for name, data in before.items():
        for each in hidden:
            assert each not in data, name
    assert b"published when the ladder is closed" in before["index.html"]
    log = tmp_path / "log.jsonl"
    assert arena("ladder", "export", str(played.store), "--output", str(log)).code == 0
    exported = tmp_path / "exported"
    assert publish(log, exported).code == 0
    assert not (exported / "games").exists()
    played.close()
    after = contents(played.publish())
    assert b"noted-by-hostile" in after["friday.jsonl.gz"]
    secret = (played.store / "secret").read_bytes().split(b"\n")[0]
    assert secret in after["trust.html"]
    assert len([name for name in after if name.startswith("replays/")]) == 24
    assert not any(b"for-its-author-alone" in data for data in after.values())


@pytest.mark.source_only
def test_games_that_were_published_go_if_they_may_not_be_seen(copy: Played) -> None:
    """A host who changes his mind takes back what was published, from the next run on."""
    site = copy.publish()
    assert (site / "replays").is_dir()
    copy.toml.write_text(copy.toml.read_text().replace("at-once", "after-close"))
    copy.play(24)
    copy.publish()
    assert not any(name.startswith(("games/", "replays/")) for name in contents(site))
    entry = json.loads(arena_log(copy)[-1])
    assert entry == {"entry": "change", "publish": "after-close"}


def arena_log(played: Played) -> list[bytes]:
    """The lines of the log."""
    return list(open_source(played.store).lines())


@pytest.mark.source_only
def test_a_second_run_writes_only_what_has_changed(copy: Played) -> None:
    """Nothing at first; after more games new files and those that tell of them, and all is as if
    it were published from nothing.
    """
    site = copy.publish()
    before = {path: path.stat() for path in site.rglob("*") if path.is_file()}
    copy.publish()
    after = {path: path.stat() for path in site.rglob("*") if path.is_file()}
    assert {path: each.st_mtime_ns for path, each in before.items()} == {
        path: each.st_mtime_ns for path, each in after.items()
    }
    copy.play(36)
    old = contents(site)
    copy.publish()
    new = contents(site)
    for name, data in new.items():
        path = site / name
        untouched = path in before and path.stat().st_ino == before[path].st_ino
        assert untouched == (old.get(name) == data), name
    kept = [name for name in old if name.startswith("replays/")]
    assert len(kept) == 24
    assert all(old[name] == new[name] for name in kept)
    assert without_times(new) == without_times(contents(copy.publish("anew")))


def without_times(found: dict[str, bytes] | object) -> dict[str, bytes]:
    """Files without when each entry of the feed was first published, which no log knows."""
    assert isinstance(found, dict)
    return {
        name: re.sub(rb"<updated>.*?</updated>", b"", data) if name == "feed.xml" else data
        for name, data in found.items()
        if name != ".published.json"
    }


@pytest.mark.source_only
def test_a_killed_run_leaves_whole_files_and_the_next_one_heals(copy: Played) -> None:
    """At whatever moment it is killed, what is served was written whole; nothing is left over."""
    wanted = without_times(contents(copy.publish("anew")))
    site = copy.folder / "site"
    words = [sys.executable, "-m", "arena", "ladder", "publish", str(copy.store), str(site)]
    chance = random.Random(5)
    served = 0
    for _ in range(8):
        with subprocess.Popen([*words, "--workers", "1"], stderr=subprocess.DEVNULL) as process:
            until = served + chance.randrange(1, 6)
            while process.poll() is None and len(list(site.rglob("*.html"))) < until:
                time.sleep(0.005)
            time.sleep(chance.random() / 20)
            process.send_signal(signal.SIGKILL)
        found = without_times(contents(site))
        found.pop(".part", None)
        found = {name: data for name, data in found.items() if not name.startswith(".publish")}
        for name, data in found.items():
            same = without_times({name: data})[name] == wanted[name]
            assert same, f"{name} was not written whole"
        served = len([name for name in found if name.endswith(".html")])
    copy.publish()
    assert without_times(contents(site)) == wanted


@pytest.mark.source_only
def test_what_is_damaged_or_missing_is_written_again(copy: Played) -> None:
    """Files that somebody changed, cut off or removed are made again, replays as well."""
    site = copy.publish()
    wanted = contents(site)
    (site / "replays" / "3.html").write_bytes(b"")
    (site / "replays" / "4.html").unlink()
    (site / "index.html").write_text("hacked")
    (site / ".part").symlink_to(copy.store / "secret")
    copy.publish()
    assert contents(site) == wanted
    assert (copy.store / "secret").stat().st_size > 100


@pytest.mark.source_only
def test_what_is_not_ours_is_never_touched(copy: Played, tmp_path: Path) -> None:
    """Folders with other files, of other ladders, around or within a store are refused."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    assert_refused(publish(copy.store, full), "mine.txt", "empty")
    assert_refused(publish(copy.store, copy.store / "site"), "lies in the ladder's store")
    assert_refused(publish(copy.store, copy.folder), "would be served")
    site = copy.publish()
    (site / "notes.txt").write_text("mine")
    other = ladder(tmp_path / "other")
    assert_refused(publish(other.store, site), "another ladder")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "hostile.html").write_text("mine")
    shutil.rmtree(site / "bots")
    (site / "bots").symlink_to(elsewhere)
    assert_refused(publish(copy.store, site), "is a link")
    assert (elsewhere / "hostile.html").read_text() == "mine"
    (site / "bots").unlink()
    copy.publish()
    assert (site / "notes.txt").read_text() == "mine"


@pytest.mark.source_only
def test_one_run_at_a_time_writes(copy: Played) -> None:
    """A second run on the same folder is refused, and the first goes on."""
    import fcntl

    site = copy.publish()
    with (site / ".publish.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert_refused(publish(copy.store, site), "another run")


@pytest.mark.source_only
def test_what_verification_says_is_shown(copy: Played, tmp_path: Path) -> None:
    """The claims of the file that is given, if it is of this log, and how far they go."""
    copy.close()
    verified = tmp_path / "verified.json"
    done = arena("ladder", "verify", str(copy.store), "--json", "--workers", "1")
    verified.write_text(done.out)
    site = copy.publish("site", "--verified", str(verified))
    text = (site / "trust.html").read_text("utf-8")
    assert text.count('"holds"') == sum(c["state"] == "holds" for c in done.json["claims"])
    assert "verified the log as it stands here" in text
    verified.write_text(done.out.replace(done.json["head"], "3:" + "0" * 64))
    refused = publish(copy.store, site, "--verified", str(verified))
    assert_refused(refused, "--verified", "not one of this log")
    verified.write_text("{}")
    assert_refused(publish(copy.store, site, "--verified", str(verified)), "--verified")


@pytest.mark.source_only
def test_a_log_that_does_not_hold_is_not_published(copy: Played, tmp_path: Path) -> None:
    """A game that does not follow the rules is named, with exit code 1."""
    log = tmp_path / "log.jsonl"
    assert arena("ladder", "export", str(copy.store), "--output", str(log)).code == 0
    text = log.read_text("utf-8")
    scores = re.search(r'"scores":\[(\d+),', text)
    assert scores
    log.write_text(text.replace(scores[0], f'"scores":[{int(scores[1]) + 1},', 1), "utf-8")
    done = publish(log, tmp_path / "site")
    assert done.code == 1
    assert re.search("does not hold: game 0.*scores", done.err)
    assert "Traceback" not in done.err


@pytest.mark.source_only
def test_an_export_gives_the_site_of_its_store(running: Played, site: Path, tmp_path: Path) -> None:
    """But for times, which lie beside the log, whoever has the log can publish the same pages."""
    log = tmp_path / "friday.jsonl"
    assert arena("ladder", "export", str(running.store), "--output", str(log)).code == 0
    os.utime(log, (1, (running.store / "log").stat().st_mtime))
    made = tmp_path / "site"
    assert publish(log, made).code == 0
    here, there = contents(made), contents(site)
    assert here["friday.jsonl.gz"] == there["friday.jsonl.gz"] == log.read_bytes()
    assert set(here) == set(there)
    standings = log.with_name("friday.standings.json").read_bytes()
    assert here["friday.standings.json"] == standings
    for name in ("pairs.html", "tables.html", "trust.html", "games/index.html", "feed.xml"):
        assert here[name] == there[name], name


@pytest.mark.source_only
def test_the_feed_tells_who_came_and_keeps_its_times(copy: Played) -> None:
    """An entry keeps the time at which it was first told, and new ones come on top."""
    site = copy.publish()
    before = entries(site)
    titles = [title for title, _ in before.values()]
    assert "hostile </title><script>stolen=1</script>2 enters" in titles
    assert sum("leaves" in title for title in titles) == 1
    os.utime(copy.store / "log", (4e9, 4e9))
    copy.close()
    copy.publish()
    after = entries(site)
    assert before.items() <= after.items()
    assert [title for key, (title, _) in after.items() if key not in before] == ["friday is closed"]


def entries(site: Path) -> dict[str, tuple[str, str]]:
    """The titles and times of a feed's entries, by key."""
    root = ElementTree.parse(site / "feed.xml").getroot()
    return {
        each.findtext(f"{ATOM}id", ""): (
            each.findtext(f"{ATOM}title", ""),
            each.findtext(f"{ATOM}updated", ""),
        )
        for each in root.iter(f"{ATOM}entry")
    }


def test_words_of_bots_stand_there_as_text(site: Path) -> None:
    """Versions, notes, faults and reasons with markup or marks of direction lose their power."""
    for name, data in contents(site).items():
        if not name.endswith((".html", ".xml", ".svg")):
            continue
        text = data.decode()
        assert not BIDI.search(text), name
        assert "<script>stolen" not in text, name
        assert "<img" not in text, name
        assert "<i onclick" not in text, name
        assert len(data) < 200_000, name
    assert "⟨U+202E⟩fault-of-hostile" in (site / "bots" / "hostile.html").read_text("utf-8")


def test_every_page_has_a_strict_policy(site: Path) -> None:
    """Nothing may be loaded but the page's own script and style, by their hashes, and frames."""
    for page in site.rglob("*.html"):
        found = re.search('Security-Policy" content="(.*?)"', page.read_text("utf-8"))
        assert found, page
        policy = dict(each.split(" ", 1) for each in found[1].replace("&#39;", "'").split("; "))
        assert policy.pop("default-src") == "'none'"
        assert policy.pop("frame-src", "'self' file:") == "'self' file:"
        for key in ("script-src", "style-src"):
            assert re.fullmatch(r"'sha256-[\w+/]+=*'", policy.pop(key, "'sha256-x'")), page
        assert policy == {"base-uri": "'none'", "form-action": "'none'"}


@pytest.mark.source_only
def test_a_ladder_without_a_game_can_be_published(tmp_path: Path) -> None:
    """A host shows the commitment before the first game; there is nothing to list yet."""
    played = ladder(tmp_path / "other")
    shutil.rmtree(played.store)
    played.play(0)
    site = played.publish()
    assert "0 games of Gargon" in (site / "index.html").read_text("utf-8")
    log = open_source(played.store)
    assert not list(games_in(log))


def hidden(site: Path) -> Iterator[str]:
    """Names of files that a reader is not led to."""
    return (each.name for each in site.iterdir() if each.name.startswith("."))


def test_nothing_is_left_over(site: Path) -> None:
    """Beside the pages there is the list of files alone."""
    assert list(hidden(site)) == [".published.json"]


@pytest.mark.source_only
def test_a_ladder_of_a_plugins_game_is_published(tmp_path: Path) -> None:
    """A game without a table of its own has standings and replays as all others have."""
    site = Site(tmp_path)
    site.install("example", example("arena_games"))
    (tmp_path / "last.py").write_text(
        "from arena_sdk import run\nrun(lambda question: len(question.actions) - 1, name='last')\n"
    )
    bots = ", ".join(
        f'{{ bot = "{sys.executable} {tmp_path}/last.py", name = "{name}" }}'
        for name in ("ada", "bob", "cid")
    )
    (tmp_path / "high.toml").write_text(
        f'game = "highest"\nsandbox = "none"\nsuspend = false\nseed = "1"\ncontestants = [{bots}]\n'
        "[budget]\ngames = 6\n"
    )
    played = site.run("ladder", "run", str(tmp_path / "high.toml"), "--store", str(tmp_path / "s"))
    assert played.code == 0, played.err
    made = site.run("ladder", "publish", str(tmp_path / "s"), str(tmp_path / "out"))
    assert made.code == 0, made.err
    data = (tmp_path / "out" / "replays" / "0.html").read_text("utf-8")
    assert "A card; the highest wins." in data
    assert "Highest card" in (tmp_path / "out" / "index.html").read_text("utf-8")
