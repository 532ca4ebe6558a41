"""The site's templates, rendered; what comes from others is escaped and made legible."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.responses import HTMLResponse

from arena.pages.axis import signed
from arena.pages.legible import legible
from arena.pages.templates import asset
from arena.site.rules.people import Visitor
from arena.site.settings import Settings

MOST: Final = 600_000
"""Characters of a text from others that a page shows."""
LONG_AGO: Final = 14 * 86_400
# Most browsers name others, too, so the first that is found counts.
BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def page(
    settings: Settings,
    visitor: Visitor,
    template: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    /,
    **values: object,
) -> HTMLResponse:
    """Return a page made from a template."""
    text = fragment(template, site=settings, visitor=visitor, me=visitor.person, **values)
    return HTMLResponse(text, status, dict(headers) if headers else None)


def fragment(template: str, **values: object) -> str:
    """Return a part of a page, made from a template."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["sentence"] = sentence
    environment.filters["browser"] = browser
    environment.filters["ago"] = ago
    environment.filters["moment"] = moment
    environment.filters["legible"] = lambda text: legible(str(text), MOST)
    environment.filters["size"] = size
    environment.filters["signed"] = signed
    return environment


def _source(name: str) -> str:
    own = files("arena.site") / "templates" / name
    return own.read_text(encoding="utf-8") if own.is_file() else asset(name)


def sentence(text: str) -> str:
    """Return an error, or a reason, as a sentence; not for one that may begin with a bot's name."""
    shown = legible(text, MOST)
    first = shown.partition(" ")[0]
    is_word = first.isalpha() and first.islower() and first != "arena"  # which is a command
    if not is_word and not first.isdecimal():
        return shown
    return f"{shown[0].upper()}{shown[1:]}{'' if shown[-1] in '.!?…' else '.'}"


def browser(agent: str) -> str:
    """Return a browser in words, such as "Firefox on Linux"; one not known as it calls itself."""
    names = [name for sign, name in BROWSERS if sign in agent]
    systems = [name for sign, name in SYSTEMS if sign in agent]
    return f"{names[0]} on {systems[0]}" if names and systems else legible(agent, MOST)


def moment(seconds: int) -> str:
    """Return a moment as it is read by programs, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def ago(seconds: int) -> str:
    """Return how long ago a moment is, or if it is long ago its day."""
    past = int(time.time()) - seconds
    if past < 0:
        return _span(-past, "in {}")
    if past > LONG_AGO:
        return time.strftime("%Y-%m-%d", time.gmtime(seconds))
    return "just now" if past < 5 else _span(past, "{} ago")


def _span(seconds: int, form: str) -> str:
    for length, unit in ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        if seconds >= length:
            return form.format(f"{seconds // length} {unit}")
    return "now"


def size(count: int) -> str:
    """Return a number of bytes in words."""
    if count < 10_000:
        return f"{count:,} bytes"
    return f"{count / 1024:,.0f} KiB" if count < 10 << 20 else f"{count / (1 << 20):,.0f} MiB"
