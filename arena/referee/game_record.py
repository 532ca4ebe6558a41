"""The record of a game that was just played."""

from __future__ import annotations

from collections.abc import Sequence

from arena.programs.contestant import Contestant
from arena.records.record import FORMAT, Record
from arena.referee.deals import Deal
from arena.referee.table import Played
from arena.referee.terms import Terms


def make_record(
    number: int,
    terms: Terms,
    label: str,
    deal: Deal,
    seated: Sequence[Contestant],
    played: Played,
) -> Record:
    """Return the record of a game, not yet chained; `label` says what locked the bots up."""
    return {
        "format": FORMAT,
        "number": number,
        "game": terms.game.name,
        "version": terms.game.version,
        "rules": terms.rules,
        "deal": {
            "ladder": deal.ladder,
            "block": deal.block,
            "rotation": deal.rotation,
            "attempt": deal.attempt,
            "secret_sha256": deal.secret_hash,
        },
        "bots": [contestant.as_map() for contestant in seated],
        "time": terms.control.as_map(),
        "sandbox": label,
        "shuffles": played.shuffles,
        "actions": played.actions,
        "notes": {str(decision): note for decision, note in played.notes.items()},
        "faults": [
            {"seat": f.seat, "decision": f.decision, "verdict": f.verdict, "text": f.text}
            for f in played.faults
        ],
        "scores": played.scores,
        "places": played.places,
        "verdicts": played.verdicts,
    }
