"""From a host's form to a wish, and from a wish to what its host is asked before it is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.ladder.definition_values import MOST_GAMES
from arena.ladder.wishes import (
    Annul,
    ChangeBudget,
    Close,
    Disqualify,
    GoOn,
    Pause,
    Refusal,
    SetAside,
    Withdraw,
    block_numbers,
    budget_text,
)
from arena.records.entries import Budget
from arena.site.database.host_wishes import HostWish
from arena.site.play.host_wishes import Preview
from arena.site.rules.people import NotUnderstood
from arena.wording import brief, counted


@dataclass(frozen=True)
class Question:
    """What a host is asked once, before his wish is left."""

    heading: str
    text: str
    """What will happen."""
    button: str
    final: bool = False
    """Whether it cannot be taken back."""


def wish_of(form: Mapping[str, str], now: Budget, tables: Sequence[int]) -> HostWish:
    """Return what a form wishes of a ladder with this budget and these tables."""
    kind, bot = form.get("wish", ""), form.get("bot", "").strip()
    reason = " ".join(form.get("reason", "").split())
    match kind:
        case "pause":
            return Pause(reason=reason)
        case "go-on":
            return GoOn(reason=reason)
        case "close":
            return Close(reason="time" if form.get("because") == "time" else "host")
        case "budget":
            return ChangeBudget(budget=_budget(form, now, tables), reason=reason)
        case "annul":
            try:
                blocks = block_numbers(form.get("blocks", "").replace(",", " ").split())
            except Refusal as refused:
                raise NotUnderstood(f"blocks: {refused}") from None
            if not blocks:
                raise NotUnderstood("blocks: expected numbers of blocks, such as 12 40-43")
            return Annul(blocks=blocks, reason=_owed(reason))
        case "withdraw":
            return Withdraw(bots=(_chosen(bot),), reason=reason)
        case "set-aside":
            return SetAside(bot=_chosen(bot), reason=_owed(reason))
        case "disqualify":
            return Disqualify(bot=_chosen(bot), reason=_owed(reason))
    raise NotUnderstood(f"wish: expected what is to happen, got {brief(kind)}")


def _owed(reason: str) -> str:
    if not reason:
        raise NotUnderstood("reason: say why; it stands in the log for everybody")
    return reason


def _chosen(bot: str) -> str:
    if not bot:
        raise NotUnderstood("bot: choose one")
    return bot


def _budget(form: Mapping[str, str], now: Budget, tables: Sequence[int]) -> Budget:
    """Return a budget; the minutes of a run, which no form has, stay as they are."""
    by_size = {str(size): _count(form, f"each-{size}") for size in tables}
    given = {size: count for size, count in by_size.items() if count is not None}
    each = _count(form, "each")
    if given and (each is not None or len(given) < len(by_size)):
        raise NotUnderstood(
            "games of each bot: expected one number for all tables, or one for each size of table"
        )
    return Budget(
        games=_count(form, "games"),
        each=each,
        each_at=given or None,
        width=_decimal(form, "width", 0, None),
        certain=_decimal(form, "certain", 0.5, 1),
        minutes=now.minutes,
    )


def _count(form: Mapping[str, str], key: str) -> int | None:
    text = form.get(key, "").strip()
    if not text:
        return None
    good = text.isascii() and text.isdigit() and len(text) < 16
    if not good or not 1 <= int(text) <= MOST_GAMES:
        raise NotUnderstood(f"{key}: expected a number from 1 to {MOST_GAMES}, got {brief(text)}")
    return int(text)


def _decimal(form: Mapping[str, str], key: str, above: float, below: float | None) -> float | None:
    text = form.get(key, "").strip()
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not above < found < (below or MOST_GAMES):
        upto = "" if below is None else f" and below {below:g}"
        raise NotUnderstood(f"{key}: expected a number above {above:g}{upto}, got {brief(text)}")
    return found


def question(ladder: str, wish: HostWish, found: Preview) -> Question:
    """Return what a host is asked: it names what will happen."""
    bots = ", ".join(found.bots)
    match wish:
        case Pause():
            text = (
                "The blocks that are under way are played to their end; after them no block is "
                "played until you let it go on. Bots can be handed in meanwhile, and enter."
            )
            return Question(f"Pause {ladder}?", text, "Pause it")
        case GoOn():
            text = "Blocks are played again, until its budget is reached."
            return Question(f"Let {ladder} go on?", text, "Let it go on")
        case Close():
            text = (
                f"Its {counted(found.games, 'game')}, with those of the blocks that are under way, "
                "are all that will ever be played. Nobody can enter any more. Its secret is "
                "revealed, so that everybody can check its deals."
            )
            return Question(f"Close {ladder} for good?", text, "Close it for good", final=True)
        case ChangeBudget():
            text = (
                f"So far it ends at: {found.budget}. Then it ends at: {budget_text(wish.budget)}."
            )
            return Question(f"Change where {ladder} ends?", text, "Change it")
        case Annul():
            count = counted(len(wish.blocks), "block")
            text = (
                f"All games of {count} ({_ranges(wish.blocks)}) count for nobody any more; they "
                "stay in the log, marked as annulled. Others are played in their place."
            )
            return Question(f"Annul {count} of {ladder}?", text, "Annul them", final=True)
        case Withdraw():
            text = (
                "From the next block on it plays no more; its results stay. Its author can enter "
                "it again."
            )
            return Question(f"Withdraw {bots} from {ladder}?", text, "Withdraw it")
        case SetAside():
            text = (
                "From the next block on it plays no more; its results stay. Its author can hand in "
                "another version, but not this one again."
            )
            return Question(f"Set {bots} aside on {ladder}?", text, "Set it aside")
        case Disqualify():
            text = (
                "It plays no more, and has no rank; the others keep their games with it. This "
                "version never enters again; its author can hand in another one."
            )
            return Question(f"Disqualify {bots} on {ladder}?", text, "Disqualify it", final=True)
    raise AssertionError(wish)


def reason_of(wish: HostWish) -> str:
    """Return the reason of a wish, which stands in the log."""
    return "" if isinstance(wish, Close) else str(getattr(wish, "reason", ""))


def what(wish: HostWish, bots: Mapping[str, str]) -> str:
    """Return in some words what is wished for; `bots` are known by their digests."""
    match wish:
        case Withdraw():
            return "withdraw " + ", ".join(bots.get(each, each) for each in wish.bots)
        case SetAside():
            return f"set {bots.get(wish.bot, wish.bot)} aside"
        case Disqualify():
            return f"disqualify {bots.get(wish.bot, wish.bot)}"
        case Annul():
            return f"annul {_ranges(wish.blocks)}"
        case ChangeBudget():
            return f"end at {budget_text(wish.budget)}"
        case Close():
            return "close for good"
        case GoOn():
            return "go on"
    return str(wish.__struct_config__.tag)


def _ranges(blocks: Sequence[int]) -> str:
    """Return numbers of blocks in short, as 3, 40-43."""
    found: list[list[int]] = []
    for block in blocks:
        if found and block == found[-1][-1] + 1:
            found[-1] = [found[-1][0], block]
        else:
            found.append([block])
    shown = ["-".join(map(str, each)) for each in found[:12]]
    return ", ".join(shown) + (", …" if len(found) > 12 else "")
