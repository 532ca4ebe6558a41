"""The inbox of a store: wishes that were left for the one writer of the log, and his answers.

    inbox/NAME      a wish, until it is answered; a wish is there as a whole or not at all
    answers/NAME    its answer: what entries it became, or why it was refused

Whoever can create files in `inbox` can decide about the ladder; the store's owner says who that
is by the folder's permissions. `answers` is written by the owner alone.

To leave a wish and learn what became of it, from any program:

    name = Inbox(store).leave(Withdraw(bots=("random",)))
    answer = Inbox(store).await_answer(name, seconds=60)    # None if it takes longer

A wish that was left is answered exactly once, whatever is killed when. Left again under the same
name, it is not done again, as long as its answer is kept. `arena.ladder.asking.ask` does the
same, and plays the writer if no run is on.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep, time_ns

import msgspec

from arena.ladder.store_files import (
    StoreError,
    check_is_store,
    replace_file,
    store_errors,
    sync_folder,
    write_file,
)
from arena.ladder.wishes import Refusal, Wish, read_wish
from arena.records.canonical import canonical_bytes
from arena.records.entries import Count, Form
from arena.wording import brief

INBOX, ANSWERS = "inbox", "answers"
LARGEST = 1 << 18
"""Bytes of a wish: more than a thousand bots that enter together."""
MOST_WAITING = 1000
"""Wishes that can wait at a time."""
LISTED = 10 * MOST_WAITING
"""Files of the inbox that are looked at in one go, whatever else somebody has put there."""
MOST_KEPT = 10_000
"""Answers that are kept; the oldest go first."""
OLD_SECONDS = 3600.0
"""After how long half of a wish is removed, whose writer was killed."""
POLL = 0.05
"""Seconds between two looks for an answer."""

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?")
_NEW = "new."
"""How names of what is being written begin; no wish has such a name."""


class Answer(Form, frozen=True, kw_only=True):
    """What became of a wish."""

    granted: bool
    text: str
    """In one line: what follows from it, or why it was refused."""
    entries: tuple[Count, ...] = ()
    """The numbers of its entries in the log, from 0."""
    block: Count = 0
    """The block from which on they count."""


_answers = msgspec.json.Decoder(Answer)


class Inbox:
    """The wishes of a store, and their answers."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self._wishes = store / INBOX
        self._answers = store / ANSWERS
        self._stuck: set[str] = set()
        """Names that cannot be removed from the inbox; they are done with."""
        self._seen: tuple[int, int] | None = None
        """The state of the folder when it was last found empty."""

    # Leaving wishes

    def leave(self, wish: Wish, name: str | None = None) -> str:
        """Leave a wish, and return its name; it is on the disk then.

        Raise `Refusal` if there is no room for it, and `StoreError` if it cannot be left.
        """
        data = canonical_bytes(wish)
        if len(data) > LARGEST:
            raise Refusal(f"expected a wish of {LARGEST} bytes at most, got {len(data)}")
        read_wish(data)  # types are not checked when a wish is made
        name = name or f"{time_ns():020d}-{token_hex(6)}"
        if _NAME.fullmatch(name) is None:
            raise Refusal(f"expected a name of letters, digits and '-', got {brief(name)}")
        check_is_store(self.store)
        if self.answered(name) is not None:
            return name
        if sum(1 for _ in self._listed()) >= MOST_WAITING:
            raise Refusal(
                f"{MOST_WAITING} wishes wait already; is a run on that takes them? See `arena "
                f"ladder status {self.store}`"
            )
        with store_errors(self._wishes):
            self._make(self._wishes, 0o700)
            made = self._wishes / f"{_NEW}{os.getpid()}-{token_hex(6)}"
            try:
                write_file(made, data)
                made.rename(self._wishes / name)
            except BaseException:
                made.unlink(missing_ok=True)
                raise
            sync_folder(self._wishes)
        return name

    def await_answer(self, name: str, seconds: float) -> Answer | None:
        """Return the answer to a wish as soon as it is there; None if it takes longer than this."""
        deadline = monotonic() + seconds
        while (found := self.answered(name)) is None and monotonic() < deadline:
            sleep(POLL)
        return found

    def answered(self, name: str) -> Answer | None:
        """Return the answer to a wish, if there is one."""
        try:
            return _answers.decode((self._answers / name).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except msgspec.DecodeError:
            raise StoreError(f"{self._answers / name}: damaged: expected an answer") from None

    # Taking them

    def stir(self) -> bool:
        """Whether a wish may wait: a quick look, to be made between any two blocks."""
        try:
            found = self._wishes.stat()
        except OSError:
            return False
        now = found.st_mtime_ns, found.st_ctime_ns
        if now == self._seen:
            return False
        if next(self._listed(), None) is not None:
            return True
        # A file that comes right after this look could leave the same time.
        self._seen = now if time_ns() - found.st_mtime_ns > 1_000_000_000 else None
        return False

    def waiting(self) -> list[str]:
        """Return the names of the wishes that wait, in the order in which they were left."""
        found: list[tuple[int, str]] = []
        for entry in self._listed():
            with suppress(FileNotFoundError):
                found.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name))
        return [name for _, name in sorted(found)]

    def read(self, name: str) -> Wish:
        """Return a wish that waits; raise `Refusal` if it is none."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            fd = os.open(self._wishes / name, flags)
        except OSError as error:
            raise Refusal(f"not a wish: {error.strerror}") from None
        try:
            state = os.fstat(fd)
            if not stat.S_ISREG(state.st_mode):
                raise Refusal("not a wish: expected a file")
            if state.st_size > LARGEST:
                raise Refusal(f"expected {LARGEST} bytes at most, got {state.st_size}")
            return read_wish(os.read(fd, LARGEST + 1))
        finally:
            os.close(fd)

    def reply(self, name: str, answer: Answer) -> None:
        """Answer a wish, which waits no more then."""
        with store_errors(self._answers, writing=True):
            self._make(self._answers, 0o755)
            replace_file(self._answers / name, canonical_bytes(answer), 0o644)
            self.drop(name)

    def drop(self, name: str) -> None:
        """Remove a wish that is answered."""
        try:
            (self._wishes / name).unlink(missing_ok=True)
        except OSError:
            self._stuck.add(name)  # a folder, or of a folder that is not ours

    def replies(self) -> list[str]:
        """Return the names of the wishes whose answers are kept, the oldest answer first."""
        return [name for name in self._kept() if _NAME.fullmatch(name)]

    def forget_old(self) -> None:
        """Remove the oldest answers, if there are too many."""
        names = self._kept()
        for name in names[: max(0, len(names) - MOST_KEPT)]:
            with suppress(OSError):
                (self._answers / name).unlink()

    def _kept(self) -> list[str]:
        """Return the names of all files with answers, the oldest first."""
        found = []
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._answers) as listed:
            for entry in listed:
                with suppress(FileNotFoundError):
                    found.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name))
        return [name for _, name in sorted(found)]

    def _make(self, folder: Path, mode: int) -> None:
        if not folder.is_dir():
            with suppress(FileExistsError):
                folder.mkdir(mode=mode)
            sync_folder(self.store)

    def _listed(self) -> Iterator[os.DirEntry[str]]:
        """Yield the wishes that wait, in any order; remove what killed writers have left."""
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._wishes) as listed:
            for entry, _ in zip(listed, range(LISTED), strict=False):
                if entry.name.startswith(_NEW):
                    self._sweep(entry)
                elif _NAME.fullmatch(entry.name) and entry.name not in self._stuck:
                    yield entry

    def _sweep(self, entry: os.DirEntry[str]) -> None:
        with suppress(OSError):
            age = time_ns() - entry.stat(follow_symlinks=False).st_mtime_ns
            if age > OLD_SECONDS * 1e9:
                os.unlink(entry.path)  # noqa: PTH108 - an entry has its path as a text
