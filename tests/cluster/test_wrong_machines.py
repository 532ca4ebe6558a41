"""Machines that are wrong: what they say is in no log, and they are used no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.records.canonical import canonical_bytes
from cluster.clusters import Cluster, cluster, ladder, log, run, times
from command import arena

pytestmark = pytest.mark.source_only


@dataclass(frozen=True)
class Company:
    """A cluster with a sound machine, and one that is as a test wants it."""

    there: Cluster
    how: Path
    local: bytes
    """The log of the small ladder when it is played on this machine."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which a command uses it."""
        return self.there.options


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    """Two machines, as several tests use them one after the other."""
    folder = tmp_path_factory.mktemp("company")
    how = folder / "how"
    how.write_text("", "ascii")
    definition = ladder(folder, games=30)
    assert run(definition, "local").code == 0
    program = (str(Path(__file__).with_name("altered.py")), str(how), "worker")
    with cluster(folder) as there:
        there.machine("odd", "--sandbox", "none", program=program)
        there.machine("sound", "--sandbox", "none")
        yield Company(there, how, log(definition, "local"))


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("score", "does not follow the rules"),
        ("move", "does not follow the rules"),
        ("fault", "does not follow the rules"),
        ("note", "went otherwise there than on this host, twice"),
        ("stall", "went otherwise there than on this host, twice"),
        ("twice", "asked for blocks"),
        ("name", "another machine has the name 'sound'"),
        ("version", "arena 0.0.1 is installed, expected"),
        ("rules", "version 0 of gargon is installed, expected"),
    ],
)
def test_a_machine_that_is_wrong_is_set_aside(
    tmp_path: Path, company: Company, how: str, says: str
) -> None:
    """One line names it and why, what it said is not in the log, and others play on."""
    definition = ladder(tmp_path, games=30)
    company.how.write_text(how, "ascii")
    again = "1" if how in ("note", "stall") else "0"
    found = run(definition, "dask", *company.options, "--again", again)
    assert found.code == 0, found.err
    (line,) = (each for each in found.err.splitlines() if " is set aside: " in each)
    assert line.startswith("machine 'odd' is set aside: ")
    assert says in line
    assert log(definition, "dask") == company.local


def test_a_machine_that_finds_a_good_log_wrong_is_set_aside(
    tmp_path: Path, company: Company
) -> None:
    """The host looks itself, believes it nothing, and the log holds."""
    company.how.write_text("", "ascii")
    log = exported(ladder(tmp_path, games=120))
    company.how.write_text("accuse the log", "ascii")
    found = arena("ladder", "verify", str(log), *company.options, "--again", "1", cwd=tmp_path)
    assert found.code == 0, found.err
    (line,) = (each for each in found.err.splitlines() if " is set aside: " in each)
    assert "machine 'odd' is set aside: found entry 3 wrong in " in line


def test_a_machine_that_hides_what_is_wrong_is_set_aside(tmp_path: Path) -> None:
    """What it has looked at is looked at again, by this host where there is no other machine."""
    log = exported(ladder(tmp_path, games=30))
    lines = log.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if '"entry":"block"' in line)
    entry = json.loads(lines[at])
    entry["games"][0]["scores"][0] += 1
    lines[at] = canonical_bytes(entry).decode()
    log.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    how = tmp_path / "how"
    how.write_text("defend the log", "ascii")
    program = (str(Path(__file__).with_name("altered.py")), str(how), "worker")
    with cluster(tmp_path) as there:
        there.machine("odd", "--sandbox", "none", program=program)
        options = (*there.options, "--again", "1")
        found = arena("ladder", "verify", str(log), *options, cwd=tmp_path)
    assert found.code == 3, found.err  # the rest of the log has nobody who looks at it
    (line,) = (each for each in found.err.splitlines() if " is set aside: " in each)
    assert "machine 'odd' is set aside: found nothing wrong in " in line
    assert "no machine is left that can be used" in found.err


def exported(definition: Path) -> Path:
    """Play a ladder on this machine, and return its log as others get it."""
    assert run(definition, "local").code == 0
    log = definition.with_name("log.jsonl")
    words = ("ladder", "export", "local", "--output", str(log))
    assert arena(*words, cwd=definition.parent).code == 0
    return log


def test_a_machine_that_was_wrong_does_not_come_back(tmp_path: Path, company: Company) -> None:
    """Nor if the scheduler knows it by another name than it says itself."""
    definition = ladder(tmp_path, games=60)
    company.how.write_text("note elsewhere named", "ascii")
    found = run(definition, "dask", *company.options, "--again", "1")
    assert found.code == 0, found.err
    assert "machine 'another' is set aside: block" in found.err
    assert found.err.count("machine 'another' plays") == 1, found.err


def test_who_claims_stalls_does_not_choose_the_cards(tmp_path: Path, company: Company) -> None:
    """Where it is compared, the cards count that are played without a stall; nobody is wrong."""
    definition = ladder(tmp_path, games=30)
    company.how.write_text("other cards", "ascii")
    found = run(definition, "dask", *company.options, "--again", "1")
    assert found.code == 0, found.err
    assert "set aside" not in found.err
    assert log(definition, "dask") == company.local
    played = times(definition, "dask")
    assert any("attempt" in str(each.get("compared")) for each in played)


def test_a_machine_cannot_accuse_another_one(tmp_path: Path, company: Company) -> None:
    """Who was wrong is for the host to say: what a machine says of others is not kept."""
    definition = ladder(tmp_path, games=30)
    company.how.write_text("accuse", "ascii")
    found = run(definition, "dask", *company.options, "--again", "0")
    assert found.code == 0, found.err
    assert any(each["machine"] == "odd" for each in times(definition, "dask"))
    shown = arena("ladder", "machines", "dask", "--json", cwd=tmp_path).json
    assert {each["machine"] for each in shown} == {"odd", "sound"}
    assert not any(each["differed"] for each in shown), shown


def test_what_bots_may_notice_is_named(tmp_path: Path, company: Company) -> None:
    """Another version of a tool is no reason to do without a machine, but it is said."""
    definition = ladder(tmp_path, games=20)
    company.how.write_text("tool", "ascii")
    found = run(definition, "dask", *company.options)
    assert found.code == 0
    assert "machine 'odd' plays, with 1 referee (bots may notice: Python 3.0.0" in found.err
