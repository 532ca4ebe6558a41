"""The SDK's own msgpack, in plain Python: it reads and writes what the package does."""

from __future__ import annotations

import struct
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_sdk.plain_msgpack import Packer, unpackb

PACKAGE = msgpack.Packer()
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
EDGES = [
    sign * (1 << bits) + by
    for bits in (5, 7, 8, 15, 16, 31, 32, 62)
    for sign in (1, -1)
    for by in (-1, 0, 1)
]
EDGES += [-(1 << 63), (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
"""Where the width of an integer changes."""
INTEGERS = st.integers(min(EDGES), max(EDGES)) | st.sampled_from(EDGES)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.floats() | TEXTS,
    lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside),
    max_leaves=30,
)
LENGTHS = [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536]
"""On both sides of where the form of a length changes."""


def written(value: object) -> bytes:
    """What the SDK writes, which has to be what the package writes."""
    data = Packer().pack(value)
    assert data == PACKAGE.pack(value)
    return data


@given(VALUES)
def test_values_are_written_and_read_as_by_the_package(value: object) -> None:
    """A bot plays the same games with and without the package."""
    data = written(value)
    assert repr(unpackb(data)) == repr(msgpack.unpackb(data)) == repr(value)


@pytest.mark.parametrize("length", LENGTHS)
def test_long_texts_arrays_and_maps_are_written_and_read_as_by_the_package(length: int) -> None:
    """Every form of a length is right: a list of all legal actions can be long."""
    for value in ("x" * length, [1] * length, {str(at): at for at in range(length)}):
        assert unpackb(written(value)) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        *((bytes([0xCC + n]) + (5).to_bytes(1 << n, "big"), 5) for n in range(4)),
        *(
            (bytes([0xD0 + n]) + (251 - 256).to_bytes(1 << n, "big", signed=True), -5)
            for n in range(4)
        ),
        *((bytes([0xD9 + n]) + (2).to_bytes(1 << n, "big") + b"hi", "hi") for n in range(3)),
        *((bytes([0xDC + n]) + (1).to_bytes(2 << n, "big") + b"\x07", [7]) for n in range(2)),
        *(
            (bytes([0xDE + n]) + (1).to_bytes(2 << n, "big") + b"\xa1k\x07", {"k": 7})
            for n in range(2)
        ),
        (b"\xca" + struct.pack(">f", 1.5), 1.5),
        (b"\xcb" + struct.pack(">d", 0.1), 0.1),
    ],
)
def test_every_width_means_the_same(data: bytes, value: object) -> None:
    """The referee may take any width that msgpack has for a value."""
    assert unpackb(data) == msgpack.unpackb(data) == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x92\x01",
        b"\xa5four",
        b"\xce\x00\x00",
        b"\x01\x02",
        b"\xc1",
        b"\xa1\xff",
        b"\x81\x01\x01",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 100_000,
    ],
    ids=lambda data: data[:8].hex(),
)
def test_what_is_no_value_is_refused_by_both(data: bytes) -> None:
    """A frame that is cut or damaged is an error, not some other value."""
    for read in (unpackb, msgpack.unpackb):
        with pytest.raises(ValueError, match=r".*"):
            read(data)


@pytest.mark.parametrize("value", [{1, 2}, object(), [1j]])
def test_what_has_no_form_is_refused_by_both(value: Any) -> None:
    """An author who returns something strange learns it in both cases."""
    for pack in (Packer().pack, msgpack.Packer().pack):
        with pytest.raises(TypeError):
            pack(value)
    for pack in (Packer().pack, msgpack.Packer().pack):
        with pytest.raises(OverflowError):
            pack([1 << 64])
