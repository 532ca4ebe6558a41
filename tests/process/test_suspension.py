"""Nobody thinks on others' time: bots that are not asked are suspended, and cannot help it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from arena.attacks._stolen_time import StolenTime
from arena.attacks.attack import FOLDER
from arena.process.placement import on_one_core
from arena.process.suspension import freezer, turn_gate
from arena.process.suspension._tasks import cpu_seconds, running_tasks
from arena.process.suspension.freezer import Freezer, freezer_home
from arena.process.suspension.turn_gate import FREEZER, SIGNALS, TurnGate
from arena.programs.spec import BotSpec
from arena.records.entries import TimeControl
from arena.records.verdicts import CRASHED, FINISHED, PROTOCOL, TIMEOUT
from arena.referee.faults import HostStalled
from arena.referee.game_record import logged
from arena.referee.match import Match, MatchGame
from arena.referee.player import Player
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.control_groups import move
from command import arena
from referee.matches import (
    CASTORS,
    DEALS,
    GENEROUS,
    RANDOM,
    STRICT,
    assert_nothing_left,
    assert_soon,
    marked,
    misbehaving,
    new_mark,
    only_fault,
)

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

TESTS = Path(__file__).parents[1]
SHORT: dict[str, object] = {"laps": 1}
GAMES = 12
MILLISECONDS = 20
ATTEMPTS = 3
"""A machine on which others work can spoil a comparison; a bot that is not held spoils all."""


KINDS = [FREEZER, SIGNALS] if freezer_home() else [SIGNALS]
"""What can suspend here; an ordinary user has no cgroups unless some are delegated to him."""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What suspends: the freezer, and signals as on hosts without one."""
    if request.param == SIGNALS:
        monkeypatch.setattr(turn_gate, "freezer_home", lambda: None)
    assert TurnGate().kind == request.param
    return str(request.param)


def searches() -> BotSpec:
    """A bot that uses its time for as many iterations as it can get."""
    words = ("python3", "searches.py", str(MILLISECONDS))
    return BotSpec("searches", words, TESTS / "process", files=("searches.py",))


def thinks_on(*habits: str) -> BotSpec:
    """A bot that computes all the time, in processes of every kind."""
    words = ("python3", "thinks_on.py", *habits)
    return BotSpec("thinks-on", words, FOLDER, files=("thinks_on.py",))


TERMS = Terms(CASTORS, CASTORS.rules(SHORT), GENEROUS)
SUSPENDING = replace(TERMS, suspend=True)


def play(*bots: BotSpec, games: int = 1, control: TimeControl = GENEROUS) -> list[MatchGame]:
    """Play games in which bots that are not asked are suspended."""
    with Roster(bots, replace(SUSPENDING, control=control)) as roster:
        return list(Match(roster, DEALS).play(games))


def attacked(*habits: str, suspend: bool) -> tuple[float, float]:
    """What two searching bots have left at a table with one that thinks on their time.

    Their iterations in games in which it does so, as a part of those in games in which it does
    not, which take turns; and the part of their time in which it ran.
    """
    bots = [searches(), searches(), thinks_on("odd-games", *habits)]
    iterations = [0, 0]
    decisions = [0, 0]
    with (
        on_one_core() as core,
        Roster(bots, replace(TERMS, suspend=suspend), core=core) as roster,
    ):
        one, other, thinker = [roster.player(bot) for bot in range(3)]
        assert isinstance(one, Player)
        assert isinstance(other, Player)
        assert isinstance(thinker, Player)
        watches = [StolenTime(one, thinker), StolenTime(other, thinker)]
        for game in Match(roster, DEALS).play(GAMES):
            played = game.played
            assert played.verdicts == [FINISHED] * 3, played.evidence
            for decision, seat in enumerate(played.deciders):
                if game.seating[seat] != 2:
                    iterations[game.number % 2] += int(played.notes[decision])
                    decisions[game.number % 2] += 1
    quiet, noisy = (iterations[odd] / decisions[odd] for odd in (0, 1))
    return noisy / quiet, sum(watch.stolen for watch in watches) / sum(
        watch.wall for watch in watches
    )


def test_a_program_that_was_closed_is_forgotten_at_once(kind: str) -> None:
    """A run that follows a ladder closes thousands: none waits for the garbage collector."""
    gc.disable()
    try:
        with Roster([RANDOM], SUSPENDING) as roster:
            player = roster.player(0)
            assert isinstance(player, Player)
            programs = weakref.ref(player.transport)
            roster.dismiss(0)
            del player
            assert programs() is None
    finally:
        gc.enable()


def test_a_search_gets_as_far_as_at_a_quiet_table(kind: str) -> None:
    """A bot that thinks on others' time takes none of it, and slows nobody down."""
    # Where there is a freezer, timers and signals that continue processes do not help, either.
    habits = ["resist"] if kind == FREEZER else []
    kept, stolen = 0.0, 1.0
    for _ in range(ATTEMPTS):
        kept, stolen = attacked(*habits, suspend=True)
        if kept >= 0.9 and stolen < 0.02:
            break
    assert stolen < 0.02
    assert kept >= 0.9


def test_without_suspension_time_is_stolen() -> None:
    """Else the attack would show nothing."""
    _, stolen = attacked(suspend=False)
    assert stolen > 0.05


def test_games_are_the_same_with_suspension_as_without(kind: str) -> None:
    """Suspending shows in nothing but times: records are the same to the byte."""
    bots = [RANDOM] * 3
    with Roster(bots, TERMS) as roster:
        plain = [logged(game.played) for game in Match(roster, DEALS).play(6)]
    assert [logged(game.played) for game in play(*bots, games=6)] == plain


def test_what_others_take_is_not_charged(kind: str) -> None:
    """A bot that is suspended for much longer than its own clock allows loses nothing by it."""
    control = TimeControl(decision=150, bank=150, start=10_000)
    slow = misbehaving("computes", "60", "alone", new_mark())
    (game,) = play(slow, slow, RANDOM, control=control)
    assert game.played.verdicts == [FINISHED] * 3, game.played.evidence
    own = sum(micros for micros in game.played.micros) / 1000
    assert own > control.decision + control.bank


@pytest.mark.parametrize(
    ("bot", "verdict", "text"),
    [
        ("exits_mid_game", CRASHED, "ended while the game went on: exit code 0"),
        ("killed_by_signal", CRASHED, "ended while the game went on: killed by signal"),
        ("closes_stdout", PROTOCOL, "closed its stdout while the game went on"),
        ("never_answers", TIMEOUT, "no answer within the time"),
        ("never_reads_stdin", TIMEOUT, "did not read its stdin"),
    ],
)
def test_faults_are_told_as_they_are(kind: str, bot: str, verdict: str, text: str) -> None:
    """A bot that fails gets the verdict that it deserves, and the time to log what it was."""
    mark = new_mark()
    (game,) = play(RANDOM, misbehaving(bot, mark), RANDOM, control=STRICT)
    fault, _ = only_fault(game)
    assert fault.verdict == verdict
    assert fault.text.startswith(text)
    assert_nothing_left(mark)
    assert not cgroups()


def test_bots_that_resist_end_with_the_match(kind: str) -> None:
    """Suspended processes, daemons among them, are killed like any others."""
    mark = new_mark()
    (game,) = play(RANDOM, thinks_on("resist", mark), RANDOM)
    assert game.played.verdicts == [FINISHED] * 3, game.played.evidence
    assert_nothing_left(mark)
    assert not cgroups()


def test_nothing_outlives_a_referee_that_is_killed(kind: str) -> None:
    """Whoever ends a ladder finds neither suspended bots nor their cgroups afterwards."""
    mark = new_mark()
    words = [sys.executable, "-m", "referee.long_match", "never", mark, kind]
    with subprocess.Popen(words, cwd=TESTS, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{[FINISHED] * 3}\n"
        assert len(marked(mark)) >= 8
        process.send_signal(signal.SIGKILL)
        process.wait(300)
    assert_nothing_left(mark)
    assert not cgroups(process.pid)


@pytest.fixture
def never_stops(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark of the bot that seems never to stop; so none has to be slow for as long."""
    if freezer_home() is None:
        pytest.skip("only the freezer tells whether a bot has stopped")
    mark = new_mark()
    stands_still = Freezer._stands_still

    def seems_to_stand_still(self: Freezer) -> bool:
        words = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        return mark.encode() not in words and stands_still(self)

    monkeypatch.setattr(Freezer, "_stands_still", seems_to_stand_still)
    monkeypatch.setattr(freezer, "FREEZE_SECONDS", 0.05)
    yield mark
    assert_nothing_left(mark)
    assert not cgroups()


def test_a_bot_that_runs_on_is_ended_before_the_next_is_asked(
    never_stops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loses, wherever it sits, and its author reads what was seen of it; nobody else suffers."""
    ran = count()
    monkeypatch.setattr(freezer, "cpu_seconds", lambda _: next(ran))
    for seat in range(3):
        bots = [RANDOM, RANDOM]
        bots.insert(seat, misbehaving("honest_bot", never_stops))
        (game,) = play(*bots)
        fault, evidence = only_fault(game)
        assert (fault.seat, fault.verdict) == (seat, TIMEOUT)
        assert fault.text == "ran on although it was suspended: it did not stop within a second"
        assert "in which it ran for 1.00 s, 0 of its 1 tasks were not frozen" in evidence.figures


def test_a_bot_that_gets_no_core_to_stop_on_is_not_blamed(
    never_stops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one that waits in the kernel: the host has stalled, and nothing is decided."""
    monkeypatch.setattr(freezer, "cpu_seconds", lambda _: 0.0)
    with pytest.raises(HostStalled, match="the host kept a bot from stopping: after "):
        play(misbehaving("honest_bot", never_stops), RANDOM, RANDOM)


def test_the_time_until_a_bot_stops_is_charged_to_nobody(
    never_stops: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each decision has to wait for longer than a bot may take for all of them together."""
    stops = Freezer._stands_still
    began: list[float] = []

    def stops_late(self: Freezer) -> bool:
        began.append(time.monotonic())
        if began[-1] - began[0] < 0.3:
            return False
        began.clear()
        return True

    monkeypatch.setattr(Freezer, "_stands_still", stops_late)
    monkeypatch.setattr(freezer, "FREEZE_SECONDS", 60.0)
    control = TimeControl(decision=100, bank=100, start=10_000)
    bots = [misbehaving("honest_bot", never_stops)] * 3
    (game,) = play(*bots, control=control)
    monkeypatch.setattr(Freezer, "_stands_still", stops)
    assert game.played.verdicts == [FINISHED] * 3, game.played.evidence


def test_tasks_that_run_are_told_from_frozen_ones() -> None:
    """The figures count them, with their states."""
    home = freezer_home()
    if home is None:
        pytest.skip("no cgroup can be made here")
    group = home / f"arena-{os.getpid()}-held-tasks"
    group.mkdir()
    words = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        move(process.pid, group)
        assert running_tasks(group) == "1 of its 1 tasks were not frozen (1 in state R)"
        (group / "cgroup.freeze").write_text("1")
        assert_soon(lambda: b"frozen 1" not in (group / "cgroup.events").read_bytes(), "runs")
        assert running_tasks(group) == "0 of its 1 tasks were not frozen ()"
        assert cpu_seconds(group) >= 0
        process.kill()
    assert_soon((group / "cgroup.procs").read_text, "is left")
    group.rmdir()


def cgroups(pid: int | None = None) -> list[Path]:
    """The cgroups that this referee has made."""
    home = freezer_home()
    return [] if home is None else list(home.glob(f"arena-{pid or os.getpid()}-*"))


def test_play_says_what_suspends() -> None:
    """A host learns from `arena play --suspend` when it can only hinder bots, not hold them."""
    done = arena("play", "castors", "random", "random", "--suspend", "--rules", "laps=1")
    assert done.code == 0, done.err
    assert ("only hinders" in done.err) == (freezer_home() is None)
