"""The check: steps in their order, each run if those that it needs have passed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from arena.check.diagnosis import HELLO, IN_TIME, STARTS, STDOUT
from arena.check.endings import ends
from arena.check.memory import forgets
from arena.check.playing import (
    Bench,
    Progress,
    introduces,
    passes_over,
    plays,
    reads_large,
    survives,
    times,
)
from arena.check.result import FAIL, NOT_RUN, PASS, WARN, Caution, Failure, Result
from arena.games.game import Game
from arena.process.limits import Limits
from arena.process.sandbox import UNCONFINED, Sandbox
from arena.process.spec import BotSpec
from arena.referee.clock import TimeControl

UNKNOWN = "passes over what it does not know"
LARGE = "reads large messages"
ENDS = "ends when told"


@dataclass(frozen=True)
class Step:
    """A step: what it needs, and what it does; that gives a detail or raises `Failure`."""

    name: str
    act: Callable[[], str]
    needs: str = ""
    keeps: bool = False
    """Whether failures stay with this step, though they would belong to another one."""


class Check:
    """All steps for one bot."""

    def __init__(
        self,
        spec: BotSpec,
        games: Sequence[Game],
        control: TimeControl,
        arena: str,
        progress: Progress = lambda _, __: None,
        sandbox: Sandbox = UNCONFINED,
        limits: Limits | None = None,
    ) -> None:
        limits = limits or Limits()
        self._bench = Bench(spec, games, control, arena, progress, sandbox, limits)
        self._results: dict[str, Result] = {}
        self._moved: dict[str, Failure] = {}

    def run(self) -> Iterator[Result]:
        """The results, one by one."""
        for step in self._steps():
            result = self._run(step)
            self._results[step.name] = result
            yield result

    @property
    def passed(self) -> bool:
        """Whether no step has failed."""
        return all(result.status in (PASS, WARN) for result in self._results.values())

    def _steps(self) -> list[Step]:
        bench = self._bench
        steps = [
            Step(STARTS, partial(introduces, bench)),
            Step(HELLO, lambda: bench.introduction, STARTS),
        ]
        for game in bench.games:
            first = f"plays {game.name}"
            steps += [
                Step(first, partial(plays, bench, game), HELLO),
                Step(f"forgets {game.name}", partial(forgets, bench, game), first),
                Step(f"survives rare states of {game.name}", partial(survives, bench, game), first),
            ]
        played = f"plays {bench.games[0].name}"
        return [
            *steps,
            Step(UNKNOWN, partial(passes_over, bench), played, keeps=True),
            Step(LARGE, partial(reads_large, bench), played, keeps=True),
            Step(IN_TIME, partial(times, bench), played),
            Step(STDOUT, lambda: "nothing but frames came", HELLO),
            Step(ENDS, partial(ends, bench), HELLO),
        ]

    def _run(self, step: Step) -> Result:
        moved = self._moved.get(step.name)
        if moved is not None:
            return moved.result(step.name)
        needed = self._results.get(step.needs)
        if needed is not None and needed.status in (FAIL, NOT_RUN):
            return Result(step.name, NOT_RUN, f'needs "{step.needs}" to pass')
        self._bench.progress(step.name, "")
        try:
            return Result(step.name, PASS, step.act())
        except Caution as caution:
            return caution.result(step.name)
        except Failure as failure:
            other = failure.step
            if other in ("", step.name) or other in self._results:
                return failure.result(step.name)
            if step.keeps and other != STDOUT:
                return failure.result(step.name)
            self._moved.setdefault(other, failure)
            return Result(step.name, NOT_RUN, f'stopped by what "{other}" says')
