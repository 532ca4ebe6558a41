"""The command line: what it prints, how it refuses, and that it starts without dead weight."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from arena.cli import NOUNS
from command import arena, assert_refused


def test_help_names_every_noun_and_the_exit_codes() -> None:
    """A newcomer finds his way from `arena --help`."""
    shown = arena("--help")
    assert shown.code == 0
    assert all(noun in shown.out for noun in NOUNS)
    assert "Exit codes: 0 " in shown.out
    assert all(f" {code} " in shown.out for code in (1, 2, 3, 130, 141))


def test_version_says_whether_rules_and_referee_are_compiled() -> None:
    """Whoever measures speeds, or asks why his are others, can tell which form he has."""
    from arena.referee import player

    form = "not compiled" if str(player.__file__).endswith(".py") else "compiled"
    assert arena("--version").out == f"arena {version('bot-arena')}, {form}\n"
    noted = arena("bench", "rules", "--game", "castors", "--players", "2", "--seconds", "0.01")
    assert ("not compiled" in noted.err) == (form == "not compiled")


def test_help_loads_neither_plugins_nor_heavy_libraries() -> None:
    """`arena --help` answers at once, however many plugins are installed."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "arena", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "arena.cli" in loaded
    heavy = {"rich", "msgpack", "pluggy", "numpy", "arena.discovery", "arena.games", "arena_bots"}
    assert not loaded & heavy


@pytest.mark.parametrize("noun", NOUNS)
def test_every_noun_has_help(noun: str) -> None:
    """Every noun lists its verbs."""
    shown = arena(noun, "--help")
    assert shown.code == 0
    assert "Commands:" in shown.out or "Options:" in shown.out


def test_game_list_and_show_tell_what_a_bot_author_needs() -> None:
    """Players, rules, decisions with examples and every field of the view are shown."""
    names = [game["name"] for game in arena("game", "list", "--json").json]
    assert names == ["gargon", "castors"]
    for name in names:
        data = arena("game", "show", name, "--json").json
        text = arena("game", "show", name).out
        for kind, decision in data["decisions"].items():
            assert f"\n  {kind}\n" in text
            for form in decision["oneOf"]:
                assert json.dumps(form["examples"][0]) in text
        for field in data["view"]["properties"]:
            assert f"\n  {field}: " in text
        for rule in data["rules"]["properties"]:
            assert f"\n  {rule}: " in text


def test_shown_schemas_are_schemas_and_their_examples_fit() -> None:
    """What `game show --json` prints can be fed to any JSON Schema tool."""
    for name in ("gargon", "castors"):
        data = arena("game", "show", name, "--json").json
        events = data["events"].values()
        for schema in (data["rules"], data["view"], *events, *data["decisions"].values()):
            Draft202012Validator.check_schema(schema)
        for decision in data["decisions"].values():
            for form in decision["oneOf"]:
                Draft202012Validator(decision).validate(form["examples"][0])


def test_game_try_shows_a_position_and_what_can_be_done() -> None:
    """An author can look at views, events and actions before he writes a line."""
    dealt = arena("game", "try", "gargon", "--seed", "7", "--json").json
    assert dealt["kind"] == "play"
    first = dealt["actions"][0]
    after = arena("game", "try", "gargon", "--seed", "7", "--play", json.dumps(first), "--json")
    assert after.json["turn"] == 1
    assert after.json["events"][-1] == {"event": "played", "seat": 0, "colours": [first[1] // 16]}
    text = arena("game", "try", "gargon", "--seed", "7")
    assert "legal actions" in text.out


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["game", "show", "chess"], ["unknown game 'chess'", "gargon, castors"]),
        (["game", "try", "gargon", "--players", "2"], ["expected 3 to 5 players, got 2"]),
        (["game", "try", "castors", "--players", "7"], ["expected 2 to 6 players, got 7"]),
        (["game", "try", "gargon", "--players", "many"], ["--players", "many"]),
        (["game", "try", "gargon", "--rules", "open=1"], ['unknown rule "open"', "open_winnings"]),
        (["game", "try", "gargon", "--rules", "open_winnings"], ["expected NAME=VALUE"]),
        (["game", "try", "gargon", "--rules", "open_winnings=3"], ["true or false"]),
        (["game", "try", "gargon", "--rules", "amulets=1,2"], ["12 integers from 0 to 99"]),
        (["game", "try", "castors", "--rules", "laps=0"], ["an integer from 1 to 1000"]),
        (["game", "try", "castors", "--rules", "laps=ten"], ["an integer from 1 to 1000"]),
        (["game", "try", "gargon", "--play", "play 37"], ["--play 1", "as JSON"]),
        (["game", "try", "gargon", "--play", "37"], ["expected an array"]),
        (["game", "try", "gargon", "--play", '["fly"]'], ['action[0]: expected "play"', '"fly"']),
        (["game", "try", "gargon", "--play", '["play", 104]'], ["action[1]: expected 0..95"]),
        (["game", "try", "gargon", "--play", '["play", true]'], ["action[1]: expected an integer"]),
        (["game", "try", "gargon", "--play", "[" * 5000], ["--play 1", "as JSON"]),
        (["game", "try", "gargon", "--seat", "3"], ["--seat: expected 0..2, got 3"]),
        (["bench", "rules", "--players", "9"], ["no game takes 9"]),
        (["bench", "rules", "--rules", "laps=3"], ["--rules needs --game"]),
        (["nothing"], ["nothing"]),
        (["game", "list", "--jason"], ["--jason"]),
    ],
)
def test_wrong_input_is_refused_in_one_line(words: list[str], parts: list[str]) -> None:
    """Whoever mistypes reads what was expected, not a traceback."""
    assert_refused(arena(*words), *parts)


def test_bench_rules_measures_with_and_without_listing() -> None:
    """The figures that the page on speed quotes can be measured anywhere."""
    speeds = arena("bench", "rules", "--players", "4", "--seconds", "0.05", "--json").json
    kinds = {(speed["game"], speed["listing"]) for speed in speeds}
    assert kinds == {(game, listing) for game in ("gargon", "castors") for listing in (0, 1)}
    assert all(speed["games_per_second"] > 0 for speed in speeds)


@pytest.mark.source_only
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(closed: str) -> None:
    """A command started by a daemon that has closed its standard streams works all the same."""
    command = shlex.join([sys.executable, "-m", "arena", "play", "castors", "random", "random"])
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [("play", "gargon", *["random"] * 3), ("game", "try", "gargon")], ids=["play", "try"]
)
def test_words_that_are_not_utf8_are_refused(words: tuple[str, ...]) -> None:
    """A shell can hand over any bytes; the one that cannot be read is named."""
    refused = arena(*words, "--seed", os.fsdecode(b"\xff"))
    number = len(words) + 2
    assert_refused(refused, rf"argument {number}: expected UTF-8, got b'\xff'")


def test_a_closed_pipe_is_no_verdict() -> None:
    """Who stops reading has not seen that something does not hold: the exit code is SIGPIPE's."""
    command = shlex.join([sys.executable, "-m", "arena", "game", "show", "gargon", "--json"])
    script = f"{command} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "141\n"
    assert done.stderr == ""


def test_results_that_cannot_be_written_are_a_failure_of_the_host() -> None:
    """In one line, as for everything that keeps a command from its work."""
    command = [sys.executable, "-m", "arena", "game", "list"]
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "arena: No space left on device\n"


@pytest.mark.source_only
@pytest.mark.parametrize(
    ("bench", "starts", "part"),
    [
        ("referee", 0, "ended before it said hello"),
        ("ladder", 0, "ended before it said hello"),
        ("referee", 6, "has closed its pipes within a game"),
    ],
)
def test_a_bot_that_does_not_play_ends_a_measurement(
    tmp_path: Path, bench: str, starts: int, part: str
) -> None:
    """At its start, or later, when its answers are only read: in one line, and at once."""
    (tmp_path / "bot.py").write_text(
        "import os, sys\n"
        "from pathlib import Path\n"
        "from arena_sdk import run\n"
        "with Path('starts').open('a') as file: file.write('.')\n"
        f"late = Path('starts').stat().st_size > {starts}\n"
        f"if late and not {starts}: sys.exit('no licence')\n"
        "def choose(question):\n"
        "    if late: os._exit(0)\n"
        "    return 0\n"
        "run(choose)\n"
    )
    words = ("bench", bench, "--bot", "python3 bot.py", "--players", "3", "--games", "40")
    refused = arena(*words, cwd=tmp_path)
    assert refused.code == 2, refused
    assert refused.err.count("\n") == 1, refused.err
    assert part in refused.err


@pytest.mark.source_only
def test_fields_are_measured_one_after_the_other() -> None:
    """With the processes that are started for each game, which a field that fits needs no more."""
    words = ("--game", "castors", "--contestants", "3", "--contestants", "5", "--games", "200")
    fields = arena("bench", "ladder", *words, "--json").json
    assert [each["contestants"] for each in fields] == [3, 5]
    assert all(each["ladder"] > 0 and each["starts"] < 0.5 for each in fields)


def test_a_measurement_needs_games_for_all_workers() -> None:
    """Else there would be nothing to time."""
    refused = arena("bench", "ladder", "--games", "40", "--workers", "11")
    assert_refused(refused, "--games: expected 44 at least for 11 workers, got 40")


NUMPY_IN_A_COMMAND = """\
import sys
from pathlib import Path

from arena.cli import main

try:
    main()
except SystemExit:
    import numpy  # as commands do that rate

    sys.exit("\\nThreads:\\t1\\n" not in Path("/proc/self/status").read_text())
"""


@pytest.mark.source_only
def test_no_command_takes_cores_from_bots_for_threads_of_its_own() -> None:
    """Games are fair on a machine with as many cores as bots that play."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", NUMPY_IN_A_COMMAND, "game", "list"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
