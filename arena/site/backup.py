"""Copying a site, also while it is served: the copy is a site that goes on from there.

The order matters, as what is copied later may know of more:

1. The door is shut: from here on no submission enters a ladder, or leaves one, by the site.
2. The database. Whatever was acknowledged before is in it.
3. The ladders, with their wishes and answers. No bot is in their logs that the database does not
   know. What they have answered meanwhile, the copy's door finds in the answers.
4. The door is opened. All else is copied: what was handed in, reports, sealed bots. These only
   grow, so there is whatever the database and the logs name.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import HostError
from arena.ladder.backup import back_up
from arena.ladder.store_files import FULL, is_store, new_folder
from arena.records.ledger import Ledger
from arena.site.database.database import copy_database
from arena.site.folder import PARTIAL, SiteFolder, SiteFolderError, sync_folder

NOT_COPIED: Final = frozenset({"lock", "work", "public"})
"""What the next server makes anew."""
CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class SiteCopy:
    """What a copy of a site has."""

    ladders: Mapping[str, Ledger]
    files: int
    size: int
    """The bytes of all files."""


def copy_site(folder: SiteFolder, to: Path, tell: Callable[[str], object]) -> SiteCopy:
    """Copy a site, completely or not at all; `tell` hears what is copied next.

    The copy belongs to whom the site belongs. Raise `ArenaError` if it cannot be made.
    """
    _check(folder, to)
    with _room(to), new_folder(to) as made:
        made.chmod(0o700)
        with folder.door_shut():
            tell("the database")
            copy_database(folder.database, made / folder.database.name)
            (made / folder.ladders.name).mkdir(mode=0o700)
            ladders = {}
            for store in _stores(folder):
                tell(f"the ladder {store.stem}")
                ladders[store.stem] = back_up(store, made / folder.ladders.name / store.name)
        tell("what was handed in, reports, sealed bots")
        _copy_rest(folder, made)
        files, size = _finish(made, folder.path.stat())
    return SiteCopy(ladders, files, size)


def _check(folder: SiteFolder, to: Path) -> None:
    folder.check_is_site()
    if not folder.database.exists():
        raise SiteFolderError(f"{folder.path}: was never served, so there is nothing to copy")
    if os.path.lexists(to):
        raise SiteFolderError(f"{to}: there is something by this name; choose another for the copy")
    if to.resolve().is_relative_to(folder.path.resolve()):
        raise SiteFolderError(
            f"{to}: lies in the site's own folder; choose a place outside, best on another disk"
        )


@contextmanager
def _room(to: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise HostError(
            f"{to}: {error.strerror}; the site is as it was, and nothing is left of the copy: make "
            "room, or copy to another disk"
        ) from None


def _stores(folder: SiteFolder) -> list[Path]:
    """Return the stores of the ladders that have begun."""
    return sorted(path for path in folder.ladders.iterdir() if _is_whole(path) and is_store(path))


def _is_whole(path: Path) -> bool:
    """Whether this is neither half of something, nor a lock."""
    return path.suffix not in (PARTIAL, ".new", ".lock")


def _copy_rest(folder: SiteFolder, made: Path) -> None:
    database = folder.database.name
    for path in folder.path.iterdir():
        if path.name in NOT_COPIED or path.name.startswith(database) or not _is_whole(path):
            continue
        if path == folder.vault:
            _copy_bots(path, made / path.name)
        elif path == folder.ladders:
            _copy_definitions(folder, made / path.name)
        elif path.is_dir():
            (made / path.name).mkdir(mode=0o700)
            for each in path.iterdir():
                if _is_whole(each):
                    _copy(each, made / path.name / each.name)
        else:
            _copy(path, made / path.name)


def _copy_definitions(folder: SiteFolder, to: Path) -> None:
    """Copy what lies beside the stores: definitions, and what their host has put there."""
    for path in folder.ladders.iterdir():
        if _is_whole(path) and not is_store(path) and path.suffix != ".ladder":
            _copy(path, to / path.name)


def _copy_bots(vault: Path, to: Path) -> None:
    """Copy the sealed bots; names that begin with a dot are of what is being written."""
    to.mkdir(mode=0o700)
    for path in vault.iterdir():
        if path.name.startswith("."):
            continue
        _copy(path, to / path.name)
        if not path.exists():  # somebody has removed it meanwhile, and half of it was copied
            shutil.rmtree(to / path.name, ignore_errors=True)


def _copy(path: Path, to: Path) -> None:
    """Copy a file, a link or a folder, if it is still there."""
    with suppress(FileNotFoundError):
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode):
            to.symlink_to(path.readlink())
        elif stat.S_ISDIR(state.st_mode):
            to.mkdir()
            for each in path.iterdir():
                _copy(each, to / each.name)
            to.chmod(stat.S_IMODE(state.st_mode))
        elif stat.S_ISREG(state.st_mode):
            with path.open("rb") as source, to.open("xb") as file:
                shutil.copyfileobj(source, file, CHUNK)
                os.fchmod(file.fileno(), stat.S_IMODE(state.st_mode))
            os.utime(to, ns=(state.st_atime_ns, state.st_mtime_ns))


def _finish(made: Path, owner: os.stat_result) -> tuple[int, int]:
    """Have all of a copy on the disk, and give it to its owner; return its files and bytes."""
    files = size = 0
    for root, _, names in os.walk(made):
        for name in names:
            path = Path(root, name)
            state = path.lstat()
            files, size = files + 1, size + state.st_size
            if stat.S_ISREG(state.st_mode):
                fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)
            _give(path, owner)
        sync_folder(Path(root))
        _give(Path(root), owner)
    return files, size


def _give(path: Path, owner: os.stat_result) -> None:
    if os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
