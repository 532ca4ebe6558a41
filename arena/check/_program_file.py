"""The file that a bot's command runs: what the kernel sees of it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.programs.environment import search_path
from arena.programs.spec import BotSpec

ELF = b"\x7fELF"
HEAD = 256
"""The kernel reads so many bytes of a first line."""


@dataclass(frozen=True)
class ProgramFile:
    """What is at the place of the first word of a command."""

    path: str
    is_file: bool = False
    is_folder: bool = False
    executable: bool = False
    is_elf: bool = False
    first_line: str = ""
    """The first line, if it begins with #!, with what is at its end."""
    interpreter: str = ""
    """The program that the first line names, by itself or through env; "" if it names none."""
    has_interpreter: bool = False
    """Whether that is there."""


def program_file(spec: BotSpec) -> ProgramFile:
    """Look at the program of a bot."""
    word = spec.run[0]
    path = spec.folder / word if "/" in word else Path(shutil.which(word, path=search_path()) or "")
    if not path.is_file():
        return ProgramFile(word, is_folder="/" in word and path.is_dir())
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        head = b""
    line = head.split(b"\n")[0].decode(errors="replace") if head.startswith(b"#!") else ""
    words = line.removeprefix("#!").strip(" \t").split(" ")
    interpreter = words[0]
    if Path(interpreter).name == "env" and len(words) > 1:
        interpreter = next((each for each in words[1:] if not each.startswith("-")), "")
    return ProgramFile(
        word,
        is_file=True,
        executable=os.access(path, os.X_OK),
        is_elf=head.startswith(ELF),
        first_line=line,
        interpreter=interpreter,
        has_interpreter=_is_there(interpreter),
    )


def _is_there(program: str) -> bool:
    if "/" in program:
        return Path(program).is_file()
    return bool(program) and shutil.which(program, path=search_path()) is not None
