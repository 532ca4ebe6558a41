"""Results that wait for those of earlier blocks, as the log takes them in order. Pure.

Where a thousand machines play and one of them is late, ten thousand results may wait for it. As
bytes they need an eighth of the memory.
"""

from __future__ import annotations

from heapq import heappop, heappush

import msgspec

from arena.blocks.block import BlockResult

ROOM = 256
"""Results that wait as they are; more of them wait as bytes."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(BlockResult)


class Shelf:
    """Takes results in any order, and gives them out in that of their blocks."""

    def __init__(self) -> None:
        self._order: list[int] = []
        """The numbers of their blocks: a heap."""
        self._results: dict[int, BlockResult | bytes] = {}

    def __len__(self) -> int:
        return len(self._order)

    def add(self, result: BlockResult) -> None:
        """Keep a result."""
        heappush(self._order, result.number)
        full = len(self._results) >= ROOM
        self._results[result.number] = _encoder.encode(result) if full else result

    def take(self, oldest: int | None) -> list[BlockResult]:
        """Return the results of all blocks before the oldest under way; all if none is."""
        found = []
        while self._order and (oldest is None or self._order[0] < oldest):
            kept = self._results.pop(heappop(self._order))
            found.append(_decoder.decode(kept) if isinstance(kept, bytes) else kept)
        return found
