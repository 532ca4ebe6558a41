"""What a program finds in the sandbox, and what the sandbox refuses to start."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from arena.process.program import Program, StderrDrain
from arena.programs.spec import BotSpec
from arena.records.entries import Game
from arena.referee.game_record import logged
from arena.referee.match import Match
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox._counts import COPIED, copies, hidden
from arena.sandbox.bubblewrap import WAITING_SIGNALS
from arena.sandbox.launch import StartError
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import UNCONFINED, SandboxError
from referee.matches import DEALS, GARGON, RANDOM

from .walls import SECONDS, Ran, bubblewrap, run, shown

pytestmark = [pytest.mark.source_only, pytest.mark.as_user]

LOOK = r"""
import json, os, resource
print(json.dumps({
    "env": dict(os.environ),
    "uid": [os.getuid(), os.geteuid(), os.getgid(), os.getgroups()],
    "fds": sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1],
    "cwd": os.getcwd(),
    "here": sorted(os.listdir(".")),
    "top": sorted(os.listdir("/")),
    "dev": sorted(os.listdir("/dev")),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
    "files": resource.getrlimit(resource.RLIMIT_NOFILE),
}))
"""


def look(folder: Path, limits: Limits | None = None) -> dict[str, Any]:
    """What a program sees there."""
    ran = run(bubblewrap(), ("python3", "-c", LOOK), folder, limits)
    assert ran.ending is not None, ran
    assert str(ran.ending) == "exit code 0", ran
    found = json.loads(ran.out)
    assert isinstance(found, dict)
    return found


def test_a_program_finds_what_is_meant_for_it(tmp_path: Path) -> None:
    """Its pipes, its folder, the environment of the protocol, and limits; nothing else."""
    (shown(tmp_path) / "mine").write_text("x", "ascii")
    found = look(tmp_path, Limits(files=100))
    assert set(found["env"]) == {"PATH", "HOME", "LANG", "PYTHONHASHSEED"}
    assert found["fds"] == [0, 1, 2]
    assert found["cwd"] == str(tmp_path)
    assert found["here"] == ["mine"]
    assert set(found["dev"]) == {
        "fd",
        "full",
        "null",
        "random",
        "shm",
        "urandom",
        "zero",
    }
    assert found["core"] == [0, 0]
    assert found["files"] == [100, 100]
    assert "home" not in found["top"]


def test_the_hosts_counts_are_hidden_or_old(tmp_path: Path) -> None:
    """Runtimes find the files that they read; no bot sees there what another one does."""
    say = "import json; print(json.dumps(open('/proc/{}').read()))"
    sandbox = bubblewrap()
    shown(tmp_path)
    for name in COPIED:
        first, second = (
            json.loads(run(sandbox, ("python3", "-c", say.format(name)), tmp_path).out)
            for _ in range(2)
        )
        assert first == second == copies()[Path("/proc", name)].decode()
    for path in hidden():
        words = ("sh", "-c", f"cat {path}/* {path}; true")
        assert run(sandbox, words, tmp_path).out == b""


def test_signals_that_wait_are_limited_for_each_bot(tmp_path: Path) -> None:
    """Else bots of an ordinary user would have them in common."""
    say = "import resource; print(resource.getrlimit(resource.RLIMIT_SIGPENDING))"
    out = run(bubblewrap(), ("python3", "-c", say), shown(tmp_path)).out
    assert out == f"({WAITING_SIGNALS}, {WAITING_SIGNALS})\n".encode()


def test_who_a_bot_is(tmp_path: Path) -> None:
    """Root's bots have uids that nothing else on the host has; others never know theirs."""
    shown(tmp_path)
    sandbox = bubblewrap()
    words = ("python3", "-c", "import os; print(os.getuid(), os.getgid(), os.getgroups())")
    uid, gid, *groups = run(sandbox, words, tmp_path).out.split()
    assert uid == gid
    assert groups in ([b"[]"], [b"[%s]" % gid])
    if sandbox.own_uids:
        assert int(uid) >= 0x70000000
    else:
        assert int(uid) == 1000


def test_no_two_living_programs_have_the_same_uid(tmp_path: Path) -> None:
    """However many have come and gone: the kernel counts the processes of an uid together."""
    shown(tmp_path)
    sandbox = bubblewrap()
    if not sandbox.own_uids:
        pytest.skip("an ordinary user's bots have his uid")
    says = ("python3", "-c", "import os; print(os.getuid(), flush=True); input()")
    crashes = ("sh", "-c", "id -u; kill -9 $$")
    errands = StderrDrain()
    living = [
        Program(sandbox.launch(BotSpec("lives", says, tmp_path), None, Limits()), errands)
        for _ in range(3)
    ]
    try:
        theirs = {program.read(SECONDS) for program in living}
        assert len(theirs) == len(living)
        for _ in range(70):
            assert run(sandbox, crashes, tmp_path).out not in theirs
    finally:
        for program in living:
            program.close()
        errands.close()


def test_uids_are_given_back(tmp_path: Path) -> None:
    """One referee runs as many programs as the sandbox says, and then says that it has none."""
    spec = BotSpec("tested", ("true",), shown(tmp_path))
    sandbox = bubblewrap()
    if not sandbox.own_uids:
        pytest.skip("an ordinary user's bots have his uid")
    launches = []
    try:
        for _ in range(sandbox.most_programs):
            launches.append(sandbox.launch(spec, None, Limits()))  # noqa: PERF401 - for finally
        with pytest.raises(SandboxError, match="no uid is left for one more program"):
            sandbox.launch(spec, None, Limits())
        launches.pop().release()
        with pytest.raises(StartError):
            run(sandbox, ("no-such-program",), tmp_path)
        run(sandbox, ("true",), tmp_path)
        run(sandbox, ("true",), tmp_path)
    finally:
        for launch in launches:
            launch.release()


def test_a_folder_that_only_root_reads_is_refused(tmp_path: Path) -> None:
    """With what to do, before a bot fails at it; an ordinary user's bots read what he reads."""
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o700)
    if os.geteuid() != 0:
        assert run(bubblewrap(), ("echo", "read"), folder).out == b"read\n"
        return
    with pytest.raises(StartError) as error:
        run(bubblewrap(), ("true",), folder)
    assert "run chmod -R o+rX on the bot's folder" in str(error.value)


def test_a_folder_with_a_pipe_is_refused(tmp_path: Path) -> None:
    """However deep: two bots could talk through it."""
    (shown(tmp_path) / "deep").mkdir()
    os.mkfifo(tmp_path / "deep" / "pipe")
    with pytest.raises(StartError, match="deep/pipe: is a FIFO"):
        run(bubblewrap(), ("true",), tmp_path)


def test_the_whole_system_is_no_folder_of_a_bot() -> None:
    """Or all of it would be shown."""
    with pytest.raises(StartError, match="holds the whole system"):
        run(bubblewrap(), ("true",), Path("/"))


@pytest.mark.parametrize("name", ["no-such-program", "./no-such-file", "/etc/passwd"])
def test_a_program_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    """As it is without a sandbox."""
    with pytest.raises(StartError) as error:
        run(bubblewrap(), (name,), shown(tmp_path))
    assert error.value.filename == name


def test_links_and_setuid_programs_give_nothing(tmp_path: Path) -> None:
    """A link out of the folder leads nowhere, and a setuid program is a plain one."""
    secret = tmp_path / "secret"
    secret.write_text("told", "ascii")
    folder = shown(tmp_path) / "bot"
    folder.mkdir(mode=0o755)
    (folder / "link").symlink_to(secret)
    copy = Path(shutil.copy(shutil.which("id") or "/usr/bin/id", folder / "id"))
    copy.chmod(0o755 | stat.S_ISUID)
    ran = run(bubblewrap(), ("sh", "-c", "cat link; ./id -u"), folder)
    assert b"told" not in ran.out
    assert "No such file" in ran.err
    assert ran.out.strip() not in (b"0", b"")


def records(sandboxed: bool) -> list[Game]:
    """Games of bundled bots, as the log has them."""
    sandbox = bubblewrap() if sandboxed else UNCONFINED
    bots = [RANDOM] * 3
    with Roster(bots, Terms(GARGON, GARGON.rules({}), sandbox=sandbox)) as roster:
        return [logged(game.played) for game in Match(roster, DEALS).play(3)]


def test_games_are_the_same_with_and_without_walls() -> None:
    """Deterministic bots do not notice them, and the record says which there were."""
    assert records(sandboxed=True) == records(sandboxed=False)


NODE = """
const { Worker, isMainThread } = require("worker_threads");
if (isMainThread) new Worker(__filename).on("exit", () => console.log("node plays"));
"""
JAVA = """
class Plays {
    public static void main(String[] words) throws Exception {
        Thread thread = new Thread(() -> System.out.println("java plays"));
        thread.start();
        thread.join();
    }
}
"""
PYTHON = """
import multiprocessing, sqlite3
with multiprocessing.Pool(2) as pool:
    assert pool.map(abs, [-1, 2]) == [1, 2]
with sqlite3.connect("/tmp/kept.db") as db:
    db.execute("create table kept (it)")
print("python plays")
"""


@pytest.mark.parametrize(
    ("program", "file", "source", "words"),
    [
        ("python3", "plays.py", PYTHON, ()),
        ("node", "plays.js", NODE, ()),
        ("java", "Plays.java", JAVA, ("-Xmx256m",)),
    ],
)
@pytest.mark.parametrize("grouped", [True, False])
def test_runtimes_run_under_the_default_limits(
    tmp_path: Path, program: str, file: str, source: str, words: tuple[str, ...], *, grouped: bool
) -> None:
    """With threads, processes and a database, and without a word of their own on stdout."""
    needed = "javac" if program == "java" else program
    if shutil.which(needed, path="/usr/local/bin:/usr/bin:/bin") is None and needed != "python3":
        pytest.skip(f"no {needed} here")
    (shown(tmp_path) / file).write_text(source, "ascii")
    ran: Ran = run(bubblewrap(grouped=grouped), (program, *words, file), tmp_path)
    name = "python" if program == "python3" else program
    assert ran.out == f"{name} plays\n".encode(), ran
