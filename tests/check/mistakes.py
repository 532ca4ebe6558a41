"""Typical mistakes in a bot without an SDK, and the sentence that tells each from all others."""

from __future__ import annotations

from dataclasses import dataclass

from check.wrong import CHOOSE, START

HELLO, PLAYS, STDOUT, IN_TIME, STARTS = (
    "says hello",
    "plays gargon",
    "keeps stdout for the protocol",
    "answers in time",
    "starts",
)
OPENS = 'sink = os.fdopen(os.dup(1), "wb", buffering=0)'
PACKS = "body = msgpack.packb(message)"
SENDS = 'sink.write(len(body).to_bytes(4, "big") + body)'
BODY = 'source.read(int.from_bytes(header, "big"))'
READS = "while header := source.read(4):\n"
KIND = '    kind = message["t"]\n'
CLOSES = """    if kind == "act":
        os.close(1)
        sink.close()
        time.sleep(1000)
"""


@dataclass(frozen=True)
class Mistake:
    """What is replaced in the right bot, by what, and what its author is told."""

    old: str
    new: str
    step: str
    got: str
    """The part of what the check got that only this mistake has."""
    remedy: str
    """A part of what it says to do, which leads back to the right bot."""
    silent: bool = False
    """Whether its time has to be over before it is known."""


MISTAKES = {
    "does-not-flush": Mistake(
        OPENS,
        "sink = sys.stdout.buffer",
        HELLO,
        "its answer came only when its stdin was closed: it had been written, but not flushed",
        "sys.stdout.buffer.flush()",
        silent=True,
    ),
    "flushes-its-hello-only": Mistake(
        f"    {SENDS}",
        "    os.write(1, len(body).to_bytes(4, 'big') + body) if message['t'] == 'hello' else "
        "sys.stdout.buffer.write(len(body).to_bytes(4, 'big') + body)",
        IN_TIME,
        "its answer came only when its stdin was closed: it had been written, but not flushed",
        "sys.stdout.buffer.flush()",
        silent=True,
    ),
    "reads-to-the-end": Mistake(
        READS,
        f"source = io.BytesIO(source.read())\n{READS}",
        HELLO,
        "it reads to the end of its input before it answers",
        "sys.stdin.buffer.read(length)",
        silent=True,
    ),
    "reads-little-endian": Mistake(
        'from_bytes(header, "big")',
        'from_bytes(header, "little")',
        HELLO,
        "it answers only if the length before a message is little-endian",
        'int.from_bytes(header, "big")',
        silent=True,
    ),
    "writes-little-endian": Mistake(
        'to_bytes(4, "big")',
        'to_bytes(4, "little")',
        HELLO,
        "a length that is little-endian: ",
        'len(body).to_bytes(4, "big")',
    ),
    "reads-nothing": Mistake(
        READS,
        f"time.sleep(1000)\n{READS}",
        HELLO,
        "it has read nothing of the ",
        "Read stdin: the referee speaks first",
        silent=True,
    ),
    "reads-a-part": Mistake(
        READS,
        f"os.read(0, 64)\ntime.sleep(1000)\n{READS}",
        HELLO,
        "it has read 64 of the ",
        "Read four bytes, and then as many as they say",
        silent=True,
    ),
    "reads-lines": Mistake(
        READS,
        "while header := source.readline():\n",
        HELLO,
        "it goes on only when a line end comes: it reads lines",
        "Messages are no lines",
        silent=True,
    ),
    "counts-the-header-when-it-reads": Mistake(
        BODY,
        'source.read(int.from_bytes(header, "big") + 4)',
        HELLO,
        "it waits for four bytes more than the message has",
        "does not count its own four bytes",
        silent=True,
    ),
    "takes-a-read-for-a-message": Mistake(
        f"{READS}    message = msgpack.unpackb({BODY})",
        "while data := os.read(0, 65536):\n"
        '    message = msgpack.unpackb(data[4 : 4 + int.from_bytes(data[:4], "big")])',
        IN_TIME,
        "it answers if each message comes alone, but not if two come in one read",
        "keep what follows the first",
        silent=True,
    ),
    "passes-over-hello": Mistake(
        'kind == "hello"',
        'kind == "Hello"',
        HELLO,
        "and waits for more input without an answer",
        'the map whose key t has the text "hello"',
        silent=True,
    ),
    "computes": Mistake(
        READS,
        f"while True:\n    pass\n{READS}",
        HELLO,
        "it computes without an end: ",
        "Look for a loop that does not end",
        silent=True,
    ),
    "sleeps": Mistake(
        KIND,
        f"{KIND}    time.sleep(1000)\n",
        HELLO,
        "and sleeps: it did not even notice that its stdin was closed",
        "a sleep, a lock",
        silent=True,
    ),
    "answers-late": Mistake(
        CHOOSE,
        "    time.sleep(0.4)\n    return 0",
        IN_TIME,
        "its answer came, but only when the time was over",
        "start.clock and act.bank",
        silent=True,
    ),
    "answers-on-stderr": Mistake(
        OPENS,
        OPENS.replace("1", "2", 1),
        HELLO,
        "its frames came on stderr, not on stdout",
        "Frames go to stdout",
        silent=True,
    ),
    "json-in-frames": Mistake(
        PACKS,
        "body = json.dumps(message).encode()",
        HELLO,
        "a frame whose body is JSON, not msgpack: ",
        "msgpack.packb(message)",
    ),
    "json-lines": Mistake(
        f"    {SENDS}",
        "    print(json.dumps(message), flush=True)",
        HELLO,
        "JSON, not a frame: ",
        "msgpack.packb(message)",
    ),
    "no-length": Mistake(
        SENDS,
        "sink.write(body)",
        HELLO,
        "without its length before it",
        'len(body).to_bytes(4, "big")',
    ),
    "length-in-digits": Mistake(
        'len(body).to_bytes(4, "big")',
        'b"%d\\n" % len(body)',
        HELLO,
        "a length that is written as text: ",
        'len(body).to_bytes(4, "big")',
    ),
    "length-of-two-bytes": Mistake(
        'to_bytes(4, "big")',
        'to_bytes(2, "big")',
        HELLO,
        "a length of 2 bytes, ",
        'len(body).to_bytes(4, "big")',
    ),
    "counts-the-header": Mistake(
        "len(body)",
        "(4 + len(body))",
        HELLO,
        "it counts its own four bytes, too",
        "The length is that of the packed map alone",
        silent=True,
    ),
    "counts-characters": Mistake(
        "len(body)",
        "(len(body) - 1)",
        HELLO,
        "it says 1 fewer",
        "The length is that of the packed map alone",
    ),
    "line-end-in-the-body": Mistake(
        PACKS,
        f'{PACKS} + b"\\n"',
        HELLO,
        "there is a line end in the body, after the map",
        "with nothing after it",
    ),
    "line-end-after-the-frame": Mistake(
        SENDS,
        'sink.write(len(body).to_bytes(4, "big") + body + b"\\n")',
        STDOUT,
        "a line end after a frame: ",
        "without a line end",
    ),
    "writes-characters": Mistake(
        SENDS,
        'print((len(body).to_bytes(4, "big") + body).decode("latin-1"), end="", flush=True)',
        HELLO,
        "a frame that was written as text: each of its bytes above 0x7f came as two",
        "sys.stdout.buffer.write(data)",
    ),
    "trailing-bytes": Mistake(
        PACKS,
        f"{PACKS} + msgpack.packb(0)",
        HELLO,
        "it says 1 more",
        "with nothing after it",
    ),
    "keys-of-bytes": Mistake(
        '"t": "hello"',
        '"t": "hello", b"id": 1',
        HELLO,
        "expected texts as keys of maps, got binary data: the key b'id' in the message",
        'All keys of maps are texts, such as "t"',
    ),
    "keys-of-numbers": Mistake(
        '{"t": "action"',
        '{0: 1, "t": "action"',
        PLAYS,
        "expected texts as keys of maps, got an integer: the key 0 in the message",
        'All keys of maps are texts, such as "t"',
    ),
    "texts-of-bytes": Mistake(
        '"name": "right"',
        '"name": b"right"',
        HELLO,
        "arrays and maps, got binary data: name is b'right'",
        "Send texts as msgpack's str",
    ),
    "too-long": Mistake(
        '"name": "right"',
        '"name": "right" * 300_000',
        HELLO,
        "expected a frame of at most 1048576 bytes, got a length of 1500",
        "A frame has at most 1 MiB",
    ),
    "no-type": Mistake(
        '{"t": "hello"',
        '{"type": "hello"',
        HELLO,
        "got a message without t",
        'the key "t"',
    ),
    "version-as-text": Mistake(
        '"protocol": [1, 0]',
        '"protocol": "1.0"',
        HELLO,
        'hello.protocol: expected [1, minor], got "1.0"',
        '"protocol": [1, 0]',
    ),
    "another-version": Mistake(
        '"protocol": [1, 0]',
        '"protocol": [2, 0]',
        HELLO,
        "hello.protocol[0]: expected 1, got 2",
        '"protocol": [1, 0]',
    ),
    "answers-twice": Mistake(
        '"i": choose(message)})',
        '"i": choose(message)})\n        send({"t": "action", "id": message["id"], "i": 0})',
        PLAYS,
        "it answered the question 1 twice",
        "Send one answer to each act",
    ),
    "answers-start": Mistake(
        START,
        START.replace("pass", "send({'t': 'action', 'id': 0, 'i': 0})"),
        PLAYS,
        "messages, and ",
        "Answer only hello and act, each once",
    ),
    "answers-with-an-old-id": Mistake(
        '"id": message["id"]',
        '"id": 1',
        PLAYS,
        "with an id of its own or of an earlier one",
        "Copy id from the act",
    ),
    "prints-before-hello": Mistake(
        "seen = []",
        "print('Loading weights', flush=True)",
        STDOUT,
        "text before its hello: 'Loading weights",
        "print(..., file=sys.stderr)",
    ),
    "prints-between-frames": Mistake(
        CHOOSE,
        "    print('thinking', flush=True)\n    return 0",
        STDOUT,
        "'thinking",
        "print(..., file=sys.stderr)",
    ),
    "closes-stdout": Mistake(
        KIND,
        KIND + CLOSES,
        PLAYS,
        "closed its stdout",
        "Keep stdin and stdout open until bye",
    ),
    "needs-a-module": Mistake(
        "seen = []",
        "import my_strategy",
        STARTS,
        "its last words on stderr are: ModuleNotFoundError: No module named 'my_strategy'",
        "Python does not find the module my_strategy",
    ),
    "ends-after-hello": Mistake(
        READS,
        "for header in [source.read(4)]:\n",
        PLAYS,
        "ended while the game went on: exit code 0",
        "Read the next message in a loop until bye",
    ),
    "is-killed": Mistake(
        CHOOSE,
        "    os.kill(os.getpid(), 11)",
        PLAYS,
        "killed by signal 11 (SIGSEGV)",
        "a wrong address",
    ),
}
