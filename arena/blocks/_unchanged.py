"""Check, whenever a bot's process was started, that the bot still has its digest."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import HostError
from arena.programs.digest import digest, files
from arena.programs.spec import BotSpec

FileStats = list[tuple[str, int, int, int, int]]


class BotChanged(HostError):
    """A bot whose files are no longer those of the contestant that it plays for."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the files of bot {name!r} have changed since the run began, so this block does "
            "not count; run again to let the changed bot enter (a bot that writes into its "
            "folder has to leave what it writes out of the `files` in its bot.toml)"
        )


class Unchanged:
    """Compares bots with their digests; reads their files again only if they look changed."""

    def __init__(self, bots: Mapping[str, BotSpec]) -> None:
        self._bots = bots
        self._seen: dict[str, FileStats] = {}

    def check(self, identity: str) -> None:
        """Raise `BotChanged` unless the bot of this digest still has it."""
        spec = self._bots[identity]
        try:
            stats = _file_stats(spec)
            same = stats == self._seen.get(identity) or digest(spec) == identity
        except OSError:
            same = False
        if not same:
            raise BotChanged(spec.name)
        self._seen[identity] = stats


def _file_stats(spec: BotSpec) -> FileStats:
    """Return path, inode, size and times of each file: any change of a file changes one of them."""
    found = []
    for path in files(spec):
        state = path.stat()
        mark = (str(path), state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        found.append(mark)
    return found
