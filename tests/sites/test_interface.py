"""The programs' interface: what its OpenAPI document says is what the site does."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from .served import LADDER, Served, Visitor, token_of
from .test_handing_in import SECONDS, bot, decided
from .test_matches import over

Document = Mapping[str, Any]
PLAYS = {
    "/submissions/{number}/enter",
    "/submissions/{number}/enter-again",
    "/matches/{number}/withdraw",
}
"""What is refused, as the bot plays already, and the match is over."""


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host, who has made a ladder."""
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    return host


@pytest.fixture(scope="module")
def document(site: Served) -> Document:
    """The document as the site gives it."""
    found: Document = site.visitor().call("GET", "/openapi.json").json
    return found


def fits(document: Document, method: str, path: str, status: int, body: bytes) -> None:
    """What was answered is what the document says of this operation and status."""
    responses = document["paths"][f"/api/v1{path}".rstrip("/")][method.lower()]["responses"]
    described = responses.get(str(status)) or responses[f"{status // 100}XX"]
    assert str(status) in responses or status >= 400, (method, path, status)
    schema = described["content"].get("application/json", {}).get("schema")
    if schema is not None:
        whole = {**schema, "components": document["components"]}
        jsonschema.Draft202012Validator(whole).validate(json.loads(body))


def fits_stream(document: Document, path: str, data: bytes) -> None:
    """What was told is what the document says of this stream."""
    answer = document["paths"][f"/api/v1{path}"]["get"]["responses"]["200"]["content"]
    whole = {**answer["text/event-stream"]["schema"], "components": document["components"]}
    jsonschema.Draft202012Validator(whole).validate(json.loads(data))


def test_the_document_names_all_paths_and_only_those(document: Document) -> None:
    """No operation is undocumented, and none is only documented."""
    from arena.site.web.app import routes

    served = {
        (method, re.sub(r":\w+}", "}", route.path))  # type: ignore[attr-defined]
        for route in routes()
        if route.path.startswith("/api/")  # type: ignore[attr-defined]
        for method in route.methods - {"HEAD"}  # type: ignore[attr-defined]
    }
    described = {
        (method.upper(), path) for path, item in document["paths"].items() for method in item
    }
    assert served - {("GET", "/api/v1/openapi.json")} == described


def test_every_operation_does_what_the_document_says(
    site: Served, host: Visitor, document: Document
) -> None:
    """Each operation is called in good order, without a token, and with nonsense."""
    author = site.invited(host, "ada")
    page = decided(author, author.hand_in("friday", bot()))
    assert "on the ladder" in page
    deadline = time.monotonic() + SECONDS
    while author.call("GET", "/authors/ada").status != 200:
        assert time.monotonic() < deadline  # what is shown to many may be some seconds old
        time.sleep(0.2)
    tokens = {"author": token_of(author), "host": token_of(host, "read", "submit", "host")}
    challenge = {"bots": ["random"] * 3}
    made = author.call("POST", "/ladders/friday/matches", tokens["author"], challenge)
    assert made.json["number"] == 1
    over(author, "/matches/1")
    spare = token_of(author)
    secret = author.call("POST", "/logins", body={"label": "x"}).json["secret"]
    calls: list[tuple[str, str, str | None, object]] = [
        ("GET", "/", None, None),
        ("GET", "/me", tokens["author"], None),
        ("POST", "/logins", None, {"label": "x", "scopes": ["read"]}),
        ("POST", "/logins/token", None, {"secret": secret}),
        ("GET", "/ladders", None, None),
        ("POST", "/ladders", tokens["host"], {"name": "monday", "definition": LADDER}),
        ("GET", "/ladders/{ladder}", None, None),
        ("GET", "/ladders/{ladder}/standings", None, None),
        ("GET", "/ladders/{ladder}/standings/events", None, None),
        ("POST", "/ladders/{ladder}/submissions", tokens["author"], bot("another")),
        ("GET", "/submissions", tokens["author"], None),
        ("GET", "/submissions/{number}", tokens["author"], None),
        ("GET", "/submissions/{number}/report", tokens["author"], None),
        ("GET", "/submissions/{number}/archive", tokens["author"], None),
        ("POST", "/submissions/{number}/enter", tokens["author"], {}),
        ("POST", "/submissions/{number}/enter-again", tokens["author"], {}),
        ("GET", "/starters", None, None),
        ("GET", "/starters/{game}/{language}", None, None),
        ("GET", "/ladders/{ladder}/bots", None, None),
        ("POST", "/ladders/{ladder}/matches", tokens["author"], challenge),
        ("GET", "/ladders/{ladder}/matches", None, None),
        ("POST", "/submissions/{number}/matches", tokens["author"], {"opponents": ["random"] * 2}),
        ("GET", "/matches", tokens["author"], None),
        ("GET", "/matches/{number}", None, None),
        ("GET", "/matches/{number}/games/{index}", None, None),
        ("GET", "/matches/{number}/log", None, None),
        ("POST", "/matches/{number}/withdraw", tokens["author"], {}),
        ("POST", "/submissions/{number}/withdraw", tokens["author"], {}),
        ("POST", "/invitations", tokens["host"], {"role": "author", "note": "x"}),
        ("GET", "/ladders/{ladder}/status", tokens["host"], None),
        ("POST", "/ladders/{ladder}/wishes", tokens["host"], {"wish": "pause"}),
        ("GET", "/ladders/{ladder}/wishes", tokens["host"], None),
        ("GET", "/ladders/{ladder}/wishes/{number}", tokens["host"], None),
        ("GET", "/ladders/{ladder}/bots/{bot}", None, None),
        ("GET", "/authors/{author}", None, None),
        ("GET", "/ladders/{ladder}/games", None, None),
        ("GET", "/ladders/{ladder}/log", None, None),
        ("GET", "/ladders/{ladder}/watch", None, None),
        ("GET", "/ladders/{ladder}/watch/{key}", None, None),
        ("DELETE", "/token", spare, None),
    ]
    named = {(method, f"/api/v1{path}".rstrip("/")) for method, path, _, _ in calls}
    for path, item in document["paths"].items():
        for method in item:
            assert (method.upper(), path) in named, path
    finished = author.call("GET", "/ladders/friday/watch").json["games"][0]["key"]
    for method, path, token, body in calls:
        real = path.format(
            ladder="friday",
            number=1,
            index=0,
            game="gargon",
            language="python",
            bot="mine",
            author="ada",
            key=finished,
        ).rstrip("/")
        if path.endswith("/events"):  # it does not end; its data is what the document says
            told = author.stream(f"/api/v1{real}", until="data: ")
            data = told.rpartition("data: ")[2].encode()
            fits_stream(document, path, data)
            continue
        found = author.call(method, real, token, body)
        allowed = (409,) if path in PLAYS else ()
        assert found.status < 300 or found.status in allowed, (method, path, found.text)
        fits(document, method, path, found.status, found.body)
        for stranger, content in ((None, body), (token, b"\xff{"), ("arena_wrong", body)):
            reply = author.call(method, real.replace("friday", "nope"), stranger, content)
            if reply.status >= 400:
                fits(document, method, path, reply.status, reply.body)
                assert list(reply.json) == ["error"]
                assert "\n" not in reply.json["error"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/logins", b"[", "the body does not fit"),
        ("/logins", b'{"label": 3}', "Expected `str`, got `int` - at `$.label`"),
        ("/logins", b'{"label": "x", "more": 1}', "unknown field `more`"),
        ("/logins", b'{"label": "x", "scopes": ["all"]}', "scopes: expected some of"),
        ("/logins", b"[" * 50_000, "the body does not fit"),
    ],
)
def test_what_does_not_fit_is_said_in_a_line(
    path: str, body: bytes, words: str, site: Served
) -> None:
    """A program that sends something else learns where and what was expected."""
    reply = site.visitor().call("POST", path, body=body)
    assert reply.status == 400
    assert words in reply.json["error"]


def test_unknown_operations_are_answered_in_json(site: Served) -> None:
    """A program never gets a page where it expects JSON."""
    for method, path in (("GET", "/nope"), ("PUT", "/me"), ("GET", "/logins")):
        reply = site.visitor().call(method, path)
        assert reply.status in (404, 405)
        assert list(reply.json) == ["error"]


def test_a_ladders_definition_is_refused_with_every_mistake(site: Served, host: Visitor) -> None:
    """Whoever has taken over a host's session runs no program by a definition."""
    token = token_of(host, "host")
    for definition, words in (
        ('game = "chess"\nx = 1\n', "unknown key"),
        (LADDER.replace('"random"', '"python3 -c print(1)"'), "expected a bot that is installed"),
        (LADDER.replace('"random"', '"../../*"'), "none here"),
        ('sandbox = "none"\n' + LADDER, 'sandbox: expected "auto"'),
    ):
        body = {"name": "wrong", "definition": definition}
        reply = host.call("POST", "/ladders", token, body)
        assert reply.status == 400
        assert words in reply.json["error"], reply.json
    for name in ("friday", "../x", "x" * 70, "a/b", ""):
        body = {"name": name, "definition": LADDER}
        assert host.call("POST", "/ladders", token, body).status in (400, 409)
    assert {path.name for path in (site.folder / "ladders").glob("*.toml")} <= {
        "friday.toml",
        "monday.toml",
    }
