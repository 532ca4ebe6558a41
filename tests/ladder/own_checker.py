"""A checker of logs that knows nothing of the arena but its documents.

It uses the standard library alone, and follows ladders/README.md: form, tree, secret, keys, seats.
It can also shuffle, so that whoever knows the rules of a game can play its games again.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256, shake_256
from struct import pack, unpack

NO_BEACON = bytes(32)


def hash_of(*parts: bytes) -> bytes:
    """The SHA-256 of these bytes."""
    return sha256(b"".join(parts)).digest()


def root(lines: list[bytes]) -> bytes:
    """The root of the tree over some lines, as RFC 6962 has it."""
    if not lines:
        return hash_of()
    if len(lines) == 1:
        return hash_of(b"\0", lines[0])
    half = 1 << (len(lines) - 1).bit_length() - 1
    return hash_of(b"\1", root(lines[:half]), root(lines[half:]))


def key(purpose: bytes, *parts: bytes | int) -> bytes:
    """The key that follows from these values."""
    text = purpose
    for part in parts:
        text += pack(">Q", part) if isinstance(part, int) else pack(">I", len(part)) + part
    return shake_256(text).digest(32)


def shuffle(cards: list[int], key: bytes, *labels: int) -> None:
    """Shuffle the cards as a block's key has them come out."""
    text = b"arena deal 2" + key + pack(f">{1 + len(labels)}I", len(labels), *labels)
    words = iter(unpack(">1024I", shake_256(text).digest(4096)))
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        word = next(word for word in words if word < limit)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def seated(contestants: list[int], rotation: int) -> list[int]:
    """Who sits where in a game of a block."""
    return contestants[rotation:] + contestants[:rotation]


def in_order(contestants: list[int], name: str, block: int) -> list[int]:
    """The contestants of a block as its design has them, before they were shuffled into seats."""
    places = list(range(len(contestants)))
    shuffle(places, key(b"arena stream 2", b"seating", name.encode(), block))
    group = [0] * len(contestants)
    for seat, place in enumerate(places):
        group[place] = contestants[seat]
    return group


def canonical(line: bytes) -> bool:
    """Whether the line is JSON in the one form that it may have."""
    value = json.loads(line)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() == line


def check(lines: list[bytes], head: str | None = None) -> str:
    """What is wrong with a closed log, or that all is well; `head` is the published one."""
    for number, line in enumerate(lines):
        if not canonical(line):
            return f"form of entry {number}"
    if head is not None and f"{len(lines)}:{root(lines).hex()}" != head:
        return "head"
    opened, *entries, closed = [json.loads(line) for line in lines]
    kinds = [entry["entry"] for entry in entries]
    if opened["entry"] != "open" or closed["entry"] != "close" or {"open", "close"} & {*kinds}:
        return "beginning or end"
    secret = bytes.fromhex(closed["secret"])
    if sha256(secret).hexdigest() != opened["commitment"]:
        return "secret"
    name = opened["contest"]["name"]
    beacon = NO_BEACON
    blocks = 0
    digests: list[str] = []
    playing: set[int] = set()
    for number, entry in enumerate(entries, 1):
        if entry["entry"] == "beacon":
            beacon = root(lines[: number + 1])
        elif entry["entry"] == "enter":
            playing -= {leaving["contestant"] for leaving in entry.get("leave", [])}
            for bot in entry.get("contestants", []):
                if bot["digest"] not in digests:
                    digests.append(bot["digest"])
                playing.add(digests.index(bot["digest"]))
        elif entry["entry"] == "stage":
            playing = set(entry.get("qualified", playing))
        elif entry["entry"] == "block":
            if entry["number"] != blocks:
                return f"number of block {blocks}"
            epoch = key(b"arena epoch 2", secret, name.encode(), beacon)
            block = key(b"arena block 2", epoch, blocks)
            attempt = key(b"arena attempt 2", block, entry.get("attempt", 0))
            if attempt.hex() != entry["key"]:
                return f"key of block {blocks}"
            group = in_order(entry["contestants"], name, blocks)
            if not playing.issuperset(group) or len({*group}) < len(group):
                return f"contestants of block {blocks}"
            if len(group) == len(playing) and group != sorted(playing):
                return f"seats of block {blocks}"
            blocks += 1
    return "holds"


if __name__ == "__main__":
    print(check(sys.stdin.buffer.read().splitlines(), *sys.argv[1:]))
