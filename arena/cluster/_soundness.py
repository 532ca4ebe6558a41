"""The host's check of a result: whether the rules lead to it, on the cards of its block."""

from __future__ import annotations

from dataclasses import dataclass

from arena.blocks.block import Block, BlockResult
from arena.games.game import Game
from arena.records.difference import Difference
from arena.records.entries import Contest
from arena.records.game_record import GameRecord
from arena.referee.attempts import MOST
from arena.referee.replay import Replay
from arena.referee.verification import check_game


def unsound(result: BlockResult, block: Block, contest: Contest, game: Game) -> str:
    """Return why a result cannot be that of this block; "" if it can."""
    if len(result.games) != block.games or len(result.times.games) != block.games:
        return f"{len(result.games)} games, expected {block.games}"
    if not result.attempt == len(result.times.attempts) < MOST:
        return f"attempt {result.attempt}, with {len(result.times.attempts)} that were broken off"
    if result.times.first_game != block.first_game:
        return f"games from {result.times.first_game} on, expected {block.first_game}"
    seats = len(block.contestants)
    for number, played in enumerate(result.games):
        record = _record(result, block, number, contest)
        try:
            check_game(record, game)
        except Difference as difference:
            return str(difference)
        for fault in played.faults:
            if not fault.text.isprintable() and "\n" not in fault.text:
                return f"game {record.number}: a fault whose text has control characters"
        if len(result.times.games[number].paces) != seats:
            return f"game {record.number}: times of {len(result.times.games[number].paces)} seats"
    return ""


@dataclass(frozen=True)
class FirstDifference:
    """Where two results of a block part: in words, and who decided there."""

    text: str
    digest: str


def first_difference(
    one: BlockResult, other: BlockResult, block: Block, contest: Contest, game: Game
) -> FirstDifference:
    """Return where two sound results of a block differ first; one of them is looked at in full."""
    for number, (mine, theirs) in enumerate(zip(one.games, other.games, strict=True)):
        if mine == theirs:
            continue
        record = _record(one, block, number, contest)
        faults = set(mine.faults).symmetric_difference(theirs.faults)
        noted = dict(set(mine.notes).symmetric_difference(theirs.notes))
        pairs = zip(mine.actions, theirs.actions, strict=False)
        acted = next((at for at, (a, b) in enumerate(pairs) if list(a) != list(b)), None)
        places = [fault.decision for fault in faults] + list(noted)
        at = min(places if acted is None else [*places, acted], default=0)
        fault = next((each for each in faults if each.decision == at), None)
        where = f"game {block.first_game + number}, decision {at}"
        if fault is not None:
            return FirstDifference(f"{where}: {fault.verdict}", _digest(block, number, fault.seat))
        seat = next((step.seat for step in Replay(record, game).steps() if step.number == at), 0)
        return FirstDifference(where, _digest(block, number, seat))
    return FirstDifference("nothing", "")


def _record(result: BlockResult, block: Block, number: int, contest: Contest) -> GameRecord:
    key = block.deal(number, result.attempt).key
    return GameRecord(
        block.first_game + number,
        contest,
        "",
        block.number,
        number,
        result.attempt,
        key,
        range(len(block.contestants)),
        (),
        result.games[number],
    )


def _digest(block: Block, game: int, seat: int) -> str:
    return block.seated(game)[seat].digest
