"""The news of a ladder: who enters, who leaves, who leads, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid5
from xml.etree import ElementTree

from arena.pages.ladder_data import News
from arena.pages.legible import legible
from arena.pages.links import Links
from arena.publishing._reading import LadderReading, Passage
from arena.publishing._tables import Tables

MOST = 50
LONGEST = 300
_SPACE = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
_ATOM = "{http://www.w3.org/2005/Atom}"


def news(tables: Tables, links: Links, before: str) -> tuple[str, list[News]]:
    """Return the key of the feed and its entries, the newest first.

    A log has no times. An entry that was in the feed before keeps the time that it had there;
    a new one has that at which the log was last written to.
    """
    reading = tables.reading
    key = uuid5(_SPACE, reading.ledger.opened.commitment)
    times = _times(before)

    def item(name: str, title: str, text: str, link: str) -> News:
        found = str(uuid5(key, name))
        return News(found, title, text, link, times.get(found, reading.written))

    found = []
    ladder = reading.ledger.contest.name
    if closed := reading.ledger.closed:
        text = f"After {reading.ledger.games:,} games ({closed.reason}). Its secret is revealed."
        found.append(item("close", f"{ladder} is closed", text, links.trust()))
    lead = tables.standings(None).lead
    if lead is not None:
        first, second = lead.first, lead.second
        text = f"{first.label} {first.version} is first by rating, before {second.label}."
        found.append(item(f"lead {first.digest}", f"{first.name} leads", text, links.standings()))
    for passage in list(reversed(reading.passages))[:MOST]:
        title, text = _told(passage, reading)
        bot = reading.contestants[passage.contestant]
        name = f"{passage.entry} {passage.enters} {bot.digest}"
        found.append(item(name, title, text, links.bot(bot.name)))
    return str(key), found


def _told(passage: Passage, reading: LadderReading) -> tuple[str, str]:
    bot = reading.contestants[passage.contestant]
    version = legible(bot.version, 60)
    at = f"at block {passage.block:,}"
    if passage.enters:
        return f"{bot.name} {version} enters", f"It plays from there on, {at}."
    reason = legible(passage.reason, LONGEST)
    return f"{bot.name} {version} leaves", f"It plays no more, {at}{': ' * bool(reason)}{reason}."


def _times(before: str) -> Mapping[str, datetime]:
    """Return when the entries of an earlier feed were written, by their keys."""
    found = {}
    try:
        for entry in ElementTree.fromstring(before or "<feed/>").iter(f"{_ATOM}entry"):
            key = entry.findtext(f"{_ATOM}id", "").removeprefix("urn:uuid:")
            found[key] = datetime.fromisoformat(entry.findtext(f"{_ATOM}updated", ""))
    except (ElementTree.ParseError, ValueError):
        return {}  # damaged; it is written anew
    return found
