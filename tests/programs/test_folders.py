"""Folders that strangers hand in: whatever they hold, nothing outside is read and nothing hangs."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from arena.programs.digest import digest, read_patterns
from arena.programs.manifest import load_manifest
from arena.programs.walk import Folder, FolderError, WalkLimits
from check.wrong import write_wrong
from command import Outcome, arena, arena_here, assert_refused

pytestmark = pytest.mark.source_only

MANIFEST = 'name = "wrong"\nrun = ["python3", "bot.py"]\n'


def hostile(home: Path, shape: str) -> Path:
    """A bot that plays, but for what this shape adds to its folder."""
    write_wrong(home, "nothing").rename(home / "bot")
    (home / "secret").write_text("of the host")
    SHAPES[shape][0](home / "bot")
    return home / "bot"


def chain(folder: Path) -> None:
    """Lexically it stays in the folder: a/b/top/../secret is a/b/secret."""
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "top").symlink_to("../..")
    (folder / "out").symlink_to("a/b/top/../secret")


def loop(folder: Path) -> None:
    """Two links, each to the other."""
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")


def bound_socket(folder: Path) -> None:
    """A socket that nobody listens to."""
    here = Path.cwd()
    os.chdir(folder)  # as the path of a socket may have a hundred bytes only
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket")
    finally:
        os.chdir(here)


def device(folder: Path) -> None:
    """The device of /dev/zero, which never ends."""
    if os.geteuid() and not os.environ.get("CI"):
        pytest.skip("only root makes devices")
    os.mknod(folder / "zero", 0o644 | stat.S_IFCHR, os.makedev(1, 5))


def sparse(folder: Path) -> None:
    """8 GiB that take no room on the disk."""
    with (folder / "data").open("wb") as file:
        file.truncate(8 << 30)


def sparse_ones(folder: Path) -> None:
    """Each is small enough, all together are not."""
    for number in range(6):
        with (folder / f"data-{number}").open("wb") as file:
            file.truncate(100 << 20)


def many(folder: Path) -> None:
    """A hundred thousand empty files."""
    fd = os.open(folder, os.O_RDONLY)
    for number in range(100_000):
        os.mknod(str(number), dir_fd=fd)
    os.close(fd)


def deep(folder: Path) -> None:
    """A file below three hundred directories."""
    folder = folder.joinpath(*["d"] * 300)
    folder.mkdir(parents=True)
    (folder / "file").touch()


def patterns(*texts: str) -> Callable[[Path], None]:
    """Its bot.toml has these patterns; below the folder's link lies all of /proc."""

    def make(folder: Path) -> None:
        (folder / "link").symlink_to("/proc")
        (folder / "bot.toml").write_text(f"{MANIFEST}files = {list(texts)}\n")

    return make


def hard_link(folder: Path) -> None:
    """The secret under a second name."""
    (folder / "data").hardlink_to(folder.parent / "secret")


def no_manifest(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """In place of its bot.toml lies something else."""

    def replace(folder: Path) -> None:
        (folder / "bot.toml").unlink()
        make(folder / "bot.toml")

    return replace


def large(path: Path) -> None:
    """A file of 100 MB."""
    with path.open("wb") as file:
        file.truncate(100_000_000)


def link_out(path: Path) -> None:
    """A link to a sound manifest outside of the folder."""
    (path.parents[1] / "other.toml").write_text(MANIFEST)
    path.symlink_to("../other.toml")


SHAPES: dict[str, tuple[Callable[[Path], object], str]] = {
    "chain": (chain, "out: is a link to a/b/top/../secret, which leads out of the folder"),
    "link up": (lambda folder: (folder / "up").symlink_to("../secret"), "which leads out"),
    "link to shadow": (lambda folder: (folder / "x").symlink_to("/etc/shadow"), "which leads out"),
    "link to a folder": (lambda folder: (folder / "x").symlink_to("/etc"), "which leads out"),
    "descriptor": (lambda folder: (folder / "x").symlink_to("/proc/self/fd/0"), "which leads out"),
    "loop": (loop, "is a link to two, which leads in a circle"),
    "missing": (lambda folder: (folder / "x").symlink_to("no/../../secret"), "is no directory"),
    "fifo": (lambda folder: os.mkfifo(folder / "pipe"), "pipe: is a FIFO"),
    "socket": (bound_socket, "socket: is a socket"),
    "device": (device, "zero: is a device"),
    "sparse": (sparse, "data: has 8589934592 bytes, more than"),
    "sparse ones": (sparse_ones, "the files that count have more than 536870912 bytes together"),
    "many": (many, "more than 20000 files count; name fewer"),
    "deep": (deep, "lies deeper than 64 directories"),
    "odd name": (
        lambda folder: os.mkfifo(os.fsencode(folder) + b"/\xff\n" + b"x" * 253),
        f"/??{'x' * 253}: is a FIFO",
    ),
    "ten": (patterns("**/" * 10 + "*"), "files[0]: expected a glob pattern with one ** at most"),
    "through a link": (patterns("link/**/*"), 'got "link/**/*", which finds none'),
    "literally": (patterns("link/self/environ"), "which finds none"),
    "upwards": (patterns("*/../../secret"), "files[0]: expected a pattern of files in the bot's"),
    "hard link": (hard_link, "data: is a hard link to a file that may lie outside"),
    "manifest out": (no_manifest(link_out), "bot.toml: expected a file, got a link"),
    "manifest fifo": (no_manifest(os.mkfifo), "bot.toml: expected a file, got a FIFO"),
    "manifest folder": (no_manifest(Path.mkdir), "bot.toml: expected a file, got a directory"),
    "manifest large": (no_manifest(large), "bot.toml: expected 1048576 bytes at most, got 10000"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hostile_folder_is_refused_in_one_line(tmp_path: Path, shape: str) -> None:
    """It is named what is wrong where, soon, and nothing of the host is in what is printed."""
    folder = hostile(tmp_path, shape)
    refused = arena_here("bot", "show", str(folder), cwd=tmp_path)
    assert_refused(refused, f"{folder}", SHAPES[shape][1])
    assert "of the host" not in refused.err


COMMANDS = {
    "check": ("bot", "check", "bot"),
    "build": ("bot", "build", "bot"),
    "play": ("play", "gargon", "bot", "random", "random"),
    "ladder": ("ladder", "run", "cup.toml"),
}


@pytest.mark.parametrize("shape", ["chain", "fifo", "sparse", "deep", "hard link", "literally"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_a_hostile_folder(tmp_path: Path, command: str, shape: str) -> None:
    """Each that takes a bot refuses it in one line, and writes nothing."""
    hostile(tmp_path, shape)
    field = ["random", {"bot": "random", "name": "ada"}, {"bot": "random", "name": "bob"}]
    listed = ", ".join(
        f'"{bot}"' if isinstance(bot, str) else f'{{ bot = "random", name = "{bot["name"]}" }}'
        for bot in ("./bot", *field)
    )
    (tmp_path / "cup.toml").write_text(
        f'game = "gargon"\ntables = [3]\nsandbox = "none"\ncontestants = [{listed}]\n'
    )
    before = sorted(os.listdir(tmp_path))
    assert_refused(arena_here(*COMMANDS[command], cwd=tmp_path), SHAPES[shape][1])
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "secret").read_text() == "of the host"


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    """Whoever may not read it learns which it is and what to do."""
    folder = write_wrong(tmp_path, "nothing")
    (folder / "data").touch(mode=0o000)
    words = [sys.executable, "-m", "arena", "bot", "show", str(folder)]
    if not os.geteuid():  # root may read it unless he gives up the right to
        rights = "-dac_override,-dac_read_search"
        words = ["setpriv", f"--bounding-set={rights}", "--inh-caps=-all", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert_refused(
        Outcome(done.returncode, done.stdout, done.stderr), "data: cannot be read", "chmod -R u+rX"
    )


def test_a_file_that_is_written_to_meanwhile_is_named(tmp_path: Path) -> None:
    """What was hashed would be neither what was there before nor what is there now."""
    folder = write_wrong(tmp_path, "nothing")
    ended = Event()

    def write() -> None:
        with (folder / "data").open("wb", buffering=0) as file:
            while not ended.is_set():
                os.pwrite(file.fileno(), os.urandom(1 << 20), 0)
                file.truncate(128 << 20)

    writer = Thread(target=write)
    writer.start()
    try:
        refused = arena("bot", "show", str(folder))
    finally:
        ended.set()
        writer.join()
    assert_refused(refused, "data: changed while it was read")


@pytest.mark.parametrize("way", ["grows", "shrinks", "is replaced", "becomes a link"])
def test_a_change_between_two_reads_is_seen(tmp_path: Path, way: str) -> None:
    """Whatever happens to a file after the folder was listed, its old name gives nothing else."""
    file = tmp_path / "data"
    file.write_bytes(bytes(1 << 20))
    (tmp_path / "other").write_bytes(b"of the host".ljust(1 << 20))
    with Folder(tmp_path) as folder:
        entry = next(entry for entry in folder.files() if entry.name == "data")
        if way == "grows":
            file.write_bytes(bytes(2 << 20))
        elif way == "shrinks":
            os.truncate(file, 1)
        elif way == "is replaced":
            (tmp_path / "other").replace(file)
        else:
            file.unlink()
            file.symlink_to("other")
        with pytest.raises(FolderError, match="data: changed while it was read"):
            list(folder.read(entry))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (WalkLimits(entries=9), "holds more than 9 files and directories"),
        (WalkLimits(files=9), "more than 9 files count"),
        (WalkLimits(file_bytes=9), "has 10 bytes, more than 9"),
        (WalkLimits(bytes=99), "more than 99 bytes together"),
        (WalkLimits(depth=1), "lies deeper than 1 directories"),
        (WalkLimits(seconds=0), "took longer than 0 s to read"),
    ],
)
def test_every_limit_says_its_name(tmp_path: Path, limits: WalkLimits, said: str) -> None:
    """A folder of ten files of ten bytes, two directories deep, is too much for each of these."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    for number in range(10):
        (tmp_path / "a" / "b" / str(number)).write_bytes(bytes(10))
    with Folder(tmp_path, limits) as folder, pytest.raises(FolderError, match=said):
        folder.files()


def test_no_other_file_system_is_entered() -> None:
    """A mount in the folder, such as /proc in the root, is named; a way through it is none."""
    with Folder(Path("/")) as root:
        with pytest.raises(FolderError, match="/proc: is another file system"):
            root.files(read_patterns(["proc/version"]))
        assert root.look("proc/version") is None


def test_what_does_not_count_may_be_anything(tmp_path: Path) -> None:
    """Links of an environment, and what a build made, lie in folders that are not looked at."""
    folder = write_wrong(tmp_path, "nothing")
    before = digest(load_manifest(folder))
    (folder / ".venv").mkdir()
    (folder / ".venv" / "python").symlink_to("/usr/bin/python3")
    os.mkfifo(folder / ".venv" / "pipe")
    assert digest(load_manifest(folder)) == before


def test_links_that_stay_in_the_folder_count_as_links(tmp_path: Path) -> None:
    """A chain of them, to files and to folders, is sound as long as each step stays inside."""
    folder = write_wrong(tmp_path, "nothing")
    (folder / "v1" / "data").mkdir(parents=True)
    (folder / "v1" / "data" / "book").touch()
    (folder / "now").symlink_to("v1")
    (folder / "book").symlink_to("now/data/../data/book")
    (folder / "v1" / "up").symlink_to("../bot.py")
    shown = arena_here("bot", "show", str(folder), "--json")
    assert shown.json["files"] == ["book", "bot.py", "bot.toml", "now", "v1/data/book", "v1/up"]


def test_odd_names_count(tmp_path: Path) -> None:
    """Names of 255 bytes, with newlines, or that are not UTF-8, change the digest like others."""
    folder = write_wrong(tmp_path, "nothing")
    digests = {arena_here("bot", "show", str(folder), "--json").json["digest"]}
    for name in (b"n" * 255, b"\xfe\xff", b"new\nline"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).touch()
        digests.add(arena_here("bot", "show", str(folder), "--json").json["digest"])
    assert len(digests) == 4


@pytest.mark.parametrize("target", ["/etc/hostname", "../secret", "/proc/self/fd/0"])
def test_a_command_line_through_a_link_out_is_refused(tmp_path: Path, target: str) -> None:
    """The file that a word names is looked at like any of a folder."""
    (tmp_path / "secret").touch()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "bot.py").symlink_to(target)
    for words in (["bot", "show"], ["bot", "check"]):
        refused = arena_here(*words, "python3 bot.py", cwd=tmp_path / "here")
        assert_refused(refused, "bot.py: ", "a copy in its folder")


def test_a_command_line_counts_what_its_links_lead_to(tmp_path: Path) -> None:
    """A link to another version of the program is another bot, and so is a changed program."""
    write_wrong(tmp_path, "nothing").rename(tmp_path / "v1")
    (tmp_path / "now").symlink_to("v1")
    os.mkfifo(tmp_path / "pipe")  # which nobody names
    words = ("bot", "show", "python3 now/bot.py", "--json")
    first = arena_here(*words, cwd=tmp_path).json
    assert first["files"] == ["now", "v1/bot.py"]
    (tmp_path / "v1" / "bot.py").write_text("pass")
    assert arena_here(*words, cwd=tmp_path).json["digest"] != first["digest"]
