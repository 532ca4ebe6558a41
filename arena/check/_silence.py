"""Why a bot did not answer: what it has read, what it does, and what makes it go on."""

from __future__ import annotations

from arena.check._languages import Words
from arena.check._shapes import shape
from arena.check._symptoms import Experiment, Finding, Symptoms


def silence(seen: Symptoms, words: Words) -> Finding:
    """Return what keeps a bot from answering, in words that fit no other mistake."""
    sent = sum(seen.asked)
    read = max(0, sent - seen.unread)
    if seen.rest:
        return shape(seen.rest, words) or _incomplete(seen.rest, words)
    if seen.answered_to is Experiment.LITTLE_ENDIAN:
        return Finding(
            "it answers only if the length before a message is little-endian",
            f"The most significant byte of a length comes first: {words.read_length}",
        )
    if seen.late:
        return Finding(
            "its answer came, but only when the time was over",
            "Take less time: prepare before the hello, and look at start.clock and act.bank, which "
            "say how much there is. --time gives more for a test",
        )
    if seen.computes:
        return Finding(
            f"it computes without an end: {seen.cpu_ms} ms of CPU time since its start; of the "
            f"{sent} bytes that it was sent it has read {read}",
            "Look for a loop that does not end, such as one that reads again and again without "
            f"waiting, or thinks without a look at the clock. {_reading(words)}",
        )
    if seen.full:
        return Finding(
            f"it has left {seen.unread} bytes unread, and no more fit into the pipe to it",
            f"Read a message to its end, however long it is. {_reading(words)}",
        )
    if seen.unread and not read:
        return Finding(
            f"it has read nothing of the {sent} bytes that it was sent, and waits for something "
            "else",
            "Read stdin: the referee speaks first. A bot must not wait for a terminal, a network "
            f"or another program. {_reading(words)}",
        )
    if seen.unread:
        return Finding(
            f"it has read {read} of the {sent} bytes that it was sent, left the rest, and waits",
            f"Read four bytes, and then as many as they say, whatever that is. {_reading(words)}",
        )
    return _all_read(seen, sent, words)


def _all_read(seen: Symptoms, sent: int, words: Words) -> Finding:
    """Return why a bot does not answer that has read all and sleeps."""
    if seen.on_stderr:
        return Finding(
            "its frames came on stderr, not on stdout",
            f"Frames go to stdout, file descriptor 1; only logs go to stderr: {words.binary}",
        )
    if seen.answered_to is Experiment.ALONE:
        return Finding(
            "it answers if each message comes alone, but not if two come in one read",
            "A read may return more than one message: keep what follows the first, and look there "
            f"before the next read. {_reading(words)}",
        )
    if seen.answered_to is Experiment.LINE_END:
        return Finding(
            "it goes on only when a line end comes: it reads lines",
            f"Messages are no lines, and none ends with a line end. {_reading(words)}",
        )
    if seen.answered_to is Experiment.MORE:
        return Finding(
            "it waits for four bytes more than the message has: it reads the length, and then "
            "four bytes more than that says",
            f"The length before a message does not count its own four bytes. {_reading(words)}",
        )
    if seen.at_close and seen.questions == 1 and seen.answered_to is not Experiment.MANY:
        return Finding(
            "its answer came only when its stdin was closed: it reads to the end of its input "
            "before it answers",
            f"stdin stays open until the last game is over. {_reading(words)}",
        )
    if seen.at_close:
        return Finding(
            "its answer came only when its stdin was closed: it had been written, but not flushed",
            f"Send what was written on its way: {words.flush}",
        )
    if seen.ended_at_close:
        due = "hello" if seen.questions <= 1 else "act"
        return Finding(
            f"it has read all {sent} bytes that it was sent, and waits for more input without an "
            "answer",
            "Either it passes over the message that it has to answer, the map whose key t has the "
            f'text "{due}", or it takes a message for longer than it is. {_reading(words)}',
        )
    return Finding(
        f"it has read all {sent} bytes that it was sent, and sleeps: it did not even notice that "
        "its stdin was closed",
        "Look for what it waits for: a sleep, a lock, a thread or a program that it has started",
    )


def _incomplete(rest: bytes, words: Words) -> Finding:
    length = int.from_bytes(rest[:4], "big")
    return Finding(
        f"a part of a frame: its length says {length} bytes, {max(0, len(rest) - 4)} of them came",
        f"Write the whole body, and its length in bytes: {words.length}. Then flush: {words.flush}",
    )


def _reading(words: Words) -> str:
    """Return how a message is read."""
    return f"Read four bytes, then as many as they say: {words.read_length}; {words.read}"
