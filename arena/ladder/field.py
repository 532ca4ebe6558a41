"""The field of a ladder: who plays by its definition, and who by wishes.

Both decide, and the later one counts. What a definition says counts when it is first read: whom
it names anew enters, and whom it no longer names leaves. Who entered by a wish plays on although
no definition names him, and who left by one stays away although one does, until it names another
version of him, or a wish lets him in. The same holds for the budget, and for stages.

So that the next run knows what it has read before, a store has the file `definition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.ladder.contest import MOST_CONTESTANTS
from arena.ladder.definition import Definition, DefinitionError
from arena.ladder.regulations import Regulations
from arena.ladder.store import Store
from arena.ladder.store_files import DEFINITION, replace_file, store_errors
from arena.records.canonical import canonical_bytes
from arena.records.entries import (
    Budget,
    Changed,
    Contestant,
    Entered,
    Form,
    Leaving,
    LeavingKind,
    Sha256,
    Stage,
)
from arena.records.ledger import NEVER_BACK, Ledger


class Applied(Form, frozen=True, kw_only=True):
    """What the definition said when it was last read, as far as it is in the log."""

    contestants: tuple[Sha256, ...] = ()
    """Whom it named."""
    coming: tuple[Sha256, ...] = ()
    """Whom it named when the writer was killed, maybe before that was in the log."""
    budget: Budget | None = None
    stages: tuple[Stage, ...] | None = None


_decoder = msgspec.json.Decoder(Applied)


def read_applied(store: Path) -> Applied | None:
    """Return what the definition of this store said last; None if that is not known."""
    try:
        return _decoder.decode((store / DEFINITION).read_bytes())
    except (OSError, msgspec.DecodeError):
        return None


def next_field(
    contestants: Sequence[Contestant], ledger: Ledger, applied: Applied | None
) -> Entered:
    """Return who enters and who leaves, maybe nobody, by a definition that names these.

    Who was set aside or disqualified does not come back. When entries are closed nobody comes, and
    who plays stays with the version that he has.
    """
    playing = {ledger.contestants[number].digest: number for number in ledger.playing}
    before = set(playing) if applied is None else set(applied.contestants)
    coming = set() if applied is None else set(applied.coming)
    wanted = {each.digest for each in contestants}
    come = tuple(
        each
        for each in contestants
        if each.digest not in before and each.digest not in playing and _may(each, ledger)
    )
    named = {each.name: each for each in contestants}
    newer = {each.name: each for each in come}
    leave = []
    for digest, number in playing.items():
        gone = ledger.contestants[number]
        dropped = digest in before | coming and digest not in wanted
        kind: LeavingKind = "removed"
        reason = "taken out of the definition"
        if gone.name in newer or (dropped and gone.name in named):
            kind, reason = "replaced", f"replaced by version {named[gone.name].version}"
        elif not dropped:
            continue
        if kind == "removed" or ledger.can_enter:
            leave.append(Leaving(contestant=number, kind=kind, reason=reason))
    return Entered(contestants=come, leave=tuple(leave))


def enter(store: Store, definition: Definition) -> Entered | None:
    """Let those play from the next block on who are to by this definition.

    Return the entry, if there is one. Raise `DefinitionError` if the field would be too small or
    too large.
    """
    ledger = store.ledger
    applied = read_applied(store.path)
    entry = next_field(definition.contestants, ledger, applied)
    players = len(ledger.playing) + len(entry.contestants) - len(entry.leave)
    least = max(ledger.contest.tables) if ledger.can_enter else 0
    if not least <= players <= MOST_CONTESTANTS:
        raise DefinitionError(
            f"{definition.path}: contestants: with those who entered and left by wishes, {players} "
            f"would play; expected {least}, for the largest table, to {MOST_CONTESTANTS}; name "
            "others in the definition, or let some in by `arena ladder enter`"
        )
    named = tuple(sorted(each.digest for each in definition.contestants))
    budget = ledger.budget if ledger.budget != Budget() else None
    if applied is not None:
        budget = applied.budget
    stages = None if applied is None else applied.stages
    now = Applied(contestants=named, budget=budget, stages=stages)
    changed = bool(entry.contestants or entry.leave)
    if changed:
        _apply(store, replace(now, contestants=_named_before(ledger, applied), coming=named))
        store.append(entry)
    if changed or now != applied:
        _apply(store, now)
    return entry if changed else None


def settle_publishing(store: Store, definition: Definition) -> None:
    """Say in the log when games may be published, where that is not what it says so far."""
    if store.ledger.publish != definition.publish:
        store.append(Changed(publish=definition.publish))


def absent(store: Store, definition: Definition) -> list[Contestant]:
    """Return those whom the definition names, and who do not play because of a wish."""
    playing = {store.ledger.contestants[number].digest for number in store.ledger.playing}
    return [each for each in definition.contestants if each.digest not in playing]


def budget_now(ledger: Ledger, applied: Applied | None, definition: Definition) -> Budget:
    """Return the ladder's budget: what was said last, by its definition or by a wish."""
    said = definition.budget
    if applied is None or ledger.budget == Budget():
        return said
    # If no definition's budget is noted, a wish has brought what the log has.
    return ledger.budget if applied.budget in (None, said) else said


def apply_budget(store: Store, definition: Definition) -> None:
    """Note that the log has the definition's budget, or has had it."""
    said = definition.budget
    applied = read_applied(store.path) or Applied()
    if applied.budget != said:
        _apply(store, replace(applied, budget=said))


def regulations_now(ledger: Ledger, applied: Applied | None, definition: Definition) -> Regulations:
    """Return what counts of the course of the competition, by its definition or by wishes."""
    said = definition.regulations
    if applied is None or applied.stages != said.stages:
        return said
    return replace(said, stages=ledger.stages.listed)


def apply_stages(store: Store, definition: Definition) -> None:
    """Note that the log has the definition's stages, or has had them."""
    said = definition.regulations.stages
    applied = read_applied(store.path)
    if applied is not None and applied.stages != said:
        _apply(store, replace(applied, stages=said))


def _may(contestant: Contestant, ledger: Ledger) -> bool:
    """Whether somebody may enter who does not play."""
    number = ledger.number(contestant.digest)
    gone = None if number is None else ledger.left.get(number)
    return ledger.can_enter and (gone is None or gone.kind not in NEVER_BACK)


def _named_before(ledger: Ledger, applied: Applied | None) -> tuple[str, ...]:
    if applied is not None:
        return applied.contestants
    return tuple(sorted(ledger.contestants[number].digest for number in ledger.playing))


def _apply(store: Store, applied: Applied) -> None:
    with store_errors(store.path, writing=True):
        replace_file(store.path / DEFINITION, canonical_bytes(applied), 0o644)
