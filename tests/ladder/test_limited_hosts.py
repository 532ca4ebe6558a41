"""Ladders on hosts that cannot hold bots: refused, unless the definition puts up with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.process.suspension.freezer import freezer_home
from arena.sandbox.control_groups import find_cgroups
from command import Outcome, assert_refused
from ladder.fields import definition, export
from sandbox.walls import bubblewrap

pytestmark = [pytest.mark.source_only]

HIDING = 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"'
BOTH = 'allow = ["no-cgroup", "no-freezer"]'


def run_without_groups(path: Path) -> Outcome:
    """Run a ladder where no control group can be made, as for most ordinary users."""
    words = [sys.executable, "-m", "arena", "ladder", "run", path.name]
    if find_cgroups() is not None or freezer_home() is not None:
        if os.geteuid() or shutil.which("unshare") is None:
            pytest.skip("only root can hide control groups, with unshare")
        words = ["unshare", "--mount", "sh", "-c", HIDING, "sh", *words]
    done = subprocess.run(
        words, cwd=path.parent, capture_output=True, text=True, timeout=600, check=False
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    bubblewrap()


def refusal(outcome: Outcome) -> Outcome:
    """The same without the line that names the sandbox, which comes first."""
    lines = outcome.err.splitlines(keepends=True)
    return Outcome(
        outcome.code, outcome.out, "".join(x for x in lines if not x.startswith("arena: sandbox"))
    )


@pytest.mark.parametrize(
    ("more", "named", "not_named"),
    [
        ("", ("no-cgroup: limits hold", "no-freezer: a bot that resists", BOTH), "no such word"),
        ('allow = ["no-cgroup"]', ("no-freezer: a bot", BOTH), "no-cgroup: "),
        ("suspend = false", ("no-cgroup: limits", 'allow = ["no-cgroup"]'), "no-freezer"),
    ],
    ids=["nothing named", "one named", "nobody suspended"],
)
def test_what_cannot_be_held_is_refused(
    tmp_path: Path, more: str, named: tuple[str, ...], not_named: str
) -> None:
    """In one line that says what does not hold and what to do, before there is a store."""
    path = definition(tmp_path, tables=(3,), games=3, sandbox="auto", more=more)
    refused = refusal(run_without_groups(path))
    assert_refused(refused, "test.toml: sandbox: ", "systemd-run", *named)
    assert not_named not in refused.err
    assert not (tmp_path / "test.ladder").exists()


def label(folder: Path) -> str:
    """What the log says of how bots were held."""
    entries = map(json.loads, export(folder).splitlines())
    (found,) = [entry["sandbox"] for entry in entries if entry["entry"] == "change"]
    return str(found)


def test_what_the_definition_names_is_put_up_with(tmp_path: Path) -> None:
    """The ladder is played, and its log says how; the words are not terms of the ladder."""
    path = definition(tmp_path, tables=(3,), games=3, sandbox="bwrap", more=BOTH)
    done = run_without_groups(path)
    assert done.code == 0, done.err
    assert label(tmp_path).endswith("+no-cgroup+no-freezer")
    path = definition(tmp_path, tables=(3,), games=3, sandbox="bwrap")
    assert_refused(refusal(run_without_groups(path)), BOTH)


def test_without_a_sandbox_nothing_is_refused(tmp_path: Path) -> None:
    """Who trusts his programs needs no control groups."""
    done = run_without_groups(definition(tmp_path, tables=(3,), games=3))
    assert done.code == 0, done.err
    assert label(tmp_path) == "none"


def test_words_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    """With those that do."""
    path = definition(tmp_path, tables=(3,), games=3, sandbox="bwrap", more='allow = ["no-limits"]')
    refused = run_without_groups(path)
    assert_refused(refused, "test.toml: allow[0]: expected one of no-cgroup, no-freezer, got ")
