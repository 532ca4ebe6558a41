"""Check, whenever a bot's process was started, that the bot still has its digest."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import HostError
from arena.programs.digest import digest_and_files, files
from arena.programs.spec import BotSpec
from arena.programs.walk import FolderError

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
            if [entry.mark for entry in files(spec)] == self._seen.get(identity):
                return
            now, read = digest_and_files(spec)
        except FolderError:
            raise BotChanged(spec.name) from None
        if now != identity:
            raise BotChanged(spec.name)
        self._seen[identity] = [entry.mark for entry in read]

    def forget(self, identity: str) -> None:
        """Forget a bot that plays no more."""
        self._seen.pop(identity, None)
