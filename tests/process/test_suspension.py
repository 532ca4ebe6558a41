"""Nobody thinks on others' time: bots that are not asked are suspended, and cannot help it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.attacks._stolen_time import StolenTime
from arena.attacks.attack import FOLDER
from arena.process.placement import on_one_core
from arena.process.suspension import turn_gate
from arena.process.suspension.freezer import freezer_home
from arena.process.suspension.turn_gate import FREEZER, SIGNALS, TurnGate
from arena.programs.spec import BotSpec
from arena.records.verdicts import CRASHED, FINISHED, PROTOCOL, TIMEOUT
from arena.referee.clock import TimeControl
from arena.referee.match import Match, MatchGame
from arena.referee.player import Player
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from command import arena
from referee.matches import (
    CASTORS,
    DEALS,
    GENEROUS,
    RANDOM,
    STRICT,
    assert_nothing_left,
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
        plain = [game.record for game in Match(roster, DEALS).play(6)]
    assert [game.record for game in play(*bots, games=6)] == plain


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
        process.wait(10)
    assert_nothing_left(mark)
    assert not cgroups(process.pid)


def cgroups(pid: int | None = None) -> list[Path]:
    """The cgroups that this referee has made."""
    home = freezer_home()
    return [] if home is None else list(home.glob(f"arena-{pid or os.getpid()}-*"))


def test_play_says_what_suspends() -> None:
    """A host learns from `arena play --suspend` when it can only hinder bots, not hold them."""
    done = arena("play", "castors", "random", "random", "--suspend", "--rules", "laps=1")
    assert done.code == 0, done.err
    assert ("only hinders" in done.err) == (freezer_home() is None)
