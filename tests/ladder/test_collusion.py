"""The audit for collusion: who is flagged, who is not, and what an effect and its error are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.ladder.rating import collusion
from command import arena, assert_refused
from ladder.colluders import GIVES, TAKES, Shares, blocks, game
from ladder.fields import definition, export, run


def audit(played: list[Shares], name: str) -> collusion.Audit:
    """The audit of eight contestants in a game."""
    return collusion.audit(played, 8, game(name).interaction)


@pytest.mark.parametrize(("name", "count"), [("castors", 400), ("gargon", 800)])
def test_who_gives_to_a_partner_is_flagged_and_nobody_else(name: str, count: int) -> None:
    """One gives and one takes: the pair is flagged, and the loss or the gain that it shows."""
    found = audit(list(blocks(name, count, "strong", 1)), name)
    assert found.flags
    for flag in found.flags:
        assert {flag.source, flag.target} == {GIVES, TAKES}
    first = found.flags[0]
    assert first.p < 0.05
    if not first.both:
        assert (first.value < 0) == (first.target == GIVES)


@pytest.mark.parametrize(("name", "count"), [("castors", 200), ("gargon", 200)])
def test_honest_bots_are_not_flagged(name: str, count: int) -> None:
    """Bots of very different strength, who do not know each other, are left alone."""
    found = audit(list(blocks(name, count, "honest", 2)), name)
    assert found.flags == []
    assert found.tested == 3 * 28
    assert len(found.others) == 28


def simulated(count: int, effect: float, seed: int = 1, size: int = 4) -> list[Shares]:
    """Blocks of seven at tables of a size, where 1's presence does something to 0's share."""
    random = np.random.default_rng(seed)
    found: list[Shares] = []
    for _ in range(count):
        players = random.permutation(7)[:size].tolist()
        shares = 0.5 + random.normal(0, 0.15, size)
        if 0 in players and 1 in players:
            shares[players.index(0)] += effect
        found.append((players, (shares - shares.mean() + 0.5).tolist()))
    return found


def test_an_error_is_the_deviation_under_flipped_blocks() -> None:
    """Signs of whole blocks are flipped and all is fitted again; the formula comes to the same."""
    played = simulated(300, 0.2)
    found = collusion.audit(played, 7, 10.0)  # nothing is beyond this margin
    effect = next(e for e in found.others if (e.source, e.target, e.both) == (1, 0, False))
    rows, target, block_of, pair = [], [], [], []
    for number, (players, shares) in enumerate(played):
        for seat, player in enumerate(players):
            row = np.zeros(14)
            row[player] = 1
            for other in players:
                if other != player:
                    row[7 + other] = 1 / 3
            rows.append(row)
            target.append(shares[seat])
            block_of.append(number)
            pair.append(float(player == 0 and 1 in players))
    model, y, blocks_ = np.array(rows), np.array(target), np.array(block_of)
    unfit = np.eye(len(y)) - model @ np.linalg.pinv(model)
    own = unfit @ np.array(pair)
    assert effect.value == pytest.approx(own @ y / sum(pair), abs=0.005)
    rest = unfit @ y
    random = np.random.default_rng(5)
    flipped = [
        own @ (rest * random.choice((-1.0, 1.0), 300)[blocks_]) / sum(pair) for _ in range(999)
    ]
    assert effect.error == pytest.approx(np.std(flipped), rel=0.1)


def test_an_effect_within_the_margin_is_not_flagged_however_sure() -> None:
    """Between honest styles there are effects; only what is beyond the margin is looked at."""
    played = simulated(4000, 0.1)
    assert collusion.audit(played, 7, 0.2).flags == []
    flags = collusion.audit(played, 7, 0.015).flags
    assert [{flag.source, flag.target} for flag in flags] == [{0, 1}]


def test_at_a_small_table_one_opponent_may_do_more() -> None:
    """A margin is said for three opponents; where there are two, each has a larger part."""
    played = simulated(4000, 0.3, size=3)
    effect = collusion.audit(played, 7, 10.0).others[0].value
    assert collusion.audit(played, 7, effect / 1.4).flags == []
    assert collusion.audit(played, 7, effect / 1.9).flags


def test_a_flagged_pair_accuses_nobody_else() -> None:
    """What the pair does to the rest is no effect of theirs, once the pair is in the model."""
    played = simulated(4000, 0.6)
    flags = collusion.audit(played, 7, 0.01).flags
    assert [{flag.source, flag.target} for flag in flags] == [{0, 1}]
    # Without the pair in the model, others stand out.
    others = collusion.audit(played, 7, 0.65).others
    assert max(abs(each.value) / each.error for each in others if 0 not in _pair(each)) > 3


def _pair(effect: collusion.Effect) -> set[int]:
    return {effect.source, effect.target}


def test_who_met_too_seldom_is_not_looked_at() -> None:
    """Two pairs that met in a few blocks only are counted, and nothing is said of them."""
    random = Random(3)
    played: list[Shares] = []
    for number in range(200):
        players = random.sample(range(5), 3)
        if number < 5:
            players[0] = 5
        played.append((players, [random.random() for _ in players]))
    found = collusion.audit(played, 6, 0.05)
    assert found.skipped >= 1
    assert all(5 not in _pair(effect) for effect in found.others)


def test_the_command_says_what_it_found_and_what_that_is_worth(tmp_path: Path) -> None:
    """A store and its export give the same; the margin and the caveats stand in the output."""
    run(definition(tmp_path, tables=(3,), games=300))
    export(tmp_path)
    said = [
        arena("ladder", "collusion", name, "--json", cwd=tmp_path)
        for name in ("test.ladder", "test.ladder.jsonl")
    ]
    assert [each.code for each in said] == [0, 0], said[0].err
    assert said[0].json == said[1].json
    found = said[0].json
    assert found["margin"] == game("castors").interaction
    assert found["blocks"] == 100
    assert found["tested"] == 3 * 10
    assert found["flags"] == []
    assert len(found["others"]) == 5
    assert {"of", "on", "both", "blocks", "effect", "error", "p"} <= found["others"][0].keys()
    text = arena("ladder", "collusion", cwd=tmp_path).out
    assert "no flag" in text
    for caveat in found["caveats"]:
        assert caveat in text
    assert any("never for a penalty" in caveat for caveat in found["caveats"])


def test_where_all_sit_together_nothing_can_be_told(tmp_path: Path) -> None:
    """If every table has everybody, no pair can be told from the rest: one line says so."""
    run(definition(tmp_path, tables=(5,), games=20))
    assert_refused(
        arena("ladder", "collusion", cwd=tmp_path), "everybody sits at every table", "smaller"
    )
