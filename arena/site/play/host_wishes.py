"""The host's word: what he wishes of a ladder goes into its inbox, and the answer is kept.

The run of the ladder decides and writes its log. Each wish has a name that follows from its
number here. So whatever is killed when, it is left again under the same name, and done once.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Final

from arena.errors import ArenaError
from arena.ladder.desk import in_words
from arena.ladder.inbox import Answer, Inbox
from arena.ladder.status import run_that_is_on
from arena.ladder.store import Store
from arena.ladder.wishes import CLOSED, Close, Refusal, answer, budget_text, read_wish
from arena.records.canonical import canonical_bytes
from arena.records.difference import Difference
from arena.records.entries import Closed, EndReason, Entered
from arena.records.ledger import Ledger
from arena.site.database.host_wishes import HostWish, KeptWish, KeptWishes, WishState
from arena.site.folder import SiteFolder
from arena.site.play.ladders import Ladder, Ladders
from arena.site.rules.people import NotNow, NotUnderstood, Person
from arena.wording import counted

LISTED: Final = 50
UNKNOWN: Final = "0" * 64
"""Takes the place of the secret where a ladder is not closed yet."""
log = logging.getLogger("arena.site")


@dataclass(frozen=True)
class Preview:
    """What would follow from a wish, if it were granted now."""

    words: str
    bots: tuple[str, ...]
    """Whom it concerns, with their versions."""
    games: int
    """Games of the ladder so far."""
    budget: str
    """Where it ends by now."""


class HostWishes:
    """Leaves wishes of hosts, and knows what became of them."""

    def __init__(self, folder: SiteFolder, kept: KeptWishes, ladders: Ladders) -> None:
        self._folder = folder
        self._kept = kept
        self._ladders = ladders

    def preview(self, ladder: Ladder, wish: HostWish) -> Preview:
        """Return what would follow from a wish now; raise `Refused` if it would not be granted."""
        _check(ladder, wish)
        with Store.open(ladder.store) as store:
            ledger = store.ledger
            try:
                entries = answer(wish, ledger, _closed)
                for entry in entries:
                    store.check(entry)
            except (Refusal, Difference) as refused:
                raise NotNow(str(refused)) from None
            leaving = [
                each for entry in entries if isinstance(entry, Entered) for each in entry.leave
            ]
            bots = [ledger.contestants[each.contestant] for each in leaving]
            return Preview(
                words="; ".join(in_words(entry, ledger) for entry in entries),
                bots=tuple(f"{bot.name} {bot.version}" for bot in bots),
                games=ledger.games,
                budget=budget_text(ledger.budget),
            )

    def leave(self, ladder: Ladder, wish: HostWish, host: Person) -> KeptWish:
        """Leave a wish for the run of the ladder; it is kept when this returns."""
        self.preview(ladder, wish)
        # A copy would have the answer and not the wish, whose number another wish would get there.
        with self._folder.door_open() as is_open:
            if not is_open:
                raise NotNow("the site is being copied; try again in a minute")
            kept = self._kept.add(ladder.name, host, wish)
            try:
                Inbox(ladder.store).leave(wish, kept.name)
            except (Refusal, ArenaError, OSError) as error:
                self._kept.drop(kept.number)
                if isinstance(error, Refusal):
                    raise NotNow(str(error)) from None
                raise
        log.info("%s has wished %s of %s", host.name, _tag(wish), ladder.name)
        return kept

    def get(self, ladder: Ladder, number: int) -> KeptWish:
        """Return a wish with what became of it by now."""
        return self._settled(self._kept.get(ladder.name, number))

    def of(self, ladder: Ladder) -> list[KeptWish]:
        """Return the last wishes of a ladder with what became of each, the last first."""
        return [self._settled(each) for each in self._kept.of(ladder.name, LISTED)]

    def by(self, person: Person) -> list[KeptWish]:
        """Return all wishes of a person."""
        return self._kept.by(person)

    def waits_for(self, ladder: Ladder) -> str:
        """Return for what the wishes of a ladder wait."""
        on = run_that_is_on(ladder.store)
        if on is None:
            return "It waits for a run of the ladder; none is on."
        return "It waits for the blocks that are under way."

    def settle(self) -> None:
        """Keep the answers that have come."""
        for kept in self._kept.waiting():
            try:
                self._settled(kept)
            except (ArenaError, Refusal, OSError) as error:
                log.warning("wish %d of a host waits: %s", kept.number, error)

    def _settled(self, kept: KeptWish) -> KeptWish:
        if kept.state is not WishState.WAITING:
            return kept
        found = self._answer(self._ladders.get(kept.ladder), kept)
        if found is None:
            return kept
        self._kept.answered(kept, found)
        state = WishState.GRANTED if found.granted else WishState.REFUSED
        block = found.block if found.granted else None
        return replace(kept, state=state, answer=found.text, block=block)

    def _answer(self, ladder: Ladder, kept: KeptWish) -> Answer | None:
        inbox = Inbox(ladder.store)
        found = inbox.answered(kept.name)
        if found is not None or run_that_is_on(ladder.store) is not None:
            return found
        end = _end(ladder)
        if end is not None:  # no run comes any more; the last one may have answered meanwhile
            found = inbox.answered(kept.name) or _at_the_end(kept.wish, end)
            inbox.drop(kept.name)
            return found
        if kept.name not in inbox.waiting():
            inbox.leave(kept.wish, kept.name)  # the site was killed before it could
        return inbox.answered(kept.name)


def _check(ladder: Ladder, wish: HostWish) -> None:
    """Raise `Refused` for a wish that is none, or for a ladder that cannot have any yet."""
    try:
        read_wish(canonical_bytes(wish))  # types are not checked when a wish is made
    except Refusal as refused:
        raise NotUnderstood(str(refused).removeprefix("not a wish: ")) from None
    if not ladder.begun:
        raise NotNow(f"{ladder.name} has not begun; its run makes its log first")


def _end(ladder: Ladder) -> Ledger | None:
    """Return the ledger of a ladder that is closed."""
    with Store.open(ladder.store) as store:
        return store.ledger if store.ledger.closed is not None else None


def _at_the_end(wish: HostWish, ledger: Ledger) -> Answer:
    """Return what became of a wish that was not answered before its ladder was closed."""
    if isinstance(wish, Close):
        text = f"closed after {counted(ledger.games, 'game')}"
        return Answer(granted=True, text=text, block=ledger.blocks)
    return Answer(granted=False, text=CLOSED)


def _closed(reason: EndReason) -> Closed:
    return Closed(reason=reason, secret=UNKNOWN)


def _tag(wish: HostWish) -> str:
    return str(wish.__struct_config__.tag)
