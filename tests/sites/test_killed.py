"""A site killed again and again while authors hand in: what was acknowledged is there, once."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from arena.programs.vault import Vault
from languages.toolchains import need

from .conftest import Serve
from .kills import trial
from .served import LADDER, Served, Visitor, token_of
from .test_handing_in import bot

pytestmark = pytest.mark.source_only
SECONDS = 300
STARTS_SLOWLY = "import time\ntime.sleep(600)\n"
"""A bot whose check takes as long as its start may."""


@pytest.fixture(autouse=True)
def sandbox() -> None:
    """What is handed in needs one."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])


def until_told(author: Visitor, token: str, number: int, words: str) -> None:
    """Wait until the report of a submission has these words."""
    deadline = time.monotonic() + SECONDS
    while words not in (told := author.call("GET", f"/submissions/{number}/report", token).text):
        assert time.monotonic() < deadline, told
        time.sleep(0.1)


def until_gone(site: Served) -> None:
    """Wait until nothing is left of what was looked at."""
    deadline = time.monotonic() + SECONDS
    while there := os.listdir(site.folder / "work"):
        assert time.monotonic() < deadline, there
        time.sleep(0.1)


def examination(site: Served) -> int:
    """The process that looks at a submission now."""
    children = Path(f"/proc/{site.process.pid}/task").glob("*/children")
    for child in (int(text) for each in children for text in each.read_text().split()):
        if b"intake.examination" in Path(f"/proc/{child}/cmdline").read_bytes():
            return child
    raise AssertionError("nothing is looked at")


@pytest.mark.parametrize(
    ("kills", "authors"), [(4, 2), pytest.param(25, 6, marks=pytest.mark.wide)]
)
def test_nothing_that_was_acknowledged_is_lost_or_done_twice(
    kills: int, authors: int, tmp_path: Path
) -> None:
    """Server, runs, examinations and matches are killed at random; in the end all is decided."""
    found = trial(tmp_path / "trial", kills, authors=authors)
    assert not found.wrong, found
    assert found.kills.total() == kills


@pytest.mark.parametrize("by", ["its author", "a kill"])
def test_what_does_not_pass_leaves_nothing(by: str, serve: Serve) -> None:
    """However a check ends, by a withdrawal or a kill, the disk has nothing more of the bot."""
    served = serve()
    host = served.host()
    slow = LADDER + "[time]\nstart = 60000\n"
    assert host.post("/new-ladder", name="friday", definition=slow).status == 303
    author = served.invited(host, "ada")
    token = token_of(author)
    archive = bot("slow", program=STARTS_SLOWLY)
    number = author.call("POST", "/ladders/friday/submissions", token, archive).json["number"]
    until_told(author, token, number, '"stage":"check"')
    if by == "its author":
        assert author.post(f"/submissions/{number}/withdraw").status == 303
    else:
        os.kill(examination(served), signal.SIGKILL)
        deadline = time.monotonic() + SECONDS
        path = f"/submissions/{number}"
        while "looked at for the 2. time" not in served.log:
            assert time.monotonic() < deadline, served.log
            time.sleep(0.1)
        assert author.post(f"{path}/withdraw").status == 303
    until_gone(served)
    assert "slow" not in {each.spec.name for each in Vault(served.folder / "vault").all()}


def test_what_passes_is_all_that_is_kept(serve: Serve) -> None:
    """A bot that has passed lies in the vault; where it was unpacked, nothing is left."""
    served = serve()
    host = served.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    author = served.invited(host, "ada")
    token = token_of(author)
    author.call("POST", "/ladders/friday/submissions?try=true", token, bot("kept"))
    deadline = time.monotonic() + SECONDS
    while (found := author.call("GET", "/submissions", token).json["submissions"][0])["open"]:
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    assert found["state"] == "ready", found
    assert found["digest"] in Vault(served.folder / "vault").digests()
    until_gone(served)


def test_a_server_ends_the_runs_that_one_before_it_has_left(serve: Serve) -> None:
    """Runs go on when their server is killed; the next one looks after them, and ends them."""
    first = serve()
    host = first.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    deadline = time.monotonic() + SECONDS
    while not first.runs() or not (first.folder / "ladders" / "friday.ladder" / "log").exists():
        assert time.monotonic() < deadline, first.log
        time.sleep(0.1)
    (run,) = first.runs()
    first.kill()
    second = serve(first.folder)
    while f"process {run} plays it, which a server has left" not in second.log:
        assert time.monotonic() < deadline, second.log
        time.sleep(0.1)
    assert second.runs() == [run]
    assert second.stop() == 0
    assert second.runs() == []


def test_a_server_that_is_told_to_end_as_it_begins_ends_in_good_order(serve: Serve) -> None:
    """Whoever stops a site just after its start leaves nothing that goes on without it."""
    first = serve()
    assert first.host().post("/new-ladder", name="friday", definition=LADDER).status == 303
    assert first.stop() == 0
    for _ in range(3):
        assert serve(first.folder).stop() == 0
        assert first.runs() == []
