"""Find a bot by its registered name, its folder, or its command line."""

from __future__ import annotations

import errno
import glob
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.names import name_like
from arena.programs.digest import NEVER_COUNTED, digest
from arena.programs.environment import search_path
from arena.programs.manifest import MANIFEST, load_manifest
from arena.programs.spec import UNKNOWN, BotSpec, UnusableBot
from arena.programs.unbuilt import not_built, seems_not_built
from arena.programs.vault import Vault
from arena.programs.walk import Folder
from arena.records.entries import Contestant
from arena.wording import short

_INTERPRETER = re.compile(r"(python|pypy|perl|ruby|node(js)?|java|php|lua|(ba|da)?sh)[\d.]*")
"""Programs that run a file of the bot; for others, a word can mean anything, such as a host."""
_SCRIPT = re.compile(r"(?!-)\S*\.[A-Za-z]\w*|\.{0,2}/\S*")
"""Matches words that look like the name of a file: with a suffix, or the start of a path."""
_NO_SCRIPT = frozenset({"-c", "-e", "-m", "-cp", "-classpath", "--class-path", "-p"})
"""Options of interpreters that take code, or the name of a module or class."""

_LONGEST = 200
"""How much of a command line is repeated in a message."""


def registered_program(contestant: Contestant, registered: Iterable[BotSpec]) -> BotSpec | None:
    """Return the registered bot that is this contestant, maybe under another name."""
    for spec in registered:
        named = replace(spec, name=contestant.name)
        if spec.version == contestant.version and digest(named) == contestant.digest:
            return named
    return None


@dataclass(frozen=True)
class BotFinder:
    """Finds a bot by a text that names it."""

    registered: Mapping[str, BotSpec]
    """The bots that plugins register, by name."""
    warn: Callable[[str], object]
    """Called with a text if something looks wrong with a bot that was found."""
    vault: Vault | None = None
    """The sealed bots that can be named, too."""

    def find(self, text: str, here: Path | None = None, *, to_run: bool = True) -> BotSpec:
        """Return the bot with this name, folder or command line, or this one of the vault.

        A registered name comes first; write `./name` for a folder of the same name. After these
        comes a sealed bot, named as `name@version` or by the start of its digest. Paths and
        command lines are relative to `here`, by default the current directory. With `to_run`, a
        bot that needs a build must have been built. Raise `UnusableBot` or `ManifestError`.
        """
        path = Path(text) if here is None else here / text
        if text in self.registered:
            spec = self.registered[text]
        elif text and _is(Path.is_dir, path):
            spec = load_manifest(path)
        elif path.name == MANIFEST and _is(Path.is_file, path):
            spec = load_manifest(path.parent)
        elif self.vault is not None and (sealed := self.vault.find(text)) is not None:
            return self.vault.open(sealed.digest)
        else:
            return self._command_line(text, Path.cwd() if here is None else here)
        if to_run:
            named = here is None or text in self.registered
            self.check_built(spec, text if named else os.path.relpath(path))
        return spec

    def check_built(self, spec: BotSpec, text: str) -> None:
        """Raise `UnusableBot` if the bot has yet to be built; warn if it only looks like it."""
        first = f"arena bot build {shlex.quote(text)}"
        if (lacks := not_built(spec)) is not None:
            raise UnusableBot(f"bot {spec.name!r} is not built: no {lacks}; run first: {first}")
        if seems_not_built(spec):
            self.warn(
                f"bot {spec.name!r} seems not to be built; if it does not start, run first: {first}"
            )

    def _command_line(self, text: str, here: Path) -> BotSpec:
        """Return a bot for a command line that runs in this directory.

        Its files are those that its words name in there.
        """
        named = short(text, _LONGEST)
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise UnusableBot(
                f"bot {named!r}: expected a command line, got one with wrong quoting: {error}"
            ) from None
        if not words or (len(words) == 1 and "/" not in words[0]):
            raise UnusableBot(self._unknown(text, here))
        program = here / words[0]
        first = short(words[0], _LONGEST)
        if "/" in words[0]:
            if not _is(Path.is_file, program):
                raise UnusableBot(
                    f"bot {named!r}: expected a folder or a program, got {first}, which is not "
                    "there"
                )
            if not os.access(program, os.X_OK):
                raise UnusableBot(
                    f"bot {named!r}: expected a program, got {first}, which is not executable; "
                    "run chmod +x on it, or put its interpreter before it in quotes, "
                    f'such as "python3 {first}"'
                )
        elif shutil.which(words[0], path=search_path()) is None:
            raise UnusableBot(
                f"bot {named!r}: expected a folder or a program, got {first}, which is not on "
                f"the PATH of bots: {search_path()}"
            )
        if (lacks := _lacking(words, here)) is not None:
            raise UnusableBot(
                f"bot {named!r}: {short(lacks, _LONGEST)} is not there, seen from {here}"
            )
        # An interpreter that an environment in this directory only links to is not the bot's.
        linked = not program.resolve().is_relative_to(here.resolve())
        own = [name for word in words[linked:] for name in _inside(word, here)]
        paths = [here / word for word in words[1:]]
        script = next((path for path in paths if _is(Path.is_file, path)), program)
        return BotSpec(
            name=name_like(script.stem),
            run=tuple(words),
            folder=here,
            language=UNKNOWN,
            files=tuple(map(glob.escape, own)) or (glob.escape(program.name),),
        )

    def _unknown(self, text: str, here: Path) -> str:
        """Return the message for a word that names no bot."""
        named = short(text, _LONGEST)
        known = ", ".join(self.registered)
        hint = ""
        if text and _is(Path.is_file, here / text):
            hint = f' (to run the file of this name: "./{text}")'
        return (
            f"unknown bot {named!r}{hint}; the bots are: {known}; a folder with a {MANIFEST}, or a "
            'command line in quotes such as "python3 bot.py", is possible too'
        )


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    """Whether a file of this kind is there; a command line can be longer than a name may be."""
    try:
        return kind(path)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def _lacking(command: Sequence[str], here: Path) -> str | None:
    """Return the word that should name an interpreter's script, if no such file exists."""
    program, *words = command
    if _INTERPRETER.fullmatch(os.path.basename(program)) is None:  # noqa: PTH119 - it is a word
        return None
    if any(word in _NO_SCRIPT or os.path.exists(here / word) for word in words):  # noqa: PTH110
        return None  # os.path.exists also accepts words that cannot be paths
    return next((word for word in words if _SCRIPT.fullmatch(word)), None)


def _inside(word: str, here: Path) -> list[str]:
    """Return the file that a word names, if it lies in this directory, and the links to it.

    The paths are relative. Raise `FolderError` for a link that leads out of the directory.
    """
    try:
        path = here / word
        if not path.is_file() and (path.is_dir() or not path.is_symlink()):
            return []
        name = Path(os.path.normpath(path)).relative_to(here)
    except (ValueError, OSError):
        return []
    if NEVER_COUNTED.intersection(name.parts):
        return []
    with Folder(here) as folder:
        found = folder.find(name.as_posix())
    return ["/".join(parts) for parts in (*found.links, found.end)]
