"""The line of stderr that is shown for all of it, by the runtime that wrote it."""

from __future__ import annotations

import pytest

from arena.check._program_failures import crashed

GO = "panic: no weights\n\ngoroutine 1 [running]:\nmain.main()\n\tbot/bot.go:20 +0x25\n"
RUST = (
    "thread 'main' panicked at src/main.rs:17:5:\nno weights\nnote: run with `RUST_BACKTRACE=1`\n"
)
NODE = "file://bot.js:5\n\nError: no weights\n    at file://bot.js:5:7\n\nNode.js v20.20.2\n"
CPP = "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no weights\n"


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        (GO, "panic: no weights"),
        (RUST, "thread 'main' panicked at src/main.rs:17:5: no weights"),
        (NODE, "Error: no weights"),
        (CPP, "what():  no weights"),
        ("Traceback:\n  File\nValueError: no weights\n", "ValueError: no weights"),
        ("weights:", "weights:"),
    ],
    ids=["go", "rust", "node", "c++", "python", "the end"],
)
def test_the_line_that_says_what_went_wrong_is_shown(stderr: str, words: str) -> None:
    """Not where a stack ends, or which version of a runtime it was, but what its author wrote."""
    assert (
        crashed("it ended", None, stderr).got == f"it ended; its last words on stderr are: {words}"
    )


def test_nothing_said_is_nothing_shown() -> None:
    """A program that dies in silence has no last words."""
    assert crashed("it ended", None, " \n--\n").got == "it ended"


def test_an_exception_that_nothing_catches_is_named() -> None:
    """C++ ends such a program by a signal, which says nothing of exceptions."""
    assert "caught an exception, std::runtime_error" in crashed("it ended", None, CPP).remedy
