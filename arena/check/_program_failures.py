"""Why a program could not be run, or why it ended: by its file, its exit code and its stderr."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

from arena.check._program_file import ProgramFile
from arena.check._symptoms import Finding
from arena.process.ending import Ending
from arena.programs.spec import BotSpec

CANNOT_EXECUTE, NOT_FOUND = 126, 127
"""Exit codes of shells and env for a program that they could not run."""
_ERROR = re.compile(r"(Error|Exception)\b|\berror:|panicked|^panic: ")
_REMEDIES_BY_STDERR = {
    r"No module named '?([\w.]+)'?": "Python does not find the module {0}. `python3` is the "
    "arena's own Python, with the modules of that; put the module into the bot's folder, or name "
    "the path of another Python in run",
    r"Cannot find (?:module|package) '([^']+)'": "Node does not find {0}: list it in package.json, "
    "and install it into the bot's folder",
    r"can't open file '([^']+)'": "There is no {0}: paths in run are relative to the bot's folder",
    r"load main class (\S+)|Unable to access jarfile (\S+)": "Java does not find {0}: build the "
    "bot first, and look at the paths in run",
    r"terminate called after throwing an instance of '([^']+)'": "Nothing has caught an exception, "
    "{0}: catch it, or mend what throws it; a debugger that stops at `catch throw` shows where",
    r"error while loading shared libraries: (\S+?):": "The library {0} is not there: link it "
    "statically, or put it into the bot's folder",
}
"""What to do, by a pattern of what a language's runtime writes to stderr."""


def cannot_run(file: ProgramFile) -> Finding | None:
    """Return why the kernel does not run this file, if that can be seen."""
    name = repr(file.path)
    if file.is_folder:
        return Finding(f"{name} is a folder", "Name the program in it in run")
    if not file.is_file:
        return None
    if not file.executable:
        return Finding(
            f"{name} is not executable",
            f"Run: chmod +x {shlex.quote(file.path)}. Or put its interpreter before it in run",
        )
    if file.first_line.endswith("\r"):
        return Finding(
            f"the first line of {name}, {file.first_line!r}, ends with a carriage return, and no "
            "program has such a name",
            "The file has line ends of Windows. Save it with those of Unix, such as with: "
            f"sed -i 's/\\r$//' {shlex.quote(file.path)}",
        )
    if file.interpreter and not file.has_interpreter:
        return Finding(
            f"the first line of {name} names the interpreter {file.interpreter!r}, which is not "
            "there",
            f"Install {PurePath(file.interpreter).name}, or change the first line to a program "
            "that is there, such as #!/usr/bin/env python3",
        )
    if not file.first_line and not file.is_elf:
        return Finding(
            f"{name} is no program for this machine, and has no first line that names its "
            "interpreter",
            "Begin a script with a line such as #!/usr/bin/env python3, or put its interpreter "
            'before it in run, such as ["python3", "bot.py"]. Compile a program',
        )
    if file.is_elf:
        return Finding(
            f"{name} was compiled for another kind of machine, or needs a loader that is not here",
            "Compile it here",
        )
    return None


def ended_early(
    when: str, ending: Ending, stderr: str, file: ProgramFile, spec: BotSpec
) -> Finding:
    """Return what is known of a program that ended before its hello."""
    got = f"{when}: {ending}"
    if ending.number in (CANNOT_EXECUTE, NOT_FOUND) and (found := cannot_run(file)) is not None:
        return Finding(f"{got}; {found.got}", found.remedy)
    remedy = _remedy_by_ending(ending, stderr) or (
        f"The end of stderr says why, if the program wrote anything there. Run it by hand in "
        f"{spec.folder} to see: {shlex.join(spec.run)}. In the arena its environment is empty but "
        "for PATH, HOME, LANG and PYTHONHASHSEED"
    )
    return Finding(got + _last_words(stderr), remedy)


def crashed(text: str, ending: Ending | None, stderr: str) -> Finding:
    """Return what is known of a program that ended in a game."""
    remedy = _remedy_by_ending(ending, stderr) or (
        "The end of stderr says why, if the program wrote anything there. Below is the last "
        "message that it was sent; it may have failed at one before, such as start or end. With "
        "--frames FILE the check keeps all of them, and the bot can be run on them by hand"
    )
    return Finding(text + _last_words(stderr), remedy)


def _remedy_by_ending(ending: Ending | None, stderr: str) -> str:
    """Return what to do about an end of this kind; "" if that cannot be said."""
    for pattern, remedy in _REMEDIES_BY_STDERR.items():
        if found := re.search(pattern, stderr):
            return remedy.format(next(filter(None, found.groups())))
    if ending is None or ending.number > 0:
        return ""
    if ending.number == 0:
        return (
            "It ended as if its work was done. Read the next message in a loop until bye; a "
            "program whose work is done by a child or by another thread must wait for that"
        )
    return (
        "A signal like this comes of a wrong address, of a stack that is full, of abort(), or of "
        "kill. With --frames FILE the check keeps what the bot was sent, and a debugger can run "
        "the bot on it; of Python, -X faulthandler shows the line at which it died"
    )


def _last_words(stderr: str) -> str:
    """Return the last line of stderr that names an error, else the last one with words."""
    lines = [line.strip() for line in stderr.splitlines() if re.search(r"\w", line)]
    if not lines:
        return ""
    errors = [at for at, line in enumerate(lines) if _ERROR.search(line)]
    at = errors[-1] if errors else len(lines) - 1
    last = " ".join(lines[at : at + 2]) if lines[at].endswith(":") else lines[at]  # as Rust has it
    return f"; its last words on stderr are: {last}"
