"""The interface of runners, which play blocks: on this machine, or wherever a plugin has them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.blocks.block import Block, BlockResult
from arena.blocks.checking import Checker, checking_here
from arena.errors import ArenaError, HostError
from arena.games.game import Game
from arena.programs.spec import BotSpec
from arena.records.entries import Contest
from arena.referee.terms import Terms

AGAIN = 0.05
"""The share of blocks that is played on a second machine, by default."""


class RunnerFailed(HostError):
    """A block could not be played, through no fault of the bots."""


class UnusableRunner(ArenaError):
    """A runner that cannot be used as it was asked for."""


@dataclass(frozen=True)
class Cluster:
    """Where the machines of a runner are, how they are reached, and what is asked of them."""

    scheduler: str = ""
    """Its address; "" for a cluster on this machine, which the runner starts itself."""
    ca: Path | None = None
    """The certificate that has signed those of all who may connect."""
    certificate: Path | None = None
    key: Path | None = None
    insecure: bool = False
    """Whether a connection without TLS may leave this machine."""
    again: float = AGAIN
    """The share of blocks that is played on a second machine, and compared."""
    host_builds: bool = False
    """Whether machines take the programs that this host has built."""
    registered: tuple[BotSpec, ...] = ()
    """The bots that plugins bring: they have to be installed on every machine."""


@dataclass(frozen=True)
class Venue:
    """What a runner needs to play blocks, beside the blocks."""

    terms: Terms
    bots: Mapping[str, BotSpec]
    """The bots by digest."""
    workers: int
    """How many games to play at a time."""
    seconds: float | None = None
    """After how long no more results are wanted, if that is known."""
    tell: Callable[[str], object] = lambda _: None
    """Takes what a runner has to say to a person, such as that a machine has left."""


class Runner(ABC):
    """Takes blocks as fast as it can play them, and yields results as they come."""

    name: str
    starts = 0
    """How many processes of bots were started, where a runner counts them."""

    def on(self, cluster: Cluster) -> Runner:
        """Return this runner for these machines; raise `UnusableRunner` if it plays here alone."""
        asked = [
            word
            for word, given in (
                ("--scheduler", cluster.scheduler),
                ("--tls-ca", cluster.ca),
                ("--tls-cert", cluster.certificate),
                ("--tls-key", cluster.key),
                ("--insecure", cluster.insecure),
                ("--again", cluster.again != AGAIN),
                ("--host-builds", cluster.host_builds),
            )
            if given
        ]
        if asked:
            raise UnusableRunner(
                f"{asked[0]}: is for a runner with machines of its own, such as --runner dask; "
                f"{self.name} plays on this machine alone"
            )
        return self

    def checking(
        self, contest: Contest, game: Game, workers: int
    ) -> AbstractContextManager[Checker]:
        """Return what plays the games of a log again under the rules, with so many processes."""
        return checking_here(contest, game, workers)

    @abstractmethod
    def run(
        self, blocks: Iterable[Block], venue: Venue
    ) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks, in any order, and yield their results: together what came together.

        Raise `RunnerFailed` if that is not possible. Closing the generator ends everything.

        Take a block only when it can be played soon: whoever wants to change what is played has
        to wait for all that were taken.
        """

    @contextmanager
    def crew(self, venue: Venue) -> Iterator[Crew]:
        """Return who plays several stretches of blocks, between which the bots may change.

        A runner that can keep its workers, and the processes of bots, does so here; this one
        begins anew with each stretch. When the context ends, so does all that was kept.
        """
        yield _NewEachTime(self, venue)


class Crew(ABC):
    """Plays stretches of blocks, one after the other.

    Between two of them its venue's `bots` may have changed: some are new, others are gone.
    """

    starts = 0
    """How many processes of bots were started, where that is counted."""
    status = ""
    """What it does at the moment, in a few words, where there is more to say than its results."""

    @abstractmethod
    def play(self, blocks: Iterable[Block]) -> Generator[Sequence[BlockResult], None, None]:
        """Play the blocks as `Runner.run` does.

        If the generator is closed, or fails, before all that it took is played, the crew plays
        no more.
        """


class _NewEachTime(Crew):
    """Has a runner begin anew with each stretch."""

    def __init__(self, runner: Runner, venue: Venue) -> None:
        self._runner = runner
        self._venue = venue

    def play(self, blocks: Iterable[Block]) -> Generator[Sequence[BlockResult], None, None]:
        venue = replace(self._venue, bots=dict(self._venue.bots))
        before = self._runner.starts
        for results in self._runner.run(blocks, venue):
            self.starts += self._runner.starts - before
            before = self._runner.starts
            yield results
