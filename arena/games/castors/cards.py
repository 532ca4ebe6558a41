"""The cards of Gang de Castors: values 0 to 9 and three kinds of action cards."""

from __future__ import annotations

from typing import Final

NINE: Final = 9
SWAP: Final = 10
PEEK: Final = 11
DRAW: Final = 12
KINDS: Final = 13
"""How many kinds of cards there are. A value card is its value; action cards are above nine."""

PACK = (*(value for value in range(9) for _ in range(4)), *[9] * 9, *[SWAP] * 9, *[PEEK] * 7)
PACK = (*PACK, *[DRAW] * 5)
ROW: Final = 4
"""Cards in a row."""
