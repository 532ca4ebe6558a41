"""Encode and decode messages as msgpack. No other module uses the msgpack libraries.

`decode` accepts only the protocol's types: nil, booleans, integers, floats, UTF-8 texts,
arrays and maps with text keys, nested at most 16 deep. `ormsgpack` takes less than half the
time, so `encode` and `glance` use it; `msgpack` tells what is wrong, so `decode` uses that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgpack
import ormsgpack

DEEPEST: Final = 16
SCALARS = frozenset({int, str, bool, float, type(None)})

encode: Callable[[dict[str, Any]], bytes] = ormsgpack.packb
"""Return a message as msgpack."""


class CodecError(ValueError):
    """Bytes that are not one value of the protocol's types."""


def decode(data: bytes | bytearray | memoryview) -> dict[str, Any]:
    """Return the map in these bytes; raise `CodecError` if there is none."""
    try:
        value = msgpack.unpackb(data, strict_map_key=False)
    except msgpack.ExtraData as error:
        raise CodecError(f"expected one msgpack map, got {len(error.extra)} bytes more") from None
    except UnicodeDecodeError:
        raise CodecError("expected texts in UTF-8, got other bytes") from None
    except msgpack.exceptions.StackError:
        raise CodecError(f"expected at most {DEEPEST} levels of nesting, got more") from None
    except Exception:  # noqa: BLE001 - the library's messages change with its version
        raise CodecError("expected one msgpack map, got bytes that are not msgpack") from None
    if type(value) is not dict:
        raise CodecError(f"expected one msgpack map, got {kind_of(value)}")
    check_types(value, DEEPEST)
    return value


def glance(data: bytes) -> Any:
    """Return the value in these bytes, unchecked; None if they cannot be decoded."""
    try:
        return ormsgpack.unpackb(data)
    except ValueError:  # `decode` says what is wrong
        return None


def check_types(value: Any, levels: int) -> None:
    """Raise `CodecError` if a map or an array holds types that the protocol does not have.

    Do so too if it is nested deeper than `levels`.
    """
    if levels == 0:
        raise CodecError(f"expected at most {DEEPEST} levels of nesting, got more")
    items = value
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                raise CodecError(f"expected texts as keys of maps, got {kind_of(key)}")
        items = value.values()
    for item in items:
        kind = type(item)
        if kind is list or kind is dict:
            check_types(item, levels - 1)
        elif kind not in SCALARS:
            raise CodecError(
                f"expected nil, booleans, numbers, texts, arrays and maps, got {kind_of(item)}"
            )


def kind_of(value: object) -> str:
    """Return what kind of value this is, in the words of the protocol."""
    kinds = {
        bool: "a boolean",
        int: "an integer",
        float: "a float",
        str: "a text",
        list: "an array",
        dict: "a map",
        bytes: "binary data",
    }
    return "nil" if value is None else kinds.get(type(value), "an extension type")
