"""Builds of strangers' bots: what they make comes back, and nothing else of them does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.builds import sandboxed as building
from arena.builds.sandboxed import BUILD_LIMITS, BuildStopped, build_inside
from arena.process.ending import Ending
from arena.programs.spec import BotSpec
from arena.sandbox.limits import Limits
from sandbox.walls import bubblewrap, shown

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]


def build(folder: Path, script: str, limits: Limits = BUILD_LIMITS) -> tuple[Ending, str]:
    """Build a bot whose source is `source`, and what the build said."""
    (shown(folder) / "source").write_text("as handed in", "ascii")
    spec = BotSpec("built", ("./made",), folder, build=("sh", "-c", script), files=("source",))
    said: list[bytes] = []
    ending = build_inside(bubblewrap(), spec, limits, 60, said.append)
    return ending, b"".join(said).decode()


def test_what_a_build_makes_is_kept_and_what_was_handed_in_stays(tmp_path: Path) -> None:
    """The bot's digest is the same before and after, and its author sees all that was said."""
    script = """
        cat source; echo; echo changed > source; mkdir -p build/deep
        echo made > build/deep/file; chmod 4755 build/deep/file
        ln build/deep/file build/same; ln -s deep/file build/link; echo to stderr >&2
    """
    ending, said = build(tmp_path, script)
    assert ending.number == 0, said
    assert said == "as handed in\nto stderr\n"
    assert (tmp_path / "source").read_text("ascii") == "as handed in"
    for name in ("deep/file", "same", "link"):
        path = tmp_path / "build" / name
        assert path.read_text("ascii") == "made\n"
        assert path.stat().st_uid == os.geteuid()
        assert path.stat().st_mode & 0o7777 == 0o755


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Its exit code and what it said are all there is."""
    ending, said = build(tmp_path, "echo made > made; echo no compiler; exit 3")
    assert (str(ending), said) == ("exit code 3", "no compiler\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]


def test_a_build_does_not_write_through_links(tmp_path: Path) -> None:
    """Neither those that were handed in nor those that it makes lead its results elsewhere."""
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o755)
    (folder / "build").symlink_to(outside)
    ending, said = build(folder, "rm build; mkdir build; echo x > build/file; ln -s / root; true")
    assert (ending.number, said) == (0, "")
    assert list(outside.iterdir()) == []
    assert not (folder / "root").exists()
    assert (folder / "build" / "file").read_text("ascii") == "x\n"


HOSTILE = """
import io, sys, tarfile
tar = tarfile.open(mode="w|", fileobj=sys.stdout.buffer)
link = tarfile.TarInfo(sys.argv[1])
if sys.argv[2]:
    link.type, link.linkname = tarfile.SYMTYPE, sys.argv[2]
    tar.addfile(link)
    link = tarfile.TarInfo(f"{sys.argv[1]}/file")
link.size = 4
tar.addfile(link, io.BytesIO(b"evil"))
tar.close()
"""


@pytest.mark.parametrize(
    ("name", "target"), [("../file", ""), ("{}/file", ""), ("sub/../../file", ""), ("a", ".")]
)
def test_a_build_that_forges_its_results_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, target: str
) -> None:
    """Whoever gets hold of the stream in which they come has no choice of places."""
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o755)
    name = name.format(tmp_path)
    monkeypatch.setattr(building, "UNPACK_AND_BUILD", 'cat >/dev/null; exec "$@"')
    with pytest.raises(BuildStopped, match="made a file"):
        build(folder, f"exec python3 -c '{HOSTILE}' {name} '{target}'")
    assert not (tmp_path / "file").exists()
    assert sorted(path.name for path in folder.iterdir()) == ["source"]


HOLES = """
import sys, tarfile
tar = tarfile.open(mode="w|", fileobj=sys.stdout.buffer, format=tarfile.PAX_FORMAT)
member = tarfile.TarInfo("holes")
member.pax_headers = {"GNU.sparse.map": "8589934592,0", "GNU.sparse.size": "8589934592"}
tar.addfile(member)
tar.close()
"""


def test_a_forged_file_with_holes_is_not_written_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream of a few hundred bytes cannot fill the host's disk."""
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o755)
    monkeypatch.setattr(building, "UNPACK_AND_BUILD", 'cat >/dev/null; exec "$@"')
    limits = Limits(memory_mb=256, file_mb=64, tmp_mb=64)
    with pytest.raises(BuildStopped, match="made more than it was allowed"):
        build(folder, f"exec python3 -c '{HOLES}'", limits)
    assert sorted(path.name for path in folder.iterdir()) == ["source"]


def test_a_build_that_makes_too_much_leaves_nothing(tmp_path: Path) -> None:
    """Files with holes are counted in full, for they would be written in full."""
    limits = Limits(memory_mb=256, file_mb=64, tmp_mb=64)
    with pytest.raises(BuildStopped, match="made more than it was allowed"):
        build(tmp_path, "truncate -s 60M a b c", limits)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]


def test_a_build_has_its_time(tmp_path: Path) -> None:
    """After which it is ended."""
    spec = BotSpec("built", ("./made",), shown(tmp_path), build=("sleep", "600"))
    with pytest.raises(BuildStopped, match="took too long"):
        build_inside(bubblewrap(), spec, BUILD_LIMITS, 1.0, lambda _: None)


def test_a_chain_of_links_out_of_the_folder_is_not_made(tmp_path: Path) -> None:
    """Each link stays inside when only its words are looked at; resolved, the second does not."""
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o755)
    (tmp_path / "secret").write_text("of the host", "ascii")
    script = """
        mkdir -p a/b/c; ln -s ../../.. a/b/c/x; ln -s a/b/c/x/../secret early
        ln -s x/../secret a/b/c/late; ln -s a/b/c/x/a/b fine; ln -s no/../../secret missing
        ln -s one two; ln -s two one; ln -s early/file through
    """
    ending, said = build(folder, script)
    assert (ending.number, said) == (0, "")
    assert (folder / "fine").readlink() == Path("a/b/c/x/a/b")
    assert (folder / "fine" / "c").is_dir()
    for name in ("early", "a/b/c/late", "missing", "one", "two", "through"):
        assert not (folder / name).is_symlink(), name
