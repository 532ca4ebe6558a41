"""The board: the progress, speed and leaders of a ladder, on stderr while it is played."""

from __future__ import annotations

import sys
from datetime import timedelta
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from arena.cli.output import printable, say
from arena.ladder.labels import labels
from arena.ladder.run import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

BAR = 20
LEADERS = 3
PLAIN_EVERY = 10.0
"""Seconds between two lines where there is no terminal."""
FOLLOWED_EVERY = 600.0
"""The same, for a run that goes on for weeks."""
DRAWN_EVERY = 0.25
"""Seconds between two pictures on a terminal."""


class Board:
    """A progress bar on a terminal; elsewhere a line from time to time."""

    def __init__(self, every: float = PLAIN_EVERY) -> None:
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._every = every
        self._shown = monotonic()

    def __enter__(self) -> Board:
        if sys.stderr.isatty():
            from rich import progress  # noqa: PLC0415 - rich takes as long to load as all the rest
            from rich.console import Console  # noqa: PLC0415
            from rich.table import Column  # noqa: PLC0415

            # No refreshing from a thread: workers are forked from this process.
            self._bar = progress.Progress(
                progress.BarColumn(BAR),
                progress.MofNCompleteColumn(table_column=Column(no_wrap=True)),
                # What does not fit is cut off at the end, where the leaders are.
                progress.TextColumn(
                    "{task.description}",
                    table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
                ),
                expand=True,
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
            )
            self._bar.start()
            self._every = DRAWN_EVERY
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Print a message to stderr, above the bar if there is one."""
        if self._bar is None:
            say(text)
        else:
            self._bar.console.print(printable(text), markup=False, highlight=False)

    def show(self, progress: Progress) -> None:
        """Show the progress, if it is time for that."""
        now = monotonic()
        if now - self._shown < self._every:
            return
        self._shown = now
        status = f"  {progress.status}" if progress.status else ""
        text = f"{_pace(progress)}{status}  {self._leaders(progress)}"
        if self._bar is None:
            of = "" if progress.total is None else f" of {progress.total}"
            say(f"{progress.games}{of} games  {text}")
            return
        if self._task is None:
            self._task = self._bar.add_task("", total=progress.total)
        done, total = progress.games, progress.total
        self._bar.update(self._task, completed=done, total=total, description=text)
        self._bar.refresh()

    def _leaders(self, progress: Progress) -> str:
        """Return those with the best ratings so far, with their ratings."""
        rated = [mu - 3 * sigma for mu, sigma in progress.book.ratings.rated()]
        order = sorted(range(len(rated)), key=lambda number: -rated[number])
        names = labels(progress.contestants, progress.active)
        return ", ".join(
            f"{names[progress.contestants[number].digest]} {rated[number]:.1f}"
            for number in order[:LEADERS]
        )


def _pace(progress: Progress) -> str:
    rate = progress.played / progress.seconds if progress.seconds else 0
    text = f"{rate:.0f}/s"
    if progress.total is not None and rate:
        left = max(0, progress.total - progress.games) / rate
        text += f", {timedelta(seconds=round(left))} left"
    return text
