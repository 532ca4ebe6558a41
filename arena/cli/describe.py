"""Descriptions of games for bot authors: a game's schemas as data and as text."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from arena.games.game import Game

WIDTH = 96


def describe_game(game: Game) -> dict[str, Any]:
    """Return everything that a bot author needs, as data."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "version": game.version,
        "players": list(game.players),
        "low_wins": game.low_wins,
        "rules": {
            "type": "object",
            "properties": {variant.name: variant.schema for variant in game.variants},
            "additionalProperties": False,
        },
        "decisions": dict(game.decisions),
        "view": game.view_schema,
        "events": {name: form.schema for name, form in game.event_forms.items()},
    }


def lines(game: Game) -> Iterator[str]:
    """Yield the same as lines to read."""
    few, many = game.players[0], game.players[-1]
    wins = "lowest" if game.low_wins else "highest"
    yield f"{game.title} ({game.name}, rules version {game.version})"
    yield from _wrapped(game.summary, 2)
    yield f"  {few} to {many} players; the {wins} score wins."
    yield ""
    yield "RULES (--rules NAME=VALUE)"
    for variant in game.variants:
        yield f"  {variant.name}: {variant.expected}; default {json.dumps(variant.default)}"
        yield from _wrapped(variant.summary, 6)
    yield ""
    yield "DECISIONS"
    for kind, schema in game.decisions.items():
        yield f"  {kind}"
        yield from _wrapped(schema["description"], 6)
        for form in schema["oneOf"]:
            yield f"      {_form(form)}    for example {json.dumps(form['examples'][0])}"
            yield from _wrapped(form["description"], 10)
            for operand in form["prefixItems"][1:]:
                yield from _wrapped(f"{operand['title']}: {operand['description']}", 10)
    yield ""
    yield "VIEW"
    yield from _wrapped(game.view_schema["description"], 2)
    yield from _fields(game.view_schema["properties"])
    yield ""
    yield "EVENTS"
    for form in game.event_forms.values():
        yield f"  {form.name}"
        yield from _wrapped(form.summary, 6)
        yield from _fields(dict(form.fields), indent=6, private=form.private)


def _form(form: dict[str, Any]) -> str:
    names = [operand["title"] for operand in form["prefixItems"][1:]]
    obligatory = form["minItems"] - 1
    shown = [name if i < obligatory else f"({name})" for i, name in enumerate(names)]
    return "[" + ", ".join([f'"{form["title"]}"', *shown]) + "]"


def _fields(
    fields: dict[str, Any], indent: int = 2, private: frozenset[str] = frozenset()
) -> Iterator[str]:
    for name, schema in fields.items():
        only = " (only to that seat)" if name in private else ""
        yield f"{' ' * indent}{name}: {_type(schema)}{only}"
        yield from _wrapped(schema.get("description", ""), indent + 4)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(value) for value in schema["enum"])
    kinds = schema.get("type", "any")
    null = " or nil" if isinstance(kinds, list) else ""
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind == "integer":
        top = f"..{schema['maximum']}" if "maximum" in schema else " or more"
        return f"integer {schema['minimum']}{top}{null}"
    if kind == "array":
        items = schema["items"]
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        count = f"{least} x " if least == most else ""
        return f"list of {count}({_type(items)}){null}"
    return f"{kind}{null}"


def _wrapped(text: str, indent: int) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent
    )
