"""The deal stream: shuffles that a checker in any language can reproduce.

A stream has a key of 32 bytes. A shuffle within it is labelled by integers that the game
chooses (which deal, which reshuffle). For each shuffle, SHAKE-256 of

    "arena deal 2"
    the key
    number of labels, each label

gives an endless stream of bytes (number and labels: 4 bytes; all integers big-endian). They are
read as 32-bit big-endian words. An integer below n is the next word that is less than
2**32 - 2**32 mod n, modulo n. For i from the last index down to 1, the card at i changes places
with the card at an integer below i + 1 (Fisher-Yates).
"""

from __future__ import annotations

from hashlib import shake_256
from struct import Struct, unpack

WORD = 1 << 32
PREFIX = b"arena deal 2"
KEY_BYTES = 32
SPARE_WORDS = 4
_u32 = Struct(">I").pack
_LIMITS = tuple(WORD - WORD % n if n else 0 for n in range(257))


class DealStream:
    """The randomness of one block; immutable, so that copies of a state can share it."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = PREFIX + key

    @classmethod
    def of(cls, *parts: bytes | str | int) -> DealStream:
        """Return the stream that these values name: a seed, say, and a number."""
        return cls(derived_key(b"arena stream 2", *parts))

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


def derived_key(purpose: bytes, *parts: bytes | str | int) -> bytes:
    """Return the key that follows from these values, from which none of them can be found.

    It is the first 32 bytes of SHAKE-256 of the purpose and the parts. A text is its UTF-8; it
    and bytes come after their length in 4 bytes, and an integer is 8 bytes, big-endian.
    """
    source = shake_256(purpose)
    for part in parts:
        if isinstance(part, int):
            source.update(part.to_bytes(8, "big"))
            continue
        data = part.encode() if isinstance(part, str) else part
        source.update(_u32(len(data)) + data)
    return source.digest(KEY_BYTES)
