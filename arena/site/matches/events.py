"""What is told of a match while it is played: typed events, one a line."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from arena.records.entries import Contest, Contestant, Form


class BotFault(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A fault in a game. What is kept of it besides is its bot's author's."""

    bot: int
    """The bot's place in the match."""
    seat: int
    decision: int
    verdict: str
    text: str
    figures: str = ""
    stderr: str = ""
    sent: str = ""
    received: str = ""

    def for_others(self) -> BotFault:
        """Return what everybody may know of it."""
        return msgspec.structs.replace(self, figures="", stderr="", sent="", received="")


class GamePlayed(Form, frozen=True, kw_only=True, tag_field="event", tag="game"):
    """A game is over, and its replay is made."""

    number: int
    seating: tuple[int, ...]
    """The bot in each seat, by its place in the match."""
    scores: tuple[int, ...]
    """By seat, like all that follows."""
    places: tuple[int, ...]
    micros: tuple[int, ...]
    """The mean time of a decision."""
    faults: tuple[BotFault, ...] = ()


class Wrote(Form, frozen=True, kw_only=True, tag_field="event", tag="wrote"):
    """The end of what a bot has written to stderr so far; for its author."""

    bot: int
    text: str


class Over(Form, frozen=True, kw_only=True, tag_field="event", tag="over"):
    """Nothing more is played."""

    games: int


class Broken(Form, frozen=True, kw_only=True, tag_field="event", tag="broken"):
    """The site has failed, which is no bot's fault; for the host."""

    reason: str


Event: TypeAlias = GamePlayed | Wrote | Over | Broken


class Job(Form, frozen=True, kw_only=True):
    """What is to be played, and by which terms."""

    contest: Contest
    bots: tuple[Contestant, ...]
    deals: int
    seconds: int
    vault: str
    place: str
    """The folder for its log and its replays."""


_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


def event_line(event: Event) -> bytes:
    """Return an event as a line."""
    return _encoder.encode(event) + b"\n"


def read_event(line: bytes) -> Event:
    """Return the event on a line; raise `msgspec.DecodeError` if it is none."""
    return _events.decode(line)
