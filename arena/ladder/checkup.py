"""Checking a whole store, and repairing it: the log up to its last sound line, and its secret."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.ladder.log_file import NO_CHECK, Survey, checked_line, first_line, survey
from arena.ladder.store import has_line, read_derived, times_before
from arena.ladder.store_files import (
    DERIVED,
    LOG,
    SECRET,
    SECRET_MODE,
    TIMES,
    StoreError,
    check_is_store,
    committed,
    replace_file,
    secret_file,
    store_errors,
    sync_folder,
)
from arena.records.codec import entry_line
from arena.records.ledger import Ledger
from arena.wording import counted

CUT = "cut-"
"""How the names of files begin that have what was cut off a log."""
CHUNK = 1 << 20


@dataclass(frozen=True)
class Lost:
    """What is in the part of a log that does not hold, as far as that can be told."""

    size: int = 0
    """In bytes."""
    blocks: int = 0
    games: int = 0
    closed: bool = False
    """Whether the entry that closed the ladder is among it."""


@dataclass(frozen=True)
class Checkup:
    """What was found in a store, and what its repair needs."""

    path: Path
    survey: Survey
    lost: Lost
    secret: bytes | None
    """The secret, if a copy of it is left."""
    hidden: bool
    """Whether this user may not read the secret."""
    findings: tuple[str, ...]
    """What does not hold, a text each."""
    remarks: tuple[str, ...]
    """What is as it may be."""

    @property
    def holds(self) -> bool:
        """Whether nothing is damaged."""
        return not self.findings

    @property
    def ledger(self) -> Ledger:
        """What the log says up to its last sound line."""
        return self.survey.ledger


def examine(path: Path) -> Checkup:
    """Check all files of a store but those that can be thrown away."""
    with store_errors(path):
        check_is_store(path)
        kept = _secret_bytes(path)
        log = path / LOG
        with log.open("rb") as file:
            found = survey(file, None if kept is None else first_line(kept))
            lost = _lost(log, found.end) if found.damage else Lost()
        findings = list(_log_findings(found))
        remarks = []
        if found.torn:
            text = "is being written, or was not written whole; then the next run removes it"
            remarks.append(f"{LOG}: an entry at its end, of {found.torn} bytes so far, {text}")
        if found.sound:
            derived = read_derived(path / DERIVED)
            if derived is not None and not has_line(log, derived):
                text = f"there was more than {found.end} bytes of it: standings were derived"
                findings.append(f"{LOG}: {text} from {derived.end} bytes")
        secret = None
        if kept is None:
            remarks.append(f"{SECRET}: cannot be read by this user, and was not checked")
        elif found.ledger.begun:
            secret = _secret(kept, found.ledger)
            if secret is None:
                findings.append(f"{SECRET}: no copy of the secret is left; go back to a backup")
            elif kept != _secret_file(secret, found.ledger):
                findings.append(f"{SECRET}: a copy of the secret or of the first entry is damaged")
        return Checkup(path, found, lost, secret, kept is None, tuple(findings), tuple(remarks))


def repair(found: Checkup) -> list[str]:
    """Repair a store in which something was found; return what was done, a text each.

    The store has to be locked from before it was examined. A repair that is killed can be
    repeated. Raise `StoreError` if there is nothing to begin again from.
    """
    path, log = found.path, found.path / LOG
    if found.hidden:
        raise StoreError(f"{path / SECRET}: cannot be read by this user, who cannot repair it then")
    if found.secret is None:
        missing = "first entry" if not found.ledger.begun else "secret"
        raise StoreError(
            f"{path}: cannot be repaired: no copy of the {missing} is left; go back to a backup"
        )
    done = []
    with store_errors(path, writing=True):
        if found.survey.damage:
            cut = _keep_cut(found)
            lost = found.lost
            done.append(
                f"cut off {lost.size} bytes after entry {found.ledger.tree.size - 1}, which are "
                f"now in {cut}"
            )
            done.append(
                f"{counted(lost.blocks, 'block')} with {counted(lost.games, 'game')} gone from "
                "the log, to be played again by the next run"
            )
            if lost.closed:
                done.append(
                    "it was closed, and is no longer: its secret is known, so close it again, and "
                    "play no more"
                )
        replace_file(path / TIMES, times_before(path / TIMES, found.ledger.games), 0o644)
        (path / DERIVED).unlink(missing_ok=True)
        with log.open("r+b") as file:
            for at, data in found.survey.mends:
                file.seek(at)
                file.write(data)
            if found.survey.damage:
                file.truncate(found.survey.end)
            file.flush()
            os.fsync(file.fileno())
        if mended := len(found.survey.mends):
            done.append(f"wrote anew what was damaged beside {counted(mended, 'entry', 'entries')}")
        whole = _secret_file(found.secret, found.ledger)
        if _secret_bytes(path) != whole:
            replace_file(path / SECRET, whole, SECRET_MODE)
            done.append("wrote the secret and the first entry anew, from the copy that is right")
        sync_folder(path)
    if not done:
        done.append("removed what was derived from lines that the log no longer has")
    return done


def _log_findings(found: Survey) -> Iterator[str]:
    if _restored(found):
        yield f"{LOG}: its first entry is damaged; there is a copy of it"
    else:
        for at, data in found.mends:
            part = "the end of an entry" if data == b"\n" else "the check before an entry"
            yield f"{LOG}: {part}, at byte {at}, is damaged; the entry is as it was written"
    if found.damage:
        yield f"{LOG}: {found.damage}"
    elif not found.ledger.begun:
        yield f"{LOG}: it has no entry"


def _restored(found: Survey) -> bool:
    """Whether the first line of the log is a copy from elsewhere."""
    return any(at == 0 and data.endswith(b"}\n") for at, data in found.mends)


def _lost(log: Path, start: int) -> Lost:
    """Count what is in the rest of a log. Each thing has two marks, one of which may be damaged."""
    marks = (b'"entry":"block"', b'"number":', b'"actions":', b'"scores":')
    counts = [0] * len(marks)
    closed = False
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END) - start
        file.seek(start)
        for line in file:
            counts = [n + line.count(mark) for n, mark in zip(counts, marks, strict=True)]
            closed = closed or b'"entry":"close"' in line or b'"secret":' in line
    return Lost(size, max(counts[:2]), max(counts[2:]), closed)


def _secret_bytes(path: Path) -> bytes | None:
    """Return what the file of the secret has; None if this user may not read it."""
    try:
        return (path / SECRET).read_bytes()
    except PermissionError:
        return None
    except FileNotFoundError:
        return b""


def _first(ledger: Ledger) -> bytes:
    return checked_line(NO_CHECK, entry_line(ledger.opened))[1]


def _secret_file(secret: bytes, ledger: Ledger) -> bytes:
    return secret_file(secret, _first(ledger))


def _secret(kept: bytes, ledger: Ledger) -> bytes | None:
    """Return the secret, from whichever copy of it is right."""
    size = (len(kept) - len(_first(ledger)) - 2) // 2  # of a copy, if only bytes have changed
    said = [kept[:size], kept[size + 1 : 2 * size + 1], *kept.split(b"\n")[:2]]
    if ledger.contest.seed is not None:
        said.append(ledger.contest.seed.encode().hex().encode())
    if ledger.closed is not None:
        said.append(ledger.closed.secret.encode())
    return committed(said, ledger.opened)


def _keep_cut(found: Checkup) -> str:
    """Copy what is cut off to a file of its own; return its name."""
    path = found.path
    number = 1
    while os.path.lexists(path / f"{CUT}{number}"):
        number += 1
    name = f"{CUT}{number}"
    # A first line that is restored is not in the log any more, so all of the old log is kept.
    start = 0 if _restored(found.survey) else found.survey.end
    with (path / LOG).open("rb") as log, (path / name).open("xb") as cut:
        log.seek(start)
        while data := log.read(CHUNK):
            cut.write(data)
        cut.flush()
        os.fsync(cut.fileno())
    sync_folder(path)
    return name
