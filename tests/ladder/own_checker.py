"""A checker of exports that knows nothing of the arena but its documents.

It uses the standard library alone, and follows ladders/README.md: chain, secret, deals, seats.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256, shake_256
from struct import pack, unpack
from typing import Any


def shuffled(
    cards: list[int], secret: bytes, ladder: str, block: int, labels: list[int]
) -> list[int]:
    """The cards as the secret has them come out."""
    name = ladder.encode()
    key = b"arena deal 1" + pack(">I", len(secret)) + secret + pack(">I", len(name)) + name
    key += pack(">Q", block) + pack(">I", len(labels)) + b"".join(pack(">I", n) for n in labels)
    words = iter(unpack(">1024I", shake_256(key).digest(4096)))
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        word = next(word for word in words if word < limit)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def canonical(value: Any) -> bytes:
    """JSON as it is hashed."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def check(lines: list[bytes]) -> str:
    """What is wrong, or that all is well."""
    head, *games, tail = [json.loads(line) for line in lines]
    secret = bytes.fromhex(head["secret"])
    if sha256(secret).hexdigest() != head["secret_sha256"]:
        return "secret"
    previous = sha256(canonical(head["terms"])).hexdigest()
    seats: dict[int, list[str]] = {}
    for game in games:
        bare = {key: value for key, value in game.items() if key != "hash"}
        if game["previous"] != previous or sha256(canonical(bare)).hexdigest() != game["hash"]:
            return f"chain at game {game['number']}"
        previous = game["hash"]
        deal = game["deal"]
        name = deal["ladder"]
        if deal["attempt"]:
            name += f" attempt {deal['attempt']}"
        for labels, cards in game["shuffles"]:
            if labels[1:] in ([], [0]):  # a deal: before it the cards were in ascending order
                before = sorted(cards)
                if shuffled(before, secret, name, deal["block"], labels) != cards:
                    return f"deal of game {game['number']}"
        names = [bot["name"] for bot in game["bots"]]
        if deal["rotation"] == 0:
            seats[deal["block"]] = names
        turn = deal["rotation"]
        first = seats[deal["block"]]
        if names != first[turn:] + first[:turn]:
            return f"seats of game {game['number']}"
    if tail["last_hash"] != previous or tail["games"] != len(games):
        return "end"
    return "holds"


if __name__ == "__main__":
    print(check(sys.stdin.buffer.read().splitlines()))
