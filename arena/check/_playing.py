"""The steps in which the checked bot plays."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from arena.check._diagnosis import STARTS
from arena.check._recording_transport import Alter, Enlarge, with_unknown
from arena.check._result import Caution, Failure
from arena.check._setting import CheckedGame, Setting, everywhere
from arena.check._trial import Slowest, Trial
from arena.games.game import Game
from arena.programs.spec import BotSpec
from arena.records.entries import TimeControl
from arena.referee.terms import Terms
from arena.wire.messages import Hello, Message

DEALS = 2

Announce: TypeAlias = Callable[[str, str], None]
"""Called with the step, and the part of it; the part is "" when the step begins."""


@dataclass
class CheckedBot:
    """The bot, the games that it plays, and what was seen of it so far; all steps share it."""

    spec: BotSpec
    games: Sequence[CheckedGame]
    terms: Terms
    """What all games have in common: the clock, the sandbox, how bots are run."""
    announce: Announce
    slowest: Slowest = field(default_factory=Slowest)
    hello: Hello | None = None
    fault: Failure | None = None
    step: str = ""
    """The name of the step that is under way."""

    def tell(self, part: str) -> None:
        """Announce a part of the step that is under way."""
        self.announce(self.step, part)

    def trial(self, alter: Alter | None = None) -> Trial:
        """Return a trial with a new process of the bot."""
        # Altered messages take time that a game would not, so their times do not count.
        plain = alter is None or isinstance(alter, RareStateCounter)
        slowest = self.slowest if plain else Slowest()
        # Who has it played by new processes makes a trial for each game.
        terms = replace(self.terms, fresh=False)
        return Trial(self.spec, terms, self.versions, slowest, self.tell, alter)

    @property
    def control(self) -> TimeControl:
        """The clock."""
        return self.terms.control

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the games' rules, as the referee's hello has them."""
        return {each.game.name: each.game.version for each in self.games}

    @property
    def introduction(self) -> str:
        """What the bot said in its hello, in words; raise `Failure` if it said none."""
        if self.fault is not None:
            raise self.fault
        assert self.hello is not None
        wants = [
            what
            for what, wanted in (
                ("the list of legal actions", self.hello.actions),
                ("events", self.hello.events),
            )
            if wanted
        ]
        version = f", version {self.hello.version!r}" if self.hello.version else ""
        return f"{self.hello.name!r}{version}; wants {' and '.join(wants) or 'nothing more'}"


def starts(checked: CheckedBot) -> str:
    """Start the bot and exchange hellos; a failed hello is reported by its own step."""
    with checked.trial() as trial:
        try:
            checked.hello = trial.greet()
        except Failure as failure:
            if failure.step == STARTS:
                raise
            checked.fault = failure
    return f"{shlex.join(checked.spec.run)} in {checked.spec.folder}"


def plays(checked: CheckedBot, played: CheckedGame) -> str:
    """Play with every number of players, in every seat."""
    settings = everywhere(played, DEALS)
    _play_all(checked, settings)
    return f"{len(settings)} games of {played.sizes} players, in every seat"


def survives(checked: CheckedBot, played: CheckedGame) -> str:
    """Play games that lead to rare states."""
    settings = [
        Setting.rare(played, rare, number) for rare in played.rare() for number in range(DEALS)
    ]
    counter = RareStateCounter(played.game)
    _play_all(checked, settings, counter)
    detail = f"{len(settings)} games"
    met = [name for name, count in counter.met.items() if count]
    missed = [name for name, count in counter.met.items() if not count]
    if met:
        detail += f"; it came to: {', '.join(met)}"
    if missed:
        detail += f"; its play did not lead to: {', '.join(missed)}"
    return detail


def ignores_unknown(checked: CheckedBot) -> str:
    """Play with keys and messages that no version of the protocol has."""
    try:
        _play_all(checked, [_plain(game) for game in checked.games], with_unknown)
    except Failure as failure:
        failure.remedy = (
            "Here every message had keys that no version of the protocol has, and before each "
            "came a message with an unknown t, as a later version may have them: pass over "
            f"both, and answer nothing to such a message. {failure.remedy}"
        )
        raise
    return "unknown keys and unknown messages, as later versions may have them"


def reads_large(checked: CheckedBot) -> str:
    """Play with frames as large as they can be."""
    enlarge = Enlarge()
    try:
        _play_all(checked, [_plain(checked.games[0])], enlarge)
    except Failure as failure:
        failure.remedy = (
            f"Here questions had {enlarge.largest} bytes: a message can have as many, and comes "
            f"in pieces. Read on until it is complete. {failure.remedy}"
        )
        raise
    return f"messages of {enlarge.largest} bytes"


def times(checked: CheckedBot) -> str:
    """Compare the slowest decision so far with the time for one."""
    slowest = checked.slowest
    allowed = checked.control.decision
    text = f"slowest of {slowest.decisions} decisions: {slowest.micros / 1000:.1f} ms"
    if slowest.micros > allowed * 1000:
        raise Caution(
            f"decisions within {allowed} ms",
            f"{text} ({slowest.where})",
            f"What is above {allowed} ms is taken from a bank of {checked.control.bank} ms a game; "
            "when that is used up the bot is out of the game. start.clock and act.bank say how "
            "much there is",
        )
    return f"{text} of {allowed} ({slowest.where})"


class RareStateCounter:
    """Counts the rare states in the questions to the bot."""

    def __init__(self, game: Game) -> None:
        self._states = game.rare_states()
        self.met = dict.fromkeys(self._states, 0)

    def __call__(self, message: Message) -> list[Message]:
        if message["t"] == "act":
            for name, holds in self._states.items():
                self.met[name] += bool(holds(message["view"]))
        return [message]


def _play_all(checked: CheckedBot, settings: Sequence[Setting], alter: Alter | None = None) -> None:
    """Play all settings and say goodbye; nothing may come without being asked.

    They are played in one process, or each in a new one where a ladder plays so.
    """
    games = list(enumerate(settings, 1))
    for part in [[each] for each in games] if checked.terms.fresh else [games]:
        with checked.trial(alter) as trial:
            trial.greet()
            for number, setting in part:
                checked.tell(f"game {number} of {len(settings)}")
                trial.play(setting)
                trial.expect_quiet(f"after {setting}")
            trial.say_goodbye()
            trial.expect_quiet("after the last game")


def _plain(played: CheckedGame) -> Setting:
    return replace(everywhere(played, 1)[0], seat=played.few - 1)
