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
    """All the chance of one block of one ladder."""

    def __init__(self, secret: bytes, ladder: str, block: int) -> None:
        """The three keys of the stream."""
        self.secret = secret
        self.ladder = ladder
        self.block = block

    def shuffle(self, cards: list[int], *labels: int) -> None:
        """Fisher-Yates: from the last index down to 1, each card changes places with one below."""
        words = self.words(self.message(labels))
        for last in reversed(range(1, len(cards))):
            other = integer_below(last + 1, words)
            moved, cards[last] = cards[last], cards[other]
            cards[other] = moved

    def message(self, labels: tuple[int, ...]) -> bytes:
        """What is hashed, piece by piece."""
        name = self.ladder.encode("utf-8")
        message = bytearray(b"arena deal 1")
        message += big_endian(len(self.secret), 4)
        message += self.secret
        message += big_endian(len(name), 4)
        message += name
        message += big_endian(self.block, 8)
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


def big_endian(number: int, size: int) -> bytes:
    """A number as so many bytes, the most significant first."""
    return bytes(number // 256**place % 256 for place in reversed(range(size)))


def integer_below(n: int, words: Iterator[int]) -> int:
    """The next word that is less than the greatest multiple of n up to 2**32, modulo n."""
    multiple = 2**32 - 2**32 % n
    return next(word for word in words if word < multiple) % n
