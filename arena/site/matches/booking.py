"""Who may let which bots play a match: one's own against all, and any that are on a ladder."""

from __future__ import annotations

from collections.abc import Sequence

from arena.site.database.matches import Matches
from arena.site.database.submissions import Submissions
from arena.site.folder import DiskFull, SiteFolder
from arena.site.play.ladders import Ladder, Ladders
from arena.site.rules.limits import AuthorLimits
from arena.site.rules.matches import Match, MatchBot, find_bot
from arena.site.rules.people import NotNow, NotUnderstood, Person


class Booking:
    """Puts matches into the queue, if they may be played."""

    def __init__(
        self,
        folder: SiteFolder,
        submissions: Submissions,
        matches: Matches,
        ladders: Ladders,
        limits: AuthorLimits,
    ) -> None:
        self._folder = folder
        self._submissions = submissions
        self._matches = matches
        self._ladders = ladders
        self._limits = limits

    def choices(self, ladder: Ladder) -> list[MatchBot]:
        """Return the bots that can be asked: who plays on the ladder, then others of the host's."""
        authors = {
            each.digest: (each.person, each.author)
            for each in self._submissions.on_ladder(ladder.name)
        }
        found = {
            bot.name: MatchBot(
                bot.name, bot.version, bot.digest, *authors.get(bot.digest, (None, ""))
            )
            for bot in ladder.playing()
        }
        for bot in self._ladders.bundled(ladder.contest.game):
            found.setdefault(bot.name, MatchBot(bot.name, bot.version, bot.digest))
        return list(found.values())

    def challenge(self, person: Person, ladder: str, bots: Sequence[str], deals: int) -> Match:
        """Start a match that everybody sees, between bots that are named."""
        found = self._ladders.get(ladder)
        there = self.choices(found)
        return self._add(person, found, [find_bot(each, there, ladder) for each in bots], deals)

    def test(self, person: Person, number: int, opponents: Sequence[str], deals: int) -> Match:
        """Start a match of somebody's own submission, which he alone sees."""
        own = self._submissions.own(number, person)
        if not own.can_play:
            raise NotNow(f"it is {own.words}; only what has passed can play")
        found = self._ladders.get(own.ladder)
        there = self.choices(found)
        bot = MatchBot(own.bot, own.version, own.digest, person.number)
        bots = [bot, *(find_bot(each, there, own.ladder) for each in opponents)]
        return self._add(person, found, bots, deals, own.number)

    def _add(
        self,
        person: Person,
        ladder: Ladder,
        bots: Sequence[MatchBot],
        deals: int,
        submission: int | None = None,
    ) -> Match:
        if not ladder.takes_strangers:
            raise NotNow(f"{ladder.name} has no sandbox, so it has no matches")
        try:
            self._ladders.games[ladder.contest.game].check_seats(len(bots))
        except ValueError as error:
            raise NotUnderstood(str(error)) from None
        self._limits.check_deals(deals)
        if self._folder.is_full():
            raise DiskFull("the site's disk is full; tell its host, and try again later")
        return self._matches.add(person, ladder.name, bots, deals, submission)
