"""The audit of moves: whose sparing of another is flagged, and which honest habits are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest

from arena.games.deal import DealStream, derived_key
from arena.ladder.aims import aims_in
from arena.ladder.rating import partiality
from arena.ladder.rating.partiality import Aims
from arena.records.entries import Game as GamePlayed
from arena.records.entries import SeatFault
from arena.records.game_record import GameRecord
from arena.referee.table import places
from ladder.colluders import contest, game

pytestmark = pytest.mark.source_only


Habit = Callable[[int, int, int], float]
"""How often the one acts against the other, at this distance, for each chance."""


def simulated(
    habit: Habit, count: int = 600, seed: int = 1, sizes: Sequence[int] = (4,)
) -> list[Aims]:
    """Blocks of seven with such habits, who have three chances against everybody in each."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        size = sizes[number % len(sizes)]
        players = random.permutation(7)[:size].tolist()
        chances = [[3 * (a != b) for b in range(size)] for a in range(size)]
        acts = [
            [
                int(random.binomial(3, habit(players[a], players[b], (b - a) % size)))
                if a != b
                else 0
                for b in range(size)
            ]
            for a in range(size)
        ]
        found.append(Aims(players, acts, chances))
    return found


HABITS: dict[str, Habit] = {
    "takes from his neighbour alone": lambda one, _other, away: (
        0.9 if away == 1 else 0.0 if one == 3 else 0.2
    ),
    "all take from the leader": lambda _one, other, _away: 0.8 if other == 0 else 0.1,
    "some take often, some hardly": lambda one, _other, _away: (one + 1) / 10,
    "one never takes": lambda one, _other, _away: 0.4 * (one != 5),
    "nobody takes from one": lambda _one, other, _away: 0.4 * (other != 5),
}


@pytest.mark.parametrize("habit", HABITS.values(), ids=HABITS)
def test_habits_that_are_the_same_towards_all_are_not_flagged(habit: Habit) -> None:
    """Where one sits, how strong one is, and how often one takes at all accuses nobody."""
    assert partiality.audit(simulated(habit, sizes=(3, 4)), 7, 1.1).flags == []


def test_what_is_within_the_factor_is_not_flagged_however_sure() -> None:
    """Styles are partial; a ratio of a half is flagged beyond a factor of 1.5, not within 3."""

    def spares(one: int, other: int, _away: int) -> float:
        return 0.15 if {one, other} == {2, 5} else 0.3

    played = simulated(spares, 3000)
    assert partiality.audit(played, 7, 3).flags == []
    (flag,) = partiality.audit(played, 7, 1.5).flags
    assert {flag.source, flag.target} == {2, 5}
    assert flag.ratio == pytest.approx(0.5, abs=0.1)


def test_it_says_who_acts() -> None:
    """One who spares another that does not spare him is named first."""

    def spares(one: int, other: int, _away: int) -> float:
        return 0.0 if (one, other) == (2, 5) else 0.3

    first = partiality.audit(simulated(spares), 7, 1.5).flags[0]
    assert (first.source, first.target, first.both) == (2, 5, False)
    assert first.acts == 0


def test_who_acts_against_one_far_more_than_others_do_is_flagged() -> None:
    """To go for somebody is partial as well."""

    def goes_for(one: int, other: int, _away: int) -> float:
        return 0.9 if (one, other) == (4, 1) else 0.2

    (flag,) = partiality.audit(simulated(goes_for), 7, 1.5).flags
    assert (flag.source, flag.target) == (4, 1)
    assert flag.ratio > 1.5


def test_a_flagged_pair_accuses_nobody_else() -> None:
    """Once a pair has left the fit, what others are expected to do is what they do."""

    def goes_for(one: int, other: int, _away: int) -> float:
        return 0.9 if (one, other) == (4, 1) else 0.2

    found = partiality.audit(simulated(goes_for, 2000), 7, 1.01)
    assert [{flag.source, flag.target} for flag in found.flags] == [{1, 4}]
    before = partiality.audit(simulated(goes_for, 2000), 7, 100.0)
    assert max(abs(each.ratio - 1) for each in found.others) < 0.2
    assert any(abs(each.ratio - 1) > 0.2 for each in before.others if each.source != 4)


def test_somebody_is_flagged_in_a_few_logs_at_most_at_the_very_factor() -> None:
    """If a pair's true ratio is the factor itself, it is flagged in 5 % of logs at most."""

    def at_the_factor(one: int, other: int, _away: int) -> float:
        return 0.2 if (one, other) == (2, 5) else 0.4

    logs = 200
    ratio = 0.5
    flagged = sum(
        bool(partiality.audit(simulated(at_the_factor, 200, seed), 7, 1 / ratio).flags)
        for seed in range(logs)
    )
    assert flagged <= 0.05 * logs


def test_who_met_too_seldom_is_not_looked_at() -> None:
    """Pairs with few common blocks are counted, and nothing is said of them."""
    random = Random(3)
    played = []
    for number in range(200):
        players = random.sample(range(5), 3)
        if number < 5:
            players[0] = 5
        acts = [[int(a != b) for b in range(3)] for a in range(3)]
        played.append(Aims(players, acts, [[2 * each for each in row] for row in acts]))
    found = partiality.audit(played, 6, 1.5)
    assert found.skipped >= 1
    assert all(5 not in (each.source, each.target) for each in found.others)


def test_what_is_played_for_a_failed_seat_does_not_count() -> None:
    """A default action spares everybody, and nobody chose it."""
    rules, key = game("gargon"), derived_key(b"collusion", 1)
    state = rules.start(4, rules.rules({}), DealStream(key))
    random, actions = Random(1), []
    while not state.over:
        actions.append(state.default() if state.turn == 1 else state.sample(random))
        state.apply(actions[-1])
    fault = SeatFault(seat=1, decision=0, verdict="crashed", text="")
    scores = tuple(state.scores())
    played = GamePlayed(
        actions=tuple(actions),
        faults=(fault,),
        scores=scores,
        places=tuple(places(rules, scores, (fault,))),
    )
    players = (6, 4, 0, 2)
    record = GameRecord(0, contest("gargon"), "", 0, 0, 0, key, players, (), played)
    found = aims_in([record], rules)
    assert found.players == players
    assert found.chances[1] == [0, 0, 0, 0]
    assert all(sum(row) for row in (found.chances[0], found.chances[2], found.chances[3]))
