"""The ledger: what the entries of a log say so far, and whether the next one may follow.

It checks all that needs neither the rules of the game nor the schedule: the order of entries,
who takes part, the numbers of blocks. One log has one ledger, whoever reads or writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from arena.records._block_form import check_block
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
    Leaving,
    LeavingKind,
    Opened,
    Publishing,
    SetAside,
    StageEnded,
)
from arena.records.game_record import GameRecord, rotated
from arena.records.stages import Stages, StagesState
from arena.records.tree import Tree
from arena.wording import brief

NO_BEACON = "0" * 64
"""Takes the place of a beacon's root before there is one."""
NEVER_BACK = ("set-aside", "disqualified")
"""Who left like this does not enter again; another version of the bot can."""


class Field(Form, frozen=True, kw_only=True):
    """Who plays from a block on, by their numbers in ascending order."""

    block: int
    contestants: tuple[int, ...]


class Left(Form, frozen=True, kw_only=True):
    """Why a contestant plays no more, and from which block on."""

    contestant: int
    block: int
    kind: LeavingKind | Literal["not-qualified"] | None
    reason: str


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
    publish: Publishing
    size: int
    peaks: tuple[str, ...]
    stages: StagesState
    set_aside: SetAside | None
    deadline: str
    entries_open: bool
    left: tuple[Left, ...]
    paused: bool = False


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
        self.stages = Stages()
        self.set_aside: SetAside | None = None
        """The rule by which those who keep failing are set aside, if there is one."""
        self.deadline = ""
        """Until when bots can enter, as the log says; empty if it does not."""
        self.entries_open = True
        """Whether bots can enter, by what the host has said."""
        self.left: dict[int, Left] = {}
        """Those who have entered and play no more."""
        self.paused = False
        """Whether no block may follow until the ladder goes on."""
        self.closed: Closed | None = None
        self.publish: Publishing = "at-once"
        """When its games may be published, by what its host has said last."""
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
    def shows_games(self) -> bool:
        """Whether its games may be published by now."""
        return self.closed is not None or self.publish == "at-once"

    @property
    def contest(self) -> Contest:
        """What is played, on what terms."""
        return self.opened.contest

    @property
    def can_enter(self) -> bool:
        """Whether bots can enter: entries are open, and the first stage has not ended."""
        return self.entries_open and not self.stages.ended

    @property
    def disqualified(self) -> frozenset[int]:
        """Those whose standing has ended."""
        gone = self.left.values()
        return frozenset(each.contestant for each in gone if each.kind == "disqualified")

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
            publish=self.publish,
            size=self.tree.size,
            peaks=self.tree.peaks(),
            stages=self.stages.state(),
            set_aside=self.set_aside,
            deadline=self.deadline,
            entries_open=self.entries_open,
            left=tuple(self.left.values()),
            paused=self.paused,
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
        ledger.stages = Stages(state.stages)
        ledger.set_aside = state.set_aside
        ledger.deadline = state.deadline
        ledger.entries_open = state.entries_open
        ledger.left = {each.contestant: each for each in state.left}
        ledger.paused = state.paused
        ledger.publish = state.publish
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
            case StageEnded():
                self._end_stage(entry)
            case Closed():
                self.closed = entry
            case Beacon():
                pass

    def _enter(self, entry: Entered) -> None:
        if not entry.contestants and not entry.leave:
            raise malformed("contestants", "nobody", "somebody who enters or leaves")
        ladder = self.contest.kind == "ladder"
        if entry.contestants and not self.can_enter:
            wanted = "nobody, as " + (
                "the first stage has ended" if self.stages.ended else "entries are closed"
            )
            raise malformed("contestants", brief(entry.contestants[0].name), wanted)
        playing = set(self._playing)
        for at, leaving in enumerate(entry.leave):
            self._check_leaving(leaving, playing, f"leave[{at}]")
            playing.discard(leaving.contestant)
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
            elif number in self.left and self.left[number].kind in NEVER_BACK:
                says = f"{brief(contestant.name)}, who is {self.left[number].kind}"
                raise malformed(f"contestants[{at}]", says, "another version, or nobody")
            numbers[contestant.digest] = number
            playing.add(number)
        fewest = min(self.contest.tables)
        if entry.contestants and len(playing) < fewest:
            got = f"{len(playing)} who play"
            raise malformed("contestants", got, f"enough for a table of {fewest}")
        self.contestants += new
        self._numbers.update(numbers)
        for number in numbers.values():
            self.left.pop(number, None)
        for leaving in entry.leave:
            self.left[leaving.contestant] = Left(
                contestant=leaving.contestant,
                block=self.blocks,
                kind=leaving.kind,
                reason=leaving.reason,
            )
        self._play_from_here(playing)

    def _check_leaving(self, leaving: Leaving, playing: set[int], place: str) -> None:
        """Raise `Difference` unless somebody can leave; those who are gone can be disqualified."""
        number = leaving.contestant
        if leaving.kind == "disqualified":
            if number >= len(self.contestants) or number in self.disqualified:
                wanted = "the number of one who has entered and is not disqualified"
                raise malformed(f"{place}.contestant", str(number), wanted)
        elif number not in playing:
            raise malformed(f"{place}.contestant", str(number), "the number of one who plays")
        if leaving.kind == "set-aside" and self.set_aside is None:
            raise malformed(f"{place}.kind", "set-aside", "a rule in the log that sets him aside")

    def _play_from_here(self, playing: set[int]) -> None:
        """Let these play from the next block on."""
        self._playing = playing
        if self.fields and self.fields[-1].block == self.blocks:
            self.fields.pop()
        self.fields.append(Field(block=self.blocks, contestants=tuple(sorted(playing))))

    def _end_stage(self, entry: StageEnded) -> None:
        self.stages.end(entry, self._playing, self.blocks, self.games)
        if not entry.qualified:
            return
        for number in sorted(self._playing.difference(entry.qualified)):
            self.left[number] = Left(
                contestant=number, block=self.blocks, kind="not-qualified", reason=""
            )
        self._play_from_here(set(entry.qualified))

    def _change(self, entry: Changed) -> None:
        if entry == Changed(reason=entry.reason):
            raise malformed("change", "nothing", "something that changes")
        by_size = None if entry.budget is None else entry.budget.quota
        if by_size is not None and set(by_size) != set(self.contest.tables):
            says, wanted = ", ".join(map(str, by_size)), ", ".join(map(str, self.contest.tables))
            raise malformed("budget.each_at", f"tables of {says or 'no size'}", f"all of {wanted}")
        if entry.stages is not None:
            self.stages.list(entry.stages, self.contest.tables, self.blocks)
        self.arena = self.arena if entry.arena is None else entry.arena
        self.sandbox = self.sandbox if entry.sandbox is None else entry.sandbox
        self.budget = self.budget if entry.budget is None else entry.budget
        self.deadline = self.deadline if entry.deadline is None else entry.deadline
        if entry.set_aside is not None:
            self.set_aside = entry.set_aside if entry.set_aside.games else None
        if entry.entries is not None:
            self.entries_open = entry.entries == "open"
        self.paused = self.paused if entry.paused is None else entry.paused
        self.publish = self.publish if entry.publish is None else entry.publish

    def _check_block(self, entry: BlockPlayed) -> None:
        if entry.number != self.blocks:
            raise malformed("number", str(entry.number), f"{self.blocks}, the next block")
        if self.paused:
            raise malformed("entry", "block", "no block while the ladder is paused")
        if self.stages.over:
            raise malformed("entry", "block", "no block after the last stage")
        check_block(entry, self.contest, self._playing)

    def _annul(self, blocks: Sequence[int]) -> None:
        for at, block in enumerate(blocks):
            if block >= self.blocks or block in self.annulled or block in blocks[:at]:
                wanted = f"a block below {self.blocks} that counts"
                raise malformed(f"blocks[{at}]", str(block), wanted)
            if block < self.stages.began:
                wanted = f"{self.stages.began} at least: the places of earlier stages are decided"
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


def _tag(entry: Entry) -> str:
    return str(entry.__struct_config__.tag)
