"""`arena bot`: list and show bots, begin one, build it, pack it, and check that it plays."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from arena.builds.build import BuildError, RunBuild, build, run_here
from arena.builds.sandboxed import inside
from arena.cli.arguments import (
    check_seats,
    find_bot,
    find_game,
    find_sandbox,
    plugins,
    read_rules,
    read_sizes,
    sandbox_options,
    seal_strangers,
)
from arena.cli.new_files import check_new, write_new
from arena.cli.output import print_json, print_table, printable, say
from arena.cli.pack import pack_bot
from arena.games.game import Game, Rules
from arena.names import check_name, name_like
from arena.programs.digest import digest, digest_and_files
from arena.programs.manifest import described_games, load_manifest
from arena.programs.spec import BotSpec
from arena.records.entries import TimeControl
from arena.referee.clock import changed, on_slower
from arena.referee.terms import Terms
from arena.sandbox.sandbox import NONE


@click.group()
def bot() -> None:
    """List and show bots, begin one, build it, pack it, and check that it plays."""


@bot.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_bots(*, as_json: bool) -> None:
    """List the bots that plugins bring; any folder with a bot.toml is a bot, too."""
    found = plugins()
    brought = {name: plugin.name for plugin in found.plugins for name in plugin.bots}
    if as_json:
        print_json(
            [
                {
                    "name": spec.name,
                    "version": spec.version,
                    "author": spec.author,
                    "summary": spec.summary,
                    "language": spec.language,
                    "games": list(spec.games),
                    "plugin": brought[spec.name],
                }
                for spec in found.bots.values()
            ]
        )
        return
    rows = [
        (spec.name, spec.version, _games(spec), spec.language, brought[spec.name], spec.summary)
        for spec in found.bots.values()
    ]
    print_table(["bot", "version", "games", "language", "plugin", "summary"], rows)


@bot.command("show")
@click.argument("name", metavar="BOT")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_bot(name: str, *, as_json: bool) -> None:
    """Show all that is known of a bot: its description, how it is run, and its digest.

    A BOT is a registered name, a folder with a bot.toml, a command line in quotes, or a sealed
    bot as name@version or by 8 digits of its digest. The digest covers the description and
    the files that count; a bot with another digest is another contestant.
    """
    spec = find_bot(name, to_run=False)
    described = _describe(spec)
    if as_json:
        print_json(described)
        return
    shown = {
        **described,
        "games": _games(spec),
        "build": shlex.join(spec.build) or "nothing to do",
        "run": shlex.join(spec.run),
        "patterns": " ".join(spec.files),
        "files": "\n".join(map(printable, described["files"])) or "none",
    }
    width = max(map(len, shown))
    for key, value in shown.items():
        for line, text in enumerate(str(value or "-").splitlines()):
            click.echo(f"{'' if line else key:{width}}  {printable(text)}")


@bot.command("new")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--language",
    default="python",
    show_default=True,
    help="Its language; none for a language without a starter.",
)
@click.option("--game", required=True, help="The game that it plays.")
@click.option("--name", help="Its name; by default that of its directory.")
def new_bot(folder: Path, language: str, game: str, name: str | None) -> None:
    """Begin a bot: a program that plays at once, its bot.toml, a README and a test.

    \b
    arena bot new my-bot --game gargon
    arena bot new ~/bots/beaver --language rust --game castors --name eager-beaver
    """
    from arena.starters.sdk import load_sdk  # noqa: PLC0415 - only here
    from arena.starters.starter import StarterError, write_starter  # noqa: PLC0415

    find_game(game)
    if name is None:
        name = name_like(folder.absolute().name)
    try:
        check_name("--name", name)
        written = write_starter(folder, language, game, name)
    except (StarterError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    sdk = load_sdk(language)
    for lacking in sdk.missing():
        say(f"to build and test it you need what is not there: {lacking}")
    entries = dict.fromkeys(_entry(path.relative_to(folder)) for path in written)
    click.echo(f"{name} is in {folder}: {', '.join(entries)}")
    click.echo("What to do next:")
    place = shlex.quote(_as_bot(folder))
    arena = shlex.quote(_command("arena"))
    if load_manifest(folder).build:
        click.echo(f"  {arena} bot build {place}")
    click.echo(f"  {arena} bot check {place}")
    click.echo(f"  {arena} play {game} {place} random random --games 30")
    if sdk.test:
        test = shlex.join([_command(sdk.test[0], folder), *sdk.test[1:]])
        click.echo(f"  (cd {shlex.quote(str(folder))} && {test})")
    click.echo(f"  {arena} bot pack {place}")


@bot.command("build")
@click.argument("names", metavar="BOT...", nargs=-1, required=True)
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file for the build's output; by default one in $XDG_STATE_HOME/arena/builds.",
)
@click.option("--limit", type=click.FloatRange(0, min_open=True), help="Seconds for each build.")
@click.option(
    "--sandbox",
    default=NONE,
    show_default=True,
    metavar="none|bwrap|auto",
    help="The sandbox for the build, which gets no network; only its folder comes back.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show the build's output as it comes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build_bot(
    names: tuple[str, ...],
    log: Path | None,
    limit: float | None,
    sandbox: str,
    *,
    verbose: bool,
    as_json: bool,
) -> None:
    """Build bots: run the build of each bot's bot.toml in its folder.

    A build runs with your environment and rights, so build strangers' bots in a sandbox. Its
    output is kept for the bot's author.

    Exit codes: 0 all are built, 1 some are not, 2 wrong usage, 3 the host failed.
    """
    if log is not None and len(names) > 1:
        raise click.UsageError("--log: expected one bot, got more; each would write over the last")
    specs = [find_bot(name, to_run=False) for name in names]
    for name, spec in zip(names, specs, strict=True):
        if spec.sources is not None:
            raise click.UsageError(f"{name}: is sealed, and was built then")
    run = run_here if sandbox == NONE else inside(find_sandbox(sandbox, ())[0])
    results = [_build(spec, log, limit, run, verbose=verbose, quiet=as_json) for spec in specs]
    if as_json:
        print_json(results)
    if not all(result["built"] for result in results):
        raise click.exceptions.Exit(1)


bot.add_command(pack_bot)


@bot.command("check")
@click.argument("name", metavar="BOT")
@click.option("--game", "chosen", help="Only this game; by default all that the bot plays.")
@click.option(
    "--rules",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A rule's value, as a ladder has it; the game is played by these rules alone.",
)
@click.option("--tables", help="Only tables of these sizes, such as 3,4; by default of all.")
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="NAME=MS",
    help="Milliseconds: decision (each), bank (extra time in a game), start (until hello).",
)
@click.option(
    "--slower",
    type=click.FloatRange(1),
    default=1.0,
    metavar="N",
    help="Check as on a machine that is N times slower: all times are so much shorter.",
)
@click.option(
    "--frames",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all that the bot was sent until it first failed here, to run it on that by hand.",
)
@click.option("--force", is_flag=True, help="Overwrite the file of --frames.")
@sandbox_options()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_bot(
    name: str,
    chosen: str | None,
    options: tuple[str, ...],
    tables: str | None,
    times: tuple[str, ...],
    slower: float,
    path: Path | None,
    sandbox: str,
    limits: tuple[str, ...],
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Check step by step that a bot keeps to the protocol, and say what to do if it does not.

    The bot plays in every seat at tables of every size, is led to rare states, gets messages
    with unknown and with very large contents, plays a game again after others, and is told to
    end. If it does not answer, it is started anew and sent other messages, to see why. With
    --rules or --tables it plays one game, as on a ladder that has these.

    Exit codes: 0 all steps pass, 1 some do not, 2 wrong usage, 3 the host was too busy to tell.
    """
    from arena.check import report  # noqa: PLC0415 - only used here
    from arena.check.check import Check  # noqa: PLC0415

    spec = find_bot(name, to_run=sandbox == NONE)
    games = _played(spec, chosen)
    rules, sizes = _by_terms(games, options, tables)
    try:
        control = on_slower(changed(TimeControl(), times), slower)
    except ValueError as error:
        raise click.UsageError(f"--time: {error}") from None
    if slower > 1:
        shorter = ", ".join(f"{key} {value}" for key, value in asdict(control).items())
        say(f"as on a machine {slower:g} times slower, in milliseconds of this one: {shorter}")
    if force and path is None:
        raise click.UsageError("--force needs --frames")
    if path is not None:
        check_new("--frames", path, force=force)
    walls, allowed = find_sandbox(sandbox, limits)
    (spec,) = seal_strangers([spec], walls)
    identity = digest(spec)
    results = []
    if options or tables is not None:
        terms = Terms(games[0], rules, control, walls, allowed, suspend=True)
        check = Check.for_terms(spec, terms, sizes, ProgressLine())
    else:
        check = Check(spec, games, control, walls, allowed, ProgressLine())
    for result in check.run():
        results.append(result)
        if not as_json:
            ProgressLine.clear()
            click.echo("\n".join(map(printable, report.lines(result))))
    ProgressLine.clear()
    if path is not None:
        _keep_frames(path, spec, check.frames, force=force)
    if as_json:
        print_json(
            {
                "bot": spec.name,
                "version": spec.version,
                "digest": identity,
                "passed": check.passed,
                "steps": results,
            }
        )
    else:
        click.echo(report.summary(spec, results))
    if not check.passed:
        raise click.exceptions.Exit(1)


def _by_terms(
    games: Sequence[Game], options: tuple[str, ...], tables: str | None
) -> tuple[Rules, Sequence[int]]:
    """Return the rules and the sizes of tables that are asked for, of the first game."""
    game = games[0]
    if len(games) > 1 and (options or tables is not None):
        names = ", ".join(each.name for each in games)
        raise click.UsageError(f"--rules and --tables need --game: the bot plays {names}")
    sizes = read_sizes(tables) or tuple(game.players)
    for size in sizes:
        check_seats(game, size)
    return read_rules(game, options), sizes


def _keep_frames(path: Path, spec: BotSpec, frames: bytes, *, force: bool) -> None:
    """Write what a bot was sent until it failed, and say how it is run on that."""
    if not frames:
        say(f"--frames: nothing was sent before a failure, so {path} was not written")
        return
    write_new("--frames", path, frames, force=force)
    program, *words = spec.run
    if "/" not in program:
        program = _command(program, spec.folder)
    run = shlex.join([program, *words])
    if spec.folder.samefile(Path.cwd()):
        say(f"run it on what it was sent: {run} < {shlex.quote(str(path))}")
        return
    place, absolute = shlex.quote(str(spec.folder)), shlex.quote(str(path.absolute()))
    say(f"run it on what it was sent: (cd {place} && {run} < {absolute})")


class ProgressLine:
    """Shows the current step on stderr: one changing line, or a line each without a terminal."""

    def __call__(self, step: str, part: str) -> None:
        if sys.stderr.isatty():
            text = f"{step}: {part}" if part else step
            click.echo(f"\r{text}\033[K", err=True, nl=False)
        elif not part:
            say(step)

    @staticmethod
    def clear() -> None:
        """Clear the line to make room for a result."""
        if sys.stderr.isatty():
            click.echo("\r\033[K", err=True, nl=False)


def _build(
    spec: BotSpec,
    log: Path | None,
    limit: float | None,
    run: RunBuild,
    *,
    verbose: bool,
    quiet: bool,
) -> dict[str, Any]:
    """Build one bot, print the result, and return it."""
    if spec.build:
        say(f"{spec.name}: {shlex.join(spec.build)}")
    result: dict[str, Any] = {"bot": spec.name, "folder": str(spec.folder), "built": True}
    try:
        built = build(spec, log, limit, _show if verbose else None, run)
    except BuildError as error:
        for line in () if verbose else error.tail:
            say(f"  {line}")
        say(f"{spec.name}: {error}")
        where = None if error.log is None else str(error.log)
        if where is not None:
            say(f"{spec.name}: all of the output is in {where}")
        failed = {"built": False, "error": str(error), "tail": list(error.tail), "log": where}
        return {**result, **failed}
    if not quiet:
        took = f"built in {built.seconds:.1f} s" if spec.build else "nothing to build"
        click.echo(f"{spec.name}: {took}")
    where = None if built.log is None else str(built.log)
    return {**result, "seconds": round(built.seconds, 3), "log": where}


def _show(data: bytes) -> None:
    """Show a build's output; on a terminal without characters that could control it."""
    if sys.stderr.isatty():
        text = data.decode(errors="replace")
        data = "".join(c if c.isprintable() or c in "\t\n" else "?" for c in text).encode()
    sys.stderr.buffer.write(data)
    sys.stderr.flush()


def _entry(path: Path) -> str:
    """Return what is listed for a file of a new bot: the file, or the folder that it lies in."""
    return path.name if len(path.parts) == 1 else f"{path.parts[0]}/"


def _played(spec: BotSpec, chosen: str | None) -> list[Game]:
    """Return the games that are to be played: those that the bot says it plays."""
    if chosen is not None:
        game = find_game(chosen)
        spec.check_plays(chosen)
        return [game]
    names = spec.games or described_games(spec)
    if not names:
        names = tuple(plugins().games)
        if len(names) > 1:
            say(f"{spec.name} does not say what it plays, so that is all; --game names one")
    return [find_game(name) for name in names]


def _as_bot(folder: Path) -> str:
    """Return the folder as a BOT argument that cannot be mistaken for a registered name."""
    text = str(folder)
    return f"./{text}" if text in plugins().bots else text


def _command(name: str, folder: Path | None = None) -> str:
    """Return how to call this installation's command: by its path if PATH has another one.

    The path is absolute if it is called in a folder that is not the current directory.
    """
    own = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not own.exists() or (found and Path(found).absolute() == own):
        return name
    here = Path.cwd()
    near = folder is None and own.is_relative_to(here)
    return str(own.relative_to(here) if near else own)


def _describe(spec: BotSpec) -> dict[str, Any]:
    """Return all fields as data for programs."""
    identity, counted = digest_and_files(spec)
    return {
        "name": spec.name,
        "version": spec.version,
        "author": spec.author,
        "summary": spec.summary,
        "language": spec.language,
        "games": list(spec.games),
        "build": list(spec.build),
        "run": list(spec.run),
        "folder": str(spec.folder),
        "digest": identity,
        "patterns": list(spec.files),
        "files": [entry.name for entry in counted],
    }


def _games(spec: BotSpec) -> str:
    return ", ".join(spec.games) or "any"
