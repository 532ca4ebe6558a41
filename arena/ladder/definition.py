"""The definition of a ladder: a TOML file with its game, contestants, terms and budget.

    name = "friday"
    game = "gargon"
    tables = [3, 4]
    contestants = ["random", "bots/*", { bot = "python3 mine.py", name = "mine" }]

    [budget]
    games = 2000

All mistakes are reported at once, each with its key, what was found and what was expected.
"""

from __future__ import annotations

import glob
import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import structs

from arena.errors import ArenaError
from arena.games.game import Game, Rules
from arena.names import LONGEST, check_name
from arena.programs.digest import digest
from arena.programs.manifest import MANIFEST, Mistake
from arena.programs.spec import BotSpec, UnusableBot
from arena.records.entries import DAY, Budget, Contest, Contestant, TimeControl
from arena.referee.clock import NAMES
from arena.referee.terms import LACKS, lacking
from arena.sandbox.limits import LIMITS, Limits
from arena.sandbox.sandbox import AUTO, NONE, Sandbox
from arena.wording import brief

FindBot: TypeAlias = Callable[[str, Path], BotSpec]
"""Finds the bot that a text names; paths in it are relative to the given folder.

Raises `ArenaError` if there is none.
"""
MOST_WORKERS = 1024
MOST_GAMES = 10**9
MOST_CONTESTANTS = 1000
"""The most that play at once; counts of pairs grow with the square of it."""
KEYS = (
    "name",
    "game",
    "tables",
    "contestants",
    "seed",
    "sandbox",
    "allow",
    "suspend",
    "fresh",
    "anchor",
    "workers",
    "rules",
    "time",
    "limits",
    "budget",
)


class DefinitionError(ArenaError):
    """A definition that cannot be used; the message has a line for each mistake."""


@dataclass(frozen=True)
class Definition:
    """A ladder, and what may change between its runs."""

    path: Path
    contest: Contest
    bots: Mapping[str, BotSpec]
    """The programs by digest."""
    contestants: tuple[Contestant, ...]
    budget: Budget
    workers: int | None
    allow: frozenset[str] = frozenset()
    """What the host may lack to hold bots in the sandbox, by the words in `LACKS`."""

    def check_held(self, sandbox: Sandbox, suspends_by: str) -> None:
        """Raise `DefinitionError` if the host lacks for this sandbox what it may not."""
        missing = lacking(sandbox, suspends_by if self.contest.suspend else None)
        refused = [word for word in missing if word not in self.allow]
        if refused:
            follows = "; ".join(f"{word}: {LACKS[word]}" for word in refused)
            words = json.dumps(sorted({*self.allow, *refused}))
            raise DefinitionError(
                f"{self.path}: sandbox: not all of it holds on this host ({follows}); run as root "
                "or below a control group that is yours (systemd-run --user --scope -p "
                f"Delegate=yes ...), or put up with it: allow = {words}"
            )

    @property
    def anchored(self) -> bool:
        """Whether the anchor, if there is one, is among the contestants."""
        anchor = self.contest.anchor
        return anchor is None or anchor in [contestant.name for contestant in self.contestants]

    def check_anchor(self) -> None:
        """Raise `DefinitionError` unless the anchor is among the contestants.

        Only a new ladder needs this; later the anchor may leave.
        """
        if not self.anchored:
            names = ", ".join(contestant.name for contestant in self.contestants)
            raise DefinitionError(
                f"{self.path}: anchor: expected one of {names}, got {brief(self.contest.anchor)}"
            )


def read_definition(
    path: Path, games: Mapping[str, Game], sandboxes: Collection[str], find_bot: FindBot
) -> Definition:
    """Return the definition in this file; raise `DefinitionError` if it cannot be used."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DefinitionError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DefinitionError(f"{path}: expected UTF-8, got other bytes at {error.start}") from None
    except (ValueError, RecursionError) as error:  # also for huge numbers and deep nesting
        raise DefinitionError(f"{path}: expected TOML: {error}") from None
    return _Reader(path, table, games, sandboxes, find_bot).definition()


def check_contestants(listed: Sequence[object], path: Path, game: Game, find_bot: FindBot) -> None:
    """Raise `DefinitionError` unless a definition at `path` can have these contestants."""
    _Reader(path, {"contestants": listed}, {game.name: game}, (), find_bot).check(game)


class _Reader:
    """Reads a definition's table and collects its mistakes."""

    def __init__(
        self,
        path: Path,
        table: Mapping[str, Any],
        games: Mapping[str, Game],
        sandboxes: Collection[str],
        find_bot: FindBot,
    ) -> None:
        self._path = path
        self._table = table
        self._games = games
        self._sandboxes = (AUTO, *sandboxes)
        self._find_bot = find_bot
        self._mistakes: list[str] = []

    def definition(self) -> Definition:
        """Return the definition; raise `DefinitionError` with all mistakes if there are any."""
        for key in self._table:
            if key not in KEYS:
                self._wrong(key, f"unknown key; the keys are: {', '.join(KEYS)}")
        game = self._game()
        bots = self._bots(game)
        contestants = tuple(
            Contestant(name=spec.name, version=spec.version, digest=identity)
            for identity, spec in bots.items()
        )
        tables = self._tables(game, len(bots))
        contest = Contest(
            name=self._name(),
            game=game.name if game else "",
            version=game.version if game else "",
            rules=self._rules(game),
            tables=tables,
            time=self._control(),
            sandbox=self._value("sandbox", _one_of(self._sandboxes), AUTO),
            limits=self._limits().as_map(),
            suspend=self._value("suspend", _truth, True),
            fresh=self._value("fresh", _truth, False),
            seed=self._value("seed", _seed, None),
            anchor=self._value("anchor", _name, None),
        )
        found = Definition(
            path=self._path,
            contest=contest,
            bots=bots,
            contestants=contestants,
            budget=self._budget(tables),
            workers=self._value("workers", _count(MOST_WORKERS), None),
            allow=self._value("allow", _words, frozenset()),
        )
        if self._mistakes:
            raise DefinitionError("\n".join(self._mistakes))
        return found

    def check(self, game: Game) -> None:
        """Raise `DefinitionError` with all mistakes in the contestants, if there are any."""
        self._bots(game)
        if self._mistakes:
            raise DefinitionError("\n".join(self._mistakes))

    def _wrong(self, key: str, text: object) -> None:
        self._mistakes.append(f"{self._path}: {key}: {text}")

    def _value(self, key: str, read: Callable[[Any], Any], default: Any) -> Any:
        if key not in self._table:
            return default
        try:
            return read(self._table[key])
        except Mistake as mistake:
            self._wrong(key if mistake.at is None else f"{key}[{mistake.at}]", mistake)
            return default

    def _name(self) -> str:
        """Return the ladder's name; by default its file's name without the suffix."""
        if "name" in self._table:
            return str(self._value("name", _name, ""))
        try:
            return _name(self._path.stem)
        except Mistake as mistake:
            self._wrong("name", f"{mistake}, the name of the file; give it a `name`")
            return ""

    def _game(self) -> Game | None:
        if "game" not in self._table:
            self._wrong("game", f"expected one of {', '.join(self._games)}, got no such key")
            return None
        name = self._value("game", _one_of(list(self._games)), None)
        return self._games[name] if name else None

    def _tables(self, game: Game | None, contestants: int) -> tuple[int, ...]:
        if game is None:
            return ()
        players = sorted(game.players)
        if "tables" not in self._table:
            fitting = [size for size in players if size <= contestants]
            if not fitting and contestants:
                self._too_few_contestants(players[0], contestants)
            return tuple(fitting)
        sizes: tuple[int, ...] = self._value("tables", _sizes(game.name, players), ())
        for size in sizes:
            if contestants and size > contestants:
                self._too_few_contestants(size, contestants)
        return tuple(sorted(sizes))

    def _too_few_contestants(self, size: int, contestants: int) -> None:
        self._wrong("tables", f"a table of {size} needs {size} contestants, got {contestants}")

    def _rules(self, game: Game | None) -> Rules:
        values = self._value("rules", _map, {})
        if game is None:
            return {}
        try:
            return game.rules(values)
        except ValueError as error:
            self._wrong("rules", error)
            return {}

    def _control(self) -> TimeControl:
        values = self._value("time", _map, {})
        control = TimeControl()
        for name, value in values.items():
            key = f"time.{name}"
            least = 0 if name == "bank" else 1
            if name not in NAMES:
                self._wrong(key, f"unknown key; the keys are: {', '.join(NAMES)}")
            elif type(value) is not int or not least <= value <= DAY:
                self._wrong(key, f"expected {least} to {DAY} milliseconds, got {brief(value)}")
            else:
                control = structs.replace(control, **{name: value})
        return control

    def _limits(self) -> Limits:
        limits = Limits()
        values = self._value("limits", _map, {})
        if values and self._table.get("sandbox") == NONE:
            self._wrong("limits", f'a sandbox is needed: "{NONE}" holds nobody to limits')
        for name, value in values.items():
            if name not in LIMITS:
                text = f"unknown key; the keys are: {', '.join(LIMITS)}"
                self._wrong(f"limits.{name}", text)
                continue
            try:
                limits = replace(limits, **{name: value})
            except ValueError as error:
                self._wrong("limits", error)
        return limits

    def _budget(self, tables: Sequence[int]) -> Budget:
        values = self._value("budget", _map, {})
        reads: dict[str, Callable[[object], Any]] = {
            "games": _count(MOST_GAMES),
            "each": _each(tables),
            "width": _number("points, more than 0", 0, 1000),
            "minutes": _number("minutes, more than 0", 0, DAY),
            "certain": _number("a probability above 0.5 and below 1", 0.5, 1),
        }
        found: dict[str, Any] = {}
        for key, value in values.items():
            if key not in reads:
                self._wrong(f"budget.{key}", f"unknown key; the keys are: {', '.join(reads)}")
                continue
            try:
                read = reads[key](value)
            except Mistake as mistake:
                self._wrong(f"budget.{key}", mistake)
            else:
                found["each_at" if isinstance(read, dict) else key] = read
        return Budget(**found)

    def _bots(self, game: Game | None) -> dict[str, BotSpec]:
        """Return the contestants' programs by digest, in the order of the definition."""
        if "contestants" not in self._table:
            self._wrong("contestants", 'expected a list such as ["random"], got no such key')
            return {}
        listed = self._table["contestants"]
        if not isinstance(listed, list) or not listed:
            self._wrong("contestants", f'expected a list such as ["random"], got {brief(listed)}')
            return {}
        bots: dict[str, BotSpec] = {}
        names: dict[str, str] = {}
        for at, item in enumerate(listed):
            place = f"contestants[{at}]"
            try:
                for spec in self._specs(item):
                    self._check(spec, game, names)
                    names[spec.name] = place
                    bots[digest(spec)] = spec
            except Mistake as mistake:
                self._wrong(place, mistake)
            except OSError as error:
                self._wrong(place, f"{brief(error.filename)}: {error.strerror}")
            except (ArenaError, ValueError) as error:  # `ValueError` comes from impossible paths
                self._wrong(place, error)
        if len(bots) > MOST_CONTESTANTS:
            self._wrong("contestants", f"expected {MOST_CONTESTANTS} at most, got {len(bots)}")
        return bots

    def _check(self, spec: BotSpec, game: Game | None, names: Mapping[str, str]) -> None:
        if game is not None:
            spec.check_plays(game.name)
        if spec.name in names:
            raise UnusableBot(
                f"the name {spec.name!r} is taken by {names[spec.name]}; give one of them "
                f'another: {{ bot = "...", name = "..." }}'
            )

    def _specs(self, item: object) -> Iterator[BotSpec]:
        """Yield the bots of one item of the list: a single bot, or all that match a glob."""
        here = self._path.resolve().parent
        if isinstance(item, str) and any(sign in item for sign in "*?["):
            found = sorted(glob.glob(item, root_dir=here))  # noqa: PTH207 - may be absolute
            folders = [here / name for name in found if (here / name / MANIFEST).is_file()]
            if not folders:
                raise Mistake(f"a pattern of folders with a {MANIFEST}", f"{item!r}: none here")
            for folder in folders:
                yield self._find_bot(os.fspath(folder), here)
        elif isinstance(item, str):
            yield self._find_bot(_text(item), here)
        elif isinstance(item, dict) and "bot" in item and set(item) <= {"bot", "name"}:
            spec = self._find_bot(_text(item["bot"]), here)
            yield replace(spec, name=_name(item["name"])) if "name" in item else spec
        else:
            raise Mistake(
                'a bot in quotes, or { bot = "...", name = "..." }',
                brief(item),
            )


# Readers of single values


def _text(value: object) -> str:
    if isinstance(value, str) and "\0" not in value:
        return value
    raise Mistake("a text in quotes", brief(value))


def _name(value: object) -> str:
    try:
        return check_name("name", value)
    except ValueError:
        expected = f"lower-case letters and digits, joined by '-', '_' or '.', {LONGEST} at most"
        raise Mistake(expected, brief(value)) from None


def _seed(value: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise Mistake("a text in quotes, or no such key for a secret seed", brief(value))


def _words(value: object) -> frozenset[str]:
    expected = f"a list of words: {', '.join(LACKS)}"
    if not isinstance(value, list):
        raise Mistake(expected, brief(value))
    for at, word in enumerate(value):
        if word not in LACKS:
            raise Mistake(f"one of {', '.join(LACKS)}", brief(word), at)
    return frozenset(value)


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Mistake("true or false", brief(value))


def _map(value: object) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise Mistake("a table", brief(value))


def _one_of(choices: Sequence[str]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise Mistake(f"one of {', '.join(choices)}", brief(value))

    return read


def _sizes(game: str, players: list[int]) -> Callable[[object], tuple[int, ...]]:
    expected = f"numbers of players that {game} takes: {', '.join(map(str, players))}"

    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            raise Mistake(f"a list of {expected}", brief(value))
        for at, size in enumerate(value):
            if type(size) is not int or size not in players:
                raise Mistake(expected, brief(size), at)
            if size in value[:at]:
                raise Mistake("each size once", f"{size} again", at)
        return tuple(value)

    return read


def _count(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is int and 1 <= value <= most:
            return value
        raise Mistake(f"an integer from 1 to {most}", brief(value))

    return read


def _each(tables: Sequence[int]) -> Callable[[object], int | dict[str, int]]:
    """Return what reads games of each contestant: a number, or one for each table size."""
    sizes = sorted(tables)
    one_each = ", ".join(f"{size} = 300" for size in sizes)
    expected = f"an integer from 1 to {MOST_GAMES}, or one for each table size, as {{ {one_each} }}"

    def read(value: object) -> int | dict[str, int]:
        if type(value) is int and 1 <= value <= MOST_GAMES:
            return value
        if (
            isinstance(value, dict)
            and sorted(value) == sorted(map(str, sizes))
            and all(type(each) is int and 1 <= each <= MOST_GAMES for each in value.values())
        ):
            return value
        raise Mistake(expected, brief(value))

    return read


def _number(expected: str, above: float, below: float) -> Callable[[object], float]:
    def read(value: object) -> float:
        if type(value) in (int, float) and above < value < below:  # type: ignore[operator]
            return float(value)  # type: ignore[arg-type]
        raise Mistake(expected, brief(value))

    return read
