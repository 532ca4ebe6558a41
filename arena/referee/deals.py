"""Deals: where a game's cards come from, and a log of every shuffle for its record."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256, shake_256

from arena.games.deal import DealStream, block_key
from arena.games.game import Shuffler

SEED_PREFIX = b"arena seed 1"


@dataclass(frozen=True)
class Deals:
    """Where all deals of a match or a ladder come from: its secret and its name."""

    secret: bytes
    ladder: str

    def deal(self, block: int, rotation: int, attempt: int = 0) -> Deal:
        """Return the deal of one game of a block."""
        return Deal(self.secret, self.ladder, block, rotation, attempt=attempt)


@dataclass(frozen=True)
class Deal:
    """The deal of a block, and which of the block's games it is.

    The games of a block share all cards; the seeds of the bots differ in each game.
    """

    secret: bytes
    ladder: str
    block: int
    rotation: int
    attempt: int = field(default=0, kw_only=True)
    """How often the block was broken off before: each attempt has cards and seeds of its own."""

    @property
    def stream(self) -> DealStream:
        """The shuffles of the block."""
        return DealStream(self.secret, self._name, self.block)

    @property
    def _name(self) -> str:
        """What stands for the ladder's name; no ladder's name has a space."""
        return f"{self.ladder} attempt {self.attempt}" if self.attempt else self.ladder

    @property
    def secret_hash(self) -> str:
        """The SHA-256 of the secret, published before the secret is revealed."""
        return sha256(self.secret).hexdigest()

    def seed(self, seat: int) -> int:
        """Return the private seed of a seat: 32 bits of SHAKE-256 that nobody can guess."""
        key = block_key(SEED_PREFIX, self.secret, self._name, self.block)
        key += self.rotation.to_bytes(4, "big") + seat.to_bytes(4, "big")
        return int.from_bytes(shake_256(key).digest(4), "big")


class ShuffleLog:
    """Shuffles with another shuffler, and keeps the labels and the shuffled cards."""

    def __init__(self, source: Shuffler) -> None:
        self._source = source
        self.shuffles: list[tuple[tuple[int, ...], list[int]]] = []

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle, and keep the result."""
        self._source.shuffle(cards, *labels)
        self.shuffles.append((labels, list(cards)))
