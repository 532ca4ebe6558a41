"""The journal of a comparison: a file with what is compared, and a line for every deal played.

It lies in the user's directory for logs, under a name that follows from what is compared. So
the same command finds it again, and goes on where it was left, however it ended.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from types import TracebackType
from typing import BinaryIO, Literal, TypeVar

from msgspec import json

from arena.errors import ArenaError
from arena.games.game import Rules
from arena.programs.places import state_home
from arena.records.canonical import canonical_bytes
from arena.records.codec import read_form
from arena.records.difference import Difference, malformed
from arena.records.entries import Contestant, Count, Form, Hexadecimal, Score, TimeControl
from arena.workbench.designs import Design

FORMAT: Literal[1] = 1
SECRET_BYTES = 16
NAMED = 12
"""How many digits of the digest are in the file's name."""

T = TypeVar("T")


class JournalError(ArenaError):
    """A journal that cannot be used; the text says why, and what to do."""


class Question(Form, frozen=True, kw_only=True):
    """What is compared, and on what terms: all that decides how the games go."""

    format: Literal[1] = FORMAT
    game: str
    version: str
    """The version of the game's rules."""
    rules: Rules
    tables: tuple[int, ...]
    time: TimeControl
    limits: dict[str, Count]
    sandbox: str
    design: Design | None
    """None if a pilot chooses it."""
    new: Contestant
    old: Contestant
    field: tuple[Contestant, ...]
    seed: str | None
    """The seed of the deals, None if a secret is drawn."""

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        """All that play, by their numbers at the table."""
        return (self.new, self.old, *self.field)


class Beginning(Form, frozen=True, kw_only=True):
    """The first line of a journal."""

    question: Question
    secret: Hexadecimal | None = None
    """What the deals come from, if that is not the seed of the question."""


class GamePlayed(Form, frozen=True, kw_only=True):
    """What counts of a game, by seat."""

    scores: tuple[Score, ...]
    places: tuple[int, ...]
    faulty: tuple[int, ...] = ()
    """The seats with a fault."""


class DealPlayed(Form, frozen=True, kw_only=True):
    """The games of a deal."""

    number: Count
    games: tuple[GamePlayed, ...]


_beginning = json.Decoder(Beginning)
_deals = json.Decoder(DealPlayed)


def journal_path(question: Question) -> Path:
    """Return where the journal of this question lies."""
    identity = sha256(canonical_bytes(question)).hexdigest()[:NAMED]
    name = f"{question.new.name}-{question.old.name}-{identity}.jsonl"
    return state_home() / "compare" / name


class Journal:
    """An open journal. While it is open, no other comparison can write to it."""

    def __init__(self, question: Question, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        self.question = question
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _hold(path)
        self.deals: list[DealPlayed] = []
        """The deals that were played when it was opened."""
        try:
            if fresh:
                self._file.truncate(0)
            secret = self._read()
            self.secret = self._begin() if secret is None else secret
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def write(self, deal: DealPlayed) -> None:
        """Add a deal; it is kept even if this process is killed."""
        self._write(deal)

    def _begin(self) -> bytes:
        """Write the first line; return the secret of the deals."""
        drawn = token_bytes(SECRET_BYTES) if self.question.seed is None else None
        begun = Beginning(question=self.question, secret=None if drawn is None else drawn.hex())
        self._write(begun)
        return _secret_of(begun)

    def _read(self) -> bytes | None:
        """Read what is there, and cut off what was not written to its end.

        Return the secret, None if not even the first line is whole.
        """
        secret = None
        end = 0
        self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            with self._explained(end):
                if secret is None:
                    begun = _read_line(line, _beginning)
                    if begun.question != self.question:
                        raise JournalError(
                            f"{self.path}: is of another comparison; begin anew with --fresh"
                        )
                    secret = _secret_of(begun)
                else:
                    self.deals.append(self._deal(line))
            end += len(line)
        self._file.truncate(end)
        return secret

    def _deal(self, line: bytes) -> DealPlayed:
        deal = _read_line(line, _deals)
        if deal.number != len(self.deals):
            raise malformed("number", str(deal.number), f"{len(self.deals)}, the next deal")
        return deal

    @contextmanager
    def _explained(self, start: int) -> Iterator[None]:
        try:
            yield
        except Difference as found:
            raise JournalError(
                f"{self.path}: what stands at byte {start} is not what was written ({found}); "
                "begin anew with --fresh"
            ) from None

    def _write(self, line: Form) -> None:
        self._file.write(canonical_bytes(line) + b"\n")
        self._file.flush()


def _secret_of(begun: Beginning) -> bytes:
    """Return what the deals of a comparison come from."""
    if begun.secret is not None:
        return bytes.fromhex(begun.secret)
    return (begun.question.seed or "").encode()


def _read_line(line: bytes, decoder: json.Decoder[T]) -> T:
    return read_form(line[:-1], decoder)


def _hold(path: Path) -> BinaryIO:
    """Open a journal to append to it; raise `JournalError` if another process has done so."""
    file = path.open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise JournalError(
            f"{path}: the same two are being compared by another process; wait for its end"
        ) from None
    os.set_inheritable(file.fileno(), False)
    return file
