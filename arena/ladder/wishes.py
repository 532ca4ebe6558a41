"""Wishes: what somebody wants of a ladder, and the entries that follow from it, or the refusal.

Only a run writes to the log. Everybody else leaves wishes in the store's inbox (`inbox`), and
the run answers them between two blocks (`desk`). Here is what can be wished for, and what each
wish comes to; nothing here reads or writes a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, structs

from arena.ladder.contest import MOST_CONTESTANTS
from arena.records.codec import read_form
from arena.records.difference import Difference
from arena.records.entries import (
    Annulled,
    Budget,
    Changed,
    Closed,
    Contestant,
    Count,
    EndReason,
    Entered,
    Entry,
    Form,
    Leaving,
    LeavingKind,
    Name,
    Reason,
    Stage,
)
from arena.records.ledger import Ledger
from arena.wording import brief, counted

MOST_BLOCKS = 5000
"""How many blocks can be annulled at a time."""
CLOSED = "this ladder is closed; nothing can be changed"
LEAST_DIGITS = 8
"""With so many digits of its digest, or more, a contestant can be named."""

BotText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
"""How a wish names a contestant: its name, name@version, or at least 8 digits of its digest."""
OwedReason: TypeAlias = Annotated[str, Meta(min_length=1, max_length=900)]
"""Why somebody decides against a bot or a block; it stands in the log."""
GivenReason: TypeAlias = Annotated[str, Meta(max_length=900)]


class Enter(Form, frozen=True, kw_only=True, tag_field="wish", tag="enter"):
    """Let these play. One whose name somebody has who plays is a new version, and replaces him.

    Each is sealed in the vault that the run uses, or registered by a plugin.
    """

    bots: Annotated[tuple[Contestant, ...], Meta(min_length=1, max_length=MOST_CONTESTANTS)]


class Withdraw(Form, frozen=True, kw_only=True, tag_field="wish", tag="withdraw"):
    """Let these play no more; their results stay."""

    bots: Annotated[tuple[BotText, ...], Meta(min_length=1, max_length=MOST_CONTESTANTS)]
    reason: GivenReason = ""


class SetAside(Form, frozen=True, kw_only=True, tag_field="wish", tag="set-aside"):
    """Let a bot play no more because it fails; a new version of it may enter."""

    bot: BotText
    reason: OwedReason


class Disqualify(Form, frozen=True, kw_only=True, tag_field="wish", tag="disqualify"):
    """Take a bot out for breaking the rules of the competition."""

    bot: BotText
    reason: OwedReason


class Pause(Form, frozen=True, kw_only=True, tag_field="wish", tag="pause"):
    """Play no block until the ladder is to go on."""

    reason: GivenReason = ""


class GoOn(Form, frozen=True, kw_only=True, tag_field="wish", tag="go-on"):
    """Play on after a pause."""

    reason: GivenReason = ""


class Annul(Form, frozen=True, kw_only=True, tag_field="wish", tag="annul"):
    """Let these blocks not count."""

    blocks: Annotated[tuple[Count, ...], Meta(min_length=1, max_length=MOST_BLOCKS)]
    reason: OwedReason


class ChangeBudget(Form, frozen=True, kw_only=True, tag_field="wish", tag="budget"):
    """Let the ladder end elsewhere: this budget takes the place of the one that it has."""

    budget: Budget
    reason: GivenReason = ""


class ChangeStage(Form, frozen=True, kw_only=True, tag_field="wish", tag="stage"):
    """Let a stage be otherwise: what is given takes the place of what it has, the rest stays.

    Of the one that is on, the budget and the prizes can change; of later ones, who plays as well.
    """

    stage: Name
    budget: Budget = Budget()
    best: Annotated[int, Meta(ge=2)] | None = None
    prizes: Annotated[int, Meta(ge=1)] | None = None
    reason: OwedReason


class Close(Form, frozen=True, kw_only=True, tag_field="wish", tag="close"):
    """Close the ladder for good, and reveal its secret."""

    reason: Literal["time", "host"] = "host"
    """Why it ends, unless the log shows that its budget ends it here."""


Wish: TypeAlias = (
    Enter
    | Withdraw
    | SetAside
    | Disqualify
    | Pause
    | GoOn
    | Annul
    | ChangeBudget
    | ChangeStage
    | Close
)

_wishes: msgspec.json.Decoder[Wish] = msgspec.json.Decoder(Wish)


class Refusal(Exception):
    """A wish that is not granted; the text says why, and what would be."""


def read_wish(data: bytes) -> Wish:
    """Return the wish that these bytes are, as canonical JSON; raise `Refusal` if they are none."""
    try:
        return read_form(data, _wishes)
    except Difference as found:
        wrong = f"{found.place}: expected {found.wanted}, got {found.says}"
        raise Refusal(f"not a wish: {wrong}") from None


def answer(wish: Wish, ledger: Ledger, close: Callable[[EndReason], Closed]) -> tuple[Entry, ...]:
    """Return the entries that come next in the log by this wish; raise `Refusal` if none may.

    `close` makes the last entry of the log.
    """
    if ledger.closed is not None:
        raise Refusal(CLOSED)
    match wish:
        case Enter():
            return (_enter(wish, ledger),)
        case Withdraw():
            return (_leave(wish.bots, "withdrawn", wish.reason, ledger),)
        case SetAside():
            # What follows from the rule in the log alone is `set-aside`; this is its host's word.
            return (_leave([wish.bot], "removed", f"set aside: {wish.reason}", ledger),)
        case Disqualify():
            return (_disqualify(wish, ledger),)
        case Pause():
            if ledger.paused:
                raise Refusal("this ladder is paused already")
            return (Changed(paused=True, reason=wish.reason),)
        case GoOn():
            if not ledger.paused:
                raise Refusal("this ladder is not paused")
            return (Changed(paused=False, reason=wish.reason),)
        case Annul():
            return (_annul(wish, ledger),)
        case ChangeBudget():
            return (_change_budget(wish, ledger),)
        case ChangeStage():
            return (_change_stage(wish, ledger),)
        case Close():
            return (close(wish.reason),)


def _enter(wish: Enter, ledger: Ledger) -> Entered:
    if not ledger.can_enter:
        why = "the first stage has ended" if ledger.stages.ended else "entries are closed"
        raise Refusal(f"no more bots can enter, as {why}")
    several = [name for name, count in Counter(one.name for one in wish.bots).items() if count > 1]
    if several:
        raise Refusal(f"expected each name once, got several bots named {several[0]!r}")
    playing = {ledger.contestants[number].digest: number for number in ledger.playing}
    by_name = {ledger.contestants[number].name: number for number in ledger.playing}
    leave = []
    for bot in wish.bots:
        if bot.digest in playing:
            raise Refusal(f"{bot.name} {bot.version} ({bot.digest[:LEAST_DIGITS]}) plays already")
        known = ledger.number(bot.digest)
        if known is not None and ledger.contestants[known] != bot:
            raise Refusal(
                f"{bot.name}: has the digest of contestant {known}, but another name or version"
            )
        if bot.name in by_name:
            reason = f"replaced by version {bot.version}"
            number = by_name[bot.name]
            leave.append(Leaving(contestant=number, kind="replaced", reason=_short(reason)))
    now = len(ledger.playing) + len(wish.bots) - len(leave)
    if now > MOST_CONTESTANTS:
        raise Refusal(f"expected {MOST_CONTESTANTS} contestants at most, got {now}")
    _check_enough(now, ledger)
    return Entered(contestants=wish.bots, leave=tuple(leave))


def _leave(texts: Iterable[str], kind: LeavingKind, reason: Reason, ledger: Ledger) -> Entered:
    numbers = [playing(text, ledger) for text in texts]
    if len(set(numbers)) < len(numbers):
        raise Refusal("expected each bot once")
    _check_enough(len(ledger.playing) - len(numbers), ledger)
    leave = (Leaving(contestant=each, kind=kind, reason=reason) for each in numbers)
    return Entered(leave=tuple(leave))


def _disqualify(wish: Disqualify, ledger: Ledger) -> Entered:
    """Return who is disqualified: one who plays, or else one who has left."""
    try:
        number = playing(wish.bot, ledger)
    except Refusal:
        gone = [each for each in ledger.left if each not in ledger.disqualified]
        if not gone:
            raise
        everybody = sorted({*ledger.playing, *gone})
        number = chosen(wish.bot, ledger.contestants, everybody, "plays or has left")
    leaving = Leaving(contestant=number, kind="disqualified", reason=wish.reason)
    return Entered(leave=(leaving,))


def _check_enough(players: int, ledger: Ledger) -> None:
    fewest = min(ledger.stages.tables(ledger.contest.tables))
    if players < fewest:
        raise Refusal(
            f"tables of {fewest} need {fewest} contestants, and {players} would be left; let "
            "another enter first, or close the ladder"
        )


def _annul(wish: Annul, ledger: Ledger) -> Annulled:
    blocks = sorted(set(wish.blocks))
    for block in blocks:
        if block >= ledger.blocks:
            there = f"blocks 0 to {ledger.blocks - 1}" if ledger.blocks else "no block yet"
            raise Refusal(f"block {block}: the log has {there}")
        if block in ledger.annulled:
            raise Refusal(f"block {block}: is annulled already")
    return Annulled(blocks=tuple(blocks), reason=wish.reason)


def _change_budget(wish: ChangeBudget, ledger: Ledger) -> Changed:
    budget = wish.budget
    if budget == Budget():
        raise Refusal("expected a part of a budget, such as each = 1000, got none")
    if ledger.stages.listed and budget != Budget(minutes=budget.minutes):
        raise Refusal("this ladder has stages, each with a budget of its own: change that")
    if budget == ledger.budget:
        raise Refusal(f"the budget is this already: {budget_text(budget)}")
    quota, tables = budget.quota, set(ledger.contest.tables)
    if quota is not None and set(quota) != tables:
        sizes = ", ".join(map(str, sorted(tables)))
        raise Refusal(f"budget.each_at: expected games for tables of {sizes}, each of them")
    return Changed(budget=budget, reason=wish.reason)


def _change_stage(wish: ChangeStage, ledger: Ledger) -> Changed:
    stages = ledger.stages
    names = [stage.name for stage in stages.listed]
    if not names:
        raise Refusal("this ladder has no stages; it has a budget of its own: change that")
    if wish.stage not in names:
        raise Refusal(f"{brief(wish.stage)}: expected one of its stages: {', '.join(names)}")
    at = names.index(wish.stage)
    if at < stages.number:
        raise Refusal(f"{wish.stage}: this stage has ended, and its places are decided")
    if at == stages.number and ledger.blocks and wish.best is not None:
        raise Refusal(f"{wish.stage}: this stage is on, and who plays in it stays")
    before = stages.listed[at]
    now = structs.replace(
        before,
        budget=before.budget.instead(wish.budget),
        best=before.best if wish.best is None else wish.best,
        prizes=before.prizes if wish.prizes is None else wish.prizes,
    )
    if now == before:
        raise Refusal(f"{wish.stage}: the stage is like this already: {stage_text(now)}")
    listed = (*stages.listed[:at], now, *stages.listed[at + 1 :])
    return Changed(stages=listed, reason=wish.reason)


def block_numbers(texts: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of blocks that these texts name, each one or two with a dash as 40-43."""
    found: set[int] = set()
    for text in texts:
        first, dash, last = text.partition("-")
        ends = (first, last if dash else first)
        if not all(each.isascii() and each.isdigit() and len(each) < 16 for each in ends):
            said = brief(text)
            raise Refusal(f"expected the number of a block, or two as 40-43, got {said}")
        start, end = map(int, ends)
        if not 0 <= end - start < MOST_BLOCKS:
            raise Refusal(f"{text}: expected 1 to {MOST_BLOCKS} blocks, first to last")
        found.update(range(start, end + 1))
    if len(found) > MOST_BLOCKS:
        raise Refusal(f"expected {MOST_BLOCKS} blocks at most, got {len(found)}")
    return tuple(sorted(found))


def playing(text: str, ledger: Ledger) -> int:
    """Return the number of the one who plays and is named so; raise `Refusal` if nobody is."""
    return chosen(text, ledger.contestants, ledger.playing, "plays")


def chosen(text: str, contestants: Sequence[Contestant], among: Sequence[int], does: str) -> int:
    """Return the number of the one of these contestants that a text names; else raise `Refusal`."""
    name, at, version = text.partition("@")
    # A whole digest comes first, as somebody could name his bot like the digest of another.
    found = [number for number in among if contestants[number].digest == text]
    found = found or [
        number
        for number in among
        if contestants[number].name == name and version in (contestants[number].version, at)
    ]
    if not found and len(text) >= LEAST_DIGITS:
        found = [number for number in among if contestants[number].digest.startswith(text)]
    if len(found) == 1:
        return found[0]
    if found:
        digests = ", ".join(contestants[number].digest[:12] for number in found)
        raise Refusal(
            f"{brief(text)}: several are named so; give the first digits of one: {digests}"
        )
    names = ", ".join(contestants[number].name for number in among[:10])
    more = f" and {counted(len(among) - 10, 'other')}" if len(among) > 10 else ""
    raise Refusal(f"{brief(text)}: nobody of this name {does}; expected one of {names}{more}")


def budget_text(budget: Budget) -> str:
    """Return a budget in a line, as a definition has it."""
    said = {key: value for key, value in structs.asdict(budget).items() if value is not None}
    return ", ".join(f"{key} = {value}" for key, value in said.items()) or "none"


def stage_text(stage: Stage) -> str:
    """Return in a line who plays in a stage, when it ends, and what is to be certain then."""
    said = {"best": stage.best, "prizes": stage.prizes}
    parts = [f"{key} = {value}" for key, value in said.items() if value is not None]
    return ", ".join([*parts, budget_text(stage.budget)])


def _short(reason: str) -> str:
    return reason[:1000]
