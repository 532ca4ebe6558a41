"""The command `arena`: one module per noun, imported when it is used.

Results go to stdout, progress and messages to stderr. Exit codes: 0 success; 1 what was
examined does not hold (a check, a verification, a comparison); 2 wrong usage or input, in one
line that says what was expected; 3 the host or this program failed, and nothing was decided;
130 interrupted; 141 the reader of the results has closed the pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb, print_exc
from typing import NoReturn

import click

from arena.cli.later import Later
from arena.cli.output import say
from arena.errors import HOST_FAILED, WRONG_INPUT, ArenaError

NOUNS = {
    "bench": "Measure speeds on this machine, and whether rating intervals hold.",
    "bot": "List and show bots, begin one, build it, and check that it plays.",
    "compare": "Find out whether one bot is better than another.",
    "game": "List games, show their rules, and try a position.",
    "ladder": "Rank bots: who is better, by how much, and how sure that is.",
    "login": "Log in to a site, to hand in bots there.",
    "play": "Play games between bots.",
    "plugin": "List plugins, what they bring, and what went wrong with them.",
    "remote": "Look at a site: its ladders and logs, and what you have handed in.",
    "replay": "Show recorded games, and verify them.",
    "serve": "Serve a site on which people hand in bots and watch ladders.",
    "sandbox": "Check that the sandbox holds on this host.",
    "submit": "Hand a bot in on a site, and see what becomes of it.",
    "vault": "List, show and remove the bots that were sealed for a sandbox.",
    "worker": "Be a machine on which the games of ladders are played.",
}
INTERRUPTED = 130
NO_READER = 141
"""The exit code that a shell reports for a program that SIGPIPE has ended."""
STDERR = 2
TRACEBACK = "ARENA_TRACEBACK"
"""The environment variable that, set to 1, prints a traceback before a failure's line."""


class Nouns(Later):
    """The group of nouns, which knows what each is for without its module."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(NOUNS.items()))


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from arena.version import VERSION, compiled  # noqa: PLC0415 - only used here

        click.echo(f"arena {VERSION}, {'compiled' if compiled() else 'not compiled'}")
        ctx.exit()


@click.command(
    cls=Nouns,
    places={noun: f"{__name__}.{noun}:{noun}" for noun in NOUNS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and whether it is compiled.",
)
def arena() -> None:
    """Let programs compete at card games of two to six players.

    Exit codes: 0 success, 1 what was examined does not hold, 2 wrong usage or input, 3 the
    host or this program failed, 130 interrupted, 141 the pipe for the results was closed.
    """


def _open_closed_streams() -> None:
    """Open /dev/null in place of stdin, stdout or stderr if the caller has closed them.

    Otherwise the next file or pipe that is opened gets such a number, and output goes there.
    """
    while (fd := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(fd)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def main() -> NoReturn:
    """Run the command line; every failure is one line on stderr and an exit code."""
    _open_closed_streams()
    # numpy reads this when it is imported. Its threads would take cores from bots while they wait
    # for work, and a quarter of the time of a short command.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal or a pipe that takes only ASCII is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_command(sys.argv[1:]))


def run_command(words: list[str]) -> int:
    """Run a command; return its exit code, after one line on stderr if it failed."""
    try:
        with _traced():
            code = _run(words)
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return WRONG_INPUT
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "arena"
        say(f"{where}: {error.format_message()}")
        return error.exit_code
    except ArenaError as error:
        say(f"{_command_path(words)}: {error}")
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("arena: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return NO_READER
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        say(f"arena: {where}{error.strerror or error}")
        _forget_output()
        return HOST_FAILED
    except Exception as error:  # noqa: BLE001 - its exit code would be 1, "does not hold"
        frame = extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        text = " ".join(f"{type(error).__name__}: {error}".split())
        say(f"arena: failed, and nothing was decided: {text} ({place}); please report it")
        return HOST_FAILED
    return code


def _run(words: list[str]) -> int:
    """Run a command as click does, but let the caller handle failures; return the exit code."""
    if os.environ.get("ARENA_LOG"):
        from arena.cli.logs import start_logging  # noqa: PLC0415 - only used here

        start_logging()
    for number, word in enumerate(words, start=1):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise click.UsageError(
                f"argument {number}: expected UTF-8, got {os.fsencode(word)!r}"
            ) from None
    try:
        with arena.make_context("arena", words) as context:
            arena.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


@contextmanager
def _traced() -> Iterator[None]:
    """Print the traceback of a failure if `ARENA_TRACEBACK=1` asks for it."""
    try:
        yield
    except Exception:
        if os.environ.get(TRACEBACK, "") not in ("", "0"):
            print_exc()
        raise


def _command_path(words: list[str]) -> str:
    """Return the command that is called: `arena` with the noun and the verb in these words."""
    command: click.Command | None = arena
    path = ["arena"]
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
        if command is None:
            break
        path.append(word)
    return " ".join(path)


def _forget_output() -> None:
    """Point stdout at /dev/null to avoid a second BrokenPipeError at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
