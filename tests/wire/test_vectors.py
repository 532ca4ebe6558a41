"""The protocol's page and its vectors say what the arena does, and the SDK understands them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import asdict

from arena.records.entries import TimeControl
from arena.records.verdicts import MEANINGS
from arena.referee.roster import LIMITS
from arena.wire import messages
from arena.wire.frames import FrameError, FrameReader, frame
from arena.wire.messages import MessageError, read
from arena_sdk import Bot, End, Line, Question, Start, run

PROTOCOL = Path(__file__).parents[2] / "protocol"
VECTORS = PROTOCOL / "vectors"
if not VECTORS.is_dir():
    pytest.skip("the vectors are a part of the sources", allow_module_level=True)


def load(name: str) -> Any:
    """One of the files."""
    return json.loads((VECTORS / name).read_text())


def decoded(data: bytes) -> list[dict[str, Any]]:
    """All messages in these bytes, which must be whole frames."""
    reader = FrameReader()
    reader.feed(data)
    found = list(iter(reader.next, None))
    assert not reader.pending
    return found


def converse(bot: Bot, said: bytes) -> list[dict[str, Any]]:
    """What a bot written with the SDK answers when the referee says all this and hangs up."""
    from_referee, to_bot = os.pipe()
    from_bot, to_referee = os.pipe()

    def speak() -> None:
        with os.fdopen(to_bot, "wb") as pipe:
            pipe.write(said)

    speaker = Thread(target=speak)
    speaker.start()
    try:
        run(bot, line=Line(from_referee, to_referee))
    finally:
        os.close(to_referee)
        with os.fdopen(from_bot, "rb") as answers:
            data = answers.read()
        os.close(from_referee)
        speaker.join()
    return decoded(data)


# The files


def check(vectors: Path) -> subprocess.CompletedProcess[str]:
    """Run the check of the files in this place."""
    words = [sys.executable, str(vectors / "make.py"), "--check"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_vectors_are_what_the_arena_does() -> None:
    """An SDK that passes the vectors also plays here: they are made by the code as it is."""
    done = check(VECTORS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "name", ["vectors/frames.json", "vectors/transcripts/gargon-3.json", "README.md"]
)
def test_a_vector_that_differs_is_named(tmp_path: Path, name: str) -> None:
    """Whoever changes the protocol learns which file has to follow, and how."""
    copied = shutil.copytree(PROTOCOL, tmp_path / "protocol")
    path = copied / name
    text = path.read_text()
    place = text.rindex("7")
    path.write_text(f"{text[:place]}8{text[place + 1 :]}")
    done = check(copied / "vectors")
    assert done.returncode == 1
    assert done.stderr.startswith(f"protocol/{name} differs")
    assert "make.py" in done.stderr


def test_a_file_that_nothing_makes_is_named(tmp_path: Path) -> None:
    """A transcript of a game that is gone does not stay behind to be tested against."""
    copied = shutil.copytree(PROTOCOL, tmp_path / "protocol")
    (copied / "vectors" / "transcripts" / "whist-4.json").write_text("{}\n")
    done = check(copied / "vectors")
    assert done.returncode == 1
    assert "whist-4.json" in done.stderr


# Frames


def named(name: str) -> list[Any]:
    """The entries of a file as parameters with their names."""
    entries = load(name)
    names = [entry["name"] for entry in entries]
    assert len(set(names)) == len(names)
    return [pytest.param(entry, id=entry["name"]) for entry in entries]


@pytest.mark.parametrize("size", [1, 5, 1 << 20], ids=lambda size: f"by {size}")
@pytest.mark.parametrize("entry", named("frames.json"))
def test_a_frame_from_a_bot_gets_its_verdict(entry: dict[str, Any], size: int) -> None:
    """A bot's frame is taken or refused in the documented words, however it is cut on its way."""
    data = bytes.fromhex(entry["hex"])
    reader = FrameReader()
    verdict, message, error = "incomplete", None, ""
    try:
        for at in range(0, len(data), size):
            message = reader.take(data[at : at + size])
            if message is not None:
                read(message)
                verdict = "ok"
                assert at + size >= len(data)
    except (FrameError, MessageError) as refused:
        verdict, error = "protocol", str(refused)
    assert verdict == entry["verdict"]
    if verdict == "ok":
        assert message == entry["message"]
    elif verdict == "protocol":
        assert error == entry["error"]


class Heard(Bot):
    """Remembers what it was told, and answers with the first action."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    def start(self, start: Start) -> None:
        self.heard.append(("start", start))

    def choose(self, question: Question) -> int:
        self.heard.append(("act", question))
        return 0

    def fault(self, message: dict[str, Any]) -> None:
        self.heard.append(("fault", message))

    def end(self, end: End) -> None:
        self.heard.append(("end", end))


@pytest.mark.parametrize("entry", named("to_bot.json"))
def test_the_sdk_understands_every_frame_from_the_referee(entry: dict[str, Any]) -> None:
    """A Python bot goes on playing with an arena of a later minor version."""
    data = bytes.fromhex(entry["hex"])
    message = entry["message"]
    assert decoded(data) == [message]
    kind = message["t"]
    before = (
        []
        if kind in ("hello", "start")
        else [messages.start(0, "castors", {"laps": 100}, 0, 3, 1, asdict(TimeControl()))]
    )
    bot = Heard()
    answers = converse(bot, b"".join(map(frame, before)) + data + frame(messages.BYE))
    heard = bot.heard[len(before) :]
    assert [name for name, _ in heard] == [kind] * (kind in ("start", "act", "fault", "end"))
    for name, told in heard:
        if name != "fault":
            fields = [field for field in message if hasattr(told, field)]
            assert fields
            assert all(getattr(told, field) == message[field] for field in fields)
    assert [answer["t"] for answer in answers] == [entry["answer"]] * (entry["answer"] is not None)
    if kind == "act":
        assert answers == [{"t": "action", "id": message["id"], "i": 0}]


def test_the_line_returns_the_messages_as_they_were_sent() -> None:
    """Numbers, texts and arrays reach a Python bot unchanged, in whatever width they come."""
    for entry in load("to_bot.json"):
        source, sink = os.pipe()
        os.write(sink, bytes.fromhex(entry["hex"]))
        os.close(sink)
        line = Line(source, -1)
        assert line.receive() == entry["message"]
        assert line.receive() is None
        os.close(source)


# Transcripts


class RuleBot(Bot):
    """The rule bot as the specification has it."""

    name = "rule"
    version = "1"

    def start(self, start: Start) -> None:
        self.x = start.seed or 1
        self.count = 0

    def choose(self, question: Question) -> Any:
        self.x ^= self.x << 13 & 0xFFFFFFFF
        self.x ^= self.x >> 17
        self.x ^= self.x << 5 & 0xFFFFFFFF
        index = self.x % len(question.actions)
        self.count += 1
        return index if self.count % 2 else question.actions[index]


TRANSCRIPTS = sorted(path.stem for path in (VECTORS / "transcripts").glob("*.json"))


def test_there_are_transcripts_of_both_games_at_all_common_sizes() -> None:
    """An SDK is tested on each game with three, four and five seats."""
    wanted = {f"{game}-{seats}" for game in ("castors", "gargon") for seats in (3, 4, 5)}
    assert wanted <= set(TRANSCRIPTS)


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_rule_bot_replays_a_transcript(name: str) -> None:
    """A bot written with the SDK, from the specification, says in every seat what is recorded."""
    transcript = load(f"transcripts/{name}.json")
    for seat in range(transcript["seats"]):
        said: dict[str, bytes] = {"referee": b"", "bot": b""}
        for entry in transcript["frames"]:
            if entry["seat"] == seat:
                said[entry["from"]] += bytes.fromhex(entry["hex"])
        answers = converse(RuleBot(), said["referee"])
        assert answers == decoded(said["bot"])
        assert len(answers) > 1


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_says_what_its_frames_say(name: str) -> None:
    """Seeds, scores and places beside the frames are those in them, and the bank stays full."""
    transcript = load(f"transcripts/{name}.json")
    game = -1
    for entry in transcript["frames"]:
        (message,) = decoded(bytes.fromhex(entry["hex"]))
        assert message["t"] == entry["t"]
        if message["t"] == "start":
            game = message["number"]
            assert message["seed"] == transcript["results"][game]["seeds"][entry["seat"]]
        elif message["t"] == "act":
            assert message["bank"] == TimeControl().bank
        elif message["t"] == "end":
            result = transcript["results"][game]
            assert [message["scores"], message["places"]] == [result["scores"], result["places"]]
    assert game == len(transcript["results"]) - 1


# The specification


def tables() -> dict[tuple[str, str], dict[str, str]]:
    """The tables of the specification by heading and first column: names, and their second one."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    heading = first = ""
    for line in (PROTOCOL / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("#"):
            heading, first = line.strip("# ").replace("`", ""), ""
        elif not line.startswith("|"):
            first = ""
        elif not first:
            first = cells[0]
            found[heading, first] = {}
        elif name := re.fullmatch(r"`([\w-]+)`", cells[0]):
            found[heading, first][name[1]] = cells[2] if len(cells) > 2 else ""
    return found


class Asked(dict[str, Any]):
    """A message that remembers which keys it was asked for."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.keys_asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.keys_asked.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.keys_asked.add(str(key))
        return super().__contains__(key)


FROM_BOT: dict[str, dict[str, Any]] = {
    "hello": {"protocol": [1, 0], "name": "n", "version": "v", "actions": True, "events": False},
    "action": {"id": 1, "a": ["draw"], "note": "because"},
    "error": {"text": "no"},
}


def from_referee() -> Iterator[dict[str, Any]]:
    """One full message of each type as the referee sends it."""
    sent: dict[str, dict[str, Any]] = {"fault": messages.fault("crashed", "text", 0, "follows")}
    for entry in load("transcripts/castors-2.json")["frames"]:
        if entry["from"] == "referee" and entry["t"] not in sent:
            (sent[entry["t"]],) = decoded(bytes.fromhex(entry["hex"]))
    yield from sent.values()


def test_the_specification_has_every_field_of_the_referees_messages() -> None:
    """What the referee sends is documented, and what is documented is sent."""
    documented = tables()
    sent = list(from_referee())
    assert {f"Referee: {message['t']}" for message in sent} == {
        heading for heading, _ in documented if heading.startswith("Referee: ")
    }
    for message in sent:
        assert set(documented[f"Referee: {message['t']}", "field"]) == set(message)


def test_the_specification_has_every_field_that_is_read_from_bots() -> None:
    """What a bot can say is documented, and what is documented is read."""
    documented = tables()
    for kind, fields in FROM_BOT.items():
        asked = Asked({"t": kind, **fields})
        read(asked)
        assert set(documented[f"Bot: {kind}", "field"]) == asked.keys_asked
    headings = {heading for heading, _ in documented if heading.startswith("Bot: ")}
    assert headings == {f"Bot: {kind}" for kind in FROM_BOT}


@pytest.mark.parametrize("kind", FROM_BOT)
def test_fields_of_bots_are_required_or_have_defaults_as_specified(kind: str) -> None:
    """A bot can leave out what the specification gives a default, and nothing else."""
    full = {"t": kind, **FROM_BOT[kind]}
    for field, need in tables()[f"Bot: {kind}", "field"].items():
        less = {key: value for key, value in full.items() if key != field}
        if need == "required":
            with pytest.raises(MessageError):
                read(less)
        elif need.startswith("default "):
            default = json.loads(need.removeprefix("default ").strip("`"))
            assert read(less) == read({**full, field: default}) != read(full)


def test_the_specification_has_every_limit_clock_and_verdict() -> None:
    """The smaller tables are complete too, and verdicts mean what `arena` says they mean."""
    documented = tables()
    assert set(documented["Referee: hello", "limit"]) == set(LIMITS)
    assert set(documented["Referee: start", "clock"]) == set(asdict(TimeControl()))
    assert set(documented["7. Faults", "code"]) == set(MEANINGS)
    page = (PROTOCOL / "README.md").read_text()
    for code, meaning in MEANINGS.items():
        assert f"| `{code}` | {meaning} |" in page


def test_the_specification_names_the_version_that_the_arena_speaks() -> None:
    """An author who reads the page knows which version it is."""
    major, minor = messages.VERSION
    assert (
        (PROTOCOL / "README.md").read_text().startswith(f"# The protocol, version {major}.{minor}")
    )
