"""What msgspec says of a wrong value, as a difference: its place, and what was expected."""

from __future__ import annotations

import re

from msgspec import inspect

from arena.records.difference import Difference, malformed
from arena.wording import brief, short

_PLACE = re.compile(r"(?P<text>.*) - at `(?P<key>key` in `)?\$(?P<place>.*)`", re.DOTALL)
_STEP = re.compile(r"\.(?P<key>[^.\[]+)|(?P<index>\[[0-9.]+\])")


def explained(message: str, form: object) -> Difference:
    """Return the difference for what msgspec says is wrong with a value of this type."""
    found = _PLACE.fullmatch(message)
    text, place = (found["text"], found["place"].lstrip(".")) if found else (message, "")
    if missing := re.fullmatch("Object missing required field `(.*)`", text):
        return malformed(_inside(place, missing[1]), "nothing", "this key")
    if unknown := re.fullmatch("Object contains unknown field `(.*)`", text, re.DOTALL):
        return malformed(_inside(place, short(unknown[1])), "this key", "no such key")
    if wrong := re.fullmatch("Invalid (?:enum )?value (.*)", text, re.DOTALL):
        choices = _choices(inspect.type_info(form), place)
        value = brief(wrong[1][1:-1]) if wrong[1].startswith("'") else wrong[1]
        says = f"the key {value}" if found and found["key"] else value
        return malformed(place, says, f"one of {', '.join(map(str, choices))}")
    if wanted := re.fullmatch("Expected (.*), got (.*)", text, re.DOTALL):
        return malformed(place or "line", wanted[2].strip("`"), wanted[1].replace("`", ""))
    if text.endswith("out of range"):
        return malformed(place or "line", "a number out of range", "a smaller one")
    return malformed(
        place or "line", "another value", text.removeprefix("Expected ").replace("`", "")
    )


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _choices(form: inspect.Type, place: str) -> list[object]:
    """Return the values, or the keys, that the type allows at a place: one of few words."""
    for step in _STEP.finditer(f".{place}"):
        form = _under(form, step["key"])
    if isinstance(form, inspect.DictType):
        form = form.key_type
    if isinstance(form, inspect.LiteralType):
        return list(form.values)
    return []


def _under(form: inspect.Type, key: str | None) -> inspect.Type:
    """Return the type of what lies in a value of this type, under a key or in an array."""
    while isinstance(form, inspect.Metadata):
        form = form.type
    if isinstance(form, inspect.UnionType):
        structs = [each for each in form.types if isinstance(each, inspect.StructType)]
        if key == structs[0].tag_field:
            return inspect.LiteralType(tuple(each.tag for each in structs))
        found = [
            field.type for each in structs for field in each.fields if field.encode_name == key
        ]
        # Which of the entries it is, the message does not say; one of few words is a choice.
        choices = [each for each in found if isinstance(each, inspect.LiteralType)]
        return (choices or found)[0]
    if isinstance(form, inspect.StructType):
        return next(field.type for field in form.fields if field.encode_name == key)
    if isinstance(form, inspect.VarTupleType | inspect.CollectionType):
        return form.item_type
    return form
