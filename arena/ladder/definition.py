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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, get_args

from msgspec import structs

from arena.errors import ArenaError
from arena.games.game import Game, Rules
from arena.ladder._regulations_reader import RegulationsReader, budget_in
from arena.ladder.contest import MOST_CONTESTANTS
from arena.ladder.definition_values import (
    count_up_to,
    lacks_of,
    name_of,
    one_of,
    seed_of,
    sizes_of,
    table_of,
    text_of,
    truth_of,
)
from arena.ladder.hours import HoursOfPlay
from arena.ladder.regulations import Regulations
from arena.programs.digest import digest
from arena.programs.manifest import MANIFEST, Mistake
from arena.programs.spec import BotSpec, UnusableBot
from arena.records.entries import (
    DAY,
    Budget,
    Contest,
    Contestant,
    Publishing,
    TimeControl,
)
from arena.referee.clock import NAMES
from arena.referee.terms import LACKS, lacking
from arena.sandbox.limits import LIMITS, Limits
from arena.sandbox.sandbox import AUTO, NONE, Sandbox
from arena.wording import brief, short

FindBot: TypeAlias = Callable[[str, Path], BotSpec]
"""Finds the bot that a text names; paths in it are relative to the given folder.

Raises `ArenaError` if there is none.
"""
MOST_WORKERS = 1024
DEFAULT_BUDGET = Budget(each=1000)
"""The budget of a ladder whose definition has neither one nor stages."""
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
    "publish",
    "rules",
    "time",
    "limits",
    "budget",
    "stages",
    "set_aside",
    "deadline",
    "zone",
    "play",
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
    regulations: Regulations = field(default_factory=Regulations)
    hours: HoursOfPlay = field(default_factory=HoursOfPlay)
    """When it is played."""
    allow: frozenset[str] = frozenset()
    """What the host may lack to hold bots in the sandbox, by the words in `LACKS`."""
    publish: Publishing = "at-once"

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
            sandbox=self._value("sandbox", one_of(self._sandboxes), AUTO),
            limits=self._limits().as_map(),
            suspend=self._value("suspend", truth_of, True),
            fresh=self._value("fresh", truth_of, False),
            seed=self._value("seed", seed_of, None),
            anchor=self._value("anchor", name_of, None),
        )
        rules = RegulationsReader(self._table, tables, game, self._wrong)
        found = Definition(
            path=self._path,
            contest=contest,
            bots=bots,
            contestants=contestants,
            budget=self._budget(tables),
            workers=self._value("workers", count_up_to(MOST_WORKERS), None),
            regulations=rules.regulations(),
            hours=rules.hours(),
            allow=self._value("allow", lacks_of, frozenset()),
            publish=self._value("publish", one_of(get_args(Publishing)), "at-once"),
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
        self._mistakes.append(f"{self._path}: {short(key)}: {text}")

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
            return str(self._value("name", name_of, ""))
        try:
            return name_of(self._path.stem)
        except Mistake as mistake:
            self._wrong("name", f"{mistake}, the name of the file; give it a `name`")
            return ""

    def _game(self) -> Game | None:
        if "game" not in self._table:
            self._wrong("game", f"expected one of {', '.join(self._games)}, got no such key")
            return None
        name = self._value("game", one_of(list(self._games)), None)
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
        sizes: tuple[int, ...] = self._value("tables", sizes_of(game.name, players), ())
        for size in sizes:
            if contestants and size > contestants:
                self._too_few_contestants(size, contestants)
        return tuple(sorted(sizes))

    def _too_few_contestants(self, size: int, contestants: int) -> None:
        self._wrong("tables", f"a table of {size} needs {size} contestants, got {contestants}")

    def _rules(self, game: Game | None) -> Rules:
        values = self._value("rules", table_of, {})
        if game is None:
            return {}
        try:
            return game.rules(values)
        except ValueError as error:
            self._wrong("rules", error)
            return {}

    def _control(self) -> TimeControl:
        values = self._value("time", table_of, {})
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
        values = self._value("limits", table_of, {})
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
        """Return the budget; with stages, which have budgets of their own, only `minutes`."""
        values = self._value("budget", table_of, {})
        found = budget_in(values, "budget", tables, self._wrong)
        if "stages" not in self._table:
            return DEFAULT_BUDGET if found == Budget() else found
        for key in values:
            if key != "minutes":
                self._wrong(f"budget.{key}", "with stages, each has a budget of its own")
        return found

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
                raise Mistake(
                    f"a pattern of folders with a {MANIFEST}", f"{short(item, 200)!r}: none here"
                )
            for folder in folders:
                yield self._find_bot(os.fspath(folder), here)
        elif isinstance(item, str):
            yield self._find_bot(text_of(item), here)
        elif isinstance(item, dict) and "bot" in item and set(item) <= {"bot", "name"}:
            spec = self._find_bot(text_of(item["bot"]), here)
            yield replace(spec, name=name_of(item["name"])) if "name" in item else spec
        else:
            raise Mistake(
                'a bot in quotes, or { bot = "...", name = "..." }',
                brief(item),
            )
