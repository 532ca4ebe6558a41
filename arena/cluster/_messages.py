"""What the host and a machine tell each other: typed, and small enough to be sent often.

The host asks, and a machine's referees answer. No question has the secret of a ladder: a block
comes with its own key, from which no other follows.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec import Struct

from arena.blocks.block import Block, BlockResult
from arena.records.entries import Contest, Contestant
from arena.records.times import BrokenOff
from arena.referee.deals import BlockDeals

AHEAD = 2
"""Questions for each referee at a time, so that none waits for the next."""


class Message(Struct, frozen=True, kw_only=True, tag=True):
    """What all messages have in common: the name of their type travels with them."""


class Program(Message, frozen=True):
    """A bot of a job: its description, and how a machine comes by it."""

    digest: str
    name: str
    version: str
    author: str
    summary: str
    language: str
    games: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]
    files: tuple[str, ...]
    registered: bool
    """Whether a plugin brings it, so that it has to be installed."""
    built: bool
    """Whether what the host's build has made is sent along."""


class Job(Message, frozen=True):
    """What is the same for all blocks of a run."""

    id: str
    contest: Contest
    """The terms of the games; its name is not the ladder's."""
    programs: tuple[Program, ...]
    """In the order of the venue's bots."""


class AskTraits(Message, frozen=True):
    """Who are you? `programs` are the tools whose versions matter to the bots of the job."""

    tools: tuple[str, ...] = ()


class Traits(Message, frozen=True):
    """What a machine is, as far as results could depend on it."""

    machine: str
    arena: str
    python: str
    games: dict[str, str]
    """The installed games, with the versions of their rules."""
    held: str
    """How it holds bots that are suspended, as a log says it."""
    held_running: str
    """How it holds bots that are not."""
    tools: dict[str, str]
    """The versions of the tools that were asked for; of those that are there."""
    referees: int


class TakeJob(Message, frozen=True):
    """Get ready for a job."""

    job: Job


class Lacks(Message, frozen=True):
    """The digests of the programs that have to be sent."""

    digests: tuple[str, ...]


class TakeParcel(Message, frozen=True):
    """A piece of a program's files, as a tar stream."""

    job: str
    digest: str
    at: int
    """How many bytes came before it."""
    data: bytes
    last: bool


class Play(Message, frozen=True):
    """Play these blocks."""

    job: str
    blocks: tuple[SentBlock, ...]


class SentBlock(Message, frozen=True):
    """A block; its contestants are named by their places in the job's programs."""

    number: int
    first_game: int
    contestants: tuple[int, ...]
    key: bytes
    swapped: tuple[int, ...] = ()
    broken_off: tuple[BrokenOff, ...] = ()
    """The attempts before the one to begin with; only the host's own referee is told of any."""


class Played(Message, frozen=True):
    """The blocks that were played, and how long a referee took for all of them."""

    results: tuple[BlockResult, ...]
    seconds: float


class Recheck(Message, frozen=True):
    """Play the games of these entries again under the rules."""

    job: str
    entries: tuple[tuple[int, int, bytes], ...]


class Rechecked(Message, frozen=True):
    """The first thing that is wrong, if any: entry, place, says, wanted, by, game, decision."""

    wrong: tuple[int, tuple[str, str, str, str], int | None, int | None] | None


class EndJob(Message, frozen=True):
    """Forget a job, and end its bots."""

    job: str


class Done(Message, frozen=True):
    """Done, with nothing to tell."""


class Failed(Message, frozen=True):
    """Not possible on this machine, for a reason that a person understands."""

    reason: str


Question: TypeAlias = AskTraits | TakeJob | TakeParcel | Play | Recheck | EndJob
Answer: TypeAlias = Traits | Lacks | Played | Rechecked | Done | Failed

_questions = msgspec.msgpack.Decoder(Question)
_answers = msgspec.msgpack.Decoder(Answer)
_encoder = msgspec.msgpack.Encoder()


def written(message: Message) -> bytes:
    """Return a message as bytes."""
    return _encoder.encode(message)


def read_question(data: bytes) -> Question:
    """Return a question; raise `ValueError` if these bytes are none."""
    found: Question = _questions.decode(data)
    return found


def read_answer(data: bytes) -> Answer:
    """Return an answer; raise `ValueError` if these bytes are none."""
    found: Answer = _answers.decode(data)
    return found


def sent(block: Block, places: dict[str, int]) -> SentBlock:
    """Return a block as it travels; `places` are those of the contestants' digests."""
    return SentBlock(
        number=block.number,
        first_game=block.first_game,
        contestants=tuple(places[each.digest] for each in block.contestants),
        key=block.deals.key,
        swapped=tuple(places[each.digest] for each in block.swapped),
    )


def received(block: SentBlock, contestants: tuple[Contestant, ...]) -> Block:
    """Return a block as referees take it."""
    return Block(
        block.number,
        block.first_game,
        tuple(contestants[each] for each in block.contestants),
        BlockDeals(block.key),
        tuple(contestants[each] for each in block.swapped),
    )


def contestants_of(job: Job) -> tuple[Contestant, ...]:
    """Return the contestants of a job, in the order of its programs."""
    return tuple(
        Contestant(name=each.name, version=each.version, digest=each.digest)
        for each in job.programs
    )


def framed(ticket: int, data: bytes) -> bytes:
    """Return a message as it goes through a pipe: its length, its ticket, itself."""
    return len(data).to_bytes(4, "big") + ticket.to_bytes(8, "big") + data


HEAD = 12
"""The bytes before a message in a pipe."""


def head(data: bytes | bytearray) -> tuple[int, int]:
    """Return the length and the ticket of the message that follows."""
    return int.from_bytes(data[:4], "big"), int.from_bytes(data[4:HEAD], "big")
