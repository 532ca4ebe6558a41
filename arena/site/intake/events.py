"""What is told of a submission while it is looked at: typed events, one a line."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from arena.records.entries import Contest, Form

Stage: TypeAlias = Literal["unpack", "describe", "build", "check"]


class Begun(Form, frozen=True, kw_only=True, tag_field="event", tag="begun"):
    """A stage begins."""

    stage: Stage
    text: str
    detail: str = ""
    """By which terms."""
    same: str = ""
    """The command with which the author does the same."""


class Output(Form, frozen=True, kw_only=True, tag_field="event", tag="output"):
    """A part of what the build has written."""

    text: str


class Checked(Form, frozen=True, kw_only=True, tag_field="event", tag="checked"):
    """The result of one step of the check; see `arena.check`."""

    name: str
    status: str
    detail: str = ""
    expected: str = ""
    got: str = ""
    remedy: str = ""
    sent: str = ""
    received: str = ""
    stderr: str = ""


class Described(Form, frozen=True, kw_only=True, tag_field="event", tag="described"):
    """What the bot says that it is."""

    bot: str
    version: str
    language: str = ""
    build: str = ""
    run: str = ""


class Passed(Form, frozen=True, kw_only=True, tag_field="event", tag="passed"):
    """The bot lies sealed in the vault, and has passed the check."""

    bot: str
    version: str
    digest: str
    text: str


class Failed(Form, frozen=True, kw_only=True, tag_field="event", tag="failed"):
    """The bot cannot enter: why, and what its author can do."""

    stage: Stage
    reason: str
    remedy: str = ""


class Broken(Form, frozen=True, kw_only=True, tag_field="event", tag="broken"):
    """The site has failed, which is not the bot's fault."""

    reason: str


Event: TypeAlias = Begun | Output | Checked | Described | Passed | Failed | Broken


class Job(Form, frozen=True, kw_only=True):
    """What is to be looked at, and by which terms."""

    archive: str
    work: str
    frames: str
    vault: str
    sealed: str
    """Another vault, for what is sealed until it has passed."""
    ladder: str
    contest: Contest
    author_limits: dict[str, int]


_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


def event_line(event: Event) -> bytes:
    """Return an event as a line."""
    return _encoder.encode(event) + b"\n"


def read_event(line: bytes) -> Event:
    """Return the event on a line; raise `msgspec.DecodeError` if it is none."""
    return _events.decode(line)
