"""Ladders to run in tests: a definition of random bots, and commands on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from command import Outcome, arena

FIVE = ("ada", "bob", "cid", "dot", "eve")


def definition(
    folder: Path,
    *,
    name: str = "test",
    game: str = "castors",
    tables: Sequence[int] = (3, 4),
    bots: Sequence[str] = FIVE,
    games: int | None = 60,
    each: int | None = None,
    seed: str | None = "practice",
    more: str = "",
    contestants: Sequence[Any] = (),
    sandbox: str | None = "none",
) -> Path:
    """A definition whose contestants are random bots of these names, and others."""
    listed = [f'{{ bot = "random", name = "{bot}" }}' for bot in bots]
    listed += [json.dumps(each) for each in contestants]
    lines = [
        f'name = "{name}"',
        f'game = "{game}"',
        f"tables = {list(tables)}",
        f"contestants = [{', '.join(listed)}]",
    ]
    if sandbox is not None:
        lines.append(f'sandbox = "{sandbox}"')
    if seed is not None:
        lines.append(f'seed = "{seed}"')
    lines.append(more)
    if each is not None:
        lines.append(f"[budget]\neach = {each}")
    elif games is not None:
        lines.append(f"[budget]\ngames = {games}")
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(path: Path, *words: str, cwd: Path | None = None) -> Outcome:
    """Run the ladder to its end."""
    done = arena("ladder", "run", path.name, *words, cwd=cwd or path.parent)
    assert done.code == 0, done.err
    return done


def export(folder: Path, store: str = "test.ladder") -> bytes:
    """The log of a ladder as one file, `test.ladder.jsonl`, with its standings beside it."""
    target = folder / f"{Path(store).name}.jsonl"
    done = arena("ladder", "export", store, "--output", target.name, cwd=folder)
    assert done.code == 0, done.err
    return target.read_bytes()


def games_of(log: bytes) -> list[dict[str, Any]]:
    """The games of a log, read without the arena: who sat where, and how it ended."""
    everybody: list[dict[str, str]] = []
    found = []
    for entry in map(json.loads, log.splitlines()):
        if entry["entry"] == "enter":
            known = {each["digest"] for each in everybody}
            new = entry.get("contestants", [])
            everybody += [each for each in new if each["digest"] not in known]
        elif entry["entry"] == "block":
            for rotation, game in enumerate(entry["games"]):
                order = entry["contestants"][rotation:] + entry["contestants"][:rotation]
                found.append(
                    {
                        "number": len(found),
                        "block": entry["number"],
                        "bots": [everybody[number] for number in order],
                        **game,
                    }
                )
    return found
