"""Functions that build the JSON Schemas with which games describe themselves."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def integer(low: int, high: int | None, description: str) -> Schema:
    """An integer from `low` to `high`, both included."""
    top = {} if high is None else {"maximum": high}
    return {"type": "integer", "minimum": low, **top, "description": description}


def boolean(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def array(items: Schema, description: str, *, least: int = 0, most: int | None = None) -> Schema:
    """A list of items of one kind."""
    top = {} if most is None else {"maxItems": most}
    return {"type": "array", "items": items, "minItems": least, **top, "description": description}


def fixed(items: Schema, count: int, description: str) -> Schema:
    """A list of exactly `count` items."""
    return array(items, description, least=count, most=count)


def nullable(schema: Schema, null_means: str) -> Schema:
    """A value that fits `schema`, or nil."""
    kinds = {**schema, "type": [schema["type"], "null"]}
    return {**kinds, "description": f"{schema['description']} {null_means}"}


def constant(value: str, description: str) -> Schema:
    """Exactly this text."""
    return {"const": value, "description": description}


def choice(values: list[str], description: str) -> Schema:
    """One of these texts."""
    return {"enum": values, "description": description}


def record(description: str, fields: dict[str, Schema]) -> Schema:
    """A map with exactly these keys."""
    return {
        "type": "object",
        "description": description,
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def action(
    verb: str,
    description: str,
    *operands: tuple[str, Schema],
    least: int | None = None,
    example: list[Any],
) -> Schema:
    """One form of action: the verb, then named integers, of which `least` are required."""
    items = [constant(verb, "The verb."), *({"title": name, **s} for name, s in operands)]
    needed = len(items) if least is None else 1 + least
    return {
        "title": verb,
        "description": description,
        "type": "array",
        "prefixItems": items,
        "items": False,
        "minItems": needed,
        "examples": [example],
    }


def decision(description: str, *forms: Schema) -> Schema:
    """A kind of decision: when it is asked, and the forms of its actions."""
    return {"description": description, "oneOf": list(forms)}
