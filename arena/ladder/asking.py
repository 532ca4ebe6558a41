"""Asking for something of a ladder: by a wish to its run, or, where none is on, by writing it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from arena.ladder.desk import Desk, Find
from arena.ladder.inbox import Answer, Inbox
from arena.ladder.lock import Locked, locked
from arena.ladder.store import Store
from arena.ladder.store_files import LOG, StoreError
from arena.ladder.wishes import Wish

TRY_EVERY = 1.0
"""Seconds between two tries to become the writer, in case that the run has ended."""
SAY_AFTER = 3.0
"""After how many seconds of waiting that is said."""


@dataclass(frozen=True)
class Asked:
    """A wish that was left, and its answer, if one was waited for."""

    name: str
    answer: Answer | None


def ask(
    store: Path, wish: Wish, find: Find, tell: Callable[[str], object], *, wait: bool = True
) -> Asked:
    """Leave a wish, and wait for the run's answer; where no run is on, answer it here.

    Without `wait`, return at once if a run is on. Raise `Refusal` if the wish cannot be left.
    """
    inbox = Inbox(store)
    name = inbox.leave(wish)
    began = monotonic()
    told = False
    while (answer := inbox.answered(name)) is None:
        try:
            if not _may_write(store):
                raise Locked(store, "")
            _settle(store, find, tell)
        except Locked as busy:
            if not wait:
                return Asked(name, None)
            if not told and monotonic() - began > SAY_AFTER:
                told = True
                tell(f"{busy.holder} takes it after the blocks that are under way")
            inbox.await_answer(name, TRY_EVERY)
        else:
            if inbox.answered(name) is None:
                raise StoreError(f"{store}: wish {name} is gone, and has no answer; leave it again")
    return Asked(name, answer)


def _may_write(store: Path) -> bool:
    """Whether this user could be the writer; else only a run can answer him."""
    real = store.resolve()
    return all(os.access(path, os.W_OK) for path in (real / LOG, real, real.parent))


def _settle(path: Path, find: Find, tell: Callable[[str], object]) -> None:
    """Be the writer of the store, and answer all wishes that wait."""
    with locked(path), Store.open(path, write=True) as store:
        if store.mended:
            tell(f"{path}: {store.mended}")
        Desk(store, find, lambda _: None).take()
