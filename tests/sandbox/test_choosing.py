"""Which sandbox is chosen, and that none is trusted untested."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.attacks.choice import choose_sandbox
from arena.programs.spec import BotSpec
from arena.sandbox.launch import Launch
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import UNCONFINED, Sandbox, SandboxError
from command import arena, assert_refused

from .walls import bubblewrap

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

BOTS = ("random", "random", "random")


class Paper(Sandbox):
    """Claims to be a sandbox, and starts programs as they are."""

    name = "paper"
    version = "1"

    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        return UNCONFINED.launch(spec, core, limits)


def test_a_sandbox_that_does_not_hold_is_not_used() -> None:
    """The attack from inside names the walls that are down; neither its name nor auto helps."""
    with pytest.raises(SandboxError, match="does not hold on this host: reading a file of the"):
        choose_sandbox("paper", {"paper": Paper()})
    with pytest.raises(SandboxError, match="no sandbox holds on this host: paper: ") as error:
        choose_sandbox("auto", {"paper": Paper(), "none": UNCONFINED})
    assert "if you ask for none" in str(error.value)


def test_auto_takes_what_holds_and_says_so() -> None:
    """Also if another one that does not comes before it."""
    walls = bubblewrap()
    told: list[str] = []
    chosen = choose_sandbox(
        "auto", {"paper": Paper(), "bwrap": walls, "none": UNCONFINED}, told.append
    )
    assert chosen is walls
    assert told == [f"{walls.label}: 10 attacks from inside have failed, as they must"]


def test_games_are_played_in_the_chosen_sandbox(tmp_path: Path) -> None:
    """The command says which it is, and its log does."""
    walls = bubblewrap()
    record = tmp_path / "games.jsonl"
    words = ("--sandbox", "auto", "--limit", "memory_mb=100", "--record", str(record))
    done = arena("play", "gargon", *BOTS, *words)
    assert done.code == 0, done
    assert f"arena: sandbox {walls.label}: " in done.err
    assert record.read_text("utf-8").count(f'"sandbox":"{walls.label}"') == 1


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--sandbox", "paper"), ("unknown sandbox 'paper'", "bwrap, none, auto")),
        (("--sandbox", "bwrap", "--limit", "memory=1"), ("--limit", "memory_mb")),
        (("--limit", "memory_mb=100"), ("--sandbox none holds nobody to limits",)),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """In one line that says what was expected."""
    assert_refused(arena("play", "gargon", *BOTS, *words), *parts)


@pytest.mark.parametrize("name", ["bwrap", "auto"])
def test_where_bubblewrap_is_missing_nothing_runs(name: str, tmp_path: Path) -> None:
    """And the message says how to install it."""
    done = arena("play", "gargon", *BOTS, "--sandbox", name, env={"PATH": str(tmp_path)})
    assert_refused(done, "bwrap: not found", "apt install bubblewrap")


def test_what_bots_can_pass_each_other_is_measured() -> None:
    """Where nothing closes a way, the bits that came through are counted."""
    bubblewrap()
    done = arena("bench", "channels", "--seconds", "0.2", "--json")
    assert done.code == 0, done
    ways = {way["name"]: way for way in done.json}
    assert set(ways) == {"pagemap", "pipes", "memory", "descriptors"}
    assert all(0 <= way["wrong"] <= way["sent"] for way in ways.values())
    assert_refused(arena("bench", "channels", "--sandbox", "none"), "--sandbox")


def test_what_a_sandbox_costs_is_measured() -> None:
    """For programs: starts and round trips of both kinds, and their ratio."""
    bubblewrap()
    done = arena("bench", "sandbox", "--games", "1", "--starts", "1", "--json")
    assert done.code == 0, done
    found = done.json
    assert found["start_ms"] > 0
    assert found["ratio"] == pytest.approx(found["trip_us"] / found["bare_trip_us"], abs=0.01)
    assert found["more_ms"] == pytest.approx(found["start_ms"] - found["bare_start_ms"], abs=0.05)
