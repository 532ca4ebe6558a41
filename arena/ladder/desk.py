"""The desk of a store's writer: takes the wishes in the inbox, and makes entries of each, once.

Before an entry is written, a file `intent` says which wish it is for and where in the log it is
to stand. So whoever opens the store after a kill knows by the log alone whether that wish was
done, and answers it; if it was not, it is still in the inbox.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from arena.errors import ArenaError
from arena.ladder.goal import end_reason
from arena.ladder.inbox import Answer, Inbox
from arena.ladder.store import Mark, Store
from arena.ladder.store_files import INTENT, replace_file, store_errors
from arena.ladder.wishes import Enter, Refusal, Wish, answer, budget_text, stage_text
from arena.programs.spec import BotSpec
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line, read_entry
from arena.records.difference import Difference
from arena.records.entries import (
    Annulled,
    Changed,
    Closed,
    Contestant,
    EndReason,
    Entered,
    Entry,
    Form,
)
from arena.records.ledger import Ledger
from arena.wording import counted

FORGET_EVERY = 500
"""Answers between two looks for old ones."""

Find = Callable[[Contestant], BotSpec]
"""Returns the program of a contestant as it plays here; raises `ArenaError` if there is none."""
Tell = Callable[[str], object]


class Intent(Form, frozen=True, kw_only=True):
    """What is to be written for a wish, and where."""

    wish: str
    """Its name."""
    mark: Mark
    lines: tuple[str, ...]
    """The entries, as the log has them."""
    answer: Answer


_intents = msgspec.json.Decoder(Intent)


class Desk:
    """Takes wishes for a store that is open to be written to, and locked."""

    def __init__(self, store: Store, find: Find, tell: Tell) -> None:
        self.inbox = Inbox(store.path)
        self.answered = 0
        """How many wishes were answered."""
        self._store = store
        self._find = find
        self._tell = tell
        self._intent = store.path / INTENT
        self.inbox.forget_old()
        self._recover()

    def take(self) -> list[Entry]:
        """Answer all wishes that wait; return the entries that are in the log now for them."""
        entries: list[Entry] = []
        for name in self.inbox.waiting():
            if self.inbox.answered(name) is not None:
                self.inbox.drop(name)
                continue
            try:
                wish = self.inbox.read(name)
                found = self._answer(wish)
                self._grant(name, found)
            except (Refusal, Difference) as refused:
                text = _one_line(str(refused))
                self._tell(f"wish {name}: refused: {text}")
                self.inbox.reply(name, Answer(granted=False, text=text))
            else:
                entries += found
            self.answered += 1
            if self.answered % FORGET_EVERY == 0:
                self.inbox.forget_old()
        return entries

    def _answer(self, wish: Wish) -> tuple[Entry, ...]:
        if isinstance(wish, Enter):
            for bot in wish.bots:
                self._check(bot)
        return answer(wish, self._store.ledger, self._close)

    def _check(self, bot: Contestant) -> None:
        """Raise `Refusal` unless this bot can play here."""
        try:
            spec = self._find(bot)
            spec.check_plays(self._store.contest.game)
        except ArenaError as error:
            raise Refusal(f"{bot.name} {bot.version}: {error}") from None
        if (spec.name, spec.version) != (bot.name, bot.version):
            raise Refusal(
                f"{bot.name} {bot.version}: the bot with this digest is {spec.name} {spec.version}"
            )

    def _close(self, reason: EndReason) -> Closed:
        store = self._store
        return Closed(reason=end_reason(store) or reason, secret=store.secret.hex())

    def _grant(self, name: str, entries: Sequence[Entry]) -> None:
        store = self._store
        ledger = store.ledger
        mark = store.mark
        said = Answer(
            granted=True,
            text=_one_line("; ".join(in_words(entry, ledger) for entry in entries)),
            entries=tuple(range(mark.size, mark.size + len(entries))),
            block=ledger.blocks,
        )
        lines = tuple(entry_line(entry).decode() for entry in entries)
        self._check_follow(entries)
        intent = Intent(wish=name, mark=mark, lines=lines, answer=said)
        with store_errors(self._intent, writing=True):
            replace_file(self._intent, canonical_bytes(intent), 0o644)
        for entry in entries:
            store.write(entry)
        store.sync()
        self._done(intent)

    def _check_follow(self, entries: Sequence[Entry]) -> None:
        """Raise `Difference` unless all of these may follow; the first alone says so by itself."""
        if len(entries) > 1:
            ledger = Ledger.restored(self._store.ledger.state())
            for entry in entries:
                ledger.follow(entry_line(entry), entry)

    def _done(self, intent: Intent) -> None:
        """Answer a wish whose entries are in the log."""
        self._tell(f"wish {intent.wish}: {intent.answer.text}")
        self.inbox.reply(intent.wish, intent.answer)
        with store_errors(self._intent, writing=True):
            self._intent.unlink(missing_ok=True)

    def _recover(self) -> None:
        """Finish what a writer that was killed has begun."""
        try:
            intent = _intents.decode(self._intent.read_bytes())
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError) as error:
            raise self._store.damaged(f"{INTENT} cannot be read ({error})") from None
        wanted = [line.encode() for line in intent.lines]
        there = 0
        for line, want in zip(self._store.lines_after(intent.mark), wanted, strict=False):
            if line != want:
                break
            there += 1
        if not there:  # the wish is still in the inbox
            self._intent.unlink()
            return
        for line in wanted[there:]:
            self._store.write(read_entry(line))
        self._store.sync()
        self._done(intent)


def _one_line(text: str) -> str:
    """Return a text without what would begin another line; reasons may have anything."""
    return " ".join(text.split())


def in_words(entry: Entry, ledger: Ledger) -> str:
    """Return in a line what follows from an entry that comes next in the log of this ledger."""
    since = f"from block {ledger.blocks} on"
    match entry:
        case Entered():
            said = [f"{one.name} {one.version} plays {since}" for one in entry.contestants]
            for leaving in entry.leave:
                one = ledger.contestants[leaving.contestant]
                why = leaving.reason or leaving.kind
                why = f"disqualified: {why}" if leaving.kind == "disqualified" else why
                said.append(f"{one.name} {one.version} plays no more {since} ({why})")
            return "; ".join(said)
        case Changed(paused=True):
            return f"paused: nothing is played {since}"
        case Changed(paused=False):
            return f"goes on with block {ledger.blocks}"
        case Changed(budget=budget) if budget is not None:
            return f"the budget is {budget_text(budget)} {since}"
        case Changed(stages=stages) if stages is not None:
            before = ledger.stages.listed
            said = [f"stage {one.name}: {stage_text(one)}" for one in stages if one not in before]
            return f"{'; '.join(said)} {since}"
        case Annulled():
            return f"{counted(len(entry.blocks), 'block')} annulled ({entry.reason})"
        case Closed():
            return f"closed after {ledger.games} games ({entry.reason})"
    return f"entry {ledger.tree.size}"
