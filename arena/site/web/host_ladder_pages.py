"""Pages on which a host keeps order on a ladder: how it does, his wishes, what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.ladder.store import Store
from arena.records.entries import Budget
from arena.site.database.host_wishes import HostWish
from arena.site.play.ladders import Ladder
from arena.site.rules.people import NotNow, NotUnderstood, Scope
from arena.site.web.asking import Ask
from arena.site.web.templates import fragment
from arena.site.web.wish_forms import question, reason_of, what, wish_of


def host_page(ask: Ask) -> Response:
    """Show how a ladder does, and what its host can wish of it."""
    ask.visitor.need(Scope.HOST)
    return _shown(ask, ask.site.ladders.get(ask.text("ladder")))


def _shown(ask: Ask, ladder: Ladder, status: int = 200, wrong: str = "") -> Response:
    state = ask.site.status.of(ladder)
    wishes = ask.site.host_wishes.of(ladder)
    facts = _Facts.of(ladder)
    return ask.page(
        "host_ladder.html",
        status,
        ladder=ladder,
        state=state,
        now=state.status,
        facts=facts,
        wishes=[
            (each, what(each.wish, facts.contestants), reason_of(each.wish)) for each in wishes
        ],
        chosen=ask.form.get("bot", ask.query("bot")),
        form=ask.form,
        wrong=wrong,
    )


def ask_host(ask: Ask) -> Response:
    """Ask the host once whether what he wishes for is to happen, and name that."""
    ask.visitor.need(Scope.HOST)
    ladder = ask.site.ladders.get(ask.text("ladder"))
    try:
        wish = _wish(ask, ladder)
        found = ask.site.host_wishes.preview(ladder, wish)
    except (NotNow, NotUnderstood) as refused:
        return _shown(ask, ladder, refused.status, str(refused))
    return ask.page(
        "ask_host.html",
        ladder=ladder,
        question=question(ladder.name, wish, found),
        reason=reason_of(wish),
        fields=list(ask.form.items()),
    )


def leave_wish(ask: Ask) -> Response:
    """Leave a wish that the host has confirmed."""
    host = ask.visitor.need(Scope.HOST)
    ladder = ask.site.ladders.get(ask.text("ladder"))
    try:
        kept = ask.site.host_wishes.leave(ladder, _wish(ask, ladder), host)
    except (NotNow, NotUnderstood) as refused:
        return _shown(ask, ladder, refused.status, str(refused))
    return RedirectResponse(f"/ladders/{ladder.name}/wishes/{kept.number}", 303)


def wish_page(ask: Ask) -> Response:
    """Show what became of a wish."""
    ask.visitor.need(Scope.HOST)
    ladder = ask.site.ladders.get(ask.text("ladder"))
    kept = ask.site.host_wishes.get(ladder, ask.number())
    return ask.page(
        "wish.html",
        ladder=ladder,
        wish=kept,
        words=what(kept.wish, _Facts.of(ladder).contestants),
        reason=reason_of(kept.wish),
        waits=ask.site.host_wishes.waits_for(ladder),
    )


def wish_state(ask: Ask) -> Response:
    """Send the part of a wish's page that changes."""
    ask.visitor.need(Scope.HOST)
    ladder = ask.site.ladders.get(ask.text("ladder"))
    kept = ask.site.host_wishes.get(ladder, ask.number())
    text = fragment("wish_state.html", wish=kept, waits=ask.site.host_wishes.waits_for(ladder))
    return HTMLResponse(text)


@dataclass(frozen=True)
class _Facts:
    """What the log of a ladder says that its host's forms need."""

    budget: Budget = field(default_factory=Budget)
    paused: bool = False
    contestants: Mapping[str, str] = field(default_factory=dict)
    """What all are called that have ever entered, by digest."""
    gone: tuple[str, ...] = ()
    """The digests of those who have left, and can still be disqualified."""

    @classmethod
    def of(cls, ladder: Ladder) -> _Facts:
        if not ladder.begun:
            return cls()
        with Store.open(ladder.store) as store:
            ledger = store.ledger
            everybody = ledger.contestants
            return cls(
                ledger.budget,
                ledger.paused,
                {each.digest: f"{each.name} {each.version}" for each in everybody},
                tuple(everybody[each].digest for each in ledger.left.keys() - ledger.disqualified),
            )


def _wish(ask: Ask, ladder: Ladder) -> HostWish:
    return wish_of(ask.form, _Facts.of(ladder).budget, ladder.contest.tables)
