"""Diagnoses: each typical mistake is told by a sentence of its own, which leads to its remedy."""

from __future__ import annotations

import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from arena.check._languages import words_for
from arena.check._shapes import shape
from arena.check._silence import silence
from arena.check._symptoms import Experiment, Symptoms
from arena.programs.spec import BotSpec
from arena.wire.codec import encode
from check.mistakes import IN_TIME, MISTAKES
from check.wrong import CHOOSE, RIGHT, altered, write_bot
from command import arena, assert_refused, on_a_terminal

pytestmark = pytest.mark.source_only

PATIENT = ("--time", "decision=60000", "--time", "start=60000")
SILENT_AT_HELLO = ("--time", "start=500")
SILENT_IN_A_GAME = ("--time", "decision=100", "--time", "bank=200", "--time", "start=60000")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_a_diagnosis_of_its_own(tmp_path: Path, name: str) -> None:
    """An author who reads what was got knows which mistake it is, and what to do about it."""
    mistake = MISTAKES[name]
    write_bot(tmp_path, name, altered(mistake.old, mistake.new))
    times = PATIENT
    if mistake.silent:
        times = SILENT_IN_A_GAME if mistake.step == IN_TIME else SILENT_AT_HELLO
    checked = arena("bot", "check", name, "--json", *times, cwd=tmp_path)
    assert checked.code == 1, checked.err
    (step,) = [step for step in checked.json["steps"] if step["status"] == "fail"]
    assert mistake.got in step["got"], step
    assert mistake.remedy in step["remedy"], step
    assert step["name"] == mistake.step
    others = {each.got for each in MISTAKES.values()} - {mistake.got}
    assert not [other for other in others if other in step["got"]]


RUNNABLE = 'name = "wrong"\ngames = ["gargon"]\nrun = ["./bot"]\n'
EXECUTABLE = 0o755


@pytest.mark.parametrize(
    ("content", "mode", "got", "remedy"),
    [
        (b"#!/usr/bin/env python3\n", 0o644, "is not executable", "chmod +x ./bot"),
        (b"#!/usr/bin/pythn3\n", EXECUTABLE, "the interpreter '/usr/bin/pythn3'", "Install pythn3"),
        (b"#!/usr/bin/env pythn3\n", EXECUTABLE, "the interpreter 'pythn3'", "Install pythn3"),
        (b"#!/usr/bin/perl\r\n", EXECUTABLE, "ends with a carriage return", "sed -i"),
        (b"#!/usr/bin/env python3\r\n", EXECUTABLE, "ends with a carriage return", "sed -i"),
        (b"import sys\n", EXECUTABLE, "no first line that names its interpreter", "#!/usr/bin/env"),
        (b"\x7fELF\x02\x01\x01", EXECUTABLE, "another kind of machine", "Compile it here"),
    ],
)
def test_a_file_that_cannot_be_run_is_looked_at(
    tmp_path: Path, content: bytes, mode: int, got: str, remedy: str
) -> None:
    """The system says "No such file" of many things; the check says which it is."""
    (tmp_path / "bot.toml").write_text(RUNNABLE)
    (tmp_path / "bot").write_bytes(content)
    (tmp_path / "bot").chmod(mode)
    checked = arena("bot", "check", ".", "--json", *PATIENT, cwd=tmp_path)
    assert checked.code == 1, checked.err
    (step,) = [step for step in checked.json["steps"] if step["status"] == "fail"]
    assert step["name"] == "starts"
    assert got in step["got"], step
    assert remedy in step["remedy"], step


def test_the_frames_before_a_failure_can_be_sent_again(tmp_path: Path) -> None:
    """An author runs his program on the bytes that it failed on, without the arena."""
    mistake = MISTAKES["is-killed"]
    bot = write_bot(tmp_path, "bot", altered(mistake.old, mistake.new))
    check = ("bot", "check", "bot", *PATIENT, "--frames", "frames")
    checked = arena(*check, cwd=tmp_path)
    assert checked.code == 1
    frames = tmp_path / "frames"
    line = next(line for line in checked.err.splitlines() if line.startswith("run it on"))
    assert f"cd {bot} && " in line
    assert line.endswith(f"python3 bot.py < {frames})")
    command = line.partition(": ")[2]
    again = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert again.returncode == -signal.SIGSEGV or again.returncode == 128 + signal.SIGSEGV
    before = frames.read_bytes()
    assert_refused(arena(*check, cwd=tmp_path), f"--frames {frames.name}: exists", "--force")
    assert frames.read_bytes() == before
    frames.unlink()
    (tmp_path / "other").write_text("precious")
    frames.symlink_to("other")
    assert arena(*check, "--force", cwd=tmp_path).code == 1
    assert frames.read_bytes() == before
    assert (tmp_path / "other").read_text() == "precious"


def test_nothing_is_kept_of_a_bot_that_passes(tmp_path: Path) -> None:
    """There are no frames of a failure then, and no file that looks as if there were."""
    checked = arena("bot", "check", "random", "--game", "gargon", "--frames", "f", cwd=tmp_path)
    assert checked.code == 0
    assert "f was not written" in checked.err
    assert not (tmp_path / "f").exists()


def test_a_slower_machine_has_shorter_times(tmp_path: Path) -> None:
    """What an author's fast machine does in time may be late on the host's."""
    write_bot(tmp_path, "bot", altered(CHOOSE, "    time.sleep(0.05)\n    return 0"))
    times = ("--time", "decision=600", "--time", "bank=0", "--time", "start=600000")
    checked = arena("bot", "check", "bot", *times, "--slower", "20", "--json", cwd=tmp_path)
    assert checked.code == 1
    assert "20 times slower" in checked.err
    assert "decision 30, bank 0, start 30000" in checked.err
    (failed,) = [step for step in checked.json["steps"] if step["status"] == "fail"]
    assert failed["name"] == IN_TIME
    assert "within 30 ms" in failed["expected"]
    assert_refused(arena("bot", "check", "bot", "--slower", "0.5", cwd=tmp_path), "--slower")


def test_a_command_line_plays_what_the_description_beside_its_file_says(tmp_path: Path) -> None:
    """Who runs his bot by its file is not told that it cannot play a game that it does not."""
    bot = write_bot(tmp_path, "bot", RIGHT)
    checked = arena("bot", "check", "python3 bot/bot.py", "--json", *PATIENT, cwd=tmp_path)
    assert checked.code == 0, checked.out
    assert "plays gargon" in [step["name"] for step in checked.json["steps"]]
    assert "plays castors" not in [step["name"] for step in checked.json["steps"]]
    (bot / "bot.toml").unlink()
    checked = arena("bot", "check", "python3 bot/bot.py", "--json", *PATIENT, cwd=tmp_path)
    assert "plays castors" in [step["name"] for step in checked.json["steps"]]
    assert "does not say what it plays" in checked.err


def test_a_long_step_says_how_far_it_is(tmp_path: Path) -> None:
    """Who sits before a terminal sees that the check goes on, and on what it waits."""
    write_bot(tmp_path, "bot", altered("while header :=", "time.sleep(1000)\nwhile header :="))
    shown = on_a_terminal("bot", "check", "bot", "--time", "start=2500", cwd=tmp_path)
    assert b"2 s without a hello" in shown
    assert b"looks for what is wrong" in shown
    write_bot(tmp_path, "right", RIGHT)
    shown = on_a_terminal("bot", "check", "right", *PATIENT, cwd=tmp_path)
    assert b"game 3 of 24" in shown
    assert b"in a fresh process" in shown


@pytest.mark.parametrize(
    ("run", "language", "flush"),
    [
        ("python3 bot.py", "", "sys.stdout.buffer.flush()"),
        ("./bot", "c++", "std::cout.flush()"),
        ("./bot", "java", "out.flush()"),
        ("node bot.js", "", "process.stdout.write"),
        ("build/bot", "typescript", "process.stdout.write"),
        ("./bot", "go", "w.Flush()"),
        ("./bot", "rust", "stdout.flush()"),
        ("perl bot.pl", "", "$| = 1"),
        ("./bot", "c", "fflush(stdout)"),
        ("./bot", "cobol", "flush stdout after every frame"),
    ],
)
def test_a_remedy_is_in_the_language_of_the_bot(run: str, language: str, flush: str) -> None:
    """What to write is said in the words of the language that the author writes."""
    spec = BotSpec("bot", tuple(run.split()), Path(), language=language or "unknown")
    seen = Symptoms(asked=(100,), at_close=b"\0", questions=2, answers=1)
    assert flush in silence(seen, words_for(spec)).remedy


def test_no_two_silences_are_told_alike() -> None:
    """Every combination of what can be seen of a silent bot has its own sentence."""
    silent = Symptoms(asked=(100,), questions=1)
    table = {
        "nothing read": replace(silent, unread=100),
        "a part read": replace(silent, unread=60),
        "the pipe is full": replace(silent, unread=65536, full=True),
        "computes": replace(silent, computes=True),
        "late": replace(silent, late=b"\0"),
        "a part of a frame": replace(silent, rest=b"\0\0\0\x09\x81"),
        "sleeps": silent,
        "waits for more": replace(silent, ended_at_close=True),
        "to the end": replace(silent, at_close=b"\0"),
        "no flush": replace(silent, at_close=b"\0", answered_to=Experiment.MANY),
        "stderr": replace(silent, on_stderr=1),
        **{
            each.name: replace(silent, answered_to=each)
            for each in Experiment
            if each is not Experiment.MANY
        },
    }
    words = words_for(BotSpec("bot", ("./bot",), Path()))
    told = {name: silence(seen, words).got for name, seen in table.items()}
    assert len(set(told.values())) == len(table), told


def test_the_page_for_authors_quotes_what_the_check_says() -> None:
    """Who looks for the sentence that he read finds it on the page, word by word."""
    page = (Path(__file__).parents[2] / "docs" / "first-bot.md").read_text("utf-8")
    section = page.partition("\n## What is wrong with my bot\n")[2].partition("\n## ")[0]
    quoted = re.findall(r"^\| `([^`]*)` \|", section, re.MULTILINE)
    assert len(quoted) >= 10
    for sentence in quoted:
        assert any(sentence in mistake.got for mistake in MISTAKES.values()), sentence


MAP = encode({"t": "hello", "name": "é"})
SHAPES = {
    "right": (len(MAP).to_bytes(4, "big") + MAP, None),
    "cut off": ((len(MAP)).to_bytes(4, "big") + MAP[:-1], None),
    "noise": (b"\xff\x00\xfe\x01", None),
    "little-endian": (len(MAP).to_bytes(4, "little") + MAP, "little-endian: "),
    "little-endian, of 256 bytes": (
        (256).to_bytes(4, "little") + encode({"t": "x" * 251}),
        "little-endian: 00 01 00 00",
    ),
    "eight bytes": (len(MAP).to_bytes(8, "big") + MAP, "a length of 8 bytes"),
    "one byte": (bytes([len(MAP)]) + MAP, "a length of 1 byte, "),
    "digits": (b"%d\r\n" % len(MAP) + MAP, "written as text"),
    "bare": (MAP, "without its length"),
    "JSON": (b'{"t": "hello"}\n', "JSON, not a frame"),
    "JSON in a frame": (b"\0\0\0\x0e" + b'{"t": "hello"}', "whose body is JSON"),
    "as characters": (
        (len(MAP).to_bytes(4, "big") + MAP).decode("latin-1").encode(),
        "written as text: each of its bytes",
    ),
    "counts itself": ((len(MAP) + 4).to_bytes(4, "big") + MAP, "its own four bytes, too"),
    "line end inside": ((len(MAP) + 1).to_bytes(4, "big") + MAP + b"\n", "in the body"),
    "too little": ((len(MAP) - 1).to_bytes(4, "big") + MAP, "it says 1 fewer"),
    "line end": (b"\r\n" + len(MAP).to_bytes(4, "big") + MAP, "a line end after a frame"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_bytes_are_told_by_their_shape(name: str) -> None:
    """What came in place of a frame is named; a frame, or what could be anything, is not."""
    data, got = SHAPES[name]
    found = shape(data, words_for(BotSpec("bot", ("./bot",), Path())))
    if got is None:
        assert found is None
    else:
        assert found is not None
        assert got in found.got


def test_characters_are_spoken_of_only_where_a_text_has_fewer_of_them_than_bytes() -> None:
    """Who counted wrong in another way is not sent to look for that."""
    hints = []
    for body in (MAP, encode({"t": "hello", "name": "e"})):
        short = (len(body) - 1).to_bytes(4, "big") + body
        found = shape(short, words_for(BotSpec("bot", ("./bot",), Path())))
        assert found is not None
        hints.append("not the characters" in found.remedy)
    assert hints == [True, False]
