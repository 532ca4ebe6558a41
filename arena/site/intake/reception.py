"""Take in archives: within limits, to the disk as they come, acknowledged when they are kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from arena.site.database.submissions import Submissions
from arena.site.folder import PARTIAL, DiskFull, SiteFolder, sync_folder
from arena.site.play.ladders import Ladders
from arena.site.rules.limits import AuthorLimits, TooOften
from arena.site.rules.people import NotNow, NotUnderstood, Person
from arena.site.rules.submissions import Submission


class Upload:
    """An archive that is coming in."""

    def __init__(self, path: Path, limits: AuthorLimits) -> None:
        self.path = path
        self._limits = limits
        self._hash = hashlib.sha256()
        self.size = 0
        self._file = path.open("xb")

    def write(self, data: bytes) -> None:
        """Keep a part; raise `TooLarge` if that is more than an archive may have."""
        self.size += len(data)
        self._limits.check_size(self.size)
        self._hash.update(data)
        self._file.write(data)

    def sync(self) -> None:
        """Wait until all of it is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    @property
    def sha256(self) -> str:
        """The hash of what has come."""
        return self._hash.hexdigest()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Reception:
    """Takes in what authors hand in."""

    def __init__(
        self,
        folder: SiteFolder,
        submissions: Submissions,
        ladders: Ladders,
        limits: AuthorLimits,
    ) -> None:
        self._folder = folder
        self._submissions = submissions
        self._ladders = ladders
        self._limits = limits
        self._lock = Lock()
        self._busy: set[int] = set()

    def check(self, person: Person, ladder: str, size: int | None) -> None:
        """Raise `Refused` if this person may not hand in now; before anything is read."""
        found = self._ladders.get(ladder)
        if not found.takes_strangers:
            raise NotNow(f"{ladder} has no sandbox, so it takes no strangers' bots")
        if not found.open_for_entries():
            raise NotNow(f"{ladder} takes no more bots")
        self._limits.check_rate(self._submissions.today(person))
        if size is not None:
            self._limits.check_size(size)
        coming = max(1, len(self._busy)) * self._limits.upload_bytes
        if self._folder.is_full(coming + self._limits.unpacked_bytes):
            raise DiskFull("the site's disk is full; tell its host, and try again later")

    @contextmanager
    def upload(self, person: Person, ladder: str, size: int | None = None) -> Iterator[Upload]:
        """Take in an archive; it is gone when the block is left, unless it was kept.

        Each person hands in one at a time.
        """
        with self._lock:
            if person.number in self._busy:
                raise TooOften("you are handing in already; wait until that has come")
            self._busy.add(person.number)
        try:
            self.check(person, ladder, size)
            number = self._submissions.next_number()
            upload = Upload(self._folder.upload(number).with_suffix(PARTIAL), self._limits)
            try:
                yield upload
            finally:
                upload.close()
                upload.path.unlink(missing_ok=True)
        finally:
            with self._lock:
                self._busy.discard(person.number)

    def keep(
        self, upload: Upload, person: Person, ladder: str, *, trial: bool = False
    ) -> Submission:
        """Put what has come into the queue; when this returns, nothing loses it.

        With `trial`, it does not enter when it has passed, but waits for its author.
        """
        if not upload.size:
            raise NotUnderstood("expected an archive, a zip or a tar, got nothing")
        upload.sync()
        number = int(upload.path.stem)
        place = self._folder.upload(number)
        upload.path.rename(place)
        sync_folder(place.parent)
        try:
            return self._submissions.add(
                number, person, ladder, upload.size, upload.sha256, trial=trial
            )
        except BaseException:
            place.unlink()
            raise

    def again(self, old: Submission, person: Person) -> Submission:
        """Hand in once more what somebody has handed in before."""
        self.check(person, old.ladder, None)
        number = self._submissions.next_number()
        place = self._folder.upload(number)
        os.link(self._folder.upload(old.number), place)
        sync_folder(place.parent)
        try:
            return self._submissions.add(number, person, old.ladder, old.size, old.sha256)
        except BaseException:
            with suppress(FileNotFoundError):
                place.unlink()
            raise
