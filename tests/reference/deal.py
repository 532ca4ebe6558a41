"""The deal stream a second time, read byte by byte from its description."""

from __future__ import annotations

from hashlib import shake_256
from itertools import count
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shuffler(Protocol):
    """Where chance comes from; the same labels give the same permutation, always."""

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Shuffle `cards` in place."""


class SlowDealStream:
    """All the chance of one block, from its key."""

    def __init__(self, key: bytes) -> None:
        """The key is 32 bytes."""
        self.key = key

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Fisher-Yates: from the last index down to 1, each card changes places with one below."""
        words = self.words(self.message(labels))
        for last in reversed(range(1, len(cards))):
            other = integer_below(last + 1, words)
            moved, cards[last] = cards[last], cards[other]
            cards[other] = moved

    def message(self, labels: tuple[int, ...]) -> bytes:
        """What is hashed, piece by piece."""
        message = bytearray(b"arena deal 2")
        message += self.key
        message += big_endian(len(labels), 4)
        for label in labels:
            message += big_endian(label, 4)
        return bytes(message)

    def words(self, message: bytes) -> Iterator[int]:
        """The bytes without end, as 32-bit words, the most significant byte first."""
        for number in count():
            start = 4 * number
            first, second, third, fourth = shake_256(message).digest(start + 4)[start:]
            yield ((first * 256 + second) * 256 + third) * 256 + fourth


def slow_key(purpose: str, *parts: bytes | str | int) -> bytes:
    """The key that follows from these values, in this order, for a purpose."""
    message = bytearray(purpose, "ascii")
    for part in parts:
        if isinstance(part, int):
            message += big_endian(part, 8)
        else:
            data = part.encode("utf-8") if isinstance(part, str) else part
            message += big_endian(len(data), 4)
            message += data
    return shake_256(bytes(message)).digest(32)


def big_endian(number: int, size: int) -> bytes:
    """A number as so many bytes, the most significant first."""
    return bytes(number // 256**place % 256 for place in reversed(range(size)))


def integer_below(n: int, words: Iterator[int]) -> int:
    """The next word that is less than the greatest multiple of n up to 2**32, modulo n."""
    multiple = 2**32 - 2**32 % n
    return next(word for word in words if word < multiple) % n
