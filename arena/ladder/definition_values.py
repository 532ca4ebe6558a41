"""Readers of single values in a definition; each raises `Mistake` with what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.names import LONGEST, check_name
from arena.programs.manifest import Mistake
from arena.referee.terms import LACKS
from arena.wording import brief

MOST_GAMES = 10**9


def text_of(value: object) -> str:
    """Return a text that can name a file."""
    if isinstance(value, str) and "\0" not in value:
        return value
    raise Mistake("a text in quotes", brief(value))


def name_of(value: object) -> str:
    """Return a name."""
    try:
        return check_name("name", value)
    except ValueError:
        expected = f"lower-case letters and digits, joined by '-', '_' or '.', {LONGEST} at most"
        raise Mistake(expected, brief(value)) from None


def seed_of(value: object) -> str:
    """Return a seed, which is a text."""
    if isinstance(value, str) and value:
        return value
    raise Mistake("a text in quotes, or no such key for a secret seed", brief(value))


def lacks_of(value: object) -> frozenset[str]:
    """Return what a host may lack, in the words of `LACKS`."""
    expected = f"a list of words: {', '.join(LACKS)}"
    if not isinstance(value, list):
        raise Mistake(expected, brief(value))
    for at, word in enumerate(value):
        if word not in LACKS:
            raise Mistake(f"one of {', '.join(LACKS)}", brief(word), at)
    return frozenset(value)


def truth_of(value: object) -> bool:
    """Return true or false."""
    if isinstance(value, bool):
        return value
    raise Mistake("true or false", brief(value))


def table_of(value: object) -> Mapping[str, Any]:
    """Return a table."""
    if isinstance(value, dict):
        return value
    raise Mistake("a table", brief(value))


def one_of(choices: Sequence[str]) -> Callable[[object], str]:
    """Return what reads one of these words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise Mistake(f"one of {', '.join(choices)}", brief(value))

    return read


def sizes_of(game: str, players: list[int]) -> Callable[[object], tuple[int, ...]]:
    """Return what reads sizes of tables, each once, of those that the game takes."""
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


def count_up_to(most: int) -> Callable[[object], int]:
    """Return what reads a count from 1 to this."""

    def read(value: object) -> int:
        if type(value) is int and 1 <= value <= most:
            return value
        raise Mistake(f"an integer from 1 to {most}", brief(value))

    return read


def each_of(tables: Sequence[int]) -> Callable[[object], int | dict[str, int]]:
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


def number_between(expected: str, above: float, below: float) -> Callable[[object], float]:
    """Return what reads a number between these two."""

    def read(value: object) -> float:
        if type(value) in (int, float) and above < value < below:  # type: ignore[operator]
            return float(value)  # type: ignore[arg-type]
        raise Mistake(expected, brief(value))

    return read
