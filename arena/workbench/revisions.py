"""A bot as it was at a revision: its folder from the history of its git repository.

Nothing of the revision is run, nor what its repository's configuration would run on the way.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

from arena.builds.build import BuildError, build
from arena.programs.manifest import ManifestError, load_manifest
from arena.programs.spec import BotSpec, UnusableBot

_NAMED = re.compile(r"(?P<folder>.+)@git:(?P<revision>.*)", re.DOTALL)
_FILTER = r"^filter\..*\.(clean|smudge|process|required)$"
"""The settings by which git runs a program on every file that it takes out of its history."""


def read_revision(text: str) -> tuple[str, str] | None:
    """Return folder and revision of a text such as `my-bot@git:HEAD~1`; None for another one."""
    found = _NAMED.fullmatch(text)
    return None if found is None else (found["folder"], found["revision"])


def bot_at(folder: Path, revision: str, target: Path, *, to_run: bool) -> BotSpec:
    """Return the bot of a folder as it was at a revision; its files are written to `target`.

    With `to_run`, a bot that needs a build is built there, as it is not sealed before it plays.
    """
    check_out(folder, revision, target)
    named = f"bot '{folder}@git:{revision}'"
    try:
        spec = load_manifest(target)
        if to_run:
            build(spec)
    except ManifestError as error:
        said = str(error).replace(str(target), str(folder))
        raise UnusableBot(f"{named}: at that revision, {said}") from None
    except BuildError as error:
        raise UnusableBot(f"{named}: {error}; the output is in {error.log}") from None
    return spec


def check_out(folder: Path, revision: str, target: Path) -> str:
    """Write the folder's files at a revision to the directory `target`; return the commit.

    Raise `UnusableBot` if there is no such folder, no git, or no such revision of it.
    """
    named = f"bot '{folder}@git:{revision}'"
    if not folder.is_dir():
        raise UnusableBot(f"{named}: expected a folder before @git:, got {folder}")
    if shutil.which("git") is None:
        raise UnusableBot(f"{named}: git is not installed; name a folder with that version instead")
    settings = _without_programs(folder)
    words = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    found = _git(folder, words, settings)
    if found.returncode or not revision:
        inside = _git(folder, ("rev-parse", "--is-inside-work-tree"), settings)
        if inside.returncode:
            raise UnusableBot(f"{named}: {_reason(inside, f'{folder} is in no git repository')}")
        raise UnusableBot(
            f"{named}: expected a commit, a tag or a branch after @git:, got {revision!r}, which "
            "is none in its repository"
        )
    commit = found.stdout.decode().strip()
    archive = _git(folder, ("archive", "--format=tar", commit), settings)
    if archive.returncode:
        # Git's own words for this would be: current working directory is untracked.
        tracked = _git(folder, ("ls-tree", "--name-only", commit, "."), settings)
        if tracked.returncode or not tracked.stdout:
            raise UnusableBot(f"{named}: there is no {folder} in its repository at {revision}")
        raise UnusableBot(f"{named}: {_reason(archive, 'git archive failed')}")
    try:
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
            tar.extractall(target, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise UnusableBot(f"{named}: cannot be unpacked: {error}") from None
    return commit


def _without_programs(folder: Path) -> Mapping[str, str]:
    """Return settings for git's environment with which it starts no program of anybody's."""
    settings = {"core.fsmonitor": "false", "core.hooksPath": os.devnull}
    found = _git(folder, ("config", "--null", "--name-only", "--get-regexp", _FILTER), {})
    for name in found.stdout.decode(errors="replace").split("\0"):
        if name:
            settings[name] = "false" if name.endswith(".required") else ""
    return settings


def _git(
    folder: Path, words: Sequence[str], settings: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder with these settings; its answer in no language but English."""
    env = {**os.environ, "LC_ALL": "C", "GIT_CONFIG_COUNT": str(len(settings))}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    for at, (name, value) in enumerate(settings.items()):
        env |= {f"GIT_CONFIG_KEY_{at}": name, f"GIT_CONFIG_VALUE_{at}": value}
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        env.pop(name, None)  # of a hook that calls this; they are not of this folder
    return subprocess.run(
        ["git", "-C", str(folder), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=env,
        check=False,
    )


def _reason(failed: subprocess.CompletedProcess[bytes], otherwise: str) -> str:
    """Return why git has failed, in one line."""
    said = " ".join(failed.stderr.decode(errors="replace").split())
    return said.removeprefix("fatal: ") or otherwise
