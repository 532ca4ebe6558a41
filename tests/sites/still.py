"""A site without a server, whose parts work when a test tells them to."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from arena.discovery import discover
from arena.ladder.desk import Desk
from arena.ladder.lock import locked
from arena.ladder.store import Store
from arena.programs.spec import BotSpec
from arena.records.entries import Contestant, Entered
from arena.site.database.accounts import Accounts
from arena.site.database.database import Database
from arena.site.database.host_wishes import KeptWishes
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.play.door import Door
from arena.site.play.host_wishes import HostWishes
from arena.site.play.ladders import Ladders
from arena.site.rules.people import Role
from arena.site.rules.submissions import State, Submission
from ladder.fields import definition, run


class StillSite:
    """A site's folder whose parts work when a test tells them to; its ladder plays no games."""

    def __init__(self, path: Path) -> None:
        self.folder = SiteFolder(path)
        self.store = path / "ladders" / "test.ladder"
        self.database = Database(self.folder.database)
        self.now = int(time.time())
        self.submissions = Submissions(self.database, lambda: self.now)
        ladders = Ladders(self.folder, discover())
        kept = KeptWishes(self.database, lambda: self.now)
        self.host_wishes = HostWishes(self.folder, kept, ladders)
        self.door = Door(self.folder, self.submissions, ladders, self.host_wishes)
        self.ladder = ladders.get("test")
        accounts = Accounts(self.database, lambda: self.now)
        self.person = (accounts.people() or [accounts.join("ada", Role.AUTHOR)])[0]

    @classmethod
    def new(cls, path: Path) -> StillSite:
        """A new site, with a ladder on which five bots of the host's play."""
        SiteFolder(path).make()
        run(definition(path / "ladders"), "--games", "0")
        return cls(path)

    def hand_in(self) -> int:
        """Hand a bot in; return its number."""
        number = self.submissions.next_number()
        self.folder.upload(number).write_bytes(b"an archive")
        return self.submissions.add(number, self.person, "test", 10, "").number

    def examine(self, origin: str) -> Submission:
        """Let the first of the queue pass."""
        taken = self.submissions.take_next()
        assert taken is not None
        made = f"{origin}-{taken.number}", "1", f"{taken.number:02}{origin.encode().hex():0<62}"
        return self.submissions.step(taken.number, State.WAITING, "", made)

    def serve_door(self) -> None:
        """Let the door do what it does every second."""
        with self.folder.door_open() as is_open:
            if is_open:
                self.door.serve()

    def play(self) -> None:
        """Answer the wishes, as a run does between two blocks."""

        def find(bot: Contestant) -> BotSpec:
            return BotSpec(name=bot.name, version=bot.version, run=("true",), folder=Path("/"))

        with locked(self.store), Store.open(self.store, write=True) as store:
            Desk(store, find, lambda _: None).take()

    def settle(self) -> None:
        """Let everything happen that is still to come."""
        for _ in range(2):
            self.serve_door()
            self.play()
            self.serve_door()

    def entered(self) -> Counter[str]:
        """How often each bot that was handed in has entered, by name."""
        with Store.open(self.store) as store:
            found = [each for each in store.entries() if isinstance(each, Entered)]
        return Counter(bot.name for entry in found for bot in entry.contestants if "-" in bot.name)

    def players(self) -> list[str]:
        """The names of those who play."""
        with Store.open(self.store) as store:
            return [store.ledger.contestants[number].name for number in store.ledger.playing]
