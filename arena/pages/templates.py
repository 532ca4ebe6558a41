"""The templates of pages, their styles and scripts, and the policy that keeps out all others."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from arena.pages.axis import signed

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(template: str, **inside: object) -> str:
    """Return a page: a template with what is put into it."""
    return _environment().get_template(template).render(**inside)


def policy(*, style: str, script: str = "", frames: bool = False) -> str:
    """Return the security policy of a page that has this style and this script, and no others.

    With `frames` it may load pages that lie beside it; those of a page from disk are files.
    """
    return "; ".join(
        (
            "default-src 'none'",
            *([f"script-src '{_hash(script)}'"] if script else []),
            f"style-src '{_hash(style)}'",
            *(["frame-src 'self' file:"] if frames else []),
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


@cache
def asset(name: str) -> str:
    """Return the text of a file in `assets`."""
    return (files("arena.pages") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the source expression of the security policy that lets this text in."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _share(value: float) -> str:
    return f"{value:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def _chance(value: float) -> str:
    """Return a probability; none is certain."""
    if value > 0.99:
        return f"over {_share(0.99)}"
    return f"under {_share(0.01)}" if value < 0.01 else _share(value)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader  # noqa: PLC0415 - only commands that make pages need it

    environment = Environment(
        loader=FunctionLoader(asset), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        signed=signed,
        fixed=lambda value, digits: f"{value:.{digits}f}",
        share=_share,
        chance=_chance,
        count=lambda value: f"{value:,}",
    )
    return environment
