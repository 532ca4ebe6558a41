"""Makes the golden vectors, and the bytes in the specification, from the arena's own code.

python protocol/vectors/make.py            writes the files
python protocol/vectors/make.py --check    exits 1 and names the first file that differs
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotated import conversation
from bot_frames import bot_frames
from referee_frames import referee_frames
from transcripts import TRANSCRIPTS, Transcript

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
BEGIN = "<!-- From here to the end vectors/make.py writes. -->\n"


def files() -> dict[Path, str]:
    """All that is made, by path."""
    transcripts = {name: make() for name, make in TRANSCRIPTS.items()}
    made = {
        HERE / "frames.json": _lines(bot_frames()),
        HERE / "to_bot.json": _lines(referee_frames()),
    }
    for name, transcript in transcripts.items():
        made[HERE / "transcripts" / f"{name}.json"] = _transcript(transcript)
    kept, begin, _ = README.read_text().partition(BEGIN)
    if not begin:
        raise ValueError(f"{README}: expected a line {BEGIN.strip()!r}")
    made[README] = kept + begin + "\n" + conversation(transcripts["castors-2"])
    return made


def difference(made: Mapping[Path, str]) -> Path | None:
    """The first file that is not as it should be, or should not be there."""
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            return path
    strays = sorted(set(HERE.glob("**/*.json")) - set(made))
    return strays[0] if strays else None


def main(words: list[str]) -> int:
    """Write or check."""
    if words not in ([], ["--check"]):
        print("make.py: expected no argument or --check", file=sys.stderr)
        return 2
    made = files()
    if words:
        path = difference(made)
        if path is not None:
            print(
                f"{path.relative_to(HERE.parent.parent)} differs from what the code says; "
                "if that is meant, run: python protocol/vectors/make.py",
                file=sys.stderr,
            )
        return int(path is not None)
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return 0


def _lines(items: Iterable[Any]) -> str:
    """A JSON array with an item a line, so that a change shows as one."""
    return "[\n" + ",\n".join(_compact(item) for item in items) + "\n]\n"


def _transcript(transcript: Transcript) -> str:
    head = [f" {_compact(key)}: {_compact(value)}" for key, value in transcript.head.items()]
    frames = ' "frames": ' + _lines(transcript.frames).rstrip("\n")
    return "{\n" + ",\n".join([*head, frames]) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
