"""What `arena play` shows and keeps of bots that fail: their words, their frames, what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from check.wrong import RIGHT, altered, write_bot
from command import Outcome, arena, assert_refused

pytestmark = pytest.mark.source_only
CRASHES = altered(
    "    return 0",
    "    sys.stderr.write('so far so good\\n')\n    raise ValueError('no such colour')",
)
TIME = re.compile(r"\d\d:\d\d:\d\d\.\d\d\d seat \d \(wrong\) ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a bot that crashes, and one that is right and says so on stderr."""
    write_bot(tmp_path, "crashes", CRASHES)
    noisy = write_bot(tmp_path, "noisy", RIGHT + "\nsys.stderr.write('bye ' * 5000)\n")
    manifest = noisy / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"wrong"', '"noisy"'))
    return tmp_path


def play(folder: Path, *words: str, games: int = 2) -> Outcome:
    """Games with both bots."""
    bots = ("./crashes", "noisy", "random")
    return arena("play", "gargon", *bots, "--games", str(games), *words, cwd=folder)


def test_a_crash_shows_stderr_the_last_frames_and_what_to_do(folder: Path) -> None:
    """An author needs no second run to see why his bot has ended, and is told the next step."""
    played = play(folder, "--time", "start=60000")
    assert played.code == 0
    lines = played.err.splitlines()
    (told,) = [at for at, line in enumerate(lines) if "./crashes failed first in game 0" in line]
    text = "\n".join(lines[told:])
    assert "crashed: ended while the game went on: exit code 1" in lines[told]
    assert '  last sent   {"t": "act", "id": 1' in text
    assert '  last got    {"t": "hello"' in text
    assert "ValueError: no such colour" in text
    assert "arena bot check ./crashes --game gargon --time start=60000" in text
    assert "--stderr DIR" in text
    assert "noisy failed" not in text


def test_a_failed_start_shows_what_was_said(tmp_path: Path) -> None:
    """Also before the hello: the end of stderr, and the bytes that came in place of a hello."""
    write_bot(tmp_path, "loud", altered("seen = []", "print('Hi', flush=True); 1 // 0"))
    played = arena("play", "gargon", "loud", "random", "random", "--games", "1", cwd=tmp_path)
    assert "loud failed first in game 0" in played.err
    assert '  last sent   {"t": "hello"' in played.err
    assert "  last got    b'Hi\\n" in played.err or "3 bytes of a frame" in played.err, played.err
    assert "ZeroDivisionError" in played.err


def test_stderr_is_kept_whole_in_a_file_for_each_bot(folder: Path) -> None:
    """More than the end, of every process; a bot that says nothing has an empty file."""
    assert play(folder, "--stderr", "logs").code == 0
    logs = {path.name: path.read_text() for path in (folder / "logs").iterdir()}
    assert sorted(logs) == ["1-wrong.log", "2-noisy.log", "3-random.log"]
    assert logs["1-wrong.log"].count("ValueError: no such colour") == 2
    assert logs["2-noisy.log"] == "bye " * 5000 * 2
    assert logs["3-random.log"] == ""


def test_what_is_there_is_not_overwritten_unasked_nor_through_a_link(folder: Path) -> None:
    """A run refuses the files of the one before; with --force it replaces them, not what they link
    to.
    """
    assert play(folder, "--stderr", "logs", games=1).code == 0
    log = folder / "logs" / "2-noisy.log"
    assert_refused(play(folder, "--stderr", "logs"), "--stderr logs/1-wrong.log: exists", "--force")
    precious = folder / "precious"
    precious.write_text("precious")
    log.unlink()
    log.symlink_to(precious)
    (folder / "logs" / "1-wrong.log").unlink()
    (folder / "logs" / "3-random.log").unlink()
    assert_refused(play(folder, "--stderr", "logs"), "--stderr logs/2-noisy.log: exists")
    assert [path.name for path in (folder / "logs").iterdir()] == ["2-noisy.log"]
    assert play(folder, "--stderr", "logs", "--force", games=1).code == 0
    assert precious.read_text() == "precious"
    assert log.read_text() == "bye " * 5000
    assert not log.is_symlink()
    (folder / "linked").symlink_to("logs")
    assert_refused(
        play(folder, "--stderr", "linked", "--force"), "--stderr linked: is not a folder"
    )
    log.unlink()
    log.mkdir()
    assert_refused(play(folder, "--stderr", "logs", "--force"), "2-noisy.log: is no file")
    assert_refused(play(folder, "--stderr", "no/such"), "--stderr no/such: No such file")


def test_one_bots_frames_can_be_followed(folder: Path) -> None:
    """With the time and the direction of each, also what follows a fault; nothing of the others."""
    played = play(folder, "--debug", "./crashes", games=1)
    assert 'at hello (wrong) -> {"t": "hello"' in played.err
    assert 'at hello (wrong) <- {"t": "hello"' in played.err
    frames = [line for line in played.err.splitlines() if TIME.match(line)]
    kinds = [re.findall(r'-> \{"t": "(\w+)"', line) for line in frames]
    assert kinds == [["start"], ["act"]]
    assert "(noisy)" not in played.err.partition("game 0")[0]
    by_name = play(folder, "--debug", "noisy", games=1)
    assert '(noisy) <- {"t": "action"' in by_name.err
    assert "(wrong) ->" not in by_name.err
    write_bot(folder, "illegal", altered("    return 0", "    return 999"))
    followed = arena(
        "play", "gargon", "illegal", "random", "random", "--debug", "illegal", cwd=folder
    )
    assert '(wrong) -> {"t": "fault", "verdict": "illegal"' in followed.err
    assert '(wrong) -> {"t": "bye"}' in followed.err


def test_a_bot_that_does_not_play_cannot_be_followed(folder: Path) -> None:
    """A slip is told at once, with the bots that there are."""
    refused = play(folder, "--debug", "nosy")
    assert_refused(refused, "--debug: expected one of the bots", "./crashes, noisy", "'nosy'")
    assert_refused(play(folder, "--force"), "--force needs --record or --stderr")


def test_workers_keep_stderr_and_show_frames(folder: Path) -> None:
    """With several workers nothing is missing in the files, and each frame says whose it is."""
    (folder / "noisy" / "bot.py").write_text(
        RIGHT.replace(
            "    return 0", "    sys.stderr.write('a line of a decision\\n')\n    return 0"
        )
    )
    words = ("play", "gargon", "noisy", "random", "random", "--games", "12", "--seed", "s")
    assert arena(*words, "--stderr", "one", cwd=folder).code == 0
    debug = ("--debug", "noisy")
    played = arena(*words, "--workers", "2", "--stderr", "two", *debug, cwd=folder)
    assert played.code == 0
    alone, together = ((folder / of / "1-noisy.log").read_text() for of in ("one", "two"))
    assert set(alone.splitlines()) == {"a line of a decision"}
    assert together == alone
    shown = re.findall(
        r"^[\d:.]+ (worker \d): (?:at hello|seat \d) \(noisy\) (..)", played.err, re.MULTILINE
    )
    assert {worker for worker, _ in shown} == {"worker 1", "worker 2"}
    asked = re.findall(r'\(noisy\) -> \{"t": "act"', played.err)
    assert len(asked) == alone.count("\n")
