"""The step that checks whether a bot ends when it should."""

from __future__ import annotations

from arena.check._playing import CheckedBot
from arena.check._result import Caution, Failure
from arena.check._trial import Trial
from arena.process.ending import Ending
from arena.referee.roster import GOODBYE_SECONDS

WITHIN = f"within {GOODBYE_SECONDS} seconds"


def ends(checked: CheckedBot) -> str:
    """Check that the bot ends after bye, and when its stdin is closed."""
    checked.tell("bye")
    with checked.trial() as trial:
        trial.greet()
        ending = trial.say_goodbye()
        _expect(ending, trial, "after bye", "Leave the loop when a message bye has come")
    checked.tell("end of stdin")
    with checked.trial() as trial:
        trial.greet()
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
            stderr=trial.stderr(),
        )
    if ending.number:
        raise Caution(
            f"exit code 0 {when}",
            str(ending),
            f"{remedy}, and end without an error; the end of stderr may say what went wrong",
            stderr=trial.stderr(),
        )
