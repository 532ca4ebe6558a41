"""The vault: what was digested is what runs, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from arena.programs.digest import digest
from arena.programs.manifest import load_manifest
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.vault import Vault, VaultError
from arena.programs.walk import FolderError
from command import Outcome, arena, assert_refused
from sandbox.walls import bubblewrap

pytestmark = pytest.mark.source_only

BOT = """
from pathlib import Path
from arena_sdk import run
def choose(question):
    question.note = {note}
    return 0
run(choose, name="b")
"""
MANIFEST = 'name = "b"\nversion = "{version}"\nrun = ["python3", "bot.py"]\n'
SEAL = """
import sys
from pathlib import Path
from arena.programs.manifest import load_manifest
from arena.programs.vault import Vault
print(Vault(Path(sys.argv[1])).seal(load_manifest(Path(sys.argv[2]))).folder)
"""


def bot(folder: Path, version: str = "1", note: str = "'one'") -> Path:
    """A bot that says this with every action."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(BOT.format(note=note), "utf-8")
    (folder / "bot.toml").write_text(MANIFEST.format(version=version), "utf-8")
    return folder


def large(folder: Path) -> Path:
    """A bot with many files, whose sealing takes a while."""
    bot(folder)
    for number in range(40):
        inside = folder / f"data-{number % 7}" / str(number)
        inside.parent.mkdir(exist_ok=True)
        inside.write_bytes(bytes([number]) * 200_000)
    (folder / "link").symlink_to("data-1/1")
    return folder


def sealer(vault: Path, folder: Path) -> subprocess.Popen[str]:
    """A process that seals this bot."""
    words = [sys.executable, "-c", SEAL, str(vault), str(folder)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def play(cwd: Path, *bots: str, games: int = 3) -> Outcome:
    """Some games in the sandbox, with records in games.jsonl."""
    words = ("play", "gargon", *bots, "--sandbox", "bwrap", "--games", str(games))
    return arena(*words, "--record", "games.jsonl", "--force", "--json", cwd=cwd)


def notes(folder: Path) -> set[str]:
    """All that was said in the games."""
    text = (folder / "games.jsonl").read_text("utf-8")
    return {word for word in ("one", "two") if f'"{word}"' in text}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A vault of this test alone."""
    monkeypatch.setenv("ARENA_VAULT", str(tmp_path / "vault"))
    return Vault.default()


def test_a_bot_is_sealed_whole(tmp_path: Path, vault: Vault) -> None:
    """The copy has the same digest, links stay links, and modes are the same for everybody."""
    folder = large(tmp_path / "b")
    (folder / "bot.py").chmod(0o4700)
    (folder / ".venv").mkdir()
    (folder / ".venv" / "x").touch()
    spec = load_manifest(folder)
    umask = os.umask(0o077)
    try:
        sealed = vault.seal(spec)
    finally:
        os.umask(umask)
    assert digest(sealed) == digest(spec) == sealed.folder.parent.name
    assert (sealed.folder / "link").readlink() == Path("data-1/1")
    assert (sealed.folder / "bot.py").stat().st_mode & 0o7777 == 0o755
    assert (sealed.folder / "bot.toml").stat().st_mode & 0o7777 == 0o644
    assert (sealed.folder / "data-1").stat().st_mode & 0o7777 == 0o755
    assert not (sealed.folder / ".venv").exists()
    assert vault.seal(spec) == sealed


def test_two_that_seal_at_once_end_with_one_bot(tmp_path: Path) -> None:
    """Both get the same whole folder, and nothing else is left."""
    folder = large(tmp_path / "b")
    writers = [sealer(tmp_path / "vault", folder) for _ in range(3)]
    said = {writer.communicate()[0].strip() for writer in writers}
    identity = digest(load_manifest(folder))
    assert said == {str(tmp_path / "vault" / identity / "files")}
    assert whole(tmp_path / "vault") == [identity]


def test_what_a_killed_writer_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    """Wherever it was when it was killed, the next one seals the bot whole."""
    folder = large(tmp_path / "b")
    identity = digest(load_manifest(folder))
    began = time.monotonic()
    sealer(tmp_path / "first", folder).communicate()
    took = time.monotonic() - began
    chance = random.Random(7)
    for number in range(20):
        vault = tmp_path / f"vault-{number}"
        writer = sealer(vault, folder)
        time.sleep(took * chance.uniform(0.3, 1))
        writer.kill()
        writer.communicate()
        if not number:  # at least one is killed in the midst of it, however fast the machine is
            writer = sealer(vault, folder)
            while writer.poll() is None and not list(vault.glob(".new-*/files/*")):
                pass
            writer.kill()
            writer.communicate()
        Vault(vault).seal(load_manifest(folder))
        assert whole(vault) == [identity]


def whole(vault: Path) -> list[str]:
    """The digests in a vault that has nothing else, after every bot was compared with its own."""
    names = sorted(path.name for path in vault.iterdir())
    found = [name for name in names if name not in (".lock", ".users")]
    for name in found:
        Vault(vault).open(name)
    return found


def test_a_writer_that_lives_is_not_disturbed(tmp_path: Path) -> None:
    """Who finds what is being written leaves it alone as long as its writer lives."""
    folder = large(tmp_path / "b")
    vault = tmp_path / "vault"
    writer = sealer(vault, folder)
    while not list(vault.glob(".new-*/files/*")):
        assert writer.poll() is None
    writer.send_signal(signal.SIGSTOP)
    other = Vault(vault).seal(load_manifest(bot(tmp_path / "other")))
    same = Vault(vault).seal(load_manifest(folder))
    assert list(vault.glob(".new-*"))
    writer.send_signal(signal.SIGCONT)
    assert writer.communicate()[0].strip() == str(same.folder)
    assert len(whole(vault)) == 2
    assert digest(other) in whole(vault)


def test_a_changed_copy_is_not_run(tmp_path: Path, vault: Vault) -> None:
    """Who has changed something in the vault is told, and how to mend it."""
    folder = bot(tmp_path / "b")
    sealed = vault.seal(load_manifest(folder))
    (sealed.folder / "bot.py").write_text("evil", "utf-8")
    with pytest.raises(VaultError, match="is not what was sealed"):
        vault.seal(load_manifest(folder))
    vault.close()
    assert_refused(arena("vault", "show", "b@1"), "run arena vault remove")
    assert arena("vault", "remove", "b@1").code == 0
    assert digest(vault.seal(load_manifest(folder))) == digest(load_manifest(folder))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("ln -s data/x bot.dat; mkdir data; touch data/x", "leads to data/x, which does not count"),
        ("ln -s ../secret up.py", "leads out of the folder"),
        ("ln bot.py other.txt", "bot.py: is a hard link"),
        ("mkfifo pipe.py", "pipe.py: is a FIFO"),
    ],
)
def test_what_cannot_be_sealed_is_refused(
    tmp_path: Path, vault: Vault, change: str, said: str
) -> None:
    """The vault holds whole bots and nothing that leads out of it, or nothing at all."""
    folder = bot(tmp_path / "b")
    subprocess.run(["sh", "-c", change], cwd=folder, check=True)
    spec = BotSpec("b", ("python3", "bot.py"), folder, files=("*.py", "*.dat", "bot.toml"))
    with pytest.raises(FolderError, match=said):
        vault.seal(spec)
    assert vault.all() == []
    assert not list(vault.path.glob(".new-*"))


def test_a_command_line_that_needs_more_than_it_names_is_refused(
    tmp_path: Path, vault: Vault
) -> None:
    """A program that is not sealed is named before the game, not found missing in it."""
    folder = bot(tmp_path / "b")
    spec = BotSpec("b", ("python3", "bot.py"), folder, files=("bot.toml",))
    with pytest.raises(UnusableBot, match=r"names bot\.py, which does not count"):
        vault.seal(spec)
    spec = BotSpec("b", ("python3", str(folder / "bot.py")), folder)
    with pytest.raises(UnusableBot, match=r"write bot\.py"):
        vault.seal(spec)


def test_a_sealed_bot_plays_on_as_its_author_changes_it(tmp_path: Path, vault: Vault) -> None:
    """What entered the ladder is what plays; the folder may change between any two games."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    field = ", ".join(f'{{ bot = "random", name = "{name}" }}' for name in ("ada", "bob"))
    (tmp_path / "cup.toml").write_text(
        f'game = "gargon"\ntables = [3]\ncontestants = ["./b", {field}]\nseed = "s"\nfresh = true\n'
        "[budget]\ngames = 30\n",
        "utf-8",
    )
    words = [sys.executable, "-m", "arena", "ladder", "run", "cup.toml", "--workers", "1"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as run:
        while not vault.all():
            assert run.poll() is None
            time.sleep(0.01)
        bot(folder, note="'two'")
        said = run.communicate()[1]
    assert run.returncode == 0, said
    log = arena("ladder", "export", "cup.ladder", "--output", "-", cwd=tmp_path).out
    assert '"one"' in log
    assert '"two"' not in log


def test_an_old_version_plays_against_the_new_one(tmp_path: Path, vault: Vault) -> None:
    """It is named by name and version, or by its digest, wherever a bot is named."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    assert play(tmp_path, "./b", "random", "random").code == 0
    first = arena("bot", "show", "./b", "--json", cwd=tmp_path).json["digest"]
    bot(folder, "2", "'two'")
    played = play(tmp_path, "./b", "b@1", first[:8])
    assert [line["version"] for line in played.json] == ["2", "1", "1"]
    assert notes(tmp_path) == {"one", "two"}
    assert arena("bot", "show", "b@1", "--json", cwd=tmp_path).json["digest"] == first
    assert_refused(arena("bot", "build", "b@1", cwd=tmp_path), "is sealed")
    assert_refused(arena("bot", "show", "b@3"), "no such version", "b@1", "b@2")
    (tmp_path / "cup.toml").write_text(
        'game = "gargon"\ntables = [3]\ncontestants = ["./b", { bot = "b@1", name = "old" }, '
        '"random"]\n[budget]\ngames = 3\n',
        "utf-8",
    )
    assert arena("ladder", "run", "cup.toml", cwd=tmp_path).code == 0


def test_what_was_digested_is_what_runs(tmp_path: Path, vault: Vault) -> None:
    """A folder that never stops changing plays as one of its states, which the record names."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    states = {}
    for word in ("one", "two"):
        (folder / "new").write_text(BOT.format(note=repr(word)), "utf-8")
        (folder / "new").replace(folder / "bot.py")
        states[digest(load_manifest(folder))] = word
    ended = Event()

    def change() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            new = tmp_path / "new"
            new.write_text(BOT.format(note=repr(("one", "two")[number % 2])), "utf-8")
            new.replace(folder / "bot.py")

    author = Thread(target=change)
    author.start()
    try:
        outcomes = [play(tmp_path, "./b", "random", "random", games=1) for _ in range(6)]
    finally:
        ended.set()
        author.join()
    for outcome in outcomes:
        assert outcome.code == 0 or "changed while it was read" in outcome.err
    for one in vault.all():
        text = (one.spec.folder / "bot.py").read_text("utf-8")
        assert f"'{states[one.digest]}'" in text


def test_a_changed_file_between_digest_and_start_does_not_run(tmp_path: Path, vault: Vault) -> None:
    """The program that starts is the copy that was hashed, though the folder has another now."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    identity = digest(vault.seal(load_manifest(folder)))
    bot(folder, note="'two'")
    assert play(tmp_path, identity, "random", "random").code == 0
    assert notes(tmp_path) == {"one"}
    entries = map(json.loads, (tmp_path / "games.jsonl").read_text("utf-8").splitlines())
    (entered,) = (entry for entry in entries if entry["entry"] == "enter")
    assert {each["digest"] for each in entered["contestants"]} > {identity}


def test_a_bot_cannot_write_in_the_vault(tmp_path: Path, vault: Vault) -> None:
    """Neither its own files nor its folder, under whatever uid it runs."""
    bubblewrap()
    folder = bot(tmp_path / "b", note="tried()")
    text = (folder / "bot.py").read_text("utf-8")
    tried = """
def tried():
    done = []
    for attempt in (
        lambda: Path("bot.py").write_text("evil"),
        lambda: Path("new").write_text("evil"),
        lambda: Path("bot.py").chmod(0o777),
        lambda: Path("bot.py").unlink(),
    ):
        try:
            attempt()
        except OSError:
            continue
        done.append("two")
    return done[0] if done else "one"
"""
    (folder / "bot.py").write_text(text.replace("def choose", f"{tried}\ndef choose"), "utf-8")
    assert play(tmp_path, "./b", "random", "random").code == 0
    assert notes(tmp_path) == {"one"}
    assert len(whole(vault.path)) == 1


def test_a_build_is_done_in_the_vault_once(tmp_path: Path, vault: Vault) -> None:
    """In the sandbox, from what counts; the author's folder stays as it was handed in."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    (folder / "secret").touch()
    (folder / "bot.toml").write_text(
        'name = "b"\nrun = ["python3", "build/bot.py"]\nfiles = ["bot.py", "bot.toml"]\n'
        'build = ["sh", "-c", "test ! -e secret && mkdir build && cp bot.py build"]\n',
        "utf-8",
    )
    first = play(tmp_path, "./b", "random", "random")
    assert first.code == 0, first.err
    assert "'b' is built in the sandbox" in first.err
    assert notes(tmp_path) == {"one"}
    assert not (folder / "build").exists()
    assert "built" not in play(tmp_path, "./b", "random", "random").err
    assert play(tmp_path, "b@0", "random", "random").code == 0
    built = vault.all()[0].spec.folder / "build" / "bot.py"
    built.write_text("evil", "utf-8")
    assert "is not what was sealed" in play(tmp_path, "./b", "random", "random").err


@pytest.mark.parametrize("tool", ["cargo", "sh"])
def test_a_bot_that_cannot_be_built_in_the_sandbox_is_sealed_as_it_was_built(
    tmp_path: Path, vault: Vault, tool: str
) -> None:
    """For want of the network its author's own build plays, and that is said."""
    bubblewrap()
    folder = bot(tmp_path / "b")
    (folder / "bot.toml").write_text(
        'name = "b"\nrun = ["python3", "target/bot.py"]\nfiles = ["bot.py", "bot.toml"]\n'
        f'build = ["{tool}", "-c", "exit 1"]\n',
        "utf-8",
    )
    refused = play(tmp_path, "./b", "random", "random")
    assert refused.code == 2
    assert "run first: arena bot build" in refused.err
    (folder / "target").mkdir()
    (folder / "bot.py").rename(folder / "target" / "bot.py")
    (folder / "bot.py").touch()
    played = play(tmp_path, "./b", "random", "random")
    assert played.code == 0, played.err
    assert "sealed as it was built in its folder" in played.err
    assert notes(tmp_path) == {"one"}


def test_the_vault_is_listed_and_cleared(tmp_path: Path, vault: Vault) -> None:
    """What a store has stays; anything else goes when it is named, or with --yes."""
    bubblewrap()
    assert arena("vault", "list", "--json").json == []
    for version in ("1", "2", "3"):
        vault.seal(load_manifest(bot(tmp_path / "b", version)))
    (tmp_path / "cup.toml").write_text(
        'game = "gargon"\ntables = [3]\ncontestants = ["./b", "random", '
        '{ bot = "random", name = "x" }]\n[budget]\ngames = 3\n',
        "utf-8",
    )
    assert arena("ladder", "run", "cup.toml", cwd=tmp_path).code == 0
    listed = arena("vault", "list", "cup.ladder", "--json", cwd=tmp_path).json
    used = {one["version"]: one["used_by"] for one in listed}
    assert used == {"1": [], "2": [], "3": ["cup.ladder"]}
    keep = ("--store", "cup.ladder")
    refused = arena("vault", "remove", "b@3", *keep, cwd=tmp_path)
    assert_refused(refused, "is in cup.ladder")
    assert_refused(arena("vault", "remove", *keep, cwd=tmp_path), "--yes is needed", "b@1")
    assert_refused(arena("vault", "remove", "b@9"), "no such version")
    assert_refused(arena("vault", "remove", "nobody"), "expected name@version")
    vault.close()
    vault.open(next(one.digest for one in vault.all() if one.spec.version == "2"))
    assert_refused(arena("vault", "remove", "b@2"), "is in use by a command that runs")
    assert arena("vault", "remove", "b@1").code == 0
    assert {one.spec.version for one in vault.all()} == {"2", "3"}
    vault.close()
    assert arena("vault", "remove", "--yes", *keep, cwd=tmp_path).code == 0
    assert [one.spec.version for one in vault.all()] == ["3"]
    assert not list(vault.path.glob(".gone-*"))


def test_an_ambiguous_bot_lists_its_candidates(tmp_path: Path, vault: Vault) -> None:
    """Two bots with one name and version differ in their digests."""
    for note in ("'one'", "'two'"):
        vault.seal(load_manifest(bot(tmp_path / "b", note=note)))
    found = [one.digest[:12] for one in vault.all()]
    assert_refused(arena("bot", "show", "b@1"), "expected one bot", *found)
    assert_refused(arena("bot", "show", "0" * 8), "unknown bot")
    assert arena("bot", "show", found[0], "--json").json["version"] == "1"
