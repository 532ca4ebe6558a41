"""Copying a store, also while a run writes to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from arena.ladder.checkup import CUT
from arena.ladder.inbox import ANSWERS, INBOX, Answer, Inbox
from arena.ladder.log_file import NO_CHECK, checked_line
from arena.ladder.store import Store, derived_file, times_before
from arena.ladder.store_files import (
    DEFINITION,
    DERIVED,
    INTENT,
    LOG,
    SECRET,
    TIMES,
    StoreError,
    new_folder,
    secret_file,
    store_errors,
    sync_folder,
    write_file,
)
from arena.ladder.wishes import Refusal, Wish
from arena.records.canonical import canonical_bytes
from arena.records.codec import entry_line
from arena.records.ledger import Ledger


def back_up(path: Path, to: Path) -> Ledger:
    """Copy a store, completely or not at all; return what the copy's log says.

    The copy has the log up to the last whole entry, and what belongs to these entries of all
    else. Every wish that was left before is answered in the copy, or waits there. A store that
    is damaged is not copied.
    """
    # A run answers wishes meanwhile: it writes the entries, then the answer, and then it removes
    # the wish. So the wishes are read first, and what they have become after them.
    inbox = Inbox(path)
    with store_errors(path):
        waiting = list(_waiting(inbox))
        before = _answers(inbox)
    with Store.open(path) as store, store_errors(to):
        if os.path.lexists(to):
            raise StoreError(f"{to}: there is something by this name; choose another for the copy")
        secret = store.secret
        with store_errors(path):
            mode = (path / SECRET).stat().st_mode & 0o777
            # It is removed when the answer is there, so the answers are read after it.
            intent = _contents(path / INTENT)
            answers = _answers_of(store.ledger, before, _answers(inbox))
        with new_folder(to) as made:
            with (made / LOG).open("xb") as log:
                for line in store.checked_lines():
                    log.write(b"%s %s\n" % (line.check.encode(), line.entry))
                log.flush()
                os.fsync(log.fileno())
            first = checked_line(NO_CHECK, entry_line(store.ledger.opened))[1]
            write_file(made / SECRET, secret_file(secret, first), mode)
            (made / SECRET).chmod(mode)
            write_file(made / TIMES, times_before(path / TIMES, store.ledger.games))
            if store.kept is not None:
                write_file(made / DERIVED, derived_file(store.kept))
            if definition := _contents(path / DEFINITION):  # there is none in older stores
                write_file(made / DEFINITION, definition)
            for cut in path.glob(f"{CUT}*"):
                write_file(made / cut.name, cut.read_bytes())
            if intent:
                write_file(made / INTENT, intent)
            _write_wishes(path, made, waiting)
            _write_answers(made / ANSWERS, answers)
        return store.ledger


def _waiting(inbox: Inbox) -> Iterator[tuple[str, Wish, int]]:
    """Yield the wishes that wait, in the order in which they were left, and when that was."""
    for name in inbox.waiting():
        with suppress(Refusal, FileNotFoundError):  # it is none, or was answered just now
            left = (inbox.store / INBOX / name).stat().st_mtime_ns
            yield name, inbox.read(name), left


def _answers(inbox: Inbox) -> dict[str, Answer]:
    """Return the answers that are kept, the oldest first."""
    found = ((name, inbox.answered(name)) for name in inbox.replies())
    return {name: answer for name, answer in found if answer is not None}


def _answers_of(
    ledger: Ledger, before: Mapping[str, Answer], now: Mapping[str, Answer]
) -> dict[str, Answer]:
    """Return the answers that were given by this log, and not only by what came after it."""
    size = ledger.tree.size
    return {
        name: answer
        for name, answer in now.items()
        if name in before or (answer.entries and max(answer.entries) < size)
    }


def _contents(path: Path) -> bytes:
    """Return what a file has; nothing if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _write_wishes(path: Path, made: Path, wishes: Iterable[tuple[str, Wish, int]]) -> None:
    try:
        mode = (path / INBOX).stat().st_mode & 0o777  # it says who may leave wishes
    except FileNotFoundError:
        return
    (made / INBOX).mkdir()
    (made / INBOX).chmod(mode)
    for name, wish, left in wishes:
        write_file(made / INBOX / name, canonical_bytes(wish))
        os.utime(made / INBOX / name, ns=(left, left))  # they are taken in this order
    sync_folder(made / INBOX)


def _write_answers(folder: Path, answers: Mapping[str, Answer]) -> None:
    if not answers:
        return
    folder.mkdir(mode=0o755)
    for name, answer in answers.items():
        write_file(folder / name, canonical_bytes(answer))
    sync_folder(folder)
