"""A trial of a wall: an attack plays a game in the sandbox, and the results are judged."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from arena.attacks._attack_fixture import AttackFixture
from arena.attacks._stolen_time import StolenTime
from arena.attacks.attack import Attack
from arena.records.verdicts import FINISHED
from arena.referee.deals import Deals
from arena.referee.match import Match, MatchGame
from arena.referee.player import Player
from arena.referee.roster import Roster
from arena.referee.terms import Terms
from arena.sandbox.limits import Limits
from arena.sandbox.sandbox import NONE

LIMITS = Limits(memory_mb=128, processes=32, file_mb=8, tmp_mb=16)
"""Small limits, so that an attack can use only little of the host."""
BYSTANDERS = 2
DEALS = Deals.of(b"attack", "attack")
THINKING_MS = 10
"""How long bystanders think at every question if their time is measured."""
MOST_STOLEN = 0.05
"""The share of the others' time that an attack may run, as suspending it takes a moment."""
DOWN = "DOWN"
MADE = "made "


@dataclass(frozen=True)
class Attempt:
    """One attempt of an attack: what it was, whether it got through, what was seen of it."""

    name: str
    through: bool
    seen: str


@dataclass(frozen=True)
class Finding:
    """The result of a trial."""

    attack: Attack
    seen: str
    """The result in words: the first hole if there is one."""
    holes: list[str] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether the wall held."""
        return not self.holes


def attempt_wall(attack: Attack, terms: Terms, core: int | None = None) -> Finding:
    """Let an attack play a game on these terms, and judge the result.

    The clock is the attack's own, and the limits are small.
    """
    terms = replace(terms, control=attack.control, limits=LIMITS)
    with AttackFixture() as fixture:
        game, stolen = _play(attack, terms, fixture, core)
        left = list(fixture.traces())
    attempts, made = _reported_attempts(game)
    verdict = game.played.verdicts[0]
    ended, figures = _ending(game)
    holes = [f"{attempt.name}: {attempt.seen}" for attempt in attempts if attempt.through]
    holes += left
    if stolen > MOST_STOLEN:
        holes.append(f"ran for {stolen:.0%} of the time of others")
    if verdict not in attack.verdicts:
        holes.append(f"expected {' or '.join(attack.verdicts)}, got {ended} {figures}".rstrip())
    if game.played.verdicts[1:] != [FINISHED] * (len(game.seating) - 1):
        holes.append(f"others suffered: {', '.join(game.played.verdicts[1:])}")
    if verdict == FINISHED and attack.tells and not attack.accomplice and made != len(attempts):
        holes.append(f"told of {len(attempts)} attempts only")
    if holes:
        return Finding(attack, holes[0], holes, attempts)
    if attack.watched:
        seen = f"ran for {stolen:.1%} of the time of others"
    elif len(attempts) > 1:
        seen = f"{len(attempts)} attempts, all refused"
    else:
        seen = attempts[0].seen if attempts else ended
    return Finding(attack, seen, [], attempts)


def _play(
    attack: Attack, terms: Terms, fixture: AttackFixture, core: int | None
) -> tuple[MatchGame, float]:
    """Play a game with the attack in the first seat; also return the share of others' time."""
    told = json.dumps(
        fixture.description(
            sandboxed=terms.sandbox.name != NONE,
            core=-1 if core is None else core,
            limits=terms.limits.as_map(),
        )
    )
    words = [attack.word, attack.accomplice] if attack.accomplice else [attack.word]
    bots = [fixture.bot(attack.name, (attack.program, told, word), attack.trick) for word in words]
    thinking = (str(THINKING_MS),) if attack.watched else ()
    bots += [fixture.bot("plays", ("plays.py", *thinking))] * BYSTANDERS
    with Roster(bots, terms, core=core) as roster:
        watches = _watch(roster) if attack.watched else []
        (played,) = Match(roster, DEALS).play(1)
    wall = sum(watch.wall for watch in watches)
    return played, sum(watch.stolen for watch in watches) / wall if wall else 0.0


def _watch(roster: Roster) -> list[StolenTime]:
    """Measure the first bot while each of the others is asked."""
    watched, *bystanders = [roster.player(bot) for bot in range(1 + BYSTANDERS)]
    return [
        StolenTime(bystander, watched)
        for bystander in bystanders
        if isinstance(bystander, Player) and isinstance(watched, Player)
    ]


def _reported_attempts(game: MatchGame) -> tuple[list[Attempt], int]:
    """Return the attempts in the attack's notes, and how many it says there were.

    An attempt that got through at any time counts as one that got through.
    """
    attempts: dict[str, Attempt] = {}
    made = 0
    for decision, note in sorted(game.played.notes.items()):
        if game.played.deciders[decision] != 0:
            continue
        for line in note.splitlines():
            how, _, rest = line.partition("\t")
            name, _, seen = rest.partition("\t")
            if line.startswith(MADE):
                made = int(line.removeprefix(MADE))
            elif how == DOWN or name not in attempts:
                attempts[name] = Attempt(name, how == DOWN, seen)
    return list(attempts.values()), made


def _ending(game: MatchGame) -> tuple[str, str]:
    """Return the verdict on the attack, with its text if it is a fault, and its figures."""
    fault = next((fault for fault in game.played.faults if fault.seat == 0), None)
    if fault is None:
        return FINISHED, ""
    figures = next((seen.figures for seen in game.played.evidence if seen.seat == 0), "")
    return f"{fault.verdict}: {fault.text}", f"({' '.join(figures.split())})" if figures else ""
