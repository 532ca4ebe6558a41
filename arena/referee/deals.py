"""Deals: where a game's cards come from. All follow one way from the secret of a ladder or match.

    epoch    = key("arena epoch 2", secret, name, beacon)
    block    = key("arena block 2", epoch, number of the block)
    attempt  = key("arena attempt 2", block, number of the attempt)

`key` is `derived_key` in `arena.games.deal`; the beacon is the root of the log up to the last
entry `beacon`, 32 bytes, all zero before there is one. The block's entry in the log has the key
of the attempt that counts. So who plays a block, or reads it later, learns nothing of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from arena.games.deal import DealStream, derived_key
from arena.records.ledger import NO_BEACON

EPOCH, BLOCK, ATTEMPT = b"arena epoch 2", b"arena block 2", b"arena attempt 2"
SEED, SEATS = b"arena seed 2", b"arena seats 2"


@dataclass(frozen=True)
class Deals:
    """Where all deals of a match, or of an epoch of a ladder, come from."""

    epoch: bytes

    @classmethod
    def of(cls, secret: bytes, name: str, beacon: str = NO_BEACON) -> Deals:
        """Return the deals of the ladder or match of this name that follow this beacon."""
        return cls(derived_key(EPOCH, secret, name, bytes.fromhex(beacon)))

    def block(self, number: int) -> BlockDeals:
        """Return the deals of one block."""
        return BlockDeals(derived_key(BLOCK, self.epoch, number))


@dataclass(frozen=True)
class BlockDeals:
    """The deals of all attempts at one block: all that a machine needs to play it."""

    key: bytes

    def deal(self, rotation: int, attempt: int = 0) -> Deal:
        """Return the deal of one game of the block."""
        return Deal(derived_key(ATTEMPT, self.key, attempt), rotation, attempt)


@dataclass(frozen=True)
class Deal:
    """The deal of a block, and which of the block's games it is.

    The games of a block share all cards; the seeds of the bots differ in each game.
    """

    key: bytes
    rotation: int
    attempt: int = 0
    """How often the block was broken off before: each attempt has cards and seeds of its own."""

    @property
    def stream(self) -> DealStream:
        """The shuffles of the block."""
        return DealStream(self.key)

    def seed(self, seat: int) -> int:
        """Return the private seed of a seat: 32 bits that nobody can guess."""
        return int.from_bytes(derived_key(SEED, self.key, self.rotation, seat)[:4], "big")

    def order(self, seats: int) -> list[int]:
        """Return the order in which the bots of a match sit down to the first game of the block."""
        order = list(range(seats))
        DealStream(derived_key(SEATS, self.key)).shuffle(order)
        return order


def commitment(secret: bytes) -> str:
    """Return the hash of a secret, which is published before the secret is revealed."""
    return sha256(secret).hexdigest()
