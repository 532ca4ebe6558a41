"""The common part of the attacks that pass a bit to an accomplice in another seat.

The sender sets every signal at each question from its third on, and keeps it set. The receiver
looks for the first time at its first question, and then at every question, and reports the
signals that it feels.
"""

from collections.abc import Callable
from typing import Any

from attempts import LONGEST_NOTE_BYTES, line_of, name_of, note_of

from arena_sdk import Question, run

FIRST_SET = 2
"""So many questions the sender lets pass, for the receiver to have a first look."""
Signals = dict[str, tuple[Callable[[], object], Callable[[], Any], Callable[[Any, Any], object]]]
"""By name: how a signal is set, how to look for it, and whether two looks differ by it."""


def pass_bits(role: str, signals: Signals) -> None:
    """Play as the sender or the receiver of these signals."""
    run(_sender(signals) if role == "sender" else _receiver(signals), name=role)


def _sender(signals: Signals) -> Callable[[Question], int]:
    questions = 0

    def send(question: Question) -> int:
        nonlocal questions
        questions += 1
        if questions > FIRST_SET:
            for name, (set_it, _, _) in signals.items():
                try:
                    set_it()
                except (OSError, ValueError, RuntimeError, MemoryError) as error:
                    question.note += f"{name}: {error}\n"[
                        : LONGEST_NOTE_BYTES - len(question.note.encode())
                    ]
        return 0

    return send


def _receiver(signals: Signals) -> Callable[[Question], int]:
    first: dict[str, Any] = {}
    told: dict[str, bool] = {}
    lines: list[str] = []

    def tell(name: str, seen: str, *, through: bool) -> None:
        if told.get(name) in {None, not through}:
            told[name] = through
            # What got through comes first, as there may be few more notes.
            lines.insert(0 if through else len(lines), line_of(name, seen, through=through))

    def receive(question: Question) -> int:
        for name, (_, look, differs) in signals.items():
            try:
                now = look()
            except (OSError, ValueError) as error:
                if name not in told:
                    seen = name_of(error) if isinstance(error, OSError) else str(error)
                    tell(name, seen, through=False)
                continue
            if name not in first:
                first[name] = now
                tell(name, "not felt", through=False)
            elif not told[name] and differs(first[name], now):
                tell(name, f"{str(first[name])[:36]} -> {str(now)[:36]}", through=True)
        question.note = note_of(lines)
        return 0

    return receive


def nothing() -> None:
    """Set nothing, for a signal that is set together with another one."""


def any_change(first: Any, now: Any) -> bool:
    """Whether two looks differ at all."""
    return bool(first != now)


def rises_by(least: int) -> Callable[[int, int], bool]:
    """Return a test whether a number has risen by so much that it is no accident."""
    return lambda first, now: now - first >= least


def falls_by(least: int) -> Callable[[int, int], bool]:
    """Return a test whether a number has fallen by so much that it is no accident."""
    return lambda first, now: first - now >= least
