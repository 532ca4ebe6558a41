"""The vault: bots that were sealed, each under its digest, to be run from there.

What was digested is what runs: the bytes of a file are copied while they are hashed, and nobody
changes the copy. So an author can go on working in his folder, and old versions play again.

    VAULT/<digest>/files     what counts, as it was handed in
    VAULT/<digest>/built     the same and what the build made of it, for a bot with a build
    VAULT/<digest>/bot.json  the description

A bot is written under another name and renamed when it is whole, so a killed writer leaves no
half of one. A lock on what is being written tells whether its writer still lives.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fcntl import F_OFD_SETLK, F_RDLCK, F_WRLCK, LOCK_EX, LOCK_NB, fcntl, flock
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeAlias

from arena.errors import ArenaError
from arena.programs.digest import (
    NEVER_COUNTED,
    OUTPUTS,
    combined,
    content_digest,
    counted,
    digest,
    link_content,
    read_patterns,
    sources,
)
from arena.programs.links import DIRECTORY, FILE, Link, Node, WayOut, way
from arena.programs.places import data_home
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.unbuilt import not_built
from arena.programs.walk import Entry, Folder, FolderError, WalkLimits, printable

PLACE = "ARENA_VAULT"
"""The environment variable with the vault's directory."""
FILES, BUILT, DESCRIPTION = "files", "built", "bot.json"
NEW, GONE = ".new-", ".gone-"
"""The first characters of names of what is being written, and removed."""
LOCK, USERS = ".lock", ".users"
LEAST_DIGITS = 8
OUTPUT_LIMITS = WalkLimits(files=100_000, file_bytes=1 << 30, bytes=2 << 30, seconds=300)
"""Builds make more than their authors write."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_START_OF_DIGEST = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},64}}")
_NAMED = re.compile(r"([a-z0-9]+(?:[-_.][a-z0-9]+)*)@(\S+)")
_TEXTS = ("name", "version", "author", "summary", "language")
_LISTS = ("games", "build", "run", "files")

Build: TypeAlias = Callable[[BotSpec, Path], object]
"""Builds the bot, whose folder is a copy of what counts. The path is that of its own folder."""


class VaultError(ArenaError):
    """Something in the vault that is not as it should be; the text says what, and what to do."""


@dataclass(frozen=True)
class Sealed:
    """A bot in the vault."""

    digest: str
    spec: BotSpec
    sealed: str
    """When, in UTC."""
    size: int
    """The bytes of its files."""

    @property
    def text(self) -> str:
        """The bot in a message."""
        return f"{self.digest[:12]} ({self.spec.name}@{self.spec.version}, sealed {self.sealed})"


class Vault:
    """The sealed bots in a directory, which is made when the first is sealed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._users: int | None = None

    @classmethod
    def default(cls) -> Vault:
        """Return the vault that the environment names, or that of the user."""
        named = os.environ.get(PLACE, "")
        return cls(Path(named).absolute() if named else data_home() / "vault")

    def close(self) -> None:
        """Let others remove the bots that were opened."""
        if self._users is not None:
            os.close(self._users)
            self._users = None

    def seal(self, spec: BotSpec, build: Build | None = None) -> BotSpec:
        """Return the bot as it lies in the vault; copy and build it if it is not there yet."""
        if self._leftovers():
            with self._locked():
                self._sweep()
        with Folder(sources(spec)) as folder:
            found = counted(spec, folder, shared=False)
            identity = combined(spec, [(entry, content_digest(folder, entry)) for entry in found])
        if not self._has(identity):
            identity = self._write(spec, build)
        return self.open(identity)

    def take(self, other: Vault, identity: str) -> None:
        """Move a bot here from another vault on the same disk, unless it is here already."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            (other.path / identity).rename(self.path / identity)
        except OSError as error:
            here = error.errno in (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST)
            if not (here and self._has(identity)):
                raise
        _sync(self.path)

    def open(self, identity: str) -> BotSpec:
        """Return the bot with this digest, after its files were compared with it.

        It stays in use, so that nobody removes it, as long as this program or one that it has
        started runs.
        """
        self._lock_bot(identity, F_RDLCK)
        sealed, description = self._read(identity)
        now = digest(sealed.spec)
        built = description.get("built")
        if now != identity or (built is not None and built != _tree_digest(sealed.spec.folder)):
            raise VaultError(
                f"{self.path / identity}: is not what was sealed, as somebody has changed it; "
                f"run arena vault remove {identity[:12]}, and seal the bot again"
            )
        return sealed.spec

    def digests(self) -> list[str]:
        """Return the digests of all bots, in any order."""
        try:
            return [name for name in os.listdir(self.path) if _DIGEST.fullmatch(name)]
        except FileNotFoundError:
            return []

    def find(self, text: str) -> Sealed | None:
        """Return the bot that a text names as `name@version` or by the start of its digest.

        Return None for a text of another form, or digits with which no digest starts. Raise
        `UnusableBot` if there is no such version, or if there are several bots.
        """
        if _START_OF_DIGEST.fullmatch(text):
            found = [one for one in self.all() if one.digest.startswith(text)]
            if not found:
                return None
        elif (named := _NAMED.fullmatch(text)) is not None:
            name, version = named.groups()
            same = [one for one in self.all() if one.spec.name == name]
            found = [one for one in same if one.spec.version == version]
            if not found:
                there = ", ".join(one.text for one in same) or "none"
                raise UnusableBot(
                    f"bot {text!r}: no such version in the vault {self.path}; of {name!r} it "
                    f"has: {there}"
                )
        else:
            return None
        if len(found) > 1:
            there = ", ".join(one.text for one in found)
            raise UnusableBot(
                f"bot {text!r}: expected one bot, got {there}; give the first digits of its digest"
            )
        return found[0]

    def all(self) -> list[Sealed]:
        """Return all bots of the vault, those that were sealed first at the start."""
        found = []
        for name in self.digests():
            with suppress(VaultError):
                found.append(self._read(name)[0])
        return sorted(found, key=lambda one: (one.sealed, one.digest))

    def remove(self, identity: str) -> None:
        """Remove a bot; raise `VaultError` if a program that runs has opened it."""
        with self._locked():
            self._sweep()
            self._lock_bot(identity, F_WRLCK)
            gone = Path(mkdtemp(prefix=GONE, dir=self.path))
            (self.path / identity).rename(gone / identity)
            _sync(self.path)
            shutil.rmtree(gone)

    def _write(self, spec: BotSpec, build: Build | None) -> str:
        """Copy a bot into the vault and build it; return the digest of what was copied."""
        with self._new() as new:
            files = new / FILES
            _make(files)
            with Folder(sources(spec)) as folder:
                found = counted(spec, folder, shared=False)
                identity = combined(spec, [(entry, _copy(folder, entry, files)) for entry in found])
            if self._has(identity):
                return identity
            _check_links(found, sources(spec), building=bool(spec.build))
            description = _described(spec, found)
            if spec.build:
                self._build(spec, new, build)
                description["built"] = _tree_digest(new / BUILT)
            _check_words(spec, new / (BUILT if spec.build else FILES))
            _write_whole(new / DESCRIPTION, json.dumps(description, indent=1).encode())
            _sync_all(new)
            try:
                new.rename(self.path / identity)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
            _sync(self.path)
        return identity

    def _build(self, spec: BotSpec, new: Path, build: Build | None) -> None:
        """Make the folder from which a bot with a build runs."""
        made = new / BUILT
        _make(made)
        with Folder(new / FILES) as folder:
            for entry in folder.files():
                _copy(folder, entry, made)
        if spec.sources is not None:
            take_outputs(spec.folder, made)
        elif build is not None:
            build(replace(spec, folder=made), spec.folder)
        if (lacks := not_built(replace(spec, folder=made))) is not None:
            raise UnusableBot(f"bot {spec.name!r}: its build made no {lacks}, which run needs")
        _normalise(made)

    def _read(self, identity: str) -> tuple[Sealed, Mapping[str, Any]]:
        """Return a bot and its description, without a look at its files."""
        home = self.path / identity
        try:
            value = json.loads((home / DESCRIPTION).read_bytes())
            fields: dict[str, Any] = {key: value[key] for key in (*_TEXTS, *_LISTS)}
            runs = home / (BUILT if value["build"] else FILES)
            spec = BotSpec(folder=runs, sources=home / FILES, **fields)
            return Sealed(identity, spec, str(value["sealed"]), int(value["size"])), value
        except FileNotFoundError:
            raise VaultError(f"{self.path}: has no bot with the digest {identity}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise VaultError(
                f"{home / DESCRIPTION}: cannot be read: {error}; run arena vault remove "
                f"{identity[:12]}, and seal the bot again"
            ) from None

    def _has(self, identity: str) -> bool:
        return (self.path / identity).is_dir()

    def _leftovers(self) -> list[Path]:
        """Return what is being written or removed now, or was when its writer was killed."""
        try:
            names = os.listdir(self.path)
        except FileNotFoundError:
            return []
        return [self.path / name for name in names if name.startswith((NEW, GONE))]

    @contextmanager
    def _new(self) -> Iterator[Path]:
        """Make a directory for a new bot; afterwards remove it, if it was not renamed."""
        self.path.mkdir(parents=True, exist_ok=True)
        with self._locked():
            new = Path(mkdtemp(prefix=NEW, dir=self.path))
            fd = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
            flock(fd, LOCK_EX)
        try:
            new.chmod(0o755)
            yield new
        finally:
            if new.exists():
                shutil.rmtree(new)
            os.close(fd)

    def _sweep(self) -> None:
        """Remove what killed writers have left; the vault is locked meanwhile."""
        for path in self._leftovers():
            with suppress(FileNotFoundError):
                fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
                try:
                    flock(fd, LOCK_EX | LOCK_NB)
                    shutil.rmtree(path)
                except BlockingIOError:
                    continue  # its writer lives
                finally:
                    os.close(fd)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other programs from beginning to write, and from sweeping."""
        fd = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            flock(fd, LOCK_EX)
            yield
        finally:
            os.close(fd)

    def _lock_bot(self, identity: str, kind: int) -> None:
        """Lock a bot for reading, or for writing if no other program has locked it."""
        if self._users is None:
            with suppress(FileNotFoundError):
                self._users = os.open(self.path / USERS, os.O_RDWR | os.O_CREAT, 0o600)
        if self._users is None:
            raise VaultError(f"{self.path}: has no bot with the digest {identity}")
        byte = int(identity[:15], 16)
        try:
            fcntl(self._users, F_OFD_SETLK, struct.pack("hhqqi", kind, 0, byte, 1, 0))
        except (BlockingIOError, PermissionError):
            raise VaultError(
                f"{self.path / identity}: is in use by a command that runs; wait for its end"
            ) from None


def take_outputs(origin: Path, target: Path) -> None:
    """Copy what a build has made in its author's folder to that of a sealed bot."""
    patterns = read_patterns(f"{name}/**/*" for name in sorted(OUTPUTS))
    with Folder(origin, OUTPUT_LIMITS) as folder:
        for entry in folder.files(patterns, NEVER_COUNTED, shared=False):
            _copy(folder, entry, target)


def _described(spec: BotSpec, found: Iterable[Entry]) -> dict[str, Any]:
    """Return the description of a sealed bot."""
    return {
        **{key: getattr(spec, key) for key in _TEXTS},
        **{key: list(getattr(spec, key)) for key in _LISTS},
        "sealed": datetime.now(UTC).isoformat(timespec="seconds"),
        "size": sum(entry.state.st_size for entry in found),
    }


def _copy(folder: Folder, entry: Entry, target: Path) -> bytes:
    """Copy a file or a link; return the hash of what was written."""
    path = target / entry.name
    _make(path.parent)
    if entry.target is not None:
        path.symlink_to(entry.target)
        return sha256(link_content(entry.target)).digest()
    hashed = sha256()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as file:
        for chunk in folder.read(entry):
            hashed.update(chunk)
            file.write(chunk)
        os.fchmod(fd, _mode(entry.state))
    return hashed.digest()


def _mode(state: os.stat_result) -> int:
    """Return the mode that a file has in the vault."""
    return 0o755 if stat.S_ISDIR(state.st_mode) or state.st_mode & 0o111 else 0o644


def _make(path: Path) -> None:
    """Make a directory and those above it, readable by everybody whatever the umask is."""
    if path.is_dir():
        return
    _make(path.parent)
    path.mkdir()
    path.chmod(0o755)


def _normalise(path: Path) -> None:
    """Give all that a build has made the modes of the vault."""
    with Folder(path, OUTPUT_LIMITS) as folder:
        for entry in folder.everything():
            if entry.target is None:
                (path / entry.name).chmod(_mode(entry.state))


def _tree_digest(path: Path) -> str:
    """Return a hash of all that is in a folder, but for what Python leaves there as it runs."""
    found = sha256()
    with Folder(path, OUTPUT_LIMITS) as folder:
        for entry in folder.files(left_out=NEVER_COUNTED):
            name = os.fsencode(entry.name)
            executable = entry.target is None and bool(entry.state.st_mode & 0o111)
            found.update(len(name).to_bytes(4, "big") + name + bytes([executable]))
            found.update(content_digest(folder, entry))
    return found.hexdigest()


def _check_links(found: Iterable[Entry], home: Path, *, building: bool) -> None:
    """Raise `FolderError` for a link that leads to nothing of what was copied, or out of it."""
    nodes: dict[tuple[str, ...], Node] = {}
    links = []
    for entry in found:
        nodes[entry.parts] = FILE if entry.target is None else Link(entry.target)
        nodes.update((entry.parts[:at], DIRECTORY) for at in range(1, len(entry.parts)))
        if entry.target is not None:
            links.append((entry, entry.target))
    for entry, target in links:
        where = printable(home / entry.name)
        try:
            end = way(nodes.get, entry.parts[:-1], target).end
        except WayOut as wrong:
            raise FolderError(f"{where}: is a link which {wrong}; replace it by a copy") from None
        if end and end not in nodes and not (building and OUTPUTS.intersection(end)):
            raise FolderError(
                f"{where}: leads to {printable('/'.join(end))}, which does not count; name it in "
                "`files` of bot.toml"
            )


def _check_words(spec: BotSpec, sealed: Path) -> None:
    """Raise `UnusableBot` if the command line names a file of the folder that was not sealed."""
    for word in spec.run:
        try:
            there = (spec.folder / word).is_file()
            inside = Path(word).is_absolute() and Path(word).is_relative_to(spec.folder)
            missing = not Path(word).is_absolute() and not (sealed / word).is_file()
        except (ValueError, OSError):
            continue  # a word that cannot be a path
        if there and inside:
            raise UnusableBot(
                f"bot {spec.name!r}: run names {word}, which it does not see where it is sealed; "
                f"write {Path(word).relative_to(spec.folder)}"
            )
        if there and missing:
            raise UnusableBot(
                f"bot {spec.name!r}: run names {word}, which does not count and so is not sealed; "
                "name it in `files` of bot.toml, and let it lie in the bot's folder"
            )


def _write_whole(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0o644)


def _sync_all(path: Path) -> None:
    """Have all that is in a directory written to the disk."""
    for root, _, names in os.walk(path):
        for name in names:
            if not os.path.islink(os.path.join(root, name)):  # noqa: PTH114, PTH118 - many
                _sync(Path(root, name))
        _sync(Path(root))


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
