"""The step that checks whether a bot forgets a game when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.check._playing import CheckedBot
from arena.check._result import Caution, Failure
from arena.check._setting import CheckedGame, Setting
from arena.games.game import Action

ANOTHER_DEAL = 7


def forgets(checked: CheckedBot, played: CheckedGame) -> str:
    """Check that a game goes the same way after other games as in a fresh process."""
    for seats, seat in ((played.few, 0), (played.many, played.many - 1)):
        _compare(checked, Setting(played.game, played.rules, seats, seat, 0))
    return "the same game goes the same way after other games"


def _compare(checked: CheckedBot, setting: Setting) -> None:
    fresh = _fresh(checked, setting)
    if again := _difference(fresh, _fresh(checked, setting)):
        raise _not_deterministic(setting, again)
    with checked.trial() as trial:
        trial.greet()
        trial.play(setting)
        for other in _others(checked, setting):
            checked.tell(f"{other}, before {setting} again")
            trial.play(other)
        difference = _difference(fresh, trial.play(setting))
    if not difference:
        return
    if again := _difference(fresh, _fresh(checked, setting)):
        raise _not_deterministic(setting, again)
    raise Failure(
        "the same actions whenever the same game is played: the same deal, seat and seed",
        f"{setting}: {difference}, where the first is from a fresh process and the second from "
        "one that had played other games before",
        "Something is kept from one game to the next: clear all of it at start. Take chance "
        "from the seed in start, and from nothing else; the number in start must not matter",
    )


def _fresh(checked: CheckedBot, setting: Setting) -> list[Action]:
    """Play the game in a new process; return all its actions."""
    checked.tell(f"{setting}, in a fresh process")
    with checked.trial() as trial:
        trial.greet()
        return trial.play(setting)


def _others(checked: CheckedBot, setting: Setting) -> list[Setting]:
    """Return what is played in between: another deal, and every other game."""
    return [
        replace(setting, number=ANOTHER_DEAL),
        *[
            Setting(each.game, each.rules, each.few, 0, ANOTHER_DEAL)
            for each in checked.games
            if each.game.name != setting.game.name
        ],
    ]


def _not_deterministic(setting: Setting, difference: str) -> Caution:
    return Caution(
        "the same actions whenever the same game is played: the same deal, seat and seed",
        f"{setting}, twice in a fresh process: {difference}",
        "This is allowed, but its games cannot be repeated, and whether it forgets cannot be "
        "checked. Take chance from the seed in start, and let nothing depend on time",
    )


def _difference(first: Sequence[Action], second: Sequence[Action]) -> str:
    """Return the first decision where two games differ, in words; "" if they are the same."""
    for decision, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return f"decision {decision} was {list(one)}, then {list(other)}"
    return ""
