"""What an author may hand in: sizes, how often, how many bots, how long a build may take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from arena.site.rules.people import NotNow, NotUnderstood, Refused
from arena.wording import counted

MIB: Final = 1 << 20


class TooLarge(Refused):
    """Something that is larger than the site takes."""

    status = 413


class TooOften(NotNow):
    """Something that an author has done too often today."""

    status = 429


@dataclass(frozen=True)
class AuthorLimits:
    """What one author may hand in; the host can set each in `site.toml`."""

    upload_mb: int = 64
    """The size of an archive."""
    unpacked_mb: int = 256
    """The size of all files in it."""
    files: int = 5000
    """How many files it may have, with folders and links."""
    ratio: int = 200
    """How many times as large as the archive its files may be."""
    uploads_a_day: int = 20
    bots: int = 3
    """How many bots may play at once on a ladder; another version of one takes its place."""
    build_seconds: int = 300
    check_seconds: int = 300
    matches_a_day: int = 20
    """How many matches one person may start, to test a bot or as challenges."""
    matches_waiting: int = 3
    """How many of them may wait, or be played, at once."""
    match_deals: int = 4
    """How many deals a match may have; each is played once for each bot."""
    match_seconds: int = 300

    @property
    def upload_bytes(self) -> int:
        """The size of an archive, in bytes."""
        return self.upload_mb * MIB

    @property
    def unpacked_bytes(self) -> int:
        """The size of all files in an archive, in bytes."""
        return self.unpacked_mb * MIB

    def words(self) -> Iterator[str]:
        """Yield the limits in words, for their authors."""
        yield f"An archive has at most {self.upload_mb} MiB."
        yield f"Unpacked it has at most {self.unpacked_mb} MiB in {self.files:,} files."
        yield f"You can hand in {counted(self.uploads_a_day, 'time')} in 24 hours."
        bots = counted(self.bots, "bot")
        yield f"You can have {bots} at once on a ladder; a new version takes the old one's place."
        yield f"A build may take {self.build_seconds} s, and has no network."
        yield f"The check may take {self.check_seconds} s."

    def match_words(self) -> Iterator[str]:
        """Yield the limits of matches in words, for those who start them."""
        yield f"You can start {counted(self.matches_a_day, 'match', 'matches')} in 24 hours."
        yield f"At most {self.matches_waiting} of them wait or are played at once."
        yield f"A match has at most {counted(self.match_deals, 'deal')}."
        yield f"A match may take {self.match_seconds} s; what was not played by then is left out."

    def check_deals(self, deals: int) -> None:
        """Raise `NotUnderstood` if no match can have so many deals."""
        if not 1 <= deals <= self.match_deals:
            raise NotUnderstood(f"deals: expected 1 to {self.match_deals}, got {deals}")

    def check_matches(self, today: int, waiting: int) -> None:
        """Raise `TooOften` if somebody has started so many matches, or so many wait."""
        if today >= self.matches_a_day:
            matches = counted(self.matches_a_day, "match", "matches")
            raise TooOften(f"you can start {matches} in 24 hours, and have done so; try tomorrow")
        if waiting >= self.matches_waiting:
            matches = counted(waiting, "match", "matches")
            raise TooOften(f"{matches} of yours wait already; wait until one has been played")

    def check_size(self, size: int) -> None:
        """Raise `TooLarge` for an archive of this size."""
        if size > self.upload_bytes:
            raise TooLarge(f"an archive may have {self.upload_mb} MiB; this one has more")

    def check_rate(self, today: int) -> None:
        """Raise `TooOften` if an author has handed in so often in the last day."""
        if today >= self.uploads_a_day:
            times = counted(self.uploads_a_day, "time")
            raise TooOften(f"you can hand in {times} in 24 hours, and have done so; try tomorrow")

    def check_bots(self, playing: frozenset[str], bot: str) -> None:
        """Raise `NotNow` if an author who has these bots on a ladder may not have this one too."""
        if bot not in playing and len(playing) >= self.bots:
            names = ", ".join(sorted(playing))
            raise NotNow(
                f"you can have {counted(self.bots, 'bot')} at once on a ladder, and have {names}; "
                "withdraw one of them first"
            )


LIMITS: Final = tuple(field.name for field in fields(AuthorLimits))
MOST: Final = {
    "upload_mb": 1024,
    "unpacked_mb": 4096,
    "files": 20_000,
    "ratio": 2000,
    "match_deals": 100,
}
"""The most that a host can set for some; what is not here can be as much as a million."""
