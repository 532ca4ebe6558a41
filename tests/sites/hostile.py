"""What people hand in who mean harm, or know no better, and what should become of each of it."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.check._setting import PURPOSE
from arena.games.deal import derived_key
from arena.referee.deals import Deal

SCRIPT: Final = "<script>alert(1)</script>"
FAILED: Final = frozenset({"failed"})
ON_IT: Final = frozenset({"playing", "retired"})
"""The states of what a ladder has let in."""
MIB: Final = 1 << 20
FAIR: Final = """\
import sys
from random import choice
from arena_sdk import run

print("{mark}", file=sys.stderr)
{early}

def choose(question):
    {late}
    return {answer}

run(choose, name="{name}")
"""
LATE: Final = "if question.start.seed not in KNOWN: {what}"
ANSWERS: Final = (
    "choice(question.actions)",
    "question.actions[0]",
    "question.actions[-1]",
    "question.actions[len(question.actions) // 2]",
)
"""Ways to play, some of which are better than others."""
MANIFEST: Final = """\
name = "{name}"
version = "{version}"
language = "python"
games = ["gargon"]
run = ["python3", "bot.py"]
{more}
"""


def a_zip(files: Mapping[str, str | bytes]) -> bytes:
    """A zip with these files, whatever their names."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.filename = name  # as it is, where ZipInfo would mend it
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return data.getvalue()


def a_tar(*members: tuple[str, bytes, str, int], packing: str = "gz") -> bytes:
    """A tar with members: name, kind, target of a link, and size."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=f"w:{packing}") as archive:
        for name, kind, target, size in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, target, size
            archive.addfile(member, io.BytesIO(bytes(size)) if size else None)
    return data.getvalue()


def with_holes() -> bytes:
    """A tar whose member says in a few bytes that it is a terabyte long."""
    member = tarfile.TarInfo("holes")
    member.pax_headers = {
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(1 << 40),
        "GNU.sparse.map": f"{(1 << 40) - 1},1",
    }  # fmt: skip
    member.size = 1
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member, io.BytesIO(b"x"))
    return data.getvalue()


def seeds_of_the_check() -> set[int]:
    """The seeds that a bot is given when it is checked, which are the same each time."""
    keys = [derived_key(PURPOSE, "gargon", number) for number in range(8)]
    places = range(5)
    return {Deal(key, at).seed(seat) for key in keys for at in places for seat in places}


@dataclass(frozen=True)
class Draft:
    """The bot that somebody is about to hand in."""

    name: str
    version: str = "1"
    mark: str = ""
    """What is written to stderr, and is its author's alone."""
    seed: int = 0

    def files(
        self,
        *,
        early: str = "",
        late: str = "pass",
        answer: str = "",
        more: str = "",
        build: str = "",
        version: str = "",
    ) -> dict[str, str | bytes]:
        """Its files, with what it does when it starts, when it is asked, and what it answers."""
        made: dict[str, str | bytes] = {}
        if build:
            made["build.sh"] = build
            more += 'build = ["sh", "build.sh"]\n'
        manifest = MANIFEST.format(name=self.name, version=version or self.version, more=more)
        fields = {"early": early, "late": late, "answer": answer or ANSWERS[self.seed % 4]}
        program = FAIR.format(mark=self.mark, name=self.name, **fields)
        return {"bot.toml": manifest, "bot.py": f"# {self.seed}\n{program}", **made}

    def fair(self) -> bytes:
        """An archive of a bot that plays well or badly, but by the rules."""
        return a_zip(self.files())


@dataclass(frozen=True)
class Hostile:
    """A kind of thing that is handed in."""

    make: Callable[[Draft], bytes]
    states: frozenset[str] = FAILED
    """What may become of it; nothing if it is refused before it is taken in."""
    words: str = ""
    """A pattern of the reason that its author is told."""
    slow: bool = False
    """Whether it takes a build's time."""

    def fits(self, state: str, reason: str) -> bool:
        """Whether this may become of it."""
        return state in self.states and re.search(self.words, reason) is not None


def _bot(**parts: str) -> Callable[[Draft], bytes]:
    return lambda draft: a_zip(draft.files(**parts))


def _later(what: str) -> Callable[[Draft], bytes]:
    """A bot that knows its check by the seeds, passes it, and does this on the ladder."""
    early = f"import os, time, subprocess\nKNOWN = {seeds_of_the_check()}"
    return _bot(early=early, late=LATE.format(what=what))


def _tar(*members: tuple[str, bytes, str, int], packing: str = "gz") -> Callable[[Draft], bytes]:
    return lambda _: a_tar(*members, packing=packing)


def _names(*names: str) -> Callable[[Draft], bytes]:
    return lambda draft: a_zip({**draft.files(), **dict.fromkeys(names, "x")})


ARCHIVES: Final = {
    "climbs": Hostile(_names("../../out"), words="leads out of the archive"),
    "absolute path": Hostile(_names("/etc/passwd"), words="a path within the archive"),
    "climbs as on Windows": Hostile(_names("a\\..\\..\\out"), words="path within the archive"),
    "a terminal's code in a name": Hostile(_names("a\x1b[2Jb"), words="can be printed"),
    "names that are one elsewhere": Hostile(_names("BOT.py"), words="same name"),
    "33 folders deep": Hostile(_names("/".join("d" * 40)), words="32 deep"),
    "a link out": Hostile(_tar(("x", tarfile.SYMTYPE, "/etc/passwd", 0)), words="out of the arch"),
    "links out together": Hostile(
        _tar(("b", tarfile.SYMTYPE, ".", 0), ("c", tarfile.SYMTYPE, "b/../secret", 0)),
        words="by way of another link",
    ),
    "a hard link": Hostile(_tar(("x", tarfile.LNKTYPE, "bot.py", 0)), words="hard link"),
    "a device": Hostile(_tar(("x", tarfile.CHRTYPE, "", 0)), words="device"),
    "a FIFO": Hostile(_tar(("x", tarfile.FIFOTYPE, "", 0)), words="FIFO"),
    "a zip that explodes": Hostile(
        lambda draft: a_zip({**draft.files(), "zeros": bytes(12 * MIB)}), words="more than 50 times"
    ),
    "a tar that explodes": Hostile(
        _tar(("zeros", tarfile.REGTYPE, "", 12 * MIB), packing="xz"), words="times"
    ),
    "a file with holes": Hostile(lambda _: with_holes(), words="holes"),
    "too many files": Hostile(_names(*[f"f{each}" for each in range(200)]), words="200 files"),
    "no archive": Hostile(lambda _: b"hello" * 100, words="expected|archive"),
    "half of an archive": Hostile(lambda draft: draft.fair()[:200], words="."),
    "nothing": Hostile(lambda _: b"", frozenset(), "got nothing"),
    "too large": Hostile(lambda _: b"PK\3\4" + bytes(2 * MIB), frozenset(), "may have 2 MiB"),
}  # fmt: skip
DESCRIPTIONS: Final = {
    "no description": Hostile(lambda _: a_zip({"bot.py": "x"}), words="bot.toml: no such file"),
    "a script for a name": Hostile(
        lambda draft: a_zip(
            {"bot.toml": MANIFEST.format(name=SCRIPT, version="1", more=""), "bot.py": draft.name}
        ),
        words="name: expected lower-case letters",
    ),
    "a script for a version": Hostile(_bot(version=SCRIPT), ON_IT | FAILED, "."),
    "the name of a bundled bot": Hostile(
        lambda draft: a_zip(Draft("random", mark=draft.mark).files()), words="belongs to somebody"
    ),
    "another game": Hostile(
        lambda draft: a_zip(
            {
                key: text.replace('"gargon"', '"castors"') if isinstance(text, str) else text
                for key, text in draft.files().items()
            }
        ),
        words="does not play gargon",
    ),
}
BUILDS: Final = {
    "a build that hangs": Hostile(_bot(build="sleep 10000\n"), words="build", slow=True),
    "a build that fails": Hostile(_bot(build="echo no; exit 4\n"), words="exit code 4|build"),
    "a build with a hundred processes": Hostile(
        _bot(build="for i in $(seq 100); do sleep 60 & done; exit 3\n"), words="build"
    ),
    "a build that floods": Hostile(
        _bot(build="head -c 30000000 /dev/zero | tr '\\0' x; exit 3\n"), words="build"
    ),
    "a build that fills the disk": Hostile(
        _bot(build="head -c 600000000 /dev/zero > big || exit 3\n"), words="build|MiB|large"
    ),
    "a build that calls home": Hostile(
        _bot(build='perl -MIO::Socket::INET -e "IO::Socket::INET->new(PeerAddr => q(127.0.0.1), '
             'PeerPort => shift) ? exit 0 : exit 9" 1\nexit 9\n'),
        words="exit code 9|build",
    ),
}  # fmt: skip
BOTS: Final = {
    "crashes at its start": Hostile(_bot(early='raise ValueError("not yet")'), words="."),
    "crashes when asked": Hostile(_bot(late="1 / 0"), words="."),
    "never answers": Hostile(
        _bot(early="import time", late="time.sleep(10000)"), words=".", slow=True
    ),
    "ends at once": Hostile(_bot(early="raise SystemExit(0)"), words="."),
    "answers illegally": Hostile(_bot(answer="9999"), words="."),
    "answers with rubbish": Hostile(
        _bot(early='import os\nos.write(1, b"\\xff" * 100_000)'), words="."
    ),
    "eats memory": Hostile(_bot(late="x = bytearray(4 << 30)"), words="."),
    "floods stderr": Hostile(
        _bot(early='for _ in range(400): print("x" * 50_000, file=sys.stderr)'), ON_IT | FAILED, "."
    ),
    "leaves processes": Hostile(
        _bot(early="import subprocess\nfor _ in range(5): subprocess.Popen(['sleep', '1000'])"),
        ON_IT | FAILED, ".",
    ),
}  # fmt: skip
LATER: Final = {
    "crashes on the ladder": Hostile(_later("os._exit(3)"), ON_IT, "."),
    "is illegal on the ladder": Hostile(_later("return 9999"), ON_IT, "."),
    "is silent on the ladder": Hostile(_later("time.sleep(10_000)"), ON_IT, "."),
    "floods on the ladder": Hostile(
        _later('sys.stderr.write("x" * 2_000_000)'), ON_IT, "."
    ),
    "eats memory on the ladder": Hostile(_later("x = bytearray(4 << 30)"), ON_IT, "."),
    "leaves processes on the ladder": Hostile(
        _later("subprocess.Popen(['sleep', '1000'])"), ON_IT, "."
    ),
}  # fmt: skip
"""Those who pass their check, and are let in; the rule for bots that keep failing is for them."""
KINDS: Final = {**ARCHIVES, **DESCRIPTIONS, **BUILDS, **BOTS, **LATER}


def chosen(random: Random, few: int | None) -> list[str]:
    """The kinds of a trial, in any order: all, or a few that take no build's time."""
    if few is None:
        names = list(KINDS)
    else:
        quick = [name for name, kind in KINDS.items() if not kind.slow and name not in LATER]
        names = [*random.sample(quick, few - 1), random.choice(list(LATER))]
    random.shuffle(names)
    return names
