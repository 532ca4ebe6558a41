"""The audit for collusion: who is flagged, who is not, and what an effect and its error are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.games.game import Game
from arena.ladder.collusion import audit
from arena.ladder.rating import collusion, partiality
from arena.ladder.rating.collusion import Shares
from arena.ladder.source import open_source
from command import arena, assert_refused
from ladder.colluders import GIVES, TAKES, Block, blocks, game, log_of
from ladder.fields import definition, export, run

pytestmark = pytest.mark.source_only


def audits(played: Sequence[Block], name: str) -> tuple[collusion.Audit, partiality.Audit]:
    """The audits of eight contestants: of their results, and of their moves in 200 blocks."""
    return (
        collusion.audit([block.shares for block in played], 8, game(name).interaction),
        partiality.audit([block.aims for block in played[:200]], 8, game(name).partiality),
    )


@pytest.mark.parametrize(("name", "count"), [("castors", 400), ("gargon", 800)])
def test_who_gives_to_a_partner_is_flagged_and_nobody_else(name: str, count: int) -> None:
    """One gives and one takes: the pair is flagged, and the loss or the gain that it shows."""
    results, moves = audits(list(blocks(name, count, "strong", 1)), name)
    for found in (results, moves):
        assert found.flags
        for flag in found.flags:
            assert {flag.source, flag.target} == {GIVES, TAKES}
            assert flag.p < 0.05
    first = results.flags[0]
    if not first.both:
        assert (first.value < 0) == (first.target == GIVES)


@pytest.mark.parametrize("name", ["castors", "gargon"])
def test_two_who_spare_each_other_are_flagged_and_nobody_else(name: str) -> None:
    """Their results are within the margin; of their moves 200 blocks are enough."""
    results, moves = audits(list(blocks(name, 200, "mild", 1)), name)
    assert results.flags == []
    (flag,) = moves.flags
    assert {flag.source, flag.target} == {GIVES, TAKES}
    assert flag.both
    assert flag.acts == 0


@pytest.mark.parametrize("name", ["castors", "gargon"])
def test_honest_bots_are_not_flagged(name: str) -> None:
    """Bots of very different strength, who do not know each other, are left alone."""
    for found in audits(list(blocks(name, 200, "honest", 2)), name):
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


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 160 blocks of Gargon by eight, two of whom never fight each other."""
    path = tmp_path_factory.mktemp("played") / "log.jsonl"
    path.write_bytes(log_of(list(blocks("gargon", 160, "mild", 1))))
    return path


def test_the_command_says_what_it_found_and_what_that_is_worth(played: Path) -> None:
    """Margin, factor, the pair that is flagged and the caveats stand in the output."""
    done = arena("ladder", "collusion", str(played), "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["margin"] == game("gargon").interaction
    assert found["blocks"] == 160
    assert found["tested"] == 3 * 28
    assert found["flags"] == []
    assert len(found["others"]) == 5
    assert {"of", "on", "both", "blocks", "effect", "error", "p"} <= found["others"][0].keys()
    moves = found["moves"]
    assert moves["factor"] == game("gargon").partiality
    (flag,) = moves["flags"]
    assert {flag["of"], flag["on"]} == {f"bot-{GIVES}", f"bot-{TAKES}"}
    assert (flag["both"], flag["acts"], flag["ratio"]) == (True, 0, 0)
    assert flag["expected"] > 100
    text = arena("ladder", "collusion", str(played)).out
    assert text.count("no flag") == 1
    assert text.count("look ") == 1
    for caveat in found["caveats"]:
        assert caveat in text
    assert any("never for a penalty" in caveat for caveat in found["caveats"])
    results = arena("ladder", "collusion", str(played), "--no-moves", "--json").json
    assert results == {**found, "moves": None}


def test_a_store_and_its_export_tell_the_same(tmp_path: Path) -> None:
    """A ladder can be audited by its host, and by anybody who has its log."""
    run(definition(tmp_path, tables=(3,), games=30))
    export(tmp_path)
    store, log = (
        arena("ladder", "collusion", name, "--json", cwd=tmp_path)
        for name in ("test.ladder", "test.ladder.jsonl")
    )
    assert store.code == 0, store.err
    assert store.json == log.json
    assert (store.json["tested"], store.json["moves"]["tested"]) == (0, 0)  # too few blocks


def test_a_log_that_breaks_the_rules_is_refused_at_the_place(played: Path) -> None:
    """Moves cannot be counted in it: one line says in which game; its results can be audited."""
    log = played.read_bytes()
    path = played.with_name("broken.jsonl")
    at = log.index(b'"actions":[', len(log) // 2) + len(b'"actions":[')
    path.write_bytes(log[:at] + b'["fly",1],' + log[at:])
    said = arena("ladder", "collusion", str(path))
    assert_refused(said, "game 3", "actions[0]", "--no-moves")
    assert arena("ladder", "collusion", str(path), "--no-moves").code == 0


def test_a_game_need_not_say_who_acts_against_whom(played: Path) -> None:
    """Then the results alone are audited, and no game is played again."""

    class Quiet(type(game("gargon"))):  # type: ignore[misc]
        aims = Game.aims

    found = audit(open_source(played), Quiet())
    assert found.moves is None
    assert found.tested


def test_where_all_sit_together_results_tell_nothing(tmp_path: Path) -> None:
    """If every table has everybody, no pair's share can be told from the rest; moves can."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(log_of(list(blocks("gargon", 40, "honest", 1, contestants=4))))
    assert_refused(
        arena("ladder", "collusion", str(path), "--no-moves"),
        "everybody sits at every table",
        "smaller",
    )
    found = arena("ladder", "collusion", str(path), "--json").json
    assert (found["tested"], found["too_few"]) == (0, 6)
    assert (found["moves"]["tested"], found["moves"]["too_few"]) == (18, 0)
    assert found["moves"]["flags"] == []
