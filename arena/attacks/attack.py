"""Attacks: what a stranger's program might try, which wall it tests, and how it may end.

The programs are in `bots`. Each is a bot that makes its attempts and then plays on if it can.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from arena.records.entries import TimeControl
from arena.records.verdicts import (
    CRASHED,
    FINISHED,
    OUT_OF_MEMORY,
    OUTPUT_LIMIT,
    PROTOCOL,
    START_FAILED,
    TIMEOUT,
)

GAME = "castors"
"""The game that attacks play: it is short."""
FOLDER = Path(__file__).parent / "bots"
PATIENT = TimeControl(decision=60_000, bank=60_000, start=20_000)
STRICT = TimeControl(decision=300, bank=700, start=20_000)


@dataclass(frozen=True)
class Attack:
    """A bot that attacks, alone or with an accomplice, and the expected result."""

    name: str
    wall: str
    """What holds if the attack fails, in words."""
    program: str
    word: str = ""
    """The argument that tells the program which of several ways to take."""
    accomplice: str = ""
    """The argument of the same program in another seat, if there is an accomplice."""
    verdicts: tuple[str, ...] = (FINISHED,)
    """The verdicts that the attack may get if the wall holds."""
    control: TimeControl = PATIENT
    tells: bool = True
    """Whether it makes attempts and reports them in its notes."""
    watched: bool = False
    """Whether its use of the others' time is measured; they think a while at every question."""
    needs_cgroup: bool = False
    """Whether the wall holds only where there are control groups."""
    trick: str = ""
    """What is wrong with the bot's folder, if anything: "pipe", "socket" or "device"."""

    @property
    def possible(self) -> bool:
        """Whether this user can set it up: only root can make devices."""
        return self.trick != "device" or os.geteuid() == 0


def _memory(way: str, what: str, *, needs_cgroup: bool = False) -> Attack:
    return Attack(
        f"memory-{way}",
        f"memory is limited: {what}",
        "memory.py",
        way,
        verdicts=(FINISHED, OUT_OF_MEMORY),
        needs_cgroup=needs_cgroup,
    )


def _spends(way: str, wall: str, *verdicts: str) -> Attack:
    return Attack(way, wall, "spends.py", way, verdicts=verdicts, control=STRICT, tells=False)


def _lingers(way: str, what: str) -> Attack:
    return Attack(
        f"lingers-{way}",
        f"nobody is asked while another stays in the kernel: {what}",
        "lingers.py",
        way,
        verdicts=(FINISHED, TIMEOUT, OUT_OF_MEMORY),
        tells=False,
        watched=True,
        needs_cgroup=True,
    )


def _folder(trick: str, what: str) -> Attack:
    wall = f"a folder with {what} is refused"
    return Attack(
        f"folder-{trick}",
        wall,
        "plays.py",
        verdicts=(START_FAILED,),
        tells=False,
        trick=trick,
    )


ATTACKS = (
    Attack("reads", "nothing of the host, of other bots or of the store can be read", "reads.py"),
    Attack(
        "environment",
        "environments, processes and open files of the host cannot be seen",
        "environment.py",
    ),
    Attack("writes", "nothing but /tmp and /dev/shm can be written to", "writes.py"),
    Attack(
        "fills",
        "/tmp and /dev/shm have a size, and nothing else can be filled",
        "fills.py",
    ),
    Attack(
        "litters",
        "nor can very many files use up the host's memory",
        "fills.py",
        "names",
        verdicts=(FINISHED, OUT_OF_MEMORY),
        needs_cgroup=True,
    ),
    Attack("network", "there is no network, and no socket to the host", "network.py"),
    Attack("forks", "processes and threads are limited", "forks.py"),
    _memory("heap", "of one process"),
    _memory("children", "of all children together"),
    _memory("nameless", "of files in memory", needs_cgroup=True),
    _memory("files", "of files in /tmp and /dev/shm"),
    _memory("shared", "of shared mappings", needs_cgroup=True),
    _memory("segments", "of System V segments", needs_cgroup=True),
    _memory("pipes", "of what waits in pipes and sockets"),
    Attack("others", "other processes cannot be touched, nor the priority raised", "others.py"),
    Attack("calls", "system calls that a bot does not need are refused", "calls.py"),
    Attack("privileges", "no rights can be had, nor namespaces within", "privileges.py"),
    Attack("outlives", "nothing outlives the game", "outlives.py"),
    Attack(
        "channels",
        "two bots cannot pass each other a bit by what they share",
        "channels.py",
        "receiver",
        accomplice="sender",
    ),
    Attack(
        "pages",
        "nor by what the host keeps of files that both see",
        "pages.py",
        "receiver",
        accomplice="sender",
    ),
    Attack(
        "counts",
        "nor by what the kernel counts",
        "counts.py",
        "receiver",
        accomplice="sender",
    ),
    Attack(
        "meetings",
        "nor by what they could feel if both ran at once",
        "channels.py",
        "receiver-at-once",
        accomplice="sender-at-once",
        needs_cgroup=True,
    ),
    Attack(
        "thinks-on",
        "nobody thinks on others' time",
        "thinks_on.py",
        "resist",
        tells=False,
        watched=True,
        needs_cgroup=True,
    ),
    _lingers("populates", "mapping memory"),
    _lingers("queues", "in threads that wait for each other"),
    _lingers("forks", "copying its tables of pages"),
    _spends("busy", "a busy loop loses on time", TIMEOUT),
    _spends("asleep", "who sleeps loses on time", TIMEOUT),
    _spends("stdout", "a flood on stdout is cut off", PROTOCOL),
    _spends("stderr", "a flood on stderr is cut off", OUTPUT_LIMIT, TIMEOUT),
    _spends("dump", "no core file is left", CRASHED),
    _folder("pipe", "a FIFO"),
    _folder("socket", "a socket"),
    _folder("device", "a device"),
)
