"""Games that are played and recorded, and the pages that the command makes of them."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.ladder.source import records, times_of
from arena.records.game_record import GameRecord
from arena.records.times import GameTimes
from command import arena

NOTING = '''
"""Plays by chance, and notes who it is and how often it was asked."""
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    question.note = f"secret of {question.view['seat']}: {asked} " + "x" * LENGTH
    if asked == FAILS_AT:
        print("seen by", question.view["seat"], "alone", file=sys.stderr, flush=True)
        raise SystemExit(3)
    return int(question.random.random() * len(question.actions))

run(choose, name="noting")
'''


@dataclass(frozen=True)
class Recorded:
    """A log with one game or more, in a folder of its own."""

    path: Path

    @property
    def record(self) -> GameRecord:
        """The first game."""
        return next(records(self.path))

    @property
    def times(self) -> GameTimes | None:
        """What lies beside the log of it."""
        return times_of(self.path, self.record)

    def page(self, *options: str) -> ReplayFile:
        """The page that the command makes of the first game; with other options it is another."""
        output = self.path.parent / f"game{''.join(options)}.html"
        words = ["--game", "0", "--output", str(output), "--force", *options]
        made = arena("replay", "html", str(self.path), *words)
        assert (made.code, made.out) == (0, ""), made
        return ReplayFile(output)


@dataclass(frozen=True)
class ReplayFile:
    """A page in a file."""

    path: Path

    @cached_property
    def text(self) -> str:
        """All of the file."""
        return self.path.read_text("utf-8")

    @cached_property
    def data(self) -> Any:
        """What its script reads."""
        (found,) = re.findall(r'id="replay">(.*?)</script>', self.text, re.DOTALL)
        return json.loads(found)

    def url(self, link: str = "") -> str:
        """Its address, for a browser."""
        return self.path.as_uri() + (f"#{link}" if link else "")


def play(folder: Path, game: str, *bots: str, seed: int = 1) -> Recorded:
    """One game between these bots."""
    log = folder / "games.jsonl"
    words = ["--games", "1", "--seed", str(seed), "--record", str(log), "--json"]
    done = arena("play", game, *bots, *words, cwd=folder)
    assert log.exists(), done
    return Recorded(log)


def program(folder: Path, text: str, name: str = "noting") -> str:
    """A bot made of this text, as a command line."""
    path = folder / f"{name}.py"
    path.write_text(text, "utf-8")
    return f"{sys.executable} {path}"


def noting(folder: Path, *, length: int = 0, fails_at: int = -1) -> str:
    """A bot whose notes say which seat wrote them; it may crash, with a word on stderr."""
    text = NOTING.replace("LENGTH", str(length)).replace("FAILS_AT", str(fails_at))
    return program(folder, f"import sys\n{text}")
