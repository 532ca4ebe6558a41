"""The decisions in a log, compared with those that follow from the entries before them."""

from __future__ import annotations

from arena.ladder.claims import DECISIONS, Findings
from arena.ladder.decisions import Decision
from arena.records.canonical import canonical
from arena.records.difference import Difference
from arena.records.entries import Changed, Entered, Entry, StageEnded
from arena.records.ledger import Ledger
from arena.wording import brief, counted

SHOWN = 300
"""How many characters of an entry are shown."""


class Decided:
    """Follows the decisions of a log, and the rules that they follow from."""

    def __init__(self) -> None:
        self._stages = 0
        self._set_aside = 0
        self._rules_changed_at: int | None = None
        """The first entry that changed the rules after the first block."""

    def follow(self, number: int, entry: Entry, ledger: Ledger) -> None:
        """Follow an entry, after which the ledger stands as it does."""
        match entry:
            case StageEnded():
                self._stages += 1
            case Entered():
                self._set_aside += sum(each.kind == "set-aside" for each in entry.leave)
            case Changed():
                rules = entry.stages is not None or entry.set_aside is not None
                if rules and ledger.blocks and self._rules_changed_at is None:
                    self._rules_changed_at = number
            case _:
                pass

    def decide(self, ledger: Ledger, found: Findings) -> None:
        """Decide on the claim, at the end of the log."""
        ended = counted(self._stages, "stage")
        decided = f"{ended} ended, {counted(self._set_aside, 'bot')} set aside"
        if self._rules_changed_at is not None:
            needs = "when results were known: would need the host's reason"
            says = f"entry {self._rules_changed_at} changed the rules {needs}"
            found.not_shown(DECISIONS, f"{decided}; {says}")
        ruled = bool(ledger.stages.listed) or ledger.set_aside is not None
        found.holds(DECISIONS, decided if ruled else "no rule in the log decides anything")


def is_decision(entry: Entry) -> bool:
    """Whether an entry says that something follows from results."""
    if isinstance(entry, Entered):
        return any(each.kind == "set-aside" for each in entry.leave)
    return isinstance(entry, StageEnded)


def check_decision(entry: Entry, wanted: Decision | None) -> None:
    """Raise `Difference` unless an entry is what has to come here, if something has to."""
    if entry == wanted or (wanted is None and not is_decision(entry)):
        return
    says = str(entry.__struct_config__.tag)
    if is_decision(entry):
        says = brief(canonical(entry), SHOWN)
    rules = "nothing to decide here" if wanted is None else brief(canonical(wanted), SHOWN)
    raise Difference("entry", says, rules, "the rules in the log have")
