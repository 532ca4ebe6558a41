"""Wishes: each becomes its entries in the log exactly once, or is refused in a line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ladder.asking import ask
from arena.ladder.backup import back_up
from arena.ladder.desk import Desk
from arena.ladder.inbox import ANSWERS, INBOX, LARGEST, MOST_WAITING, Inbox
from arena.ladder.lock import locked
from arena.ladder.store import Store
from arena.ladder.store_files import INTENT, StoreError
from arena.ladder.wishes import (
    Annul,
    ChangeBudget,
    Close,
    Disqualify,
    Enter,
    GoOn,
    Pause,
    Refusal,
    SetAside,
    Wish,
    Withdraw,
)
from arena.programs.spec import BotSpec, UnusableBot
from arena.records.entries import Budget, Contestant
from ladder.fields import definition, run

pytestmark = pytest.mark.source_only

CALLS = ("write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "mkdir")
TAKE = """
import sys
from pathlib import Path
from arena.ladder.desk import Desk
from arena.ladder.lock import locked
from arena.ladder.store import Store

path = Path("test.ladder")
sys.stdout.write("begins")
sys.stdout.flush()
with locked(path), Store.open(path, write=True) as store:
    Desk(store, None, lambda _: None).take()
"""
NEW = Contestant(name="fay", version="7", digest="f" * 64)


def found(bot: Contestant) -> BotSpec:
    """The program of any contestant; here none is started."""
    return BotSpec(name=bot.name, version=bot.version, run=("true",), folder=Path("/"))


def nobody(bot: Contestant) -> BotSpec:
    """No program at all."""
    raise UnusableBot("has not been sealed")


def store(folder: Path, games: int = 0) -> Path:
    """A ladder of five at tables of 3 and 4."""
    run(definition(folder), "--games", str(games))
    return folder / "test.ladder"


def asked(path: Path, wish: Wish) -> str:
    """What comes of a wish where no run is on."""
    answer = ask(path, wish, found, print).answer
    assert answer is not None
    return answer.text if answer.granted else f"refused: {answer.text}"


def entries(path: Path) -> list[dict[str, object]]:
    """The entries of a log, but its blocks."""
    lines = (path / "log").read_text().splitlines()
    read = [json.loads(line[33:]) for line in lines]
    return [entry for entry in read if entry["entry"] != "block"]


def test_every_wish_becomes_its_entry(tmp_path: Path) -> None:
    """Who asks learns in a line what follows, and the log says the same."""
    path = store(tmp_path, 20)
    blocks = sum('"entry":"block"' in line for line in (path / "log").read_text().splitlines())
    since = f"from block {blocks} on"
    assert asked(path, Enter(bots=(NEW,))) == f"fay 7 plays {since}"
    newer = Contestant(name="fay", version="8", digest="e" * 64)
    replaced = f"fay 8 plays {since}; fay 7 plays no more {since} (replaced by version 8)"
    assert asked(path, Enter(bots=(newer,))) == replaced
    gone = f"bob 1 plays no more {since} (tired)"
    assert asked(path, Withdraw(bots=("bob@1",), reason="tired\n")).replace(" )", ")") == gone
    assert asked(path, Pause(reason="repairs")) == f"paused: nothing is played {since}"
    assert asked(path, GoOn()) == f"goes on with block {blocks}"
    assert asked(path, Annul(blocks=(1, 0), reason="disk")) == "2 blocks annulled (disk)"
    budget = Budget(each=70)
    assert asked(path, ChangeBudget(budget=budget)) == f"the budget is each = 70 {since}"
    assert asked(path, SetAside(bot="fay", reason="crashes")).endswith("(set aside: crashes)")
    assert asked(path, Close()).startswith("closed after")
    kinds = [entry["entry"] for entry in entries(path)[3:]]
    assert kinds == [
        *("enter", "enter", "enter", "change", "change"),
        *("annul", "change", "enter", "close"),
    ]
    assert asked(path, Pause()) == "refused: this ladder is closed; nothing can be changed"


def test_a_name_that_is_anothers_digest_shields_nobody(tmp_path: Path) -> None:
    """Who has called a second bot like the digest of his first keeps neither by that."""
    path = store(tmp_path)
    shield = Contestant(name=NEW.digest, version="1", digest="d" * 64)
    asked(path, Enter(bots=(NEW, shield)))
    assert asked(path, Disqualify(bot=NEW.digest, reason="cheats")).startswith("fay 7 plays no")


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (Withdraw(bots=("nobody",)), '"nobody": nobody of this name plays; expected one of ada'),
        (Withdraw(bots=("ada", "ada")), "expected each bot once"),
        (
            Withdraw(bots=("ada", "bob", "cid")),
            "tables of 3 need 3 contestants, and 2 would be left",
        ),
        (Disqualify(bot="ada@9", reason="x"), '"ada@9": nobody of this name plays'),
        (GoOn(), "this ladder is not paused"),
        (Annul(blocks=(0,), reason="x"), "block 0: the log has no block yet"),
        (ChangeBudget(budget=Budget()), "expected a part of a budget"),
        (
            ChangeBudget(budget=Budget(each_at={"5": 3})),
            "budget.each_at: expected",
        ),
        (Enter(bots=(NEW, NEW)), "expected each name once, got several bots named 'fay'"),
    ],
)
def test_what_cannot_be_is_refused(wish: Wish, says: str, tmp_path: Path) -> None:
    """A wish that makes no sense changes nothing, and whoever left it learns why."""
    path = store(tmp_path)
    before = (path / "log").read_bytes()
    assert asked(path, wish).startswith(f"refused: {says}"), asked(path, wish)
    assert (path / "log").read_bytes() == before


def test_a_bot_that_is_not_there_does_not_enter(tmp_path: Path) -> None:
    """A wish can name any digest, but only what the writer has can play."""
    path = store(tmp_path)
    answer = ask(path, Enter(bots=(NEW,)), nobody, print).answer
    assert answer is not None
    assert (answer.granted, answer.text) == (False, "fay 7: has not been sealed")
    other = Contestant(name="fay", version="6", digest=NEW.digest)
    answer = ask(path, Enter(bots=(other,)), lambda _: found(NEW), print).answer
    assert answer is not None
    assert answer.text == "fay 6: the bot with this digest is fay 7"


def test_a_killed_writer_does_each_wish_once(tmp_path: Path) -> None:
    """Killed before any system call that changes a file, and opened again: each is there once.

    So it is in a copy of what he has left.
    """
    if shutil.which("strace") is None and not os.environ.get("CI"):
        pytest.skip("needs strace")
    first = store(tmp_path)
    inbox = Inbox(first)
    names = [
        inbox.leave(Withdraw(bots=("ada",)), "first"),
        inbox.leave(Withdraw(bots=("ada",)), "second"),
        inbox.leave(Pause(), "third"),
    ]
    kept = tmp_path / "kept"
    shutil.copytree(first, kept)
    calls = took(tmp_path)
    whole = (first / "log").read_bytes()
    kills = [(call, at) for call, count in calls.items() for at in range(1, count + 1)]
    assert len(kills) > 25
    for call, at in kills:
        shutil.rmtree(first)
        shutil.copytree(kept, first)
        took(tmp_path, f"--inject={call}:signal=KILL:when={at}")
        copy = tmp_path / f"copy-{call}-{at}"
        back_up(first, copy)
        for path in (first, copy):
            with locked(path), Store.open(path, write=True) as again:
                Desk(again, found, print).take()
            assert (path / "log").read_bytes() == whole, (call, at)
            answers = [Inbox(path).answered(name) for name in names]
            said = [(one.granted, one.entries) if one else None for one in answers]
            assert said == [(True, (2,)), (False, ()), (True, (3,))], (call, at)
            assert not Inbox(path).waiting()
            assert not (path / INTENT).exists()


def test_a_copy_has_every_wish_that_was_left_before(tmp_path: Path) -> None:
    """A run answers wishes while its store is copied: in each copy each is done, once."""
    path = store(tmp_path)
    ending = Event()

    def answer() -> None:
        with locked(path), Store.open(path, write=True) as opened:
            desk = Desk(opened, found, lambda _: None)
            while not ending.is_set():
                desk.take()

    writer = Thread(target=answer)
    writer.start()
    names = []
    try:
        for number in range(40):
            wish = GoOn() if number % 4 == 1 else Pause()
            names += [Inbox(path).leave(wish, f"wish-{number}")]
            time.sleep(number % 5 / 1000)
            back_up(path, tmp_path / f"copy-{number}")
    finally:
        ending.set()
        writer.join()
    for number in range(40):
        copy = tmp_path / f"copy-{number}"
        with locked(copy), Store.open(copy, write=True) as opened:
            Desk(opened, found, lambda _: None).take()
        answers = [Inbox(copy).answered(name) for name in names[: number + 1]]
        granted = [each.entries for each in answers if each is not None and each.granted]
        assert None not in answers, (number, answers)
        assert sorted(granted) == [(2 + at,) for at in range(len(entries(copy)) - 2)], number


def took(folder: Path, *options: str) -> Counter[str]:
    """Have another process take the wishes; return how often it made each call."""
    traced = folder / "calls"
    subprocess.run(
        [
            *("strace", "-qq", "-o", traced, "-e", f"trace={','.join(CALLS)}", *options),
            *(sys.executable, "-c", TAKE),
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return Counter(re.findall(r"^(\w+)\(", traced.read_text(), re.MULTILINE))


def test_a_wish_that_is_left_twice_is_done_once(tmp_path: Path) -> None:
    """Who does not know whether he was heard may ask again by the same name."""
    path = store(tmp_path)
    inbox = Inbox(path)
    for _ in range(2):
        inbox.leave(Enter(bots=(NEW,)), "order-17")
        with locked(path), Store.open(path, write=True) as opened:
            Desk(opened, found, print).take()
    inbox.leave(Enter(bots=(NEW,)), "order-17")
    assert not inbox.waiting()
    answer = inbox.answered("order-17")
    assert answer is not None
    assert answer.granted
    assert len(entries(path)) == 3


def test_nonsense_in_the_inbox_stops_nothing(tmp_path: Path) -> None:
    """Folders, pipes, links, large files and bytes of any kind are refused or passed over."""
    path = store(tmp_path)
    inbox = Inbox(path)
    box = path / INBOX
    box.mkdir()
    (box / "large").write_bytes(b"x" * (LARGEST + 1))
    os.mkfifo(box / "pipe")
    (box / "link").symlink_to("/etc/passwd")
    (box / "folder").mkdir()
    (box / "No wish.txt").write_text("{}")
    for at, text in enumerate(["", "{", "[]", '{"wish":"fly"}', '{"wish":"pause","x":1}', "\xff"]):
        (box / f"bad-{at}").write_bytes(text.encode("latin-1"))
    inbox.leave(Pause(), "good")
    with locked(path), Store.open(path, write=True) as opened:
        desk = Desk(opened, found, print)
        desk.take()
        assert opened.ledger.paused
        assert desk.take() == []
        assert not desk.inbox.waiting()
    texts = [inbox.answered(each.name) for each in (path / ANSWERS).iterdir()]
    assert len(texts) == 11
    for answer in texts:
        assert answer is not None
        assert "\n" not in answer.text
    pipe = inbox.answered("pipe")
    assert pipe is not None
    assert pipe.text == "not a wish: expected a file"


@given(data=st.binary(max_size=200))
def test_no_bytes_are_more_than_a_refusal(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever a file in the inbox has, reading it says in a line why it is no wish."""
    box = tmp_path_factory.mktemp("ladder")
    inbox = Inbox(box)
    (box / INBOX).mkdir()
    (box / INBOX / "any").write_bytes(data)
    with pytest.raises(Refusal) as refused:
        inbox.read("any")
    assert "\n" not in str(refused.value)


def test_too_many_and_too_large_wishes_are_refused_at_the_door(tmp_path: Path) -> None:
    """A full inbox takes no more, and says so at once; nor does it take what is no wish."""
    path = store(tmp_path)
    inbox = Inbox(path)
    inbox.leave(Pause(), "wish-0")
    for at in range(1, MOST_WAITING):
        shutil.copy2(path / INBOX / "wish-0", path / INBOX / f"wish-{at}")
    with pytest.raises(Refusal, match="1000 wishes wait already"):
        inbox.leave(Pause())
    with pytest.raises(Refusal, match="bytes at most"):
        inbox.leave(Withdraw(bots=("x" * LARGEST,)))
    with pytest.raises(Refusal, match="not a wish: bots"):
        inbox.leave(Withdraw(bots=()))
    with pytest.raises(Refusal, match="expected a name of letters"):
        inbox.leave(Pause(), "../../etc/passwd")
    with pytest.raises(StoreError, match="no such store"):
        Inbox(tmp_path / "elsewhere").leave(Pause())
    with locked(path), Store.open(path, write=True) as opened:
        assert len(Desk(opened, found, print).take()) == 1
    refused = [inbox.answered(f"wish-{at}") for at in range(1, MOST_WAITING)]
    assert {one.text for one in refused if one} == {"this ladder is paused already"}
