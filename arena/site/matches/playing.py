"""Play one match, as a program of its own: `python -m arena.site.matches.playing`.

It reads its job as a line from stdin and writes events to stdout, a line each. The log, with the
times and what is kept of faults beside it, and the replays go to the match's folder. When stdin
ends, as its server did, so does it.
"""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from types import FrameType
from typing import Final

import msgspec

from arena.attacks.choice import choose_sandbox
from arena.discovery import Plugins, discover
from arena.errors import ArenaError, HostError
from arena.games.game import Game
from arena.ladder.contest import terms_of
from arena.machine.calls import usable_cores
from arena.pages.replay_data import ReplayData
from arena.pages.replay_page import replay_page
from arena.process.placement import on_one_core
from arena.programs.finding import registered_program
from arena.programs.spec import BotSpec
from arena.programs.vault import Vault
from arena.records.entries import SeatFault
from arena.records.game_record import GameRecord
from arena.records.times import Evidence, GameTimes
from arena.referee.deals import Deals
from arena.referee.match import NAME, Match, MatchBlock, MatchGame, beginning
from arena.referee.recording import Recording
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.isolation import check_isolation
from arena.sandbox.sandbox import NONE
from arena.site.matches.events import (
    BotFault,
    Broken,
    Event,
    GamePlayed,
    Job,
    Over,
    Wrote,
    event_line,
)
from arena.site.matches.results import LOG, write_replay
from arena.site.queue.programs import end_with_server, take_stdout, write_all

MOST_STDERR: Final = 16 << 10
"""Bytes of the end of stderr that are kept of each bot."""
SECRET_BYTES: Final = 16


class TimeUp(BaseException):
    """The match has had its time. What is under way ends, as after Ctrl-C."""


class Play:
    """A match that is played."""

    def __init__(self, job: Job, tell: Callable[[Event], None]) -> None:
        self._job = job
        self._tell = tell
        self._place = Path(job.place)
        self._played = 0
        self._wrote = [bytearray() for _ in job.bots]
        self._told = [b"" for _ in job.bots]
        self._folders = ["" for _ in job.bots]

    def run(self) -> Event:
        """Play it; return what came of it."""
        signal.signal(signal.SIGALRM, _time_up)
        signal.setitimer(signal.ITIMER_REAL, self._job.seconds)
        try:
            self._play()
        except TimeUp:
            pass
        except (ArenaError, OSError) as error:
            return Broken(reason=" ".join(str(error).split()))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self._tell_stderr()
        return Over(games=self._played)

    def _play(self) -> None:
        plugins = discover()
        job = self._job
        if job.contest.game not in plugins.games:
            raise HostError(f"the game {job.contest.game!r} is not installed any more")
        if job.contest.sandbox == NONE:
            raise HostError("a ladder without a sandbox has no matches")
        game = plugins.games[job.contest.game]
        sandbox = choose_sandbox(job.contest.sandbox, plugins.sandboxes)
        specs = self._programs(plugins)
        self._folders = [str(spec.folder) for spec in specs]
        log = self._place / LOG
        check_isolation(specs, plugins.bots.values(), sandbox, "matches", log)
        terms = terms_of(job.contest, game, sandbox)
        # Ladders play on the other cores first; this one is the site's.
        with (
            Recording(log, force=True) as recording,
            on_one_core(min(usable_cores())) as core,
            Roster(specs, terms, core=core, rotations=len(specs), stderr=self._taker) as roster,
        ):
            self._play_with(roster, terms, recording)

    def _play_with(self, roster: Roster, terms: Terms, recording: Recording) -> None:
        secret = token_hex(SECRET_BYTES).encode()
        match = Match(roster, Deals.of(secret, NAME), draw_seats=True)
        wanted = self._job.deals * len(roster.specs)
        for entry in beginning(
            terms,
            match.contestants,
            sandbox=self._job.contest.sandbox,
            held=roster.label,
            secret=secret,
            seed=None,
            games=wanted,
        ):
            recording.write(entry)
        try:
            for block in match.blocks(wanted):
                recording.write(block.entry, block.times)
                records = recording.ledger.records(block.entry)
                with _undisturbed():
                    self._take(block, records, terms.game)
        finally:
            recording.end(wanted, secret)

    def _programs(self, plugins: Plugins) -> list[BotSpec]:
        """Return the programs of the bots, as they were sealed."""
        vault = Vault(Path(self._job.vault))
        return [
            registered_program(bot, plugins.bots.values()) or vault.open(bot.digest)
            for bot in self._job.bots
        ]

    def _taker(self, bot: int) -> Callable[[bytes], object]:
        """Return what takes all that a bot writes to stderr."""
        wrote = self._wrote[bot]

        def take(data: bytes) -> None:
            wrote.extend(data)
            del wrote[:-MOST_STDERR]

        return take

    def _take(self, block: MatchBlock, records: list[GameRecord], game: Game) -> None:
        """Make the replays of a deal's games, and tell of them."""
        for played, record, times in zip(block.games, records, block.times.games, strict=True):
            shown = msgspec.structs.replace(times, evidence=())  # a replay is for everybody
            data = ReplayData(record, game, [None, *range(record.seats)], shown)
            write_replay(self._place, played.number, replay_page(data, game))
            self._tell(self._told_of(played, times))
            self._played += 1
        self._tell_stderr()

    def _tell_stderr(self) -> None:
        for bot, wrote in enumerate(self._wrote):
            now = bytes(wrote)
            if now != self._told[bot]:
                self._told[bot] = now
                text = self._without_place(bot, now.decode("utf-8", "replace"))
                self._tell(Wrote(bot=bot, text=text))

    def _told_of(self, game: MatchGame, times: GameTimes) -> GamePlayed:
        """Return what is told of a game."""
        played = game.played
        faults = zip(played.faults, played.evidence, strict=True)
        return GamePlayed(
            number=game.number,
            seating=game.seating,
            scores=tuple(played.scores),
            places=tuple(played.places),
            micros=tuple(pace.micros // max(1, pace.decisions) for pace in times.paces),
            faults=tuple(self._fault(game.seating[each.seat], each, kept) for each, kept in faults),
        )

    def _fault(self, bot: int, fault: SeatFault, kept: Evidence) -> BotFault:
        return BotFault(
            bot=bot,
            seat=fault.seat,
            decision=fault.decision,
            verdict=fault.verdict,
            text=self._without_place(bot, fault.text),
            figures=self._without_place(bot, kept.figures),
            stderr=self._without_place(bot, kept.stderr),
            sent=kept.sent,
            received=self._without_place(bot, kept.received),
        )

    def _without_place(self, bot: int, text: str) -> str:
        """Return what a bot has said without the place where it is sealed: the site's business."""
        return text.replace(self._folders[bot], ".") if self._folders[bot] else text


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let the time be up only afterwards, so that what is written is whole."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})


def _time_up(_: int, __: FrameType | None) -> None:
    raise TimeUp


def main() -> None:
    """Play the match that stdin names."""
    line = sys.stdin.buffer.readline()
    job = msgspec.json.decode(line, type=Job)
    end_with_server()
    events = take_stdout()

    def tell(event: Event) -> None:
        write_all(events, event_line(event))

    place = Path(job.place)
    shutil.rmtree(place, ignore_errors=True)  # of a match that was broken off
    place.mkdir(mode=0o700)
    tell(Play(job, tell).run())


if __name__ == "__main__":
    main()
