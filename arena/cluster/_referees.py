"""The referees of a machine: a process that is asked through a pipe, and plays on several cores.

It is a program of its own, without threads, so that it can fork referees, and they keepers. The
process that asks is connected with the scheduler, and has no other part in a game. When it ends
in any way, this one ends, with all referees and bots.

    python -m arena.cluster._referees NAME SANDBOX NUMBER
"""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

import msgspec

from arena.attacks.choice import choose_sandbox
from arena.blocks.block import BlockResult
from arena.blocks.checking import LoggedBlock, Wrong
from arena.blocks.local_runner import FEW, Gathered
from arena.blocks.runner import RunnerFailed
from arena.blocks.worker import Share, Whole
from arena.cluster import _messages as messages
from arena.cluster._cores import Cores
from arena.cluster._jobs import Jobs
from arena.cluster._lanes import Lane, Lanes
from arena.cluster._tasks import Check, Piece, Task
from arena.cluster._traits import traits
from arena.cluster._words import in_one_line, say
from arena.discovery import Plugins, discover
from arena.errors import HOST_FAILED, ArenaError
from arena.process.forked import ignore_interrupts
from arena.referee.attempts import Attempts
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.sandbox import UNCONFINED, Sandbox


class Referees:
    """Answers questions that come through a pipe, until the other side ends."""

    def __init__(
        self,
        name: str,
        plugins: Plugins,
        sandbox: Sandbox,
        cores: Sequence[int],
        folder: Path,
        pipes: tuple[int, int],
    ) -> None:
        self._name = name
        self._plugins = plugins
        self._sandbox = sandbox
        self._in, self._out = pipes
        self._data = bytearray()
        self._lanes = Lanes(cores)
        self._jobs = Jobs(plugins, sandbox, folder, len(cores))

    def serve(self) -> None:
        """Answer until the pipe is closed."""
        try:
            while self._wait():
                self._lanes.feed()
                busy = self._lanes.busy()
                for job in self._jobs.forgotten():
                    if job not in busy:
                        self._end(job)
        finally:
            self._lanes.close()
            self._jobs.close()

    def _wait(self) -> bool:
        """Wait for something to happen, and see to it; return False at the end."""
        poll = select.poll()
        poll.register(self._in, select.POLLIN)
        lanes, sealing = dict(self._lanes.at_work()), self._jobs.sealing()
        for fd in (*lanes, *sealing):
            poll.register(fd, select.POLLIN)
        for fd, _ in poll.poll(60_000):
            if fd == self._in:
                if not self._read():
                    return False
            elif fd in lanes:
                self._hear(lanes[fd])
            else:
                ticket, wrong = self._jobs.sealed(sealing[fd])
                self._answer(ticket, messages.Failed(reason=wrong) if wrong else messages.Done())
        return True

    def _read(self) -> bool:
        """Read what was asked; return False if nobody asks any more."""
        data = os.read(self._in, 1 << 20)
        if not data:
            return False
        self._data += data
        while len(self._data) >= messages.HEAD:
            length, ticket = messages.head(self._data)
            end = messages.HEAD + length
            if len(self._data) < end:
                break
            question = bytes(self._data[messages.HEAD : end])
            del self._data[:end]
            try:
                self._asked(ticket, messages.read_question(question))
            except Exception as error:  # noqa: BLE001 - the host is told, and goes on without
                self._answer(ticket, messages.Failed(reason=in_one_line(error)))
        return True

    def _asked(self, ticket: int, question: messages.Question) -> None:
        match question:
            case messages.AskTraits():
                games, referees = self._plugins.games, len(self._lanes)
                found = traits(self._name, games, self._sandbox, question.tools, referees)
                self._answer(ticket, found)
            case messages.TakeJob():
                lacks = self._jobs.take(question.job)
                self._answer(ticket, messages.Lacks(digests=lacks))
            case messages.TakeParcel():
                if self._jobs.take_parcel(ticket, question):
                    self._answer(ticket, messages.Done())
            case messages.Play():
                self._play(ticket, question)
            case messages.Recheck():
                job = self._jobs.job(question.job)
                blocks = [LoggedBlock(*each) for each in question.entries]
                errand = Check(blocks, job.contest, job.venue.terms.game)
                self._lanes.add(Piece(Task(ticket, job, 1, {}, []), errand))
            case messages.EndJob():
                self._end(question.job)
                self._answer(ticket, messages.Done())

    def _answer(self, ticket: int, answer: messages.Answer) -> None:
        data = messages.framed(ticket, messages.written(answer))
        while data:
            data = data[os.write(self._out, data) :]

    def _end(self, identity: str) -> None:
        job = self._jobs.end(identity)
        if job is not None:
            # Whoever asked has gone, but what passes questions on has room for so many at a time.
            for ticket in self._lanes.end(job):
                self._answer(ticket, messages.Failed(reason="its job has ended"))

    # Playing

    def _play(self, ticket: int, question: messages.Play) -> None:
        job = self._jobs.job(question.job)
        blocks = [messages.received(each, job.contestants) for each in question.blocks]
        processes = len(job.venue.bots) * max(job.venue.terms.game.players)
        if processes <= FEW or len(self._lanes) == 1:
            tried = {
                each.number: Attempts(each.broken_off)
                for each in question.blocks
                if each.broken_off
            }
            self._lanes.add(Piece(Task(ticket, job, 1, {}, []), Whole(blocks, tried)))
            return
        task = Task(ticket, job, 0, {block.number: Gathered(block) for block in blocks}, [])
        for lane, part in enumerate(job.division.divide(blocks)):
            if part:
                for block, _ in part:
                    task.gathered[block.number].missing += 1
                task.missing += 1
                self._lanes.add(Piece(task, Share(part), lane))

    def _hear(self, lane: Lane) -> None:
        """Take what a referee has done."""
        worker = lane.at_work
        assert worker is not None
        before, starts = len(worker.batches), worker.starts
        try:
            results = worker.take()
        except RunnerFailed as error:
            for ticket in self._lanes.give_up(lane):
                self._answer(ticket, messages.Failed(reason=str(error)))
            return
        if len(worker.batches) == before:
            return  # it has ended, and its successor plays the same again
        piece = lane.under_way.popleft()
        task = piece.task
        task.job.used = monotonic()
        task.missing -= 1
        if isinstance(piece.errand, Check):
            self._answer(task.ticket, messages.Rechecked(wrong=_sendable(results[0])))
            return
        task.seconds += worker.seconds_each * len(piece.errand.blocks)
        started = worker.starts - starts
        for result in results:
            whole = result
            if not isinstance(result, BlockResult):
                gathered = task.gathered[result.number]
                whole = gathered.add(result)
                if whole is None and gathered.broken_off is not None and not gathered.missing:
                    again = Whole([gathered.block], {gathered.block.number: gathered.broken_off})
                    task.missing += 1
                    self._lanes.add(Piece(task, again))
            if whole is not None:
                times = msgspec.structs.replace(whole.times, machine=self._name, starts=started)
                task.results.append(replace(whole, times=times))
                started = 0
        if not task.missing:
            played = messages.Played(results=tuple(task.results), seconds=task.seconds)
            self._answer(task.ticket, played)


def _sendable(
    wrong: Wrong | None,
) -> tuple[int, tuple[str, str, str, str], int | None, int | None] | None:
    if wrong is None:
        return None
    return wrong.entry, wrong.arguments, wrong.number, wrong.decision


def main(words: Sequence[str]) -> int:
    """Run the referees of a machine; return the exit code."""
    name, sandbox_name, number = words
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    pipes = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # whatever prints, prints to stderr
    logging.basicConfig(level=logging.ERROR)
    try:
        plugins = discover()
        tell = partial(_tell_sandbox, sandbox_name)
        sandbox = choose_sandbox(sandbox_name, plugins.sandboxes, tell)
    except ArenaError as error:
        say(str(error))
        return HOST_FAILED
    cores = Cores(int(number))
    with temporary_folder("cluster") as folder:
        Referees(name, plugins, sandbox, cores.numbers, folder, pipes).serve()
    return 0


def _tell_sandbox(name: str, text: str) -> None:
    if name != UNCONFINED.name:
        say(f"sandbox {text}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
