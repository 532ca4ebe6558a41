"""Operations of the programs' interface for hosts, who keep order on ladders."""

from __future__ import annotations

from typing import Final

from arena.site.database.host_wishes import HostWish
from arena.site.rules.people import Scope
from arena.site.web import host_forms
from arena.site.web.operation import Call, Operation


def status(call: Call) -> host_forms.LadderStatus:
    """How a ladder does."""
    call.visitor.need(Scope.HOST)
    ladder = call.ladder
    return host_forms.ladder_status(ladder.name, call.site.status.of(ladder))


def leave_wish(call: Call) -> host_forms.WishForm:
    """Leave a wish for the run of a ladder."""
    host = call.visitor.need(Scope.HOST)
    return host_forms.wish_form(call.site.host_wishes.leave(call.ladder, call.body, host))


def wishes(call: Call) -> host_forms.WishList:
    """The last wishes."""
    call.visitor.need(Scope.HOST)
    found = call.site.host_wishes.of(call.ladder)
    return host_forms.WishList(wishes=tuple(map(host_forms.wish_form, found)))


def wish(call: Call) -> host_forms.WishForm:
    """What became of a wish."""
    call.visitor.need(Scope.HOST)
    return host_forms.wish_form(call.site.host_wishes.get(call.ladder, call.number))


HOST_OPERATIONS: Final = (
    Operation(
        "GET", "/ladders/{ladder}/status", "How a ladder does, for its host",
        host_forms.LadderStatus, status, Scope.HOST,
    ),
    Operation(
        "POST", "/ladders/{ladder}/wishes", "Pause, close or change a ladder, take a bot out",
        host_forms.WishForm, leave_wish, Scope.HOST, HostWish, 202,
    ),
    Operation(
        "GET", "/ladders/{ladder}/wishes", "What hosts have wished of a ladder by the site",
        host_forms.WishList, wishes, Scope.HOST,
    ),
    Operation(
        "GET", "/ladders/{ladder}/wishes/{number}", "What became of a wish",
        host_forms.WishForm, wish, Scope.HOST,
    ),
)  # fmt: skip
