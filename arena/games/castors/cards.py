"""The cards of Gang de Castors: values 0 to 9 and three kinds of action cards."""

from __future__ import annotations

NINE = 9
SWAP = 10
PEEK = 11
DRAW = 12
KINDS = 13
"""Values are themselves; above nine come the action cards."""

PACK = (*(value for value in range(9) for _ in range(4)), *[9] * 9, *[SWAP] * 9, *[PEEK] * 7)
PACK = (*PACK, *[DRAW] * 5)
ROW = 4
"""Cards in a row."""
