"""The names of the games in the SDKs: those that `arena game show --json` tells, in each language.

The names are read from the sources, so that no compiler is needed. That the types can read what
they name is shown by each SDK's own tests, with the transcripts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from command import arena
from languages.toolchains import ROOT, RULE_BOTS

pytestmark = pytest.mark.source_only

GAMES = ("castors", "gargon")
PROTOCOL = ROOT / "protocol"


class Names(NamedTuple):
    """The names that bots in every language use of a game."""

    rules: set[str]
    view: set[str]
    verbs: set[str]
    events: dict[str, set[str]]
    """The fields of each event; under "" where a language has one type for all of them."""
    cards: dict[str, int]
    """The numbers of the colours or of the special cards, by name."""


@cache
def shown(game: str) -> Names:
    """The names that `arena game show --json` tells."""
    told = arena("game", "show", game, "--json").json
    described = re.findall(r"A (?:colour: 0|card: 0 to 9)[^\"]*", json.dumps(told))
    return Names(
        set(told["rules"]["properties"]),
        set(told["view"]["properties"]),
        {form["title"] for kind in told["decisions"].values() for form in kind["oneOf"]},
        {name: set(form["properties"]) for name, form in told["events"].items()},
        {name: int(n) for text in described for n, name in re.findall(r"(\d+) (\w+)[,.]", text)},
    )


def part(pattern: str, text: str) -> str:
    """The one part of a text that the group of a pattern finds."""
    (found,) = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    return str(found)


def cards(text: str) -> dict[str, int]:
    """The names of the colours in their order, or the numbers of the special cards."""
    found = re.search(r'"white",\s+"blue".*?"green"', text, re.DOTALL)
    if found:
        return {name: at for at, name in enumerate(re.findall(r'"(\w+)"', found[0]))}
    special = r"\b(swap|peek|draw)(?:_?card)?(?:: Card)?(?:: | = )(\d+)\b"
    return {name.lower(): int(n) for name, n in re.findall(special, text, re.IGNORECASE)}


def in_python(text: str) -> Names:
    """The names in a module of Python, which is run."""
    module = ModuleType("game")
    exec(text, vars(module))
    return Names(
        set(module.Rules.__annotations__),
        set(module.View.__annotations__),
        set(module.MOVES),
        {name: {"event", *kind.__annotations__} for name, kind in module.EVENTS.items()},
        cards(text),
    )


def in_rust(text: str) -> Names:
    """The names in a module of Rust."""

    def fields(name: str) -> set[str]:
        return set(re.findall(r"pub (\w+):", part(rf"^pub struct {name} {{\n(.*?)^}}", text)))

    variants = re.findall(
        r"^    (\w+) {(.*?)}", part(r"^pub enum Event {\n(.*?)^}", text), re.DOTALL | re.MULTILINE
    )
    return Names(
        fields("Rules"),
        fields("View"),
        set(re.findall(r'\("(\w+)", ', text)),
        {name.lower(): {"event", *re.findall(r"(\w+): ", inside)} for name, inside in variants},
        cards(text),
    )


def in_go(text: str) -> Names:
    """The names in a package of Go, which has one type for all events."""

    def fields(name: str) -> set[str]:
        inside = part(rf"^type {name} struct {{\n(.*?)^}}", text)
        return set(re.findall(r'msgpack:"(\w+)"', inside))

    verbs = set(re.findall(r'sdk\.Do\("(\w+)"', text))
    return Names(fields("Rules"), fields("View"), verbs, {"": fields("Event")}, cards(text))


def in_java(text: str) -> Names:
    """The names in a package of Java."""
    event = r'case "(\w+)" -> new \w+\(([^;]*event\.[^;]*)\);'
    return Names(
        set(re.findall(r'\.\w+\("(\w+)"\)', part(r"public record Rules(.*?)^}", text))),
        set(re.findall(r'view\.\w+\("(\w+)"\)', text)),
        set(re.findall(r'case "(\w+)" -> new \w+\((?:\)|action\.)', text))
        | set(re.findall(r'return "(\w+)";', part(r"interface Move(.*?)^}", text))),
        {
            name: {"event", *re.findall(r'event\.\w+\("(\w+)"\)', inside)}
            for name, inside in re.findall(event, text)
        },
        cards(text),
    )


def in_cpp(text: str) -> Names:
    """The names in a header of C++."""

    def fields(name: str) -> set[str]:
        inside = part(rf"^struct {name} {{\n(.*?)^}};", text)
        return set(re.findall(r"\w+", part(r"MSGPACK_DEFINE_MAP\((.*?)\)", inside)))

    return Names(
        fields("Rules"),
        fields("View"),
        set(re.findall(r'return {"(\w+)", ', text))
        | set(re.findall(r'action\.verb == "(\w+)"', text)),
        {
            name: {"event", *fields(kind)}
            for name, kind in re.findall(r'which == "(\w+)"\) return packed\.as<(\w+)>', text)
        },
        cards(text),
    )


def in_javascript(text: str) -> Names:
    """The names in a module of JavaScript and its types for TypeScript."""

    def fields(name: str) -> set[str]:
        inside = part(rf"^export interface {name} {{\n(.*?)^}}", text)
        return set(re.findall(r"^  (\w+)\??:", inside, re.MULTILINE))

    return Names(
        fields("Rules"),
        fields("View"),
        set(re.findall(r'type \w+ = \["(\w+)"', text)),
        {
            name: {"event", *re.findall(r"(\w+)\??: ", inside)}
            for name, inside in re.findall(r'{\s*event: "(\w+)"(.*?)}', text, re.DOTALL)
        },
        cards(text),
    )


SDKS: dict[str, tuple[Callable[[str], Names], str]] = {
    "cpp": (in_cpp, "cpp/include/arena/{}.hpp"),
    "go": (in_go, "go/{}/*.go"),
    "java": (in_java, "java/src/main/java/arena/sdk/{}/*.java"),
    "javascript": (in_javascript, "javascript/src/{}.*"),
    "python": (in_python, "python/arena_sdk/{}.py"),
    "rust": (in_rust, "rust/src/{}.rs"),
}


def sources(language: str, game: str) -> Iterator[Path]:
    """The files in which the SDK of a language has this game."""
    return PROTOCOL.glob(SDKS[language][1].format(game))


def text_of(language: str, game: str) -> str:
    """What these files say."""
    return "\n".join(path.read_text() for path in sorted(sources(language, game)))


def expected(language: str, game: str) -> Names:
    """The names that the SDK of a language has to have."""
    names = shown(game)
    if language == "go":
        return names._replace(events={"": set().union(*names.events.values())})
    return names


def test_every_sdk_is_compared() -> None:
    """A new language cannot forget the games."""
    assert set(SDKS) == set(RULE_BOTS)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", SDKS)
def test_an_sdk_has_the_names_of_the_game(language: str, game: str) -> None:
    """What a bot can read and answer has the same names in each language as in the rules."""
    read, _ = SDKS[language]
    assert read(text_of(language, game))._asdict() == expected(language, game)._asdict()


CHANGES = {
    "castors": ["laps", "known_by", "peek", "other_position", "11"],
    "gargon": ["amulets", "starter", "battle", "winner", "violet"],
}
"""For each game a rule, a field of the view, a verb, a field of an event, and a card."""


@pytest.mark.parametrize(
    ("game", "name"), [(game, each) for game in GAMES for each in CHANGES[game]]
)
@pytest.mark.parametrize("language", SDKS)
def test_another_name_is_noticed(language: str, game: str, name: str) -> None:
    """Whoever renames something in the rules learns which SDKs have to follow."""
    read, _ = SDKS[language]
    text = re.sub(rf"\b{name}\b", "99" if name.isdigit() else f"{name}x", text_of(language, game))
    assert read(text) != expected(language, game)
