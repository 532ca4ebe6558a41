"""The forms of the programs' interface for hosts: how a ladder does, and wishes."""

from __future__ import annotations

from arena.ladder.status import Status
from arena.records.entries import Form
from arena.site.database.host_wishes import HostWish, KeptWish, WishState
from arena.site.play.status import LadderState
from arena.site.web.forms import SubmissionForm, submission_form


class Handed(Form, frozen=True, kw_only=True, omit_defaults=False):
    """A submission that is in the queue, or enters or leaves next, and whose it is."""

    author: str
    submission: SubmissionForm


class LadderStatus(Form, frozen=True, kw_only=True, omit_defaults=False):
    """How a ladder does."""

    ladder: str
    run: str
    """What the site says of the ladder's run; "" if the site starts none."""
    restarts: int
    """How often the run was started again."""
    handed_in: tuple[Handed, ...]
    """What was handed in, and is still to enter or to leave."""
    status: Status | None
    """What `arena ladder status --json` prints; null before the ladder has begun."""


class WishForm(Form, frozen=True, kw_only=True, omit_defaults=False):
    """What a host has wished of a ladder, and what became of it."""

    number: int
    ladder: str
    host: str
    """Whose wish it was; "" for somebody whose account is gone."""
    wish: HostWish
    state: WishState
    answer: str
    """In one line: what follows from it, or why it was refused."""
    block: int | None
    """The block from which on it counts, if it was granted."""
    made: int
    """When it was left, in seconds since 1970."""
    changed: int


class WishList(Form, frozen=True, kw_only=True, omit_defaults=False):
    """The last wishes that hosts have left by the site, the last first."""

    wishes: tuple[WishForm, ...]


def ladder_status(ladder: str, found: LadderState) -> LadderStatus:
    """Return how a ladder does as programs see it; reports are their authors' alone."""
    handed = (Handed(author=each.author, submission=submission_form(each)) for each in found.coming)
    return LadderStatus(
        ladder=ladder,
        run=found.run.words if found.run else "",
        restarts=found.run.restarts if found.run else 0,
        handed_in=tuple(handed),
        status=found.status,
    )


def wish_form(kept: KeptWish) -> WishForm:
    """Return a wish as programs see it."""
    return WishForm(
        number=kept.number,
        ladder=kept.ladder,
        host=kept.host,
        wish=kept.wish,
        state=kept.state,
        answer=kept.answer,
        block=kept.block,
        made=kept.made,
        changed=kept.changed,
    )
