"""`arena play`: games between real programs, seen through the command."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from command import Outcome, arena, assert_refused

FOUR = ["random"] * 4


def write_bot(folder: Path, name: str, source: str) -> str:
    """A bot of its own in a file; the command line that runs it."""
    path = folder / f"{name}.py"
    path.write_text(dedent(source))
    return f"{sys.executable} {path}"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def blocks_of(path: Path) -> list[dict[str, Any]]:
    """The blocks of a log."""
    return [entry for entry in read_lines(path) if entry["entry"] == "block"]


def seatings(path: Path) -> list[list[int]]:
    """The bots by seat in each game of a log, by their places on the command line."""
    return [
        block["contestants"][rotation:] + block["contestants"][:rotation]
        for block in blocks_of(path)
        for rotation in range(len(block["games"]))
    ]


def test_play_shows_how_each_bot_did() -> None:
    """Games, mean place, mean score, faults and time are shown for every bot."""
    shown = arena("play", "gargon", *FOUR, "--games", "4")
    assert shown.code == 0
    for column in ("games", "mean place", "mean score", "faults", "ms/decision"):
        assert column in shown.out
    assert shown.out.count("random  ") >= 4
    data = arena("play", "gargon", *FOUR, "--games", "8", "--seed", "1", "--json").json
    assert [line["games"] for line in data] == [8] * 4
    assert sum(line["mean_place"] for line in data) == pytest.approx(10, abs=0.5)
    assert all(line["faults"] == {} and line["ms_per_decision"] > 0 for line in data)


@pytest.mark.parametrize(("game", "seats"), [("gargon", 5), ("castors", 2), ("castors", 6)])
def test_every_game_plays_at_every_size(game: str, seats: int) -> None:
    """The least and the most players work, with one game per bot by default."""
    data = arena("play", game, *["random"] * seats, "--json").json
    assert [line["games"] for line in data] == [seats] * seats


def test_the_same_seed_gives_the_same_log_to_the_byte(tmp_path: Path) -> None:
    """Who repeats a match of deterministic bots gets the same files; another seed, others."""
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        path = tmp_path / f"{name}.jsonl"
        arena("play", "castors", *FOUR, "--games", "6", "--seed", seed, "--record", str(path))
    a, b, c = ((tmp_path / f"{name}.jsonl").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def blocks(path: Path) -> list[bytes]:
    """The blocks of a log; its first entry says whether a seed was given."""
    return [line for line in path.read_bytes().splitlines() if b'"entry":"block"' in line]


SAID = re.compile(r"arena play: repeat these deals with (--seed [0-9a-f]{32})\n")


@pytest.mark.source_only
def test_deals_that_nobody_could_guess_can_be_repeated(tmp_path: Path) -> None:
    """Without a seed every run has its own, and is told it in a form that can be copied."""
    seeds = []
    for name in ("a", "b"):
        words = ["play", "castors", *FOUR, "--record", name, "--json"]
        played = arena(*words, cwd=tmp_path)
        assert [line["bot"] for line in played.json] == FOUR
        said = SAID.fullmatch(played.err)
        assert said, played.err
        seeds.append(said[1])
    again = arena("play", "castors", *FOUR, *seeds[0].split(), "--record", "again", cwd=tmp_path)
    assert again.err == ""
    a, b, repeated = (blocks(tmp_path / name) for name in ("a", "b", "again"))
    assert repeated == a
    assert a != b
    assert len(set(seeds)) == 2


def test_a_run_that_ends_early_can_be_repeated_too() -> None:
    """Its seed is told as well, before the line that says what has failed."""
    failed = arena("play", "castors", *FOUR, "--record", "/dev/full")
    assert failed.code == 3
    said, error = failed.err.splitlines(keepends=True)
    assert SAID.fullmatch(said)
    assert "/dev/full" in error


def test_every_bot_plays_every_hand(tmp_path: Path) -> None:
    """Luck of the deal cancels: a deal is played once per rotation of the seats."""
    path = tmp_path / "games.jsonl"
    bots = [write_bot(tmp_path, f"bot{n}", BASIC) for n in range(3)]
    assert arena("play", "gargon", *bots, "--games", "6", "--record", str(path)).code == 0
    shown = [
        arena("replay", "show", str(path), "--game", str(number), "--json").json
        for number in range(6)
    ]
    for block in (shown[:3], shown[3:]):
        hands = [game["opening"][0] for game in block]
        assert hands[0] == hands[1] == hands[2]
        for seat in range(3):
            names = {game["seats"][seat]["name"] for game in block}
            assert names == {"bot0", "bot1", "bot2"}
    assert shown[0]["opening"][0] != shown[3]["opening"][0]


def test_neighbours_change_from_deal_to_deal(tmp_path: Path) -> None:
    """Places on the command line decide nothing: each bot has each other on its left by turns."""
    bots = [write_bot(tmp_path, f"bot{n}", BASIC) for n in range(3)]
    words = ["--rules", "laps=1", "--games", "18", "--seed", "7", "--record", "games.jsonl"]
    assert arena("play", "castors", *bots, *words, cwd=tmp_path).code == 0
    left = {(seating[0], seating[1]) for seating in seatings(tmp_path / "games.jsonl")}
    assert len(left) == 6


REMEMBERS = """
    from arena_sdk import run

    games = []

    def choose(question):
        if question.start.number not in games:
            games.append(question.start.number)
        question.note = " ".join(map(str, games))
        return 0

    run(choose, name="remembers")
"""


@pytest.mark.parametrize(("game", "seats"), [("gargon", 3), ("castors", 6)])
def test_no_process_sees_a_deal_twice(game: str, seats: int, tmp_path: Path) -> None:
    """A bot that notes the games that its process remembers has played each deal but once.

    Yet it goes on with the same processes, one for each rotation, from deal to deal.
    """
    bots = [write_bot(tmp_path, "remembers", REMEMBERS)] * seats
    words = ["play", game, *bots, "--games", str(3 * seats), "--record", "games.jsonl"]
    results = arena(*words, "--json", cwd=tmp_path).json
    assert all(line["faults"] == {} for line in results)
    blocks = blocks_of(tmp_path / "games.jsonl")
    assert [block["number"] for block in blocks] == [0, 1, 2]
    for block in blocks:
        assert len(block["games"]) == seats
        for played in block["games"]:
            assert len(played["notes"]) >= seats
            for _, note in played["notes"]:
                seen = [int(number) // seats for number in note.split()]
                assert seen == list(range(block["number"] + 1)), note


def test_times_are_beside_the_log(tmp_path: Path) -> None:
    """Logs can be compared because times are kept apart from them."""
    path = tmp_path / "games.jsonl"
    arena("play", "gargon", *FOUR, "--games", "6", "--record", str(path))
    times = read_lines(tmp_path / "games.times.jsonl")
    assert [each["first_game"] for each in times] == [0, 4]
    for block, each in zip(blocks_of(path), times, strict=True):
        for game, taken in zip(block["games"], each["games"], strict=True):
            assert len(taken["micros"]) == len(game["actions"])
            assert sum(pace["micros"] for pace in taken["paces"]) == sum(taken["micros"])
    assert "micros" not in path.read_text()


BASIC = """
    from arena_sdk import run

    run(lambda question: 0, name="basic")
"""

ILLEGAL = """
    import sys
    from arena_sdk import run

    def choose(question):
        print("I am about to play a card of a colour that there is not", file=sys.stderr)
        return ["play", 96] if question.kind == "play" else 0

    run(choose, name="illegal")
"""


def test_a_bot_that_fails_is_named_and_the_others_play_on(tmp_path: Path) -> None:
    """Authors see at once which bot failed, in which game, and why; nobody else suffers."""
    path = tmp_path / "games.jsonl"
    bad = write_bot(tmp_path, "bad", ILLEGAL)
    words = ["play", "gargon", "random", bad, "random", "--games", "3", "--record", str(path)]
    shown = arena(*words, "--json")
    assert shown.code == 0
    assert shown.json[1]["faults"] == {"illegal": 3}
    assert shown.json[1]["mean_place"] == 3
    assert shown.json[0]["faults"] == shown.json[2]["faults"] == {}
    assert "(bad): illegal: action.a[1]: expected 0..95, got 96" in shown.err
    (block,) = blocks_of(path)
    (times,) = read_lines(tmp_path / "games.times.jsonl")
    for seating, game, taken in zip(seatings(path), block["games"], times["games"], strict=True):
        (fault,) = game["faults"]
        assert (seating[fault["seat"]], fault["verdict"]) == (1, "illegal")
        (evidence,) = taken["evidence"]
        assert evidence["seat"] == fault["seat"]
        assert "I am about to play" in evidence["stderr"]
        assert '"play", 96' in evidence["received"]
        assert '"kind": "play"' in evidence["sent"]


def test_a_bot_that_cannot_be_run_is_a_failed_start(tmp_path: Path) -> None:
    """A bot that was not built is a verdict with the system's word for it."""
    manifest = 'name = "unbuilt"\nrun = ["./no-such-program"]\nfiles = ["bot.toml"]\n'
    (tmp_path / "bot.toml").write_text(manifest)
    shown = arena("play", "gargon", "random", "random", str(tmp_path))
    assert "start-failed: cannot run './no-such-program': No such file or directory" in shown.err
    assert "3 start-failed" in shown.out


def test_clock_settings_are_kept(tmp_path: Path) -> None:
    """A bot that thinks longer than --time allows loses on time."""
    slow = write_bot(
        tmp_path,
        "slow",
        """
        import time
        from arena_sdk import run

        def choose(question):
            time.sleep(60)

        run(choose)
        """,
    )
    words = ["play", "castors", "random", slow, "--games", "1", "--time", "decision=300"]
    shown = arena(*words, "--time", "bank=200", "--json")
    assert shown.json[1]["faults"] == {"timeout": 1}


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["chess", *FOUR], ["unknown game 'chess'"]),
        (["gargon", "random", "random"], ["expected 3 to 5 players, got 2"]),
        (["gargon"], ["BOT"]),
        (["gargon", *FOUR[:3], "randon"], ["unknown bot 'randon'", "random"]),
        (["gargon", *FOUR, "--games", "0"], ["--games", "0"]),
        (["gargon", *FOUR, "--time", "decision"], ["expected NAME=MS"]),
        (["gargon", *FOUR, "--time", "decision=0"], ["1 to 86400000"]),
        (["gargon", *FOUR, "--time", "bank=-5"], ["0 to 86400000"]),
        (["gargon", *FOUR, "--rules", "laps=2"], ['unknown rule "laps"']),
        (["gargon", *FOUR, "--record", "no/such/folder/x"], ["--record", "No such file"]),
    ],
)
def test_wrong_input_is_refused_in_one_line(words: list[str], parts: list[str]) -> None:
    """Whoever mistypes reads what was expected, before any bot is started."""
    assert_refused(arena("play", *words), *parts)


@pytest.mark.parametrize("command", [["play", "gargon"], ["bench", "referee", "--bot"]])
def test_a_bot_is_not_asked_to_play_what_it_does_not(command: list[str], tmp_path: Path) -> None:
    """A bot for another game is refused with the games that it does play, not sent to its fall."""
    (tmp_path / "bot.toml").write_text('name = "other"\nrun = ["true"]\ngames = ["castors"]\n')
    seats = 1 if command[0] == "bench" else 3
    refused = arena(*command, *[str(tmp_path)] * seats)
    assert_refused(refused, "'other' does not play gargon", "castors")


def test_bench_referee_compares_the_referee_with_the_bare_pipe() -> None:
    """The figures of the page on speed can be measured anywhere, in one run."""
    data = arena("bench", "referee", "--games", "2", "--json").json
    assert data["bare_us"] > 0
    assert data["ratio"] == pytest.approx(data["referee_us"] / data["bare_us"], rel=0.01)
    assert data["games_per_second"] > 0


def limited(limit: str, folder: Path, *words: str) -> Outcome:
    """A command that the shell has set a limit."""
    command = shlex.join([sys.executable, "-m", "arena", *words])
    done = subprocess.run(
        ["sh", "-c", f"ulimit {limit}; exec {command}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("limit", "path", "why"),
    [
        ("-f 10", "games.jsonl", "File too large"),
        ("-f 25", "games.jsonl", "File too large"),
        ("-f 10000", "/dev/full", "No space left on device"),
    ],
)
def test_a_disk_that_is_full_is_the_hosts_failure(
    limit: str, path: str, why: str, tmp_path: Path
) -> None:
    """Also where that comes up late: one line, and the exit code of a host that has failed."""
    words = ("play", "gargon", *["random"] * 3, "--games", "9", "--seed", "7", "--record", path)
    failed = limited(limit, tmp_path, *words)
    assert failed.code == 3, failed
    assert failed.out == ""
    assert failed.err == f"arena play: --record {path}: {why}; nothing more was played\n"
    if path == "games.jsonl":  # what was written before is whole, and can be followed
        before = (tmp_path / path).read_bytes()
        assert before.endswith(b"}\n")
        assert read_lines(tmp_path / path)[-1]["entry"] != "close"
        assert arena("replay", "verify", path, cwd=tmp_path).code == 0
        assert arena(*words, "--append", cwd=tmp_path).code == 0
        assert (tmp_path / path).read_bytes().startswith(before)


@pytest.mark.source_only
def test_a_log_that_is_no_file_has_no_times(tmp_path: Path) -> None:
    """Who hands a log on to another program finds nothing beside the pipe, nor in /dev."""
    words = ["arena", "play", "gargon", *["random"] * 3, "--seed", "7"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-m", *words, "--record", str(pipe)]) as piped:
        lines = pipe.read_text().splitlines()
    assert piped.returncode == 0
    out = tmp_path / "out.jsonl"
    with out.open("w") as file:
        command = [sys.executable, "-m", *words, "--json", "--record", "/dev/stdout"]
        subprocess.run(command, stdout=file, check=True)
    kinds = [json.loads(line)["entry"] for line in lines]
    assert kinds == ["open", "change", "enter", "block", "close"]
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "out.jsonl"}
    assert not list(Path("/dev").glob("*.times*"))


def test_who_reads_the_log_may_have_enough(tmp_path: Path) -> None:
    """Then the command ends as for any reader of its results that is gone."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = ["arena", "play", "gargon", *["random"] * 3, "--games", "30", "--seed", "7"]
    words += ["--record", str(pipe)]
    with subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as piped:
        with pipe.open() as reader:
            reader.readline()
        assert piped.communicate() == (b"", b"")
    assert piped.returncode == 141


@pytest.mark.parametrize(
    "command", [("play", "gargon", *["random"] * 3), ("bot", "check", "random")]
)
def test_a_host_without_free_files_is_no_bots_fault(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """In one line, and with the exit code of a host that has failed; nothing is decided."""
    failed = limited("-n 20", tmp_path, *command)
    assert failed.code == 3, failed
    assert failed.out == ""
    said = failed.err.splitlines()[-1]
    assert said.startswith(f"arena {' '.join(command[: 1 + (command[0] == 'bot')])}: cannot start")
    assert said.endswith("raise its limit (ulimit -n)")


def test_a_fault_has_the_number_that_replay_takes(tmp_path: Path) -> None:
    """The games of a log are counted from 0, and so are those that are spoken of."""
    bad = write_bot(tmp_path, "bad", "raise SystemExit(7)")
    words = ["play", "gargon", bad, "random", "random", "--games", "2", "--record", "it.jsonl"]
    told = arena(*words, cwd=tmp_path).err.splitlines()
    assert re.match(r"game 0, seat [0-2] \(bad\): ", told[0])
    assert re.match(r"game 1, seat [0-2] \(bad\): ", told[1])
    shown = arena("replay", "show", "it.jsonl", "--game", "1", cwd=tmp_path)
    assert shown.code == 0
