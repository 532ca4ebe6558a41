"""Attack programs, each a real bot in a real game: what they try fails, and the game goes on."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.attacks.attack import ATTACKS, Attack
from arena.attacks.trial import Finding, attempt_wall
from arena.cli import arena as command_line
from arena.cli import sandbox as noun
from arena.games.castors.game import Castors
from arena.records.verdicts import FINISHED
from arena.referee.terms import Terms
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.left_folders import remove_left
from arena.sandbox.owner import PREFIX, own_prefix
from arena.sandbox.sandbox import Sandbox, Unconfined
from command import arena, assert_refused

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

BY_NAME = {attack.name: attack for attack in ATTACKS}
TERMS = Terms(Castors(), Castors().rules({}))
POSSIBLE = [attack for attack in ATTACKS if attack.possible]


@pytest.fixture(scope="module")
def bwrap() -> Sandbox:
    """The sandbox that everybody has who may host a rated ladder."""
    if shutil.which("bwrap") is None:
        reason = "bwrap is not installed; on Debian: apt install bubblewrap"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return Bubblewrap()


@pytest.mark.parametrize("attack", POSSIBLE, ids=lambda attack: attack.name)
def test_the_wall_holds(attack: Attack, bwrap: Sandbox) -> None:
    """No attack gets anything that it should not, it ends as it must, and nobody else suffers."""
    finding = attempt_wall(attack, replace(TERMS, sandbox=bwrap, suspend=True))
    if attack.needs_cgroup and "no-cgroup" in bwrap.label:
        assert not any("others suffered" in hole for hole in finding.holes), finding.holes
    else:
        assert not finding.holes


@pytest.mark.parametrize(
    ("name", "attempt"),
    [
        ("reads", "read the store"),
        ("environment", "see processes of the host"),
        ("writes", "change its own program"),
        ("fills", "fill /tmp"),
        ("network", "connect to the host by TCP"),
        ("forks", "a bomb of processes"),
        ("memory-heap", "memory by heap"),
        ("memory-children", "memory by children"),
        ("calls", "lock a file"),
        ("privileges", "have no filter of system calls"),
        ("channels", "a lock on a file in the folder"),
        ("meetings", "waiting on a file of the runtime (futex)"),
        ("channels", "a Unix socket"),
        ("channels", "System V shared memory"),
        ("pages", "times of a device (utimensat)"),
        ("pages", "times of a device (utime)"),
        ("counts", "asynchronous I/O (aio-nr)"),
        ("counts", "signals that may wait"),
    ],
)
def test_without_walls_an_attack_gets_through(name: str, attempt: str) -> None:
    """Else it would show nothing that it fails elsewhere."""
    finding = found_without_walls(name)
    assert not finding.holds
    through = {attempt.name for attempt in finding.attempts if attempt.through}
    assert attempt in through


_found: dict[str, Finding] = {}


def found_without_walls(name: str) -> Finding:
    """What an attack does where nothing stops it; each is made once."""
    if name not in _found:
        _found[name] = attempt_wall(BY_NAME[name], TERMS)
    return _found[name]


def test_check_tells_what_was_tried(bwrap: Sandbox) -> None:
    """A host sees every attempt and what came of it, and a program can read that."""
    done = arena("sandbox", "check", "--attack", "reads", "--attack", "busy", "--json")
    assert done.code == 0, done.err
    reads, busy = done.json
    assert (reads["attack"], reads["holds"], reads["holes"]) == ("reads", True, [])
    assert len(reads["attempts"]) > 10
    assert {"name": "read the store", "through": False, "seen": "ENOENT"} in reads["attempts"]
    assert busy["seen"].startswith("timeout: ")
    assert bwrap.label in done.err
    assert "2 of 2 walls hold" in done.err


class Paper(Unconfined):
    """A sandbox that holds nothing."""

    name = "paper"
    version = "1"


@dataclass
class Plugins:
    """What plugins bring, as far as the command looks at it."""

    sandboxes: dict[str, Sandbox] = field(default_factory=lambda: {"paper": Paper()})


def test_check_fails_where_a_wall_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is 1, and each hole is named."""
    monkeypatch.setattr(noun, "plugins", Plugins)
    done = CliRunner().invoke(command_line, ["sandbox", "check", "--attack", "network"])
    assert done.exit_code == 1
    assert "DOWN   network" in done.stdout
    assert "a connection came by TCP" in done.stdout
    assert "0 of 1 walls hold" in done.stderr


def test_check_refuses_what_it_does_not_know(bwrap: Sandbox) -> None:
    """Neither an attack nor a sandbox that is not there is passed over."""
    assert_refused(arena("sandbox", "check", "--attack", "prayer"), "'prayer'", "reads", "network")
    for name in ("none", "paper"):
        assert_refused(arena("sandbox", "check", "--sandbox", name), "bwrap", f"got '{name}'")


def test_folders_of_a_killed_check_are_removed(tmp_path: Path) -> None:
    """By the next one; folders of those that run, and of anybody else, stay."""
    made = [f"{PREFIX}4194304-scene-0", f"{own_prefix()}scene-0", f"{PREFIX}notes"]
    for name in made:
        (tmp_path / name / "within").mkdir(parents=True)
    (tmp_path / f"{PREFIX}4194304-link").symlink_to(tmp_path / made[1])
    remove_left(tmp_path)
    assert [name for name in made if (tmp_path / name).exists()] == made[1:]
    assert (tmp_path / made[1] / "within").exists()


def test_everybody_else_finishes() -> None:
    """The bystanders of an attack without walls play to their end, too."""
    finding = found_without_walls("memory-heap")
    assert finding.attack.verdicts[0] == FINISHED
    assert not any("others suffered" in hole for hole in finding.holes)
