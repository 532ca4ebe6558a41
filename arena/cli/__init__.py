"""The command `arena`: one module a noun, loaded when it is used.

Results go to stdout, progress and messages to stderr. Exit codes: 0 success; 1 what was
examined does not hold (a check, a verification); 2 wrong usage or input, in one line that
says what was expected; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click

from arena.cli.output import HOST_FAILED

NOUNS = {
    "bench": "Measure speeds on this machine.",
    "bot": "See bots, begin one, and check that it plays.",
    "game": "See which games there are, and their rules.",
    "ladder": "Rank bots: who is better, by how much, and how sure that is.",
    "play": "Play games between bots.",
    "plugin": "See what plugins bring, and what went wrong with them.",
    "replay": "Look at recorded games, and verify them.",
    "sandbox": "See what locks bots up on this host, and check that it holds.",
}
USAGE = 2
INTERRUPTED = 130
STDERR = 2


class Nouns(click.Group):
    """The group of nouns; a noun's module is imported only when that noun is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(NOUNS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NOUNS:
            return None
        command = getattr(import_module(f"arena.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(NOUNS.items()))


@click.command(cls=Nouns, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bot-arena", message="arena %(version)s")
def arena() -> None:
    """Let programs compete at card games of three to five players.

    Exit codes: 0 success, 1 what was examined does not hold, 2 wrong usage or input.
    """


def _open_closed_streams() -> None:
    """Put /dev/null where the caller has closed stdin, stdout or stderr.

    Else the next file or pipe that is opened takes its number, and what is printed goes there.
    """
    while (fd := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(fd)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def main() -> NoReturn:
    """Run the command line; every failure is one line on stderr and an exit code."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal or a pipe that knows only ASCII is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = arena.main(prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        code = USAGE
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "arena"
        print(f"{where}: {error.format_message()}", file=sys.stderr)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("arena: interrupted", file=sys.stderr)
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as error:
        # What is behind stdout is full or broken; Python would complain about it again at exit.
        print(f"arena: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = HOST_FAILED
    sys.exit(code if isinstance(code, int) else 0)
