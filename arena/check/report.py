"""The report of a check: lines for people, data for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from arena.check._result import FAIL, NOT_RUN, PASS, WARN, Result
from arena.programs.spec import BotSpec

WIDTH = 100
LABEL = 12
INDENT = " " * 8
SIGNS = {PASS: "pass", WARN: "warn", FAIL: "FAIL", NOT_RUN: "-"}
LINES_OF_STDERR = 8


def lines(result: Result) -> Iterator[str]:
    """Yield the lines about one step."""
    detail = f": {result.detail}" if result.detail else ""
    yield from textwrap.wrap(
        f"{SIGNS[result.status]:6}{result.name}{detail}", WIDTH, subsequent_indent=INDENT
    )
    for label, text in (
        ("expected", result.expected),
        ("got", result.got),
        ("what to do", result.remedy),
    ):
        yield from _labelled(label, textwrap.wrap(text, WIDTH - LABEL - len(INDENT)))
    for label, text in (("last sent", result.sent), ("last got", result.received)):
        yield from _labelled(label, [text] if text else [])
    yield from _labelled("stderr", result.stderr.splitlines()[-LINES_OF_STDERR:])


def told(facts: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines about one step whose result came from elsewhere, by its keys."""
    yield from lines(Result(**facts))


def summary(spec: BotSpec, results: Sequence[Result]) -> str:
    """Return the last line, which says whether the bot passes."""
    failed = [result.name for result in results if result.status == FAIL]
    left = sum(result.status == NOT_RUN for result in results)
    warned = sum(result.status == WARN for result in results)
    if failed:
        steps = ", ".join(f'"{name}"' for name in failed)
        rest = f"; {left} not run because of that" if left else ""
        return f"{spec.name} does not pass: {steps} failed{rest}"
    return f"{spec.name} passes" + (f", with {warned} to look at" if warned else "")


def _labelled(label: str, texts: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        yield f"{INDENT}{'' if number else label:{LABEL}}{text}"
