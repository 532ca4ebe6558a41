"""What everybody may know of bots that were handed in: which versions a ladder has had, and whose.

Only what stands in a ladder's log is told. What failed, or never entered, is its author's alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.ladder.standings import Row
from arena.site.database.submissions import Submissions
from arena.site.play.ladders import Ladder, Ladders
from arena.site.rules.people import NotThere
from arena.site.rules.submissions import Submission


@dataclass(frozen=True)
class KnownVersion:
    """A version of a bot on a ladder."""

    ladder: str
    row: Row
    """How it stands, or stood when it left."""
    author: str
    """Who has handed it in; "" if it is of the host's definition, or its author is gone."""
    handed_in: int | None
    """When, in seconds since 1970."""


class KnownBots:
    """Tells of bots on ladders."""

    def __init__(self, submissions: Submissions, ladders: Ladders) -> None:
        self._submissions = submissions
        self._ladders = ladders

    def bot(self, ladder: Ladder, name: str) -> list[KnownVersion]:
        """Return the versions of a bot, who plays first; raise `NotThere` if there is none."""
        handed = self._submissions.entered(ladder.name)
        found = [each for each in self._versions(ladder, handed) if each.row.bot == name]
        if not found:
            raise NotThere(f"no bot {name!r} has entered {ladder.name}")
        return sorted(found, key=lambda each: (not each.row.active, -(each.handed_in or 0)))

    def author(self, name: str) -> list[KnownVersion]:
        """Return the bots of an author on all ladders; raise `NotThere` if there is none."""
        handed = self._submissions.entered_by(name)
        found = []
        for ladder in self._ladders.all():
            own = [each for each in handed if each.ladder == ladder.name]
            found += [each for each in self._versions(ladder, own) if each.author] if own else []
        if not found:
            raise NotThere(f"nobody named {name!r} has a bot on a ladder here")
        return found

    def authors(self, ladder: Ladder) -> dict[str, str]:
        """Return who has handed in what on a ladder, by digest."""
        return {each.digest: each.author for each in self._submissions.entered(ladder.name)}

    def _versions(self, ladder: Ladder, handed: Iterable[Submission]) -> Iterator[KnownVersion]:
        overview = self._ladders.overview(ladder)
        first = {each.digest: each for each in handed}  # the last first: the first one stays
        for row in overview.standings if overview else ():
            found = first.get(row.digest)
            yield KnownVersion(
                ladder=ladder.name,
                row=row,
                author=found.author if found else "",
                handed_in=found.made if found else None,
            )
