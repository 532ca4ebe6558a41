"""The tree of a log: the roots that are known of RFC 6962's trees, and those of a plain reading."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.tree import Tree

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
LEAVES.append("606162636465666768696a6b6c6d6e6f")
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Of no leaves, of the first, of the first two …: Certificate Transparency's own test vectors."""


def plain_root(lines: list[bytes]) -> bytes:
    """The root as RFC 6962 has it in section 2.1, word by word."""
    n = len(lines)
    if n == 0:
        return sha256(b"").digest()
    if n == 1:
        return sha256(b"\x00" + lines[0]).digest()
    k = 1
    while 2 * k < n:
        k *= 2
    return sha256(b"\x01" + plain_root(lines[:k]) + plain_root(lines[k:])).digest()


def test_the_roots_are_those_of_the_standard() -> None:
    """The eight leaves that every implementation is tested with have the known roots."""
    tree = Tree()
    assert tree.root == ROOTS[0]
    for leaf, root in zip(LEAVES, ROOTS[1:], strict=True):
        tree.add(bytes.fromhex(leaf))
        assert tree.root == root


@given(st.lists(st.binary(max_size=9), max_size=70))
def test_every_beginning_has_the_root_of_a_plain_reading(lines: list[bytes]) -> None:
    """The root after each line is that of the tree over all lines up to there."""
    tree = Tree()
    for size, line in enumerate(lines):
        assert tree.size == size
        assert tree.root == plain_root(lines[:size]).hex()
        assert tree.add(line) == sha256(b"\x00" + line).digest()
    assert tree.root == plain_root(lines).hex()


@given(st.lists(st.binary(max_size=9), max_size=40), st.lists(st.binary(max_size=9), max_size=40))
def test_a_tree_goes_on_from_its_peaks(before: list[bytes], after: list[bytes]) -> None:
    """What a store has kept of a long log is all that the next line needs."""
    tree = Tree()
    for line in before:
        tree.add(line)
    tree = Tree.restored(tree.size, tree.peaks())
    assert tree.root == plain_root(before).hex()
    for line in after:
        tree.add(line)
    assert tree.root == plain_root(before + after).hex()


def test_peaks_of_another_size_are_refused() -> None:
    """A tree of five lines has two peaks."""
    with pytest.raises(ValueError, match="expected 2 peaks of 5 lines, got 1"):
        Tree.restored(5, ["00" * 32])
