"""The description of the programs' interface, as OpenAPI 3.1, from its own operations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import msgspec

from arena.site.web import forms
from arena.site.web.api import OPERATIONS
from arena.site.web.operation import Operation
from arena.version import VERSION

Schema: TypeAlias = dict[str, Any]
PREFIX: Final = "/api/v1"
REFERENCE: Final = "#/components/schemas/{name}"
NUMBERS: Final = ("number", "index")
"""The parts of paths that are numbers."""


def document(address: str, title: str) -> dict[str, Any]:
    """Return the document for a site."""
    types: list[Any] = [forms.Failure, *(operation.result for operation in OPERATIONS)]
    types += [operation.body for operation in OPERATIONS if operation.body is not None]
    ordered = sorted(dict.fromkeys(types), key=str)
    found, schemas = msgspec.json.schema_components(ordered, ref_template=REFERENCE)
    schema_of = dict(zip(ordered, found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        path = PREFIX + operation.path.rstrip("/")
        paths.setdefault(path, {})[operation.method.lower()] = _described(operation, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": VERSION},
        "servers": [{"url": address}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: Operation, schema_of: Mapping[Any, Schema]) -> Schema:
    answer = _content(schema_of[operation.result])
    failure = _content(schema_of[forms.Failure])
    if operation.send is not None:
        answer = {operation.sends: {}}
    if operation.streams:
        answer = {"text/event-stream": answer["application/json"]}
    found: dict[str, Any] = {
        "summary": operation.summary,
        "parameters": [_parameter(name) for name in re.findall(r"{(\w+)}", operation.path)],
        "responses": {
            str(operation.status): {"description": "Done", "content": answer},
            "4XX": {"description": "Refused", "content": failure},
            "5XX": {"description": "The site has failed", "content": failure},
        },
    }
    for each in operation.query:
        schema: Schema = {"type": each.kind} | ({"minimum": 0} if each.kind == "integer" else {})
        found["parameters"].append({"name": each.name, "in": "query", "schema": schema})
    if operation.scope is not None:
        found["security"] = [{"token": [str(operation.scope)]}]
    if operation.body is not None:
        found["requestBody"] = {"required": True, "content": _content(schema_of[operation.body])}
    if operation.takes_archive:
        binary: dict[str, Any] = {"application/octet-stream": {}}
        found["requestBody"] = {"required": True, "content": binary}
    return found


def _parameter(name: str) -> dict[str, Any]:
    kind = "integer" if name in NUMBERS else "string"
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def _content(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
