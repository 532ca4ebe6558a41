"""Deals: where a game's cards come from, and a log of every shuffle for its record."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256, shake_256

from arena.games.deal import DealStream, block_key
from arena.games.game import Shuffler

SEED_PREFIX = b"arena seed 1"


@dataclass(frozen=True)
class Deals:
    """Where all deals of a match or a ladder come from: its secret and its name."""

    secret: bytes
    ladder: str

    def deal(self, block: int, rotation: int) -> Deal:
        """The deal of one game of a block."""
        return Deal(self.secret, self.ladder, block, rotation)


@dataclass(frozen=True)
class Deal:
    """The deal of a block, and which of the block's games it is.

    The games of a block share all cards; a bot's own randomness is another in each game.
    """

    secret: bytes
    ladder: str
    block: int
    rotation: int

    @property
    def stream(self) -> DealStream:
        """The shuffles."""
        return DealStream(self.secret, self.ladder, self.block)

    @property
    def secret_hash(self) -> str:
        """What is published of the secret before it is revealed."""
        return sha256(self.secret).hexdigest()

    def seed(self, seat: int) -> int:
        """The private seed of a seat: 32 bits of SHAKE-256 that nobody can guess."""
        key = block_key(SEED_PREFIX, self.secret, self.ladder, self.block)
        key += self.rotation.to_bytes(4, "big") + seat.to_bytes(4, "big")
        return int.from_bytes(shake_256(key).digest(4), "big")


class ShuffleLog:
    """Passes shuffles on and keeps them: labels, and the cards as they came out."""

    def __init__(self, source: Shuffler) -> None:
        self._source = source
        self.shuffles: list[tuple[tuple[int, ...], list[int]]] = []

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle, and remember."""
        self._source.shuffle(cards, *labels)
        self.shuffles.append((labels, list(cards)))
