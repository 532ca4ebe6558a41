"""The ledger: what the entries of a log say so far, and whether the next one may follow.

It checks all that needs neither the rules of the game nor the schedule: the order of entries,
who takes part, the numbers of blocks. One log has one ledger, whoever reads or writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.records.codec import read_entry
from arena.records.difference import Difference, malformed
from arena.records.entries import (
    Annulled,
    Beacon,
    BlockPlayed,
    Budget,
    Changed,
    Closed,
    Contest,
    Contestant,
    Entered,
    Entry,
    Form,
    Game,
    Opened,
)
from arena.records.game_record import GameRecord, rotated
from arena.records.tree import Tree
from arena.wording import brief

NO_BEACON = "0" * 64
"""Takes the place of a beacon's root before there is one."""


class Field(Form, frozen=True, kw_only=True):
    """Who plays from a block on, by their numbers in ascending order."""

    block: int
    contestants: tuple[int, ...]


class LedgerState(Form, frozen=True, kw_only=True):
    """All of a ledger, so that it can be saved and need not follow a long log again."""

    opened: Opened
    budget: Budget
    sandbox: str
    arena: str
    contestants: tuple[Contestant, ...]
    fields: tuple[Field, ...]
    blocks: int
    games: int
    annulled: tuple[int, ...]
    beacon: str
    closed: Closed | None
    size: int
    peaks: tuple[str, ...]


class Ledger:
    """The state of a log after its entries so far; `follow` goes on to the next."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.budget = Budget()
        self.sandbox = ""
        """The label of the sandbox."""
        self.arena = ""
        """The version of the arena that plays."""
        self.contestants: list[Contestant] = []
        """All that ever entered; a contestant's number is its index."""
        self.fields: list[Field] = []
        """Who played from which block on."""
        self.blocks = 0
        self.games = 0
        self.annulled: set[int] = set()
        """The numbers of blocks that do not count."""
        self.beacon = NO_BEACON
        """The root of the log up to the last beacon; the deals depend on it."""
        self.closed: Closed | None = None
        self._opened: Opened | None = None
        self._playing: set[int] = set()
        self._numbers: dict[str, int] = {}

    @property
    def begun(self) -> bool:
        """Whether there is an entry."""
        return self._opened is not None

    @property
    def opened(self) -> Opened:
        """What the log is of."""
        if self._opened is None:
            raise malformed("entry", "no entry", "`open`, with which a log begins")
        return self._opened

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of those who play now, in ascending order."""
        return self.fields[-1].contestants if self.fields else ()

    @property
    def root(self) -> str:
        """The root of the tree over all lines so far."""
        return self.tree.root

    @property
    def contest(self) -> Contest:
        """What is played, on what terms."""
        return self.opened.contest

    def number(self, digest: str) -> int | None:
        """Return the number of the contestant with this digest; in a match, of the last such."""
        return self._numbers.get(digest)

    def follow(self, line: bytes, entry: Entry) -> None:
        """Go on to an entry, given as its line as well; raise `Difference` if it cannot follow.

        Nothing changes then.
        """
        if isinstance(entry, Opened):
            if self._opened is not None:
                raise malformed("entry", "open", "no second `open`")
        elif self._opened is None:
            raise malformed("entry", _tag(entry), "`open`, with which a log begins")
        elif self.closed is not None:
            raise malformed("entry", _tag(entry), "nothing after `close`")
        self._take(entry)
        self.tree.add(line)
        if isinstance(entry, Beacon):
            self.beacon = self.tree.root

    def state(self) -> LedgerState:
        """Return all that `restored` needs."""
        return LedgerState(
            opened=self.opened,
            budget=self.budget,
            sandbox=self.sandbox,
            arena=self.arena,
            contestants=tuple(self.contestants),
            fields=tuple(self.fields),
            blocks=self.blocks,
            games=self.games,
            annulled=tuple(sorted(self.annulled)),
            beacon=self.beacon,
            closed=self.closed,
            size=self.tree.size,
            peaks=self.tree.peaks(),
        )

    @classmethod
    def restored(cls, state: LedgerState) -> Ledger:
        """Return the ledger that gave this state."""
        ledger = cls()
        ledger.tree = Tree.restored(state.size, state.peaks)
        ledger.budget = state.budget
        ledger.sandbox = state.sandbox
        ledger.arena = state.arena
        ledger.contestants = list(state.contestants)
        ledger.fields = list(state.fields)
        ledger.blocks = state.blocks
        ledger.games = state.games
        ledger.annulled = set(state.annulled)
        ledger.beacon = state.beacon
        ledger.closed = state.closed
        ledger._opened = state.opened
        ledger._playing = set(ledger.playing)
        ledger._numbers = {each.digest: at for at, each in enumerate(ledger.contestants)}
        return ledger

    def records(self, entry: BlockPlayed) -> list[GameRecord]:
        """Return the games of the block that was followed last."""
        first = self.opened.first_game + self.games - len(entry.games)
        key = bytes.fromhex(entry.key)
        found = []
        for rotation, game in enumerate(entry.games):
            players = rotated(entry.contestants, rotation)
            found.append(
                GameRecord(
                    first + rotation,
                    self.contest,
                    self.sandbox,
                    entry.number,
                    rotation,
                    entry.attempt,
                    key,
                    players,
                    [self.contestants[number] for number in players],
                    game,
                )
            )
        return found

    def _take(self, entry: Entry) -> None:
        match entry:
            case Opened():
                if entry.first_game and entry.contest.kind == "ladder":
                    raise malformed("first_game", str(entry.first_game), "0, in a ladder")
                self._opened = entry
            case Entered():
                self._enter(entry)
            case Changed():
                self._change(entry)
            case BlockPlayed():
                self._check_block(entry)
                self.blocks += 1
                self.games += len(entry.games)
            case Annulled():
                self._annul(entry.blocks)
            case Closed():
                self.closed = entry
            case Beacon():
                pass

    def _enter(self, entry: Entered) -> None:
        if not entry.contestants and not entry.leave:
            raise malformed("contestants", "nobody", "somebody who enters or leaves")
        ladder = self.contest.kind == "ladder"
        playing = set(self._playing)
        for at, leaving in enumerate(entry.leave):
            if leaving.contestant not in playing:
                place = f"leave[{at}].contestant"
                raise malformed(place, str(leaving.contestant), "the number of one who plays")
            playing.remove(leaving.contestant)
        new: list[Contestant] = []
        numbers: dict[str, int] = {}
        for at, contestant in enumerate(entry.contestants):
            number = self._numbers.get(contestant.digest, numbers.get(contestant.digest))
            if not ladder or number is None:
                number = len(self.contestants) + len(new)
                new.append(contestant)
            elif number in playing:
                place = f"contestants[{at}].digest"
                raise malformed(place, brief(contestant.digest, 12), "one who does not play yet")
            elif number < len(self.contestants) and self.contestants[number] != contestant:
                wanted = f"{brief(self.contestants[number].name)}, as before"
                raise malformed(f"contestants[{at}]", brief(contestant.name), wanted)
            numbers[contestant.digest] = number
            playing.add(number)
        most = max(self.contest.tables)
        if len(playing) < most:
            got = f"{len(playing)} who play"
            raise malformed("contestants", got, f"enough for a table of {most}")
        self.contestants += new
        self._numbers.update(numbers)
        self._playing = playing
        if self.fields and self.fields[-1].block == self.blocks:
            self.fields.pop()
        self.fields.append(Field(block=self.blocks, contestants=tuple(sorted(playing))))

    def _change(self, entry: Changed) -> None:
        if entry.arena is None and entry.sandbox is None and entry.budget is None:
            raise malformed("change", "nothing", "something that changes")
        by_size = None if entry.budget is None else entry.budget.quota
        if by_size is not None and set(by_size) != set(self.contest.tables):
            says, wanted = ", ".join(map(str, by_size)), ", ".join(map(str, self.contest.tables))
            raise malformed("budget.each_at", f"tables of {says or 'no size'}", f"all of {wanted}")
        self.arena = self.arena if entry.arena is None else entry.arena
        self.sandbox = self.sandbox if entry.sandbox is None else entry.sandbox
        self.budget = self.budget if entry.budget is None else entry.budget

    def _check_block(self, entry: BlockPlayed) -> None:
        if entry.number != self.blocks:
            raise malformed("number", str(entry.number), f"{self.blocks}, the next block")
        seats = len(entry.contestants)
        if seats not in self.contest.tables:
            tables = ", ".join(map(str, self.contest.tables))
            raise malformed("contestants", f"{seats} of them", f"a table of {tables}")
        if len(set(entry.contestants)) < seats or not self._playing.issuperset(entry.contestants):
            wanted = "each once, of those who play"
            raise malformed("contestants", brief(list(entry.contestants)), wanted)
        if self.contest.kind == "ladder" and len(entry.games) != seats:
            wanted = f"{seats}, one for each rotation"
            raise malformed("games", f"{len(entry.games)} of them", wanted)
        if len(entry.games) > seats:
            raise malformed("games", f"{len(entry.games)} of them", f"{seats} at most")
        for at, game in enumerate(entry.games):
            _check_game(game, seats, f"games[{at}]")

    def _annul(self, blocks: Sequence[int]) -> None:
        for at, block in enumerate(blocks):
            if block >= self.blocks or block in self.annulled or block in blocks[:at]:
                wanted = f"a block below {self.blocks} that counts"
                raise malformed(f"blocks[{at}]", str(block), wanted)
        self.annulled.update(blocks)


def follow_lines(lines: Iterable[bytes], ledger: Ledger) -> Iterator[Entry]:
    """Yield the entry of each line once the ledger has followed it.

    A `Difference` says at which line (counted from 1 for this call) it came up.
    """
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
            ledger.follow(line, entry)
        except Difference as difference:
            difference.line = number
            raise
        yield entry


def follow_logs(lines: Iterable[bytes]) -> Iterator[tuple[Ledger, Entry]]:
    """Yield the entries of a file with one log after the other, each with its log's ledger.

    A `Difference` says at which line it came up. The games of a later log are numbered on.
    """
    ledger = Ledger()
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
            if isinstance(entry, Opened) and ledger.begun:
                ended = ledger.opened.first_game + ledger.games
                if entry.first_game != ended:
                    wanted = f"{ended}, the number after that of the last game"
                    raise malformed("first_game", str(entry.first_game), wanted)
                ledger = Ledger()
            ledger.follow(line, entry)
        except Difference as difference:
            difference.line = number
            raise
        yield ledger, entry


def _check_game(game: Game, seats: int, place: str) -> None:
    """Raise `Difference` unless a game has what it should of each seat."""
    for key, values in (("scores", game.scores), ("places", game.places)):
        if len(values) != seats:
            raise malformed(f"{place}.{key}", f"{len(values)} of them", f"one for each of {seats}")
    for at, fault in enumerate(game.faults):
        if fault.seat >= seats:
            raise malformed(f"{place}.faults[{at}].seat", str(fault.seat), f"0..{seats - 1}")
    last = -1
    for at, (decision, _) in enumerate(game.notes):
        if decision <= last:
            raise malformed(f"{place}.notes[{at}]", f"a note at {decision}", f"more than {last}")
        last = decision


def _tag(entry: Entry) -> str:
    return str(entry.__struct_config__.tag)
