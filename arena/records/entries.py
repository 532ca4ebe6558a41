"""The entries of a log: what a ladder is, who enters, every block that is played, and its end.

An entry is one line of canonical JSON. Its type says all of its form: what keys there are, of
what type, and within which bounds. A key whose value is the default is left out, so that every
entry has one form only. Nothing in an entry depends on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, structs

from arena.games.game import Rules
from arena.names import LONGEST, NAME
from arena.records.verdicts import FaultVerdict
from arena.wire.messages import LONGEST_NOTE_BYTES

FORMAT: Final = 2
DAY = 86_400_000
"""In milliseconds."""

Count: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 53)]
Score: TypeAlias = Annotated[int, Meta(gt=-(1 << 53), lt=1 << 53)]
Name: TypeAlias = Annotated[str, Meta(pattern=rf"^{NAME}\Z", max_length=LONGEST)]
Sha256: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Hexadecimal: TypeAlias = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})+\Z")]
TableSize: TypeAlias = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,2}\Z")]
"""The number of seats of a table, as a key."""
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=DAY)]
EndReason: TypeAlias = Literal["budget", "width", "certain", "time", "host"]
"""Why a ladder has ended: its games are played, its intervals are narrow enough, its order is
certain, or what its host says."""
StageEnd: TypeAlias = Literal["budget", "width", "certain", "few"]
"""Why a stage has ended: its games are played, its intervals are narrow enough, what it was to
show is certain, or too few are left to play."""
LeavingKind: TypeAlias = Literal["withdrawn", "replaced", "removed", "set-aside", "disqualified"]
"""Why somebody plays no more: his author has withdrawn him, a new version takes his place, the
host has taken him out, he has failed too often by the rule in the log, or he is disqualified."""
Figure: TypeAlias = Literal["rating", "skill", "margins", "share"]
"""A figure of the standings that can decide places."""
Reason: TypeAlias = Annotated[str, Meta(max_length=1000)]
MOST_LAST_GAMES: Final = 1000
"""How many of a contestant's last games a rule can count."""
DEADLINE: Final = r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?\Z"
Publishing: TypeAlias = Literal["at-once", "after-close"]
"""When games may be published: as they are played, or once the ladder is closed."""


class Form(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
):
    """What all parts of an entry have in common."""


class Contestant(Form, frozen=True):
    """One version of a bot. With another digest it is another contestant."""

    name: Name
    version: str
    digest: Sha256


class TimeControl(Form, frozen=True, omit_defaults=False):
    """Milliseconds for every decision, in the bank of a game, and from start to hello."""

    decision: Milliseconds = 100
    bank: Milliseconds = 10_000
    start: Milliseconds = 10_000


class Budget(Form, frozen=True, kw_only=True):
    """When a run ends: where any of these is reached first.

    All but `minutes` count only where everybody was treated as alike as can be: at a balanced
    point of the schedule, or, since the field has changed, after any block.
    """

    games: Annotated[int, Meta(ge=1)] | None = None
    """Games of the whole ladder, including those of earlier runs."""
    each: Annotated[int, Meta(ge=1)] | None = None
    """Games of each contestant who plays, at all tables together."""
    each_at: dict[TableSize, Annotated[int, Meta(ge=1)]] | None = None
    """Games of each contestant who plays, by table size; they also say how often each is played."""
    width: Annotated[float, Meta(gt=0)] | None = None
    """How wide the widest 95 % interval of a skill may be, in points."""
    minutes: Annotated[float, Meta(gt=0)] | None = None
    """Minutes of each run."""
    certain: Annotated[float, Meta(gt=0.5, lt=1)] | None = None
    """How certain, from 0.5 to 1, the order of all neighbours in the ranking has to be."""

    @property
    def quota(self) -> dict[int, int] | None:
        """The games of each contestant by table size, if the budget has them."""
        if self.each_at is None:
            return None
        return {int(size): games for size, games in self.each_at.items()}

    def instead(self, given: Budget) -> Budget:
        """Return this with what is given in its place; all counts of games are one kind."""
        budget = self
        if any(value is not None for value in (given.games, given.each, given.each_at)):
            budget = structs.replace(budget, games=None, each=None, each_at=None)
        changes = {key: value for key, value in structs.asdict(given).items() if value is not None}
        return structs.replace(budget, **changes)


class Stage(Form, frozen=True, kw_only=True):
    """A part of a ladder with a field and a budget of its own, and what decides its places.

    The first has everybody who enters. Each later one has the best of the one before.
    """

    name: Name
    best: Annotated[int, Meta(ge=2)] | None = None
    """How many of the stage before play on here, and all who share the last place among them;
    None in the first stage."""
    allowed: bool = False
    """Whether all play on whom the intervals of the stage before allow a place among these."""
    tables: tuple[Annotated[int, Meta(ge=1, le=256)], ...] = ()
    """Which of the ladder's tables are played; all, if none is named."""
    budget: Budget
    """When the stage ends. Games are counted from its beginning; it has no `minutes`. `certain`
    means who plays on, or in the last stage the first places."""
    order: Annotated[tuple[Figure, ...], Meta(min_length=1)] = ("skill", "rating", "share")
    """The figures that decide its places, one after the other where those before are equal. Who
    is equal in all of them shares a place."""
    counts: Literal["all", "stage"] = "all"
    """Which games these figures come from: all of the ladder so far, or those of the stage."""
    prizes: Annotated[int, Meta(ge=1)] | None = None
    """In the last stage: how many first places have to be certain; None for all."""


class SetAside(Form, frozen=True, kw_only=True):
    """The rule for bots that keep failing: who does so in more than `faults` of his last games."""

    faults: Annotated[int, Meta(ge=0, le=MOST_LAST_GAMES)]
    games: Annotated[int, Meta(ge=0, le=MOST_LAST_GAMES)]
    """How many of his last games are looked at; 0 if nobody is set aside."""


class Contest(Form, frozen=True, kw_only=True):
    """What is played, and all terms that decide a game or a standing. They do not change."""

    kind: Literal["ladder", "match"] = "ladder"
    """A ladder pairs by its schedule. In a match everybody plays in every game."""
    name: Name
    game: Name
    version: str
    """The version of the game's rules."""
    rules: Rules
    tables: Annotated[tuple[Annotated[int, Meta(ge=1, le=256)], ...], Meta(min_length=1)]
    time: TimeControl
    limits: dict[str, Count]
    sandbox: str
    """The sandbox that was asked for, such as `auto`; entries `change` say which one it was."""
    suspend: bool
    fresh: bool
    """Whether every game is played by new processes."""
    seed: str | None = None
    """The public seed of the deals; None if a secret is drawn."""
    anchor: Name | None = None
    """The bot whose mu is shown as 25, so that ladders can be compared; else the mean is 25."""


class Opened(Form, frozen=True, kw_only=True, tag_field="entry", tag="open"):
    """The first entry: what is played, and the commitment to the secret of all deals."""

    format: Literal[2]
    contest: Contest
    commitment: Sha256
    """The SHA-256 of the secret that all deals come from."""
    first_game: Count = 0
    """The number of its first game; a match that is added to a file goes on counting."""


class Leaving(Form, frozen=True, kw_only=True):
    """Who plays no more from here on, and why."""

    contestant: Count
    kind: LeavingKind | None = None
    """None in logs of matches, and of arenas that knew no kinds."""
    reason: Reason = ""


class Entered(Form, frozen=True, kw_only=True, tag_field="entry", tag="enter"):
    """Who enters and who leaves. A contestant's number is its place among all that ever entered.

    Somebody who has left and enters again keeps his number.
    """

    contestants: tuple[Contestant, ...] = ()
    leave: tuple[Leaving, ...] = ()


class Changed(Form, frozen=True, kw_only=True, tag_field="entry", tag="change"):
    """What else counts from here on; what is not named stays as it was."""

    arena: str | None = None
    """The version of the arena that plays."""
    sandbox: str | None = None
    """The label of the sandbox that was found and tested on the host that plays."""
    budget: Budget | None = None
    stages: tuple[Stage, ...] | None = None
    """All stages, the earlier ones as they were; none, if the ladder has no stages."""
    set_aside: SetAside | None = None
    deadline: Annotated[str, Meta(pattern=DEADLINE)] | None = None
    """Until when bots can enter, in UTC; empty if there is no such time. The first stage does not
    end before its host says that entries are closed."""
    entries: Literal["open", "closed"] | None = None
    """Whether bots can enter."""
    paused: bool | None = None
    """Whether the ladder is paused: no block may follow until another entry says that it is not."""
    publish: Publishing | None = None
    """When games, notes and replays may be published; `at-once` until an entry says so."""
    reason: Reason = ""


class Beacon(Form, frozen=True, kw_only=True, tag_field="entry", tag="beacon"):
    """Randomness from outside. The deals that follow depend on it, and on the log so far."""

    source: str
    round: Count
    value: Hexadecimal


class SeatFault(Form, frozen=True, kw_only=True):
    """A fault in a game: its seat, and the number of the decision at which it came up."""

    seat: Count
    decision: Count
    verdict: FaultVerdict
    text: str


Note: TypeAlias = tuple[Count, Annotated[str, Meta(min_length=1, max_length=LONGEST_NOTE_BYTES)]]
"""The number of a decision, and what the bot noted at it."""


class Game(Form, frozen=True, kw_only=True):
    """A game of a block: what was decided in turn, and how it ended. The block has the cards."""

    actions: tuple[Annotated[Sequence[Any], Meta(min_length=1)], ...]
    notes: tuple[Note, ...] = ()
    faults: tuple[SeatFault, ...] = ()
    scores: tuple[Score, ...]
    places: tuple[Annotated[int, Meta(ge=1)], ...]


class BlockPlayed(Form, frozen=True, kw_only=True, tag_field="entry", tag="block"):
    """A block: one deal, and its games, one for each rotation of the seats."""

    number: Count
    attempt: Count = 0
    """How often the block was broken off before; each attempt has cards of its own."""
    key: Sha256
    """The key of the attempt, from which all shuffles and the seeds of the seats follow."""
    contestants: Annotated[tuple[Count, ...], Meta(min_length=1, max_length=256)]
    """By seat in the first game; each later one moves everybody by one seat."""
    games: Annotated[tuple[Game, ...], Meta(min_length=1)]
    """In a match the last block may have fewer games than seats."""


class Annulled(Form, frozen=True, kw_only=True, tag_field="entry", tag="annul"):
    """Blocks that do not count, and why."""

    blocks: Annotated[tuple[Count, ...], Meta(min_length=1)]
    reason: Annotated[str, Meta(min_length=1, max_length=1000)]


class StageEnded(Form, frozen=True, kw_only=True, tag_field="entry", tag="stage"):
    """The end of a stage, as it follows from the log up to here: its places, and who plays on."""

    stage: Count
    """The number of the stage, from 0."""
    reason: StageEnd
    places: Annotated[
        tuple[Annotated[tuple[Count, ...], Meta(min_length=1)], ...], Meta(min_length=1)
    ]
    """Who plays at its end, the best first; those who share a place stand together."""
    qualified: tuple[Count, ...] = ()
    """Who plays in the next stage, in ascending order; nobody after the last."""


class Closed(Form, frozen=True, kw_only=True, tag_field="entry", tag="close"):
    """The last entry: why it ended, and the secret that its commitment is of."""

    reason: EndReason
    secret: Hexadecimal


Entry: TypeAlias = (
    Opened | Entered | Changed | Beacon | BlockPlayed | Annulled | StageEnded | Closed
)
