"""Archives of strangers: what explodes, climbs, collides or lies is refused in a line."""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.site.intake.archives import ArchiveError, unpack
from arena.site.rules.limits import AuthorLimits

pytestmark = pytest.mark.source_only
LIMITS = AuthorLimits(upload_mb=4, unpacked_mb=16, files=50, ratio=20)


def a_zip(*files: tuple[str, bytes], mode: int = 0) -> bytes:
    """A zip with these files, whatever their names."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            member = zipfile.ZipInfo(name)
            member.filename = name  # as it is, where ZipInfo would mend it
            member.external_attr = mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return data.getvalue()


def a_tar(*members: tuple[str, bytes, str, int], packing: str = "gz") -> bytes:
    """A tar with members: name, kind, target of a link, and size."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=f"w:{packing}") as archive:
        for name, kind, target, size in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, target, size
            archive.addfile(member, io.BytesIO(bytes(size)) if size else None)
    return data.getvalue()


def refusal(data: bytes, place: Path, limits: AuthorLimits = LIMITS) -> str:
    """Why an archive is refused; nothing of it lies outside of its folder then."""
    archive, folder = place / "archive", place / "in" / "unpacked"
    folder.parent.mkdir()
    archive.write_bytes(data)
    with pytest.raises(ArchiveError) as caught:
        unpack(archive, folder, limits)
    assert {path.name for path in place.iterdir()} == {"archive", "in"}
    assert [path.name for path in folder.parent.iterdir()] == ["unpacked"]
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../out", "leads out of the archive"),
        ("a/../../out", "leads out of the archive"),
        ("/etc/passwd", "expected a path within the archive"),
        ("a\\..\\..\\out", "expected a path within the archive"),
        ("C:/out", "expected a path within the archive"),
        ("a\nb", "expected a name that can be printed"),
        ("a\u202eb", "expected a name that can be printed"),
        ("x" * 256, "a name may have 255 bytes"),
        ("/".join("d" * 40), "folders may lie 32 deep"),
        ("/".join(["d" * 250] * 5), "a path may have 1024 bytes"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str, words: str, tmp_path: Path) -> None:
    """No name climbs out, is absolute, is another on other systems, or steers a terminal."""
    assert words in refusal(a_zip((name, b"x")), tmp_path)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("bot.py", "bot.py", "twice"),
        ("bot.py", "BOT.py", "same name"),
        ("straße", "STRASSE", "same name"),
        ("\u00e9", "e\u0301", "same name"),
        ("ﬁle", "file", "same name"),
        ("a", "a/b", "twice"),
        ("a/b", "a", "twice"),
        ("./a", "a", "twice"),
    ],
)
def test_one_name_is_one_file(first: str, second: str, words: str, tmp_path: Path) -> None:
    """What is checked is what runs, on every system: no two names are one on some."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in (first, second):
            archive.addfile(tarfile.TarInfo(name))
    assert words in refusal(data.getvalue(), tmp_path)


@pytest.mark.parametrize(
    ("kind", "target", "words"),
    [
        (tarfile.LNKTYPE, "bot.py", "hard link"),
        (tarfile.FIFOTYPE, "", "FIFO"),
        (tarfile.CHRTYPE, "", "device"),
        (tarfile.BLKTYPE, "", "device"),
        (tarfile.SYMTYPE, "/etc/passwd", "out of the archive"),
        (tarfile.SYMTYPE, "../../x", "out of the archive"),
        (tarfile.SYMTYPE, "a/../../../x", "out of the archive"),
    ],
)
def test_what_is_no_file_is_refused(kind: bytes, target: str, words: str, tmp_path: Path) -> None:
    """No device, FIFO or hard link is made, and no link that leads out."""
    assert words in refusal(a_tar(("x/y", kind, target, 0)), tmp_path)


def test_no_link_leads_out_by_way_of_another(tmp_path: Path) -> None:
    """By its words each of them stays inside; what they lead to together does not."""
    links = (("b", tarfile.SYMTYPE, ".", 0), ("c", tarfile.SYMTYPE, "b/../secret", 0))
    assert "leads out of the archive by way of another link" in refusal(a_tar(*links), tmp_path)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A link that comes first, and a file that would lie behind it, do not go together."""
    outside = tmp_path / "outside"
    data = a_tar(("a", tarfile.SYMTYPE, "b", 0), ("a/x", tarfile.REGTYPE, "", 1))
    assert "twice" in refusal(data, tmp_path)
    assert not outside.exists()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: a_zip(("zeros", bytes(12 << 20))), "more than 20 times"),
        (lambda: a_tar(("zeros", tarfile.REGTYPE, "", 12 << 20)), "more than 20 times"),
        (lambda: a_tar(("zeros", tarfile.REGTYPE, "", 12 << 20), packing="xz"), "20 times"),
        (lambda: a_tar(("big", tarfile.REGTYPE, "", 17 << 20), packing=""), "16 MiB"),
        (lambda: a_zip(*[(f"f{n}", b"") for n in range(51)]), "50 files"),
        (lambda: a_zip(*[(f"f{n}", b"") for n in range(800)]), "50 files"),
    ],
    ids=["zip", "tar.gz", "tar.xz", "tar", "many files", "a large directory"],
)
def test_what_explodes_is_stopped(make: Callable[[], bytes], words: str, tmp_path: Path) -> None:
    """The disk and the memory hold no more than the limits, whatever an archive unpacks to."""
    said = refusal(make(), tmp_path)
    assert any(word in said for word in words.split("|")), said
    written = sum(path.stat().st_size for path in (tmp_path / "in").rglob("*") if path.is_file())
    assert written <= LIMITS.unpacked_bytes


def test_a_header_that_is_read_as_a_whole_is_bounded(tmp_path: Path) -> None:
    """A tar whose extended header is larger than all files may be is refused, not read."""
    member = tarfile.TarInfo("long")
    member.pax_headers = {"comment": "x" * (40 << 20)}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member)
    assert "MiB" in refusal(data.getvalue(), tmp_path)


def test_a_file_with_holes_is_refused(tmp_path: Path) -> None:
    """A sparse member says in a few bytes that it is gigabytes long."""
    member = tarfile.TarInfo("holes")
    member.pax_headers = {
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(1 << 40),
        "GNU.sparse.map": f"{(1 << 40) - 1},1",
    }  # fmt: skip
    member.size = 1
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member, io.BytesIO(b"x"))
    assert "holes" in refusal(data.getvalue(), tmp_path)


def test_sizes_that_lie_do_not_help(tmp_path: Path) -> None:
    """A zip whose directory says that a file is small is stopped when it is not."""
    data = bytearray(a_zip(("zeros", bytes(12 << 20))))
    for sign, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        start = data.index(sign)
        data[start + at : start + at + 4] = struct.pack("<I", 10)
    assert refusal(bytes(data), tmp_path)


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x1f\x8b", b"hello", b"PK\5\6" + bytes(18)])
def test_other_files_are_refused(data: bytes, tmp_path: Path) -> None:
    """What is no archive, or half of one, is said to be none; an empty one has no bot."""
    if data.startswith(b"PK\5\6"):
        (tmp_path / "archive").write_bytes(data)
        assert not list(unpack(tmp_path / "archive", tmp_path / "empty", LIMITS).iterdir())
    else:
        assert refusal(data, tmp_path)


@example(data=b"Z", at=630, form="zip")  # an offset before the start of the file
@given(data=st.binary(max_size=200), at=st.integers(0, 5000), form=st.sampled_from(["zip", "tar"]))
def test_damaged_archives_never_do_more_than_be_refused(
    data: bytes, at: int, form: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bytes that were changed anywhere lead to an unpacked folder or to one line, to no error."""
    place = tmp_path_factory.mktemp("damaged")
    whole = bytearray(
        a_zip(("bot.py", b"print()\n" * 90), ("a/b", b"x"))
        if form == "zip"
        else a_tar(("bot.py", tarfile.REGTYPE, "", 900), ("a", tarfile.SYMTYPE, "bot.py", 0))
    )
    at %= len(whole)
    whole[at : at + len(data)] = data
    (place / "archive").write_bytes(whole)
    with suppress(ArchiveError):
        unpack(place / "archive", place / "unpacked", LIMITS)
    assert {path.name for path in place.iterdir()} <= {"archive", "unpacked"}


def test_a_good_archive_comes_out_as_it_was(tmp_path: Path) -> None:
    """Programs stay executable, links within stay links, and what macOS adds is left out."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:bz2") as archive:
        for name, mode in (("my-bot/run.sh", 0o4755), ("my-bot/lib/a.py", 0o600)):
            member = tarfile.TarInfo(name)
            member.mode, member.size = mode, 4
            archive.addfile(member, io.BytesIO(b"text"))
        link = tarfile.TarInfo("my-bot/a.py")
        link.type, link.linkname = tarfile.SYMTYPE, "lib/a.py"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("__MACOSX/my-bot/._run.sh"))
        archive.addfile(tarfile.TarInfo("my-bot/.DS_Store"))
    (tmp_path / "archive").write_bytes(data.getvalue())
    folder = unpack(tmp_path / "archive", tmp_path / "out", LIMITS)
    assert folder.name == "my-bot"
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) & ~0o022 == 0o755 & ~0o022
    assert not (folder / "lib/a.py").stat().st_mode & 0o111
    assert (folder / "a.py").is_symlink()
    assert (folder / "a.py").read_text() == "text"
    assert sorted(path.name for path in folder.iterdir()) == ["a.py", "lib", "run.sh"]
