"""Toolchains: what a build finds of the host's compilers, and a bot that plays does not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.builds.sandboxed import BUILD_LIMITS, build_inside
from arena.programs.spec import BotSpec
from arena.programs.tools import described
from arena.sandbox import toolchains as found

from .walls import bubblewrap, run, shown

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

VERSIONS = {
    "cargo": "--version",
    "cmake": "--version",
    "g++": "--version",
    "go": "version",
    "javac": "-version",
    "make": "--version",
    "mvn": "-version",
    "npm": "--version",
    "rustc": "--version",
}


def build(folder: Path, script: str) -> tuple[int, str]:
    """Run a script as the build of a bot; return its exit code and what it printed."""
    spec = BotSpec("built", ("./made",), folder, build=("sh", "-c", script), files=("source",))
    shown(folder)
    said: list[bytes] = []
    ending = build_inside(bubblewrap(), spec, BUILD_LIMITS, 60, said.append)
    return ending.number, b"".join(said).decode()


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Toolchains are looked for again, on the PATH that the test sets."""
    caches = (found.toolchains, found._installation)
    for each in caches:
        each.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


def installed(folder: Path, program: str, mark: str | None) -> Path:
    """A directory in which a program is installed, with its mark if it is a toolchain's own."""
    path = folder / "bin" / program
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\necho the host has it\n")
    path.chmod(0o755)
    if mark is not None:
        (folder / mark).mkdir(parents=True)
    (folder / "beside").write_text("what else is there")
    return folder


@pytest.mark.parametrize("program", VERSIONS)
def test_a_build_finds_the_toolchain(tmp_path: Path, program: str) -> None:
    """Each compiler and build tool of the host starts in a build, wherever it is installed."""
    places = [os.environ["PATH"], *(str(Path(place).expanduser()) for place in found.PLACES)]
    if shutil.which(program, path=os.pathsep.join(places)) is None:
        if os.environ.get("CI") and os.geteuid() == 0:
            pytest.fail(f"not installed: {described(program)}")
        pytest.skip(f"not installed: {described(program)}")
    code, said = build(tmp_path, f"{program} {VERSIONS[program]}")
    assert code == 0, said


def test_builds_see_a_toolchain_and_bots_that_play_do_not(
    tmp_path: Path, afresh: pytest.MonkeyPatch
) -> None:
    """A compiler outside of the system's directories is there while a bot is built, not after."""
    place = installed(tmp_path / "home" / "go", "go", "pkg/tool")
    afresh.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")
    (tmp_path / "bot").mkdir()
    code, said = build(tmp_path / "bot", "go")
    assert (code, said) == (0, "the host has it\n")
    played = run(bubblewrap(), ("sh", "-c", f"ls {place}; go"), tmp_path / "bot")
    assert played.out == b""
    assert str(place) in played.err
    assert "the host has it" not in played.err


def test_no_home_is_shown_because_a_compiler_lies_in_it(
    tmp_path: Path, afresh: pytest.MonkeyPatch
) -> None:
    """A program in ~/bin has the whole home beside it, which is no business of a build."""
    place = installed(tmp_path / "home", "go", None)
    afresh.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")
    (tmp_path / "bot").mkdir()
    code, said = build(tmp_path / "bot", f"cat {place}/beside")
    assert code == 1, said
    assert "No such file" in said


def test_a_directory_that_others_share_is_never_shown(
    tmp_path: Path, afresh: pytest.MonkeyPatch
) -> None:
    """A toolchain that was installed right into ~/.local has keys and mail beside it."""
    place = installed(tmp_path / ".local", "go", "pkg/tool")
    afresh.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")
    assert place in found.toolchains()
    afresh.setattr(found, "SHARED", (place,))
    found._installation.cache_clear()
    found.toolchains.cache_clear()
    assert place not in found.toolchains()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's builds run under other uids")
def test_a_toolchain_that_only_its_owner_may_run_is_left_out(
    tmp_path: Path, afresh: pytest.MonkeyPatch
) -> None:
    """Such a compiler is as good as not installed, and a build can use the system's instead."""
    place = installed(tmp_path / "go", "go", "pkg/tool")
    (place / "bin" / "go").chmod(0o700)
    afresh.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")
    assert place not in found.toolchains()


def test_the_tools_of_a_build_may_write_where_they_are_told_to(tmp_path: Path) -> None:
    """Caches lie in the build's own /tmp, so none of them is taken for a result."""
    names = ("HOME", "CARGO_HOME", "GOCACHE", "GOPATH", "npm_config_cache")
    script = "; ".join(f'mkdir -p "${name}" && touch "${name}/file" || exit 1' for name in names)
    (tmp_path / "source").write_text("x")
    code, said = build(tmp_path, script)
    assert code == 0, said
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
