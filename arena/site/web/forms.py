"""The forms of the programs' interface: what comes and goes as JSON below `/api/v1`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from arena.ladder.overview import Overview
from arena.records.entries import Form
from arena.site.intake.events import Event
from arena.site.rules.submissions import State, Submission

Text = Annotated[str, Meta(max_length=200)]


class Failure(Form, frozen=True, kw_only=True):
    """Why something was refused or failed, in one line."""

    error: str


class Limits(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What one author may hand in."""

    upload_mb: int
    unpacked_mb: int
    files: int
    ratio: int
    uploads_a_day: int
    bots: int
    build_seconds: int
    check_seconds: int
    matches_a_day: int
    matches_waiting: int
    match_deals: int
    match_seconds: int


class About(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What a site is."""

    title: str
    version: str
    """The version of the arena."""
    open_sign_up: bool
    limits: Limits


class Me(Form, frozen=True, kw_only=True, omit_defaults=False):
    """Whose token this is, and what it may be used for."""

    name: str
    role: str
    scopes: tuple[str, ...]


class LadderForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A ladder."""

    name: str
    game: str
    tables: tuple[int, ...]
    begun: bool
    takes_submissions: bool


class LadderList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """All ladders of a site."""

    ladders: tuple[LadderForm, ...]


class Standings(Form, frozen=True, kw_only=True, omit_defaults=False):
    """How a ladder stands; `overview` is null before it has begun."""

    ladder: str
    overview: Overview | None


class StarterForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A first bot for a game, in a language."""

    game: str
    language: str
    ready: bool
    """Whether it can be handed in as it is; else its build loads libraries: pack it first."""
    builds_here: bool
    """Whether the site has the tools that build it."""


class StarterList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """All starters."""

    starters: tuple[StarterForm, ...]


class SubmissionForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What was handed in, and what became of it."""

    number: int
    ladder: str
    state: State
    words: str
    """The state in words."""
    reason: str
    open: bool
    """Whether something is still to come."""
    trial: bool
    """Whether it was handed in to be tried."""
    bot: str
    version: str
    digest: str
    size: int
    sha256: str
    made: int
    """When it was handed in, in seconds since 1970."""
    changed: int


class SubmissionList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """All that somebody has handed in, the last first."""

    submissions: tuple[SubmissionForm, ...]


class Report(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What was found in a submission, from some point on."""

    submission: SubmissionForm
    ahead: int
    """How many are looked at before it."""
    events: tuple[Event, ...]
    next: int
    """Where the next part of the report begins."""


class LoginRequest(Form, frozen=True, kw_only=True):
    """A program that asks to act for somebody."""

    label: Text
    """What its owner will call it, such as the name of the machine."""
    scopes: tuple[Text, ...] = ("read", "submit")


class LoginStarted(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What the person opens in a browser, and with what the program asks for its token."""

    link: str
    code: str
    secret: str
    seconds: int
    """How long the person has."""


class LoginSecret(Form, frozen=True, kw_only=True):
    """With what a program asks whether it was let in."""

    secret: Text


class LoginResult(Form, frozen=True, kw_only=True, omit_defaults=False):
    """The token, once the person has allowed it; null before."""

    token: str | None


class NewLadder(Form, frozen=True, kw_only=True):
    """A ladder that is to be made."""

    name: Text
    definition: Annotated[str, Meta(max_length=1 << 16)]
    """Its definition, in TOML."""


class Invite(Form, frozen=True, kw_only=True):
    """Whom to invite."""

    role: Text = "author"
    note: Text = ""


class Invited(Form, frozen=True, kw_only=True, omit_defaults=False):
    """The link by which one person can join."""

    link: str


class Done(Form, frozen=True, kw_only=True, omit_defaults=False):
    """It is done."""

    done: bool = True


def submission_form(found: Submission) -> SubmissionForm:
    """Return a submission as programs see it."""
    return SubmissionForm(
        number=found.number,
        ladder=found.ladder,
        state=found.state,
        words=found.words,
        reason=found.reason,
        open=found.is_open,
        trial=found.trial,
        bot=found.bot,
        version=found.version,
        digest=found.digest,
        size=found.size,
        sha256=found.sha256,
        made=found.made,
        changed=found.changed,
    )
