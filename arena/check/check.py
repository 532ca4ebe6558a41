"""The check: steps in order, each run only if the step that it needs has passed.

A bot is checked for all that games can ask of it, or for what one ladder asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from arena.check._diagnosis import HELLO, IN_TIME, STARTS, STDOUT
from arena.check._endings import ends
from arena.check._memory import forgets
from arena.check._playing import (
    Announce,
    CheckedBot,
    ignores_unknown,
    plays,
    reads_large,
    starts,
    survives,
    times,
)
from arena.check._result import FAIL, NOT_RUN, PASS, WARN, Caution, Failure, Result
from arena.check._setting import CheckedGame
from arena.games.game import Game
from arena.programs.spec import BotSpec
from arena.records.entries import TimeControl
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import UNCONFINED, Sandbox

UNKNOWN = "passes over what it does not know"
LARGE = "reads large messages"
ENDS = "ends when told"


@dataclass(frozen=True)
class CheckStep:
    """A step; `act` returns a detail or raises `Failure`, and `needs` names another step."""

    name: str
    act: Callable[[], str]
    needs: str = ""
    keeps_failures: bool = False
    """Whether failures stay with this step, even those that belong to another one."""


class Check:
    """All steps for one bot."""

    def __init__(
        self,
        spec: BotSpec,
        games: Sequence[Game],
        control: TimeControl,
        sandbox: Sandbox = UNCONFINED,
        limits: Limits | None = None,
        announce: Announce = lambda _, __: None,
    ) -> None:
        game, limits = games[0], limits or Limits()
        terms = Terms(game, game.rules({}), control, sandbox, limits, suspend=True)
        self._checked = CheckedBot(spec, [*map(CheckedGame.freely, games)], terms, announce)
        self._results: dict[str, Result] = {}
        self._moved: dict[str, Failure] = {}
        self.frames = b""
        """All that the program had been sent that failed first; b"" if none has, or was sent
        nothing."""

    @classmethod
    def for_terms(
        cls,
        spec: BotSpec,
        terms: Terms,
        tables: Sequence[int],
        announce: Announce = lambda _, __: None,
    ) -> Check:
        """Return the check whether a bot can play a game by these terms, at these tables."""
        check = cls(spec, [terms.game], terms.control, terms.sandbox, terms.limits, announce)
        played = CheckedGame(terms.game, terms.rules, sorted(set(tables)), only=True)
        check._checked = CheckedBot(spec, [played], terms, announce)
        return check

    def run(self) -> Iterator[Result]:
        """Run the steps and yield their results, one by one."""
        for step in self._steps():
            result = self._run(step)
            self._results[step.name] = result
            yield result

    @property
    def passed(self) -> bool:
        """Whether all steps so far have passed, with or without a warning."""
        return all(result.status in (PASS, WARN) for result in self._results.values())

    def _steps(self) -> list[CheckStep]:
        checked = self._checked
        steps = [
            CheckStep(STARTS, partial(starts, checked)),
            CheckStep(HELLO, lambda: checked.introduction, STARTS),
        ]
        for played in checked.games:
            steps += self._game_steps(played)
        first = f"plays {checked.games[0].game.name}"
        return [
            *steps,
            CheckStep(UNKNOWN, partial(ignores_unknown, checked), first, keeps_failures=True),
            CheckStep(LARGE, partial(reads_large, checked), first, keeps_failures=True),
            CheckStep(IN_TIME, partial(times, checked), first),
            CheckStep(STDOUT, lambda: "nothing but frames came", HELLO),
            CheckStep(ENDS, partial(ends, checked), HELLO),
        ]

    def _game_steps(self, played: CheckedGame) -> list[CheckStep]:
        """Return the steps of one game, without those that say nothing by its terms."""
        checked, name = self._checked, played.game.name
        first = f"plays {name}"
        steps = [CheckStep(first, partial(plays, checked, played), HELLO)]
        if not checked.terms.fresh:  # else nothing can be remembered
            steps.append(CheckStep(f"forgets {name}", partial(forgets, checked, played), first))
        if played.rare():
            act = partial(survives, checked, played)
            steps.append(CheckStep(f"survives rare states of {name}", act, first))
        return steps

    def _run(self, step: CheckStep) -> Result:
        moved = self._moved.get(step.name)
        if moved is not None:
            return moved.result(step.name)
        needed = self._results.get(step.needs)
        if needed is not None and needed.status in (FAIL, NOT_RUN):
            return Result(step.name, NOT_RUN, f'needs "{step.needs}" to pass')
        self._checked.step = step.name
        self._checked.announce(step.name, "")
        try:
            return Result(step.name, PASS, step.act())
        except Caution as caution:
            return caution.result(step.name)
        except Failure as failure:
            self.frames = self.frames or failure.frames
            other = failure.step
            if other in ("", step.name) or other in self._results:
                return failure.result(step.name)
            if step.keeps_failures and other != STDOUT:
                return failure.result(step.name)
            self._moved.setdefault(other, failure)
            return Result(step.name, NOT_RUN, f'stopped by what "{other}" says')
