"""The step that looks whether a bot ends when it should."""

from __future__ import annotations

from arena.check.diagnosis import tail
from arena.check.playing import Bench
from arena.check.result import Caution, Failure
from arena.check.trial import Trial
from arena.process.ending import Ending
from arena.referee.roster import GOODBYE_SECONDS

WITHIN = f"within {GOODBYE_SECONDS} seconds"


def ends(bench: Bench) -> str:
    """After bye, and when stdin is closed."""
    with bench.trial() as trial:
        trial.greet(bench.versions)
        ending = trial.say_goodbye()
        _expect(ending, trial, "after bye", "Leave the loop when a message bye has come")
    with bench.trial() as trial:
        trial.greet(bench.versions)
        ending = trial.close_stdin()
        _expect(
            ending,
            trial,
            "after its stdin was closed",
            "Leave the loop when reading gives nothing more: the referee has gone",
        )
    return "after bye, and when stdin is closed"


def _expect(ending: Ending | None, trial: Trial, when: str, remedy: str) -> None:
    if ending is None:
        raise Failure(
            f"a program that ends by itself {WITHIN} {when}",
            "it was still running",
            f"{remedy}; threads and children of the program must not keep it running",
            stderr=tail(trial.tap),
        )
    if ending.number:
        raise Caution(
            f"exit code 0 {when}",
            str(ending),
            f"{remedy}, and end without an error; the end of stderr may say what went wrong",
            stderr=tail(trial.tap),
        )
