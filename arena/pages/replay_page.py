"""The page of one game: a file that needs nothing else, or one that loads a game's data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from arena.games.game import Game
from arena.games.table import Suit
from arena.pages.replay_data import Json, ReplayData
from arena.pages.templates import asset, policy, rendered

NOTE_WITHOUT_SCRIPT: Final = 80
"""Characters of a note in the story for readers without script, which has all of the rest."""


def replay_page(data: ReplayData, game: Game) -> str:
    """Return a page with this game in it."""
    found = data.as_map()
    return _page(
        f"{found['game']}, game {found['number']}",
        game,
        data=data_text(found),
        seen_by=found["viewers"][0],
        seats=found["seats"],
        story=story(found),
    )


def loading_page(game: Game, folder: str = "") -> str:
    """Return a page for many games: it loads the one that its address names, `?game=NAME`.

    `NAME.html` lies in the folder beside it, such as `replays/`, and is what `data_page` returns.
    A frame is loaded, as a page from disk may load nothing else.
    """
    return _page(game.title, game, loads=True, folder=folder)


def data_page(data: Json, link: str) -> str:
    """Return the page from which `loading_page` loads a game; the link leads back to that one."""
    script = asset("tell.js")
    return rendered(
        "data.html",
        title=f"{data['game']}, game {data['number']}",
        policy=policy(style="", script=script),
        data=data_text(data),
        link=link,
        script=script,
    )


def data_text(data: Json) -> str:
    """Return a game's data as the page reads it; it can stand within a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def replay_style(game: Game) -> str:
    """Return the style of what shows games of this kind."""
    suits = _suit_styles(game.layout.suits if game.layout else ())
    return asset("common.css") + asset("replay.css") + suits


def _page(title: str, game: Game, *, loads: bool = False, **inside: object) -> str:
    style, script = replay_style(game), asset("replay.js") + asset("replay_load.js")
    return rendered(
        "replay.html",
        title=title,
        policy=policy(style=style, script=script, frames=loads),
        style=style,
        script=script,
        **inside,
    )


def story(data: Json) -> list[Json]:
    """Return the steps in words, as the first viewer saw them."""
    names = [face[2] for face in data["faces"]]
    return [
        {
            "decision": step.get("d"),
            "told": [_sentence(line, names) for line in step["told"]],
            "note": _brief(step.get("note", "")),
            "faults": step.get("faults", ()),
        }
        for step in data["steps"]
    ]


def _sentence(variants: Sequence[Sequence[Any]], names: Sequence[str]) -> str:
    """Return what is told to the first viewer as text."""
    segments = next(told for viewers, told in variants if viewers & 1)
    words = []
    for segment in segments:
        if isinstance(segment, list):
            words.append(f"seat {segment[0]}")
        else:
            words.append(names[segment] if isinstance(segment, int) else segment)
    return "".join(words)


def _brief(note: str) -> str:
    return note if len(note) <= NOTE_WITHOUT_SCRIPT else note[:NOTE_WITHOUT_SCRIPT] + "…"


def _suit_styles(suits: Sequence[Suit]) -> str:
    """Return the colours of the suits, which a class on each card names by number."""
    return "".join(
        f".q{number}{{--fill:{suit.fill};--ink:{suit.ink}}}\n" for number, suit in enumerate(suits)
    )
