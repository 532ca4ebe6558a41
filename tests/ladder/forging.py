"""A host who forges a ladder: he has its log and its secret, and makes everything fit again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from arena.discovery import discover
from arena.games.deal import DealStream
from arena.games.game import Action, Game, State
from arena.ladder.margins import scale_of
from arena.ladder.published import published, standings_path
from arena.ladder.scorebook import Scorebook
from arena.records.canonical import canonical_bytes
from arena.records.codec import read_entry
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, SeatFault
from arena.records.game_record import rotated
from arena.records.ledger import Ledger
from arena.records.tree import Tree
from arena.referee.deals import Deals, commitment
from arena.referee.table import places

Json = dict[str, Any]
Wanted = Callable[[list[int]], bool]
"""What the host wants of the places by seat."""
TRIES = 1000


@cache
def games() -> dict[str, Game]:
    """The installed games by name."""
    return discover({}).games


class Forgery:
    """The entries of a closed ladder, which can be changed at will, and its standings."""

    def __init__(self, lines: Sequence[bytes], standings: bytes) -> None:
        self.entries: list[Json] = [json.loads(line) for line in lines]
        self.secret = bytes.fromhex(self.entries[-1]["secret"])
        self.standings: Json = json.loads(standings)

    def copy(self) -> Forgery:
        """Entries that can be changed without these."""
        return deepcopy(self)

    # Looking

    @property
    def contest(self) -> Json:
        """What is played, on what terms."""
        found: Json = self.entries[0]["contest"]
        return found

    @property
    def budget(self) -> Json:
        """The budget that stands in the log before the first block."""
        return next(e["budget"] for e in self.entries if "budget" in e)

    def find(self, kind: str) -> list[Json]:
        """All entries of this kind."""
        return [entry for entry in self.entries if entry["entry"] == kind]

    @property
    def blocks(self) -> list[Json]:
        """The blocks in their order."""
        return self.find("block")

    @property
    def bots(self) -> list[Json]:
        """All contestants by number."""
        return [bot for entry in self.find("enter") for bot in entry.get("contestants", [])]

    def number(self, name: str) -> int:
        """The number of a contestant."""
        return [bot["name"] for bot in self.bots].index(name)

    def ranked(self) -> list[int]:
        """The contestants' numbers, as the published standings have them."""
        return [self.number(row["bot"]) for row in self.standings["standings"]]

    def seat(self, block: Json, rotation: int, contestant: int) -> int:
        """The seat of a contestant in a game."""
        return rotated(block["contestants"], rotation).index(contestant)

    def first_with(self, contestant: int, *, places: Callable[[int], bool]) -> tuple[Json, int]:
        """The first block and rotation in which a contestant has such a place."""
        for block in self.blocks:
            for rotation, game in enumerate(block["games"]):
                if contestant in block["contestants"]:
                    seat = self.seat(block, rotation, contestant)
                    if places(game["places"][seat]) and not game.get("faults"):
                        return block, rotation
        raise AssertionError("no such game")

    # Changing

    def insert(self, at: int, entry: Json) -> None:
        """Insert an entry before the one that is there; -1 is before `close`."""
        self.entries.insert(at, entry)

    def cut(self, blocks: int) -> None:
        """Cut off everything after so many blocks."""
        at = self.entries.index(self.blocks[blocks - 1])
        del self.entries[at + 1 :]

    def close(self, reason: str = "budget") -> None:
        """End with an entry `close`."""
        self.entries.append({"entry": "close", "reason": reason, "secret": self.secret.hex()})

    def deal_again(self, block: Json, attempt: int = 0) -> None:
        """Deal a block anew, with the key that its attempt has, and let chance play it."""
        block.pop("attempt", None)
        if attempt:
            block["attempt"] = attempt
        deals = Deals.of(self.secret, self.contest["name"])
        block["key"] = deals.block(block["number"]).deal(0, attempt).key.hex()
        for rotation in range(len(block["games"])):
            self.play_again(block, rotation)

    def play_again(
        self,
        block: Json,
        rotation: int,
        wanted: Wanted = lambda _: True,
        fault: tuple[int, int, str] | None = None,
    ) -> None:
        """Let chance play a game on the block's cards until its places are as wanted.

        A `fault` (seat, decision, verdict) keeps what was played before it.
        """
        before = block["games"][rotation]
        for seed in range(TRIES):
            game = self._played(block, before, Random(seed), fault)
            if wanted(game["places"]):
                block["games"][rotation] = game
                return
        raise AssertionError("no such game was found")

    def _played(
        self, block: Json, before: Json, random: Random, fault: tuple[int, int, str] | None
    ) -> Json:
        state = self.start(block)
        actions: list[Action] = []
        while not state.over:
            number = len(actions)
            if fault is not None and number < fault[1]:
                action = state.check(before["actions"][number])
            elif fault is not None and state.turn == fault[0]:
                action = state.default()
            else:
                action = random.choice(state.actions())
            state.apply(action)
            actions.append(action)
        faults = []
        if fault is not None:
            seat, decision, verdict = fault
            faults = [{"seat": seat, "decision": decision, "verdict": verdict, "text": "late"}]
        return self.scored({"actions": actions, "faults": faults}, state)

    def start(self, block: Json) -> State:
        """The beginning of a game on the cards of a block."""
        contest = self.contest
        stream = DealStream(bytes.fromhex(block["key"]))
        seats = len(block["contestants"])
        return games()[contest["game"]].start(seats, contest["rules"], stream)

    def end(self, block: Json, rotation: int) -> State:
        """The end of a game."""
        state = self.start(block)
        for action in block["games"][rotation]["actions"]:
            state.apply(state.check(action))
        return state

    def scored(self, game: Json, state: State) -> Json:
        """A game with the scores and places that it comes to."""
        faults = game.get("faults") or []
        found = {key: value for key, value in game.items() if key != "faults" or value}
        found["scores"] = state.scores()
        typed = [SeatFault(**fault) for fault in faults]
        found["places"] = places(games()[self.contest["game"]], found["scores"], typed)
        return found

    # Making it fit

    def lines(self) -> list[bytes]:
        """The entries as lines."""
        return [canonical_bytes(entry) for entry in self.entries]

    def publish(self) -> None:
        """Make the standings those that the entries come to, as far as they can be read."""
        ledger = Ledger()
        blocks: list[BlockPlayed] = []
        try:
            for line in self.lines():
                entry = read_entry(line)
                ledger.follow(line, entry)
                if isinstance(entry, BlockPlayed):
                    blocks.append(entry)
        except Difference:
            return
        book = Scorebook(len(ledger.contestants), scale_of(games()[ledger.contest.game]))
        for block in blocks:
            if block.number in ledger.annulled:
                book.leave_out()
            else:
                book.add_block(block, stage=ledger.stages.of(block.number))
        self.standings = json.loads(canonical_bytes(published(ledger, book)))

    def new_secret(self, secret: bytes) -> None:
        """Take another secret, and let everything be dealt and played again."""
        self.secret = secret
        self.entries[0]["commitment"] = commitment(secret)
        for block in self.blocks:
            self.deal_again(block)
        if self.entries[-1]["entry"] == "close":
            self.entries[-1]["secret"] = secret.hex()

    def head(self) -> str:
        """The head, as it is published."""
        return head_of(self.lines())

    def write(self, folder: Path) -> Path:
        """Write the log and its standings to this folder."""
        return write(folder, self.lines(), canonical_bytes(self.standings))


def head_of(lines: Sequence[bytes]) -> str:
    """The size and the root of a log."""
    tree = Tree()
    for line in lines:
        tree.add(line)
    return f"{tree.size}:{tree.root}"


def write(folder: Path, lines: Sequence[bytes], standings: bytes | None = None) -> Path:
    """Write these lines as a log, and the standings beside it."""
    path = folder / "x.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    if standings is not None:
        standings_path(path).write_bytes(standings + b"\n")
    return path


def new_key(text: str) -> str:
    """A key that comes from nothing but this text."""
    return sha256(text.encode()).hexdigest()
