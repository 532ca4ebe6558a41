"""The cores of a machine, and the referees on them: each job has one on every core that it uses."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from arena.blocks.local_runner import AHEAD
from arena.blocks.worker import BATCH_SECONDS, Worker
from arena.cluster._tasks import Piece, TakenJob


class Lane:
    """A core, with the referee that each job has on it; one of them plays at a time."""

    def __init__(self, core: int) -> None:
        self.core = core
        self.staff: dict[str, Worker] = {}
        self.under_way: deque[Piece] = deque()

    def takes(self, piece: Piece) -> bool:
        """Whether a piece can be given to its referee now.

        It has the next one beforehand only where one is soon done: what waits for a long one
        could be done on another core.
        """
        worker = self.at_work
        if worker is None:
            return True
        quick = piece.lane is not None or 0 < worker.seconds_each < BATCH_SECONDS
        ahead = AHEAD if quick else 1
        return len(self.under_way) < ahead and self.under_way[0].task.job is piece.task.job

    def give(self, piece: Piece) -> None:
        """Hand a piece to the referee of its job."""
        job = piece.task.job
        if job.id not in self.staff:
            self.staff[job.id] = Worker(job.venue, self.core)
        self.under_way.append(piece)
        self.staff[job.id].give(piece.errand)

    @property
    def at_work(self) -> Worker | None:
        """The referee that plays."""
        return self.staff[self.under_way[0].task.job.id] if self.under_way else None

    def end(self, job: str) -> None:
        """End the referee of a job."""
        worker = self.staff.pop(job, None)
        if worker is not None:
            worker.end()


class Lanes:
    """All cores of a machine, and the pieces that wait for one."""

    def __init__(self, cores: Sequence[int]) -> None:
        self._lanes = [Lane(core) for core in cores]
        self._waiting: deque[Piece] = deque()

    def __len__(self) -> int:
        return len(self._lanes)

    def add(self, piece: Piece) -> None:
        """Have a piece wait for a referee."""
        self._waiting.append(piece)

    def feed(self) -> None:
        """Give what waits to the referees that can take it."""
        left: deque[Piece] = deque()
        while self._waiting:
            piece = self._waiting.popleft()
            lanes = self._lanes if piece.lane is None else [self._lanes[piece.lane]]
            lane = min(lanes, key=lambda each: len(each.under_way))
            if lane.takes(piece):
                lane.give(piece)
            else:
                left.append(piece)
        self._waiting = left

    def at_work(self) -> Iterator[tuple[int, Lane]]:
        """Yield the cores on which somebody plays, with the descriptors to listen to."""
        for lane in self._lanes:
            if (worker := lane.at_work) is not None:
                yield worker.connection.fileno(), lane

    def give_up(self, lane: Lane) -> set[int]:
        """End the referee that plays on a core; return the tickets of what it had to do."""
        job = lane.under_way[0].task.job
        gone = {piece.task.ticket for piece in lane.under_way}
        lane.under_way.clear()
        lane.end(job.id)
        self._waiting = deque(each for each in self._waiting if each.task.ticket not in gone)
        return gone

    def busy(self) -> set[str]:
        """Return the jobs for which somebody plays."""
        return {piece.task.job.id for lane in self._lanes for piece in lane.under_way}

    def end(self, job: TakenJob) -> set[int]:
        """End all referees of a job; return the tickets of what they had to do."""
        gone = {each.task.ticket for each in self._waiting if each.task.job is job}
        self._waiting = deque(each for each in self._waiting if each.task.job is not job)
        for lane in self._lanes:
            if lane.under_way and lane.under_way[0].task.job is job:
                gone |= {each.task.ticket for each in lane.under_way}
                lane.under_way.clear()
            lane.end(job.id)
        return gone

    def close(self) -> None:
        """End all referees."""
        for lane in self._lanes:
            for job in list(lane.staff):
                lane.end(job)
