"""The deal stream: shuffles that a checker in any language can reproduce.

A stream is keyed by a secret, the name of a ladder and the number of a block. A shuffle
within it is labelled by integers that the game chooses (which deal, which reshuffle). For
each shuffle, SHAKE-256 of

    "arena deal 1"
    length of the secret, the secret
    length of the ladder's name in UTF-8, the name
    the block's number (8 bytes)
    number of labels, each label

gives an endless stream of bytes (lengths, number and labels: 4 bytes; all integers
big-endian). They are read as 32-bit big-endian words. An integer below n is the next word
that is less than 2**32 - 2**32 mod n, modulo n. For i from the last index down to 1, the
card at i changes places with the card at an integer below i + 1 (Fisher-Yates).
"""

from __future__ import annotations

from hashlib import shake_256
from struct import Struct, unpack

WORD = 1 << 32
PREFIX = b"arena deal 1"
SPARE_WORDS = 4
_u32 = Struct(">I").pack
_LIMITS = tuple(WORD - WORD % n if n else 0 for n in range(257))


class DealStream:
    """The randomness of one block; immutable, so that copies of a state can share it."""

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, ladder: str, block: int) -> None:
        self._key = block_key(PREFIX, secret, ladder, block)

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle `cards` (256 at most) in place; the same labels give the same permutation."""
        source = shake_256(self._key + _u32(len(labels)) + b"".join(map(_u32, labels)))
        count = len(cards) + SPARE_WORDS
        words = unpack(f">{count}I", source.digest(4 * count))
        at = 0
        for i in range(len(cards) - 1, 0, -1):
            word = words[at]
            at += 1
            while word >= _LIMITS[i + 1]:  # about once in a million shuffles
                if at == count:
                    count *= 2
                    words = unpack(f">{count}I", source.digest(4 * count))
                word = words[at]
                at += 1
            j = word % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def block_key(prefix: bytes, secret: bytes, ladder: str, block: int) -> bytes:
    """Return the key from which a block's randomness derives; each purpose has its own prefix."""
    name = ladder.encode()
    block_bytes = block.to_bytes(8, "big")
    return b"".join((prefix, _u32(len(secret)), secret, _u32(len(name)), name, block_bytes))
