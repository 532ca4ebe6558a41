"""A machine that is not as it should be: `python altered.py FILE worker ...`.

What its referees answer is altered before it leaves the machine, in the way that the file names.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from arena.blocks.block import BlockResult
from arena.cli import main
from arena.cluster import _messages as messages
from arena.cluster import _pipe
from arena.records.entries import Game, SeatFault
from arena.records.times import BrokenOff, Comparison

RARELY = float(os.environ.get("ALTERED", "1"))
"""The share of blocks of which it lies."""


def first_game(alter: Callable[[Game], Game]) -> Callable[[BlockResult], BlockResult]:
    """Return what alters the first game of a result."""
    return lambda result: replace(result, games=(alter(result.games[0]), *result.games[1:]))


def other_score(game: Game) -> Game:
    """Give the first seat a point more."""
    first, *others = game.scores
    return structs.replace(game, scores=(first + 1, *others))


def other_note(game: Game) -> Game:
    """Have a bot note what it never did: nothing in the rules is against it."""
    notes = {**dict(game.notes), len(game.actions) - 1: "forged"}
    return structs.replace(game, notes=tuple(sorted(notes.items())))


def other_move(game: Game) -> Game:
    """Exchange a move: the rules are against most of what follows."""
    middle = len(game.actions) // 2
    return structs.replace(game, actions=(*game.actions[:middle], *game.actions[middle - 1 :]))


def claimed_fault(game: Game) -> Game:
    """Say that the first seat did not start; its moves were not the default ones."""
    fault = SeatFault(seat=0, decision=0, verdict="start-failed", text="did not start")
    return structs.replace(game, faults=(fault,))


def accusation(result: BlockResult) -> BlockResult:
    """Say beside the result that somebody else was wrong."""
    forged = Comparison(machine="sound", differs="game 0", wrong=("sound",))
    return replace(result, times=structs.replace(result.times, compared=(forged,)))


STALL = BrokenOff(attempt=0, rotation=0, seat=-1, bot="", decision=0, seconds=1.0, stopped=1.0)

RESULTS = {
    "accuse": accusation,
    "stall": first_game(other_note),
    "score": first_game(other_score),
    "note": first_game(other_note),
    "note elsewhere named": first_game(other_note),
    "move": first_game(other_move),
    "fault": first_game(claimed_fault),
    "twice": lambda result: replace(result, number=result.number + 1),
}


def altered(how: str, answer: messages.Answer) -> messages.Answer:
    """Return what the host is told."""
    if isinstance(answer, messages.Traits):
        if how == "version":
            return structs.replace(answer, arena="0.0.1")
        if how == "rules":
            return structs.replace(answer, games={**answer.games, "gargon": "0"})
        if how == "name":
            return structs.replace(answer, machine="sound")
        if how == "note elsewhere named":
            return structs.replace(answer, machine="another")
        if how == "tool":
            return structs.replace(answer, python="3.0.0")
    if isinstance(answer, messages.Played) and how in RESULTS:
        results = [
            RESULTS[how](each) if random.random() < RARELY else each for each in answer.results
        ]
        return structs.replace(answer, results=tuple(results))
    return answer


def unseen(how: str, question: messages.Question) -> messages.Answer | None:
    """Return what the host is told without a look at what it has sent; None if it is looked at."""
    if isinstance(question, messages.Recheck):
        if how == "accuse the log":
            return messages.Rechecked(wrong=(3, ("game 1", "1", "2", "expected"), 1, None))
        if how == "defend the log":
            return messages.Rechecked(wrong=None)
    return None


def asked_for(how: str, question: messages.Question) -> messages.Question:
    """Return what its referees are asked for: blocks on the cards that follow a stall."""
    if isinstance(question, messages.Play) and how in ("stall", "other cards"):
        blocks = tuple(structs.replace(each, broken_off=(STALL,)) for each in question.blocks)
        return structs.replace(question, blocks=blocks)
    return question


def alter(how: Path) -> None:
    """Have every question and every answer altered on its way."""
    ask = _pipe.Referees.pass_on

    async def pass_on(self: _pipe.Referees, question: bytes) -> bytes:
        now, asked = how.read_text("ascii"), messages.read_question(question)
        if said := unseen(now, asked):
            return messages.written(said)
        question = messages.written(asked_for(now, asked))
        return messages.written(altered(now, messages.read_answer(await ask(self, question))))

    _pipe.Referees.pass_on = pass_on  # type: ignore[method-assign]


if __name__ == "__main__":
    alter(Path(sys.argv.pop(1)))
    main()
