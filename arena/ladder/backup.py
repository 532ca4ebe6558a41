"""Copying a store, also while a run writes to it."""

from __future__ import annotations

import os
from pathlib import Path

from arena.ladder.checkup import CUT
from arena.ladder.log_file import NO_CHECK, checked_line
from arena.ladder.store import Store, derived_file, times_before
from arena.ladder.store_files import (
    DERIVED,
    LOG,
    SECRET,
    TIMES,
    StoreError,
    new_folder,
    secret_file,
    store_errors,
    write_file,
)
from arena.records.codec import entry_line
from arena.records.ledger import Ledger


def back_up(path: Path, to: Path) -> Ledger:
    """Copy a store, completely or not at all; return what the copy's log says.

    The copy has the log up to the last whole entry, and what belongs to these entries of all
    else. A store that is damaged is not copied.
    """
    with Store.open(path) as store, store_errors(to):
        if os.path.lexists(to):
            raise StoreError(f"{to}: there is something by this name; choose another for the copy")
        secret = store.secret
        with store_errors(path):
            mode = (path / SECRET).stat().st_mode & 0o777
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
            for cut in path.glob(f"{CUT}*"):
                write_file(made / cut.name, cut.read_bytes())
        return store.ledger
