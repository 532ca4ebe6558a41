"""Ladders that are played and published, and what lies in their folders."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.ladder.store import Store
from arena.referee.deals import Deals
from command import Outcome, arena
from ladder.fields import definition

HOSTILE = '''
"""Plays by chance and attacks whoever reads of it: in notes, in errors, on stderr."""
import sys
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    question.note = "<script>stolen=1</script><img src=x onerror=stolen=1> \\u202enoted-by-hostile"
    if asked == 12:
        print("y" * 1_000_000 + " for-its-author-alone", file=sys.stderr, flush=True)
        raise ValueError("</td><script>stolen=1</script>\\u202efault-of-hostile" + "z" * 5000)
    return int(question.random.random() * len(question.actions))

run(choose, name="hostile")
'''
LONG = 600
"""Seconds that a command may take on a machine that does much else."""
VERSIONS = ("<i onclick=stolen=1>1", "</title><script>stolen=1</script>2")
MANIFEST = """
name = "hostile"
version = {version}
run = [{python}, "bot.py"]
games = ["gargon"]
"""


@dataclass(frozen=True)
class Played:
    """A ladder's definition in a folder of its own, with its store beside it."""

    toml: Path

    @property
    def folder(self) -> Path:
        """Where all of it lies."""
        return self.toml.parent

    @property
    def store(self) -> Path:
        """The store."""
        return self.toml.with_suffix(".ladder")

    def play(self, games: int) -> None:
        """Play on until there are so many games."""
        words = ("ladder", "run", self.toml.name, "--games", str(games))
        done = arena(*words, cwd=self.folder, limit=LONG)
        assert done.code == 0, done.err

    def close(self) -> None:
        """Close it for good."""
        done = arena("ladder", "close", str(self.store), "--yes")
        assert done.code == 0, done.err

    def publish(self, site: str = "site", *words: str) -> Path:
        """Publish it to this folder beside it."""
        path = self.folder / site
        done = publish(self.store, path, *words)
        assert done.code == 0, done.err
        assert done.out == ""
        return path

    def unplayed_keys(self) -> list[str]:
        """The keys of blocks that are still to be played, of some attempts."""
        with Store.open(self.store) as store:
            deals = Deals.of(store.secret, store.contest.name, store.ledger.beacon)
            first = store.ledger.blocks
            return [
                deals.block(block).deal(0, attempt).key.hex()
                for block in range(first, first + 30)
                for attempt in range(2)
            ]


def publish(store: Path, site: Path, *words: str) -> Outcome:
    """What comes of the command."""
    return arena("ladder", "publish", str(store), str(site), *words, limit=LONG)


def ladder(folder: Path, *, publish: str = "at-once", seed: str | None = None) -> Played:
    """A ladder of Gargon with a bot that attacks its readers, of two versions; it is running."""
    bot = folder / "hostile"
    bot.mkdir(parents=True)
    (bot / "bot.py").write_text(HOSTILE, "utf-8")
    played = Played(
        definition(
            folder,
            name="friday",
            game="gargon",
            tables=[3],
            bots=["ada", "bob"],
            contestants=["gargon-backs", "hostile"],
            games=None,
            seed=seed,
            more=f'suspend = false\nworkers = 2\npublish = "{publish}"',
        )
    )
    for version, games in zip(VERSIONS, (12, 24), strict=True):
        words = {"version": json.dumps(version), "python": json.dumps(sys.executable)}
        (bot / "bot.toml").write_text(MANIFEST.format(**words), "utf-8")
        played.play(games)
    return played


def contents(site: Path) -> Mapping[str, bytes]:
    """All files of a site, by name; packed ones as they were."""
    found = {}
    for path in sorted(site.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            name = path.relative_to(site).as_posix()
            found[name] = gzip.decompress(data) if name.endswith(".gz") else data
    return found
