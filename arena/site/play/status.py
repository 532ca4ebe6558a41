"""How a ladder of the site does, for its host: as `arena ladder status` says it, and its queue."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from arena.discovery import Plugins
from arena.ladder.status import Status, host_facts, status, tools_of_builds
from arena.ladder.store import Store
from arena.site.database.submissions import Submissions
from arena.site.play.ladders import Ladder
from arena.site.play.supervisor import RunState, Supervisor
from arena.site.rules.submissions import UNFINISHED, State, Submission

TOOLS_LAST: Final = 600
"""Seconds after which it is asked again which tools there are, which takes a second."""
COMING: Final = (*UNFINISHED, State.WAITING, State.LEAVING)


@dataclass(frozen=True)
class LadderState:
    """How a ladder does."""

    status: Status | None
    """None before it has begun."""
    run: RunState | None
    """What the site's supervisor says; None if the site starts no runs."""
    coming: tuple[Submission, ...]
    """What was handed in for it, and is still in the queue, or enters or leaves next."""
    authors: Mapping[str, str]
    """Who has handed in which bot that plays, by its digest."""


class StatusDesk:
    """Says how ladders do."""

    def __init__(self, plugins: Plugins, submissions: Submissions, supervisor: Supervisor) -> None:
        self._plugins = plugins
        self._submissions = submissions
        self._supervisor = supervisor
        self._tools = lru_cache(maxsize=1)(self._look_for_tools)

    def of(self, ladder: Ladder) -> LadderState:
        """Return how a ladder does."""
        runs = [each for each in self._supervisor.states() if each.ladder == ladder.name]
        coming = self._submissions.in_state(*COMING)
        there = self._submissions.on_ladder(ladder.name)
        return LadderState(
            status=self._status(ladder) if ladder.begun else None,
            run=runs[0] if runs else None,
            coming=tuple(each for each in coming if each.ladder == ladder.name),
            authors={each.digest: each.author for each in there},
        )

    def _status(self, ladder: Ladder) -> Status:
        tools = self._tools(int(time.monotonic()) // TOOLS_LAST)
        with Store.open(ladder.store) as store:
            return status(store, self._plugins.games.get(store.contest.game), host_facts(tools))

    def _look_for_tools(self, _: int) -> Mapping[str, str]:
        return tools_of_builds(next(iter(self._plugins.bots.values())))
