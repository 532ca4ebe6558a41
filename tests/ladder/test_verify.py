"""Verification: what it says of an honest ladder, of a forged one, and of what is no ladder.

The forger of these tests is the host: he has the log and its secret, plays games anew, and makes
all keys, scores, standings and roots fit. Of each forgery it is said which claims fail. Where
none does, the claim that it breaks is "not shown"; and with the head of the true log, which
somebody else has kept, all are found.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.ladder.claims import (
    ATTEMPTS,
    END,
    FAILS,
    FORM,
    HOLDS,
    KEYS,
    LABEL,
    NOT_SHOWN,
    RATINGS,
    RULES,
    STANDINGS,
    TABLES,
    WHOLE,
)
from arena.ladder.source import open_source
from arena.ladder.verification import Head, Verified, verify_ladder
from arena.process.process_tree import children
from arena.records.canonical import canonical_bytes
from arena.referee.deals import Deals
from command import arena, assert_refused
from ladder.fields import definition, run
from ladder.forging import Forgery, Json, games, head_of, new_key, write

ENTRIES, IDENTITIES, SECRET, MOVES, ONCE, FAULTS, CONDITIONS = (
    "entries",
    "identities",
    "secret",
    "moves",
    "once",
    "faults",
    "conditions",
)
CRASHING = """
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    if asked == 5:
        raise SystemExit(1)
    return 0

run(choose, name="eve")
"""
"""A bot that ends in the middle of every game."""


@dataclass(frozen=True)
class Ladder:
    """A closed ladder, as it is exported."""

    folder: Path
    lines: list[bytes]
    standings: bytes

    def forgery(self) -> Forgery:
        """A copy to forge."""
        return Forgery(self.lines, self.standings)

    @property
    def head(self) -> str:
        """Its head."""
        return head_of(self.lines)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    """Two rounds of five bots at tables of three; the last one crashes in all of its games."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "eve.py").write_text(CRASHING)
    eve = {"bot": "python3 eve.py", "name": "eve"}
    path = definition(folder, tables=(3,), bots=("ada", "bob", "cid", "dot"), games=60, seed=None)
    text = path.read_text().replace('name = "dot" }', f'name = "dot" }}, {toml(eve)}')
    path.write_text(text)
    run(path)
    assert arena("ladder", "close", "--yes", cwd=folder).code == 0
    done = arena("ladder", "export", "--output", "x.jsonl", cwd=folder)
    assert done.code == 0, done.err
    lines = (folder / "x.jsonl").read_bytes().splitlines()
    return Ladder(folder, lines, (folder / "x.standings.json").read_bytes().strip())


def toml(table: Json) -> str:
    """A table of texts in one line."""
    return "{ " + ", ".join(f'{key} = "{value}"' for key, value in table.items()) + " }"


def verified(path: Path, head: str | None = None, workers: int = 1) -> Verified:
    """What verification finds."""
    kept = None
    if head is not None:
        size, _, root = head.partition(":")
        kept = Head(int(size), root)
    return verify_ladder(open_source(path), games(), workers, lambda _: None, kept)


def states(found: Verified) -> dict[str, str]:
    """The state of each claim."""
    return {claim.key: claim.state for claim in found.claims}


def detail(found: Verified, key: str) -> str:
    """What is said of a claim."""
    return next(claim.detail for claim in found.claims if claim.key == key)


SHOWN = (FORM, RULES, TABLES, KEYS, ATTEMPTS, END, LABEL, RATINGS, STANDINGS)
ELSEWHERE = (WHOLE, ENTRIES, IDENTITIES, SECRET, MOVES, ONCE, FAULTS, CONDITIONS)


def test_an_honest_ladder_holds(honest: Ladder) -> None:
    """All that a log can show holds, all else is named, with as many workers as one likes."""
    for workers in (1, 2):
        found = verified(honest.folder / "x.jsonl", workers=workers)
        assert found.holds
        assert states(found) == dict.fromkeys(SHOWN, HOLDS) | dict.fromkeys(ELSEWHERE, NOT_SHOWN)
        assert f"{found.head.size}:{found.head.root}" == honest.head
        assert found.games == 60
        says = detail(found, STANDINGS)
        assert says.startswith("5 contestants, 5 rows by table size: ratings")
        assert "skills by places and margins with their intervals" in says


def test_the_table_of_claims(honest: Ladder) -> None:
    """The command prints each claim with what it would need, and ends with the head, code 0."""
    done = arena("ladder", "verify", "x.jsonl", "--head", honest.head, cwd=honest.folder)
    assert done.code == 0, done
    claims = re.findall(r"^(holds|fails|not shown) +\S", done.out, re.MULTILINE)
    assert claims == [HOLDS] * len(SHOWN) + [HOLDS] + [NOT_SHOWN] * (len(ELSEWHERE) - 1)
    assert done.out.count("\n           would need ") == len(ELSEWHERE) - 1
    assert done.out.endswith(f"x.jsonl: 60 games, nothing fails; the head is {honest.head}\n")


def test_a_claim_that_fails_is_said_with_its_entry(tmp_path: Path, honest: Ladder) -> None:
    """The command names entry, game and place, and ends with code 1, as text and as JSON."""
    forged = honest.forgery()
    forged.blocks[2]["games"][1]["scores"][0] += 1
    path = forged.write(tmp_path)
    entry = forged.entries.index(forged.blocks[2])
    done = arena("ladder", "verify", path.name, cwd=tmp_path)
    assert done.code == 1, done
    assert f"at entry {entry}: game 7: scores: the record says" in done.out
    assert done.out.endswith("x.jsonl: does not hold: 2 of 17 claims fail\n"), done.out
    as_json = arena("ladder", "verify", path.name, "--json", cwd=tmp_path)
    assert as_json.code == 1
    assert not as_json.json["holds"]
    failing = {claim["key"] for claim in as_json.json["claims"] if claim["state"] == FAILS}
    assert failing == {RULES, STANDINGS}


@pytest.mark.source_only
def test_the_page_has_the_table_of_claims(honest: Ladder) -> None:
    """Whoever reads the page finds every claim in the words of the command, and what it needs."""
    page = (Path(__file__).parents[2] / "ladders" / "README.md").read_text(encoding="utf-8")
    found = verified(honest.folder / "x.jsonl")
    for claim in found.claims:
        assert f"\n| {claim.text} | " in page
    rows = re.findall(r"^\| (.*\.) \| (.*) \|$", page, re.MULTILINE)
    texts = [text for text, _ in rows if any(text == claim.text for claim in found.claims)]
    assert texts == [claim.text for claim in found.claims]


# Forgeries

Forge = Callable[[Forgery], None]


@dataclass(frozen=True)
class Case:
    """A forgery: which claims fail, or which ones it breaks that are not shown."""

    forge: Forge
    fails: frozenset[str]
    not_shown: frozenset[str]
    published: bool


CASES: list[Case] = []


def case(
    *, fails: str = "", not_shown: str = "", published: bool = True
) -> Callable[[Forge], Forge]:
    """Add a forgery; the standings are published anew unless it forges them."""

    def add(forge: Forge) -> Forge:
        CASES.append(Case(forge, frozenset(fails.split()), frozenset(not_shown.split()), published))
        return forge

    return add


def friend(forged: Forgery) -> int:
    """The last of those who play soundly."""
    return [number for number in forged.ranked() if number != forged.number("eve")][-1]


def rival(forged: Forgery) -> int:
    """The winner."""
    return forged.ranked()[0]


@case(not_shown=ENTRIES)
def the_winner_is_expelled(forged: Forgery) -> None:
    """An entry says that he left."""
    leave = [{"contestant": rival(forged), "reason": "withdrawn by its author"}]
    forged.insert(-1, {"entry": "enter", "leave": leave})


@case(not_shown=f"{ENTRIES} {END}")
def somebody_enters_who_never_plays(forged: Forgery) -> None:
    """A contestant stands in the standings without a game."""
    new = {"name": "zoe", "version": "1", "digest": new_key("zoe")}
    forged.insert(-1, {"entry": "enter", "contestants": [new]})


@case(not_shown=f"{WHOLE} {END} {KEYS}")
def the_end_is_cut_off(forged: Forgery) -> None:
    """A round is left out, and the ladder is said to be running."""
    forged.cut(10)


@case(not_shown=f"{WHOLE} {END} {KEYS}")
def the_end_is_cut_off_in_a_round(forged: Forgery) -> None:
    """Some blocks are left out where no ladder ends."""
    forged.cut(13)


@case(fails=END)
def it_is_closed_before_its_budget(forged: Forgery) -> None:
    """A round is left out."""
    forged.cut(10)
    forged.close()


@case(fails=END)
def it_is_closed_in_a_round(forged: Forgery) -> None:
    """The budget is made to fit, but a round has begun."""
    forged.budget["games"] = 36
    forged.cut(13)
    forged.close()


@case(not_shown=f"{END} {WHOLE}")
def it_is_closed_early_by_its_host(forged: Forgery) -> None:
    """The host says that he ended it where the friend was well placed."""
    forged.cut(13)
    forged.close("host")


@case(not_shown=f"{END} {WHOLE}")
def it_is_closed_early_as_time_was_up(forged: Forgery) -> None:
    """The host says that the time was up."""
    forged.cut(10)
    forged.close("time")


@case(fails=END)
def the_order_is_said_to_be_certain(forged: Forgery) -> None:
    """It is not, at any look."""
    forged.budget.update(games=1000, certain=0.99999)
    forged.entries[-1]["reason"] = "certain"


@case(not_shown=WHOLE)
def the_budget_was_another(forged: Forgery) -> None:
    """The budget is rewritten where it stands first, and the end cut off to fit."""
    forged.budget["games"] = 30
    forged.cut(10)
    forged.close()


@case(not_shown=END)
def the_budget_is_changed_at_the_end(forged: Forgery) -> None:
    """An entry makes it fit when the results are known."""
    forged.cut(10)
    forged.insert(len(forged.entries), {"entry": "change", "budget": {"games": 30}})
    forged.close()


@case(not_shown=END)
def it_went_on_after_its_budget(forged: Forgery) -> None:
    """It should have ended after a round, and was played on until the host liked it."""
    forged.budget["games"] = 30


@case(not_shown=IDENTITIES)
def identities_are_exchanged(forged: Forgery) -> None:
    """The friend takes the games of the winner."""
    a, b = forged.bots[friend(forged)], forged.bots[rival(forged)]
    old = dict(a)
    a.update(b)
    b.update(old)


@case(not_shown=MOVES)
def a_friends_moves_are_made_better(forged: Forgery) -> None:
    """A game that he lost is one that he has won."""
    block, rotation = forged.first_with(friend(forged), places=lambda place: place > 1)
    seat = forged.seat(block, rotation, friend(forged))
    forged.play_again(block, rotation, lambda places: places[seat] == 1)


@case(not_shown=FAULTS)
def a_sound_game_is_called_a_timeout(forged: Forgery) -> None:
    """The rival is said to have used up his time in a game that he won."""
    block, rotation = forged.first_with(rival(forged), places=lambda place: place == 1)
    seat = forged.seat(block, rotation, rival(forged))
    state, decision = forged.start(block), 0
    for decision, action in enumerate(block["games"][rotation]["actions"]):
        if state.turn == seat and decision > 3:
            break
        state.apply(state.check(action))
    last = len(block["contestants"])
    timeout = (seat, decision, "timeout")
    forged.play_again(block, rotation, lambda places: places[seat] == last, timeout)


@case(not_shown=FAULTS)
def crashes_are_erased(forged: Forgery) -> None:
    """The default moves of a bot that crashed are passed off as its own."""
    eve = forged.number("eve")
    for block in forged.blocks:
        for rotation, game in enumerate(block["games"]):
            if eve in block["contestants"] and game.pop("faults", []):
                game.update(forged.scored(game, forged.end(block, rotation)))


@case(not_shown=MOVES)
def notes_are_invented(forged: Forgery) -> None:
    """The rival notes that he cheats."""
    block, rotation = forged.first_with(rival(forged), places=lambda place: place == 1)
    block["games"][rotation]["notes"] = [[0, "I read the others' cards"]]


@case(not_shown=MOVES)
def games_of_a_block_change_places(forged: Forgery) -> None:
    """All games of a block have the same cards, so each could be the game of another rotation."""
    block, _ = forged.first_with(friend(forged), places=lambda place: place > 1)
    block["games"] = [*block["games"][1:], block["games"][0]]


@case(not_shown=CONDITIONS)
def limits_are_rewritten(forged: Forgery) -> None:
    """Bots are said to have had more memory."""
    forged.contest["limits"]["memory_mb"] = 4096


@case(fails=FORM)
def limits_are_invented(forged: Forgery) -> None:
    """A limit that no arena knows."""
    forged.contest["limits"]["luck"] = 1


@case(not_shown=CONDITIONS)
def the_clock_is_rewritten(forged: Forgery) -> None:
    """Bots are said to have had less time."""
    forged.contest["time"]["decision"] = 50


@case(not_shown=CONDITIONS)
def suspension_is_rewritten(forged: Forgery) -> None:
    """Bots are said not to have been suspended while others were asked."""
    forged.contest["suspend"] = False


@case(fails=LABEL)
def the_label_is_rewritten(forged: Forgery) -> None:
    """Games without walls are said to have had them, which the terms do not have."""
    next(entry for entry in forged.find("change") if "sandbox" in entry)["sandbox"] = "bwrap 0.8.0"


@case(fails=LABEL)
def the_terms_of_the_label_are_rewritten(forged: Forgery) -> None:
    """The host is said to have chosen, which never comes to no sandbox."""
    forged.contest["sandbox"] = "auto"


@case(fails=LABEL)
def the_label_is_left_out(forged: Forgery) -> None:
    """Nothing is said of how bots were locked up."""
    del next(entry for entry in forged.find("change") if "sandbox" in entry)["sandbox"]


@case(not_shown=CONDITIONS)
def label_and_terms_are_rewritten(forged: Forgery) -> None:
    """Games without walls are said to have had them, everywhere."""
    forged.contest["sandbox"] = "bwrap"
    next(entry for entry in forged.find("change") if "sandbox" in entry)["sandbox"] = "bwrap 0.8.0"


@case(not_shown=SECRET)
def another_secret_suits_better(forged: Forgery) -> None:
    """Secrets are tried until the friend has good cards, and everything is played with it."""
    forged.new_secret(b"suits the friend")


@case(fails=KEYS)
def the_commitment_is_exchanged(forged: Forgery) -> None:
    """The commitment is that of another secret."""
    forged.entries[0]["commitment"] = new_key("another")


@case(fails=KEYS)
def a_seed_is_invented(forged: Forgery) -> None:
    """A ladder with a secret is said to have had a public seed."""
    forged.contest["seed"] = "practice"


@case(fails=KEYS)
def a_key_is_exchanged(forged: Forgery) -> None:
    """A block is played on cards that the host has chosen."""
    block = forged.blocks[3]
    block["key"] = new_key("a good hand for my friend")
    for rotation in range(3):
        forged.play_again(block, rotation)


@case(not_shown=KEYS)
def a_key_is_exchanged_while_the_secret_is_kept(forged: Forgery) -> None:
    """As long as it runs, nobody can tell."""
    a_key_is_exchanged(forged)
    del forged.entries[-1]


@case(fails=f"{KEYS} {RULES}")
def keys_change_places(forged: Forgery) -> None:
    """Two blocks have each other's cards, but the games are those that were played."""
    a, b = forged.blocks[3:5]
    a["key"], b["key"] = b["key"], a["key"]


@case(not_shown=KEYS)
def a_beacon_is_invented(forged: Forgery) -> None:
    """Randomness from outside is inside's: all keys follow from it, and it was tried until…"""
    at = forged.entries.index(forged.blocks[0])
    forged.insert(at, {"entry": "beacon", "source": "dice", "round": 1, "value": "0123"})
    root = head_of(forged.lines()[: at + 1]).partition(":")[2]
    deals = Deals.of(forged.secret, forged.contest["name"], root)
    for block in forged.blocks:
        block["key"] = deals.block(block["number"]).deal(0).key.hex()
        for rotation in range(3):
            forged.play_again(block, rotation)


@case(not_shown=f"{ATTEMPTS} {ONCE}")
def an_attempt_is_added(forged: Forgery) -> None:
    """A block that the friend lost is said to have been broken off by a stall."""
    block, _ = forged.first_with(friend(forged), places=lambda place: place > 1)
    forged.deal_again(block, attempt=1)


@case(fails=ATTEMPTS)
def more_attempts_than_a_host_makes(forged: Forgery) -> None:
    """A host that stalls ten times has failed."""
    forged.deal_again(forged.blocks[3], attempt=10)


@case(fails=KEYS, not_shown=ATTEMPTS)
def an_attempt_is_added_on_the_same_cards(forged: Forgery) -> None:
    """Each attempt has cards of its own."""
    forged.blocks[3]["attempt"] = 1


@case(not_shown=ONCE)
def a_lost_game_is_played_again_unseen(forged: Forgery) -> None:
    """The worker is stopped, and the whole block is played again on the same cards."""
    block, rotation = forged.first_with(friend(forged), places=lambda place: place > 1)
    forged.deal_again(block)
    seat = forged.seat(block, rotation, friend(forged))
    forged.play_again(block, rotation, lambda places: places[seat] == 1)


@case(not_shown=ENTRIES)
def a_rivals_win_is_annulled(forged: Forgery) -> None:
    """A block in which he did well is said not to count."""
    block, _ = forged.first_with(rival(forged), places=lambda place: place == 1)
    forged.insert(-1, {"entry": "annul", "blocks": [block["number"]], "reason": "host overloaded"})


@case(fails=FORM)
def a_block_is_annulled_twice(forged: Forgery) -> None:
    """What does not count cannot be annulled."""
    forged.insert(-1, {"entry": "annul", "blocks": [1, 1], "reason": "to be sure"})


@case(fails=f"{KEYS} {TABLES}")
def blocks_change_places(forged: Forgery) -> None:
    """Two blocks take each other's number, as ratings depend on the order."""
    a, b = (forged.entries.index(block) for block in forged.blocks[3:5])
    entries = forged.entries
    entries[a], entries[b] = entries[b], entries[a]
    for at in (a, b):
        entries[at]["number"] = 3 if at == a else 4


@case(fails=f"{KEYS} {TABLES}")
def a_block_is_left_out(forged: Forgery) -> None:
    """All later blocks take the number before theirs; at the end there is one twice."""
    blocks = forged.blocks
    spare = dict(blocks[-1])
    forged.entries.remove(blocks[3])
    forged.insert(-1, spare)
    for number, block in enumerate(forged.blocks):
        block["number"] = number


@case(fails=f"{TABLES}")
def two_change_their_seats(forged: Forgery) -> None:
    """The friend takes a better place at the table, in all games of a block."""
    seats = forged.blocks[3]["contestants"]
    seats[0], seats[1] = seats[1], seats[0]


@case(fails=TABLES)
def somebody_else_sits_down(forged: Forgery) -> None:
    """The friend takes the place, and the results, of another."""
    block = next(block for block in forged.blocks if friend(forged) not in block["contestants"])
    block["contestants"][0] = friend(forged)


@case(fails=TABLES)
def the_name_is_another(forged: Forgery) -> None:
    """The seats of another name's schedule would suit better, but were not taken."""
    forged.contest["name"] = "other"
    forged.new_secret(forged.secret)


@case(fails=RULES)
def a_score_is_better(forged: Forgery) -> None:
    """One point more."""
    forged.blocks[2]["games"][1]["scores"][0] += 1


@case(fails=RULES)
def places_are_exchanged(forged: Forgery) -> None:
    """The first is last."""
    forged.blocks[2]["games"][1]["places"].reverse()


@case(fails=RULES)
def a_move_is_not_legal(forged: Forgery) -> None:
    """A move is one that the rules do not have there."""
    forged.blocks[2]["games"][1]["actions"][0] = ["fly", 1]


@case(fails=RULES)
def a_game_ends_early(forged: Forgery) -> None:
    """The last move is left out."""
    forged.blocks[2]["games"][1]["actions"].pop()


@case(fails=RULES)
def a_failed_bot_plays_on(forged: Forgery) -> None:
    """The moves after a crash are better than default ones."""
    eve = forged.number("eve")
    block = next(block for block in forged.blocks if eve in block["contestants"])
    game = block["games"][0]
    faults = game["faults"]
    forged.play_again(block, 0)
    game = block["games"][0]
    state = forged.start(block)
    for number, action in enumerate(game["actions"]):
        if state.turn == faults[0]["seat"] and action != state.default():
            game["faults"] = [{**faults[0], "decision": number}]
            break
        state.apply(state.check(action))
    block["games"][0] = forged.scored(game, forged.end(block, 0))


@case(fails=RULES)
def the_rules_are_others(forged: Forgery) -> None:
    """The version of the rules is one that is not installed."""
    forged.contest["version"] = "0"


@case(fails=FORM)
def a_game_is_left_out(forged: Forgery) -> None:
    """A block has one game for each rotation."""
    forged.blocks[2]["games"].pop()


@case(fails=FORM)
def an_entry_opens_again(forged: Forgery) -> None:
    """A log has one beginning."""
    forged.insert(5, dict(forged.entries[0]))


@case(fails=FORM)
def something_follows_the_end(forged: Forgery) -> None:
    """After `close` there is nothing."""
    leave = [{"contestant": 0}]
    forged.insert(len(forged.entries), {"entry": "enter", "leave": leave})


@case(fails=FORM)
def it_begins_with_a_later_game(forged: Forgery) -> None:
    """The games of a ladder are counted from 0."""
    forged.entries[0]["first_game"] = 3


@case(fails=STANDINGS, published=False)
def a_rating_is_better(forged: Forgery) -> None:
    """A published figure differs by two in its last digit."""
    forged.standings["standings"][-1]["mu"] += 2e-6


@case(fails=STANDINGS, published=False)
def a_skill_by_margins_is_better(forged: Forgery) -> None:
    """It is computed again as the skill by places is."""
    forged.standings["standings"][-1]["margin_skill"] += 2e-6


@case(fails=STANDINGS, published=False)
def a_skill_by_margins_is_left_out(forged: Forgery) -> None:
    """What the game has margins for is not published."""
    for key in ("margin_skill", "margin_skill_low", "margin_skill_high"):
        del forged.standings["standings"][0][key]


@case(fails=STANDINGS, published=False)
def an_interval_at_a_table_is_narrower(forged: Forgery) -> None:
    """The fits by table size are part of the standings."""
    forged.standings["by_table"][0]["skill_low"] += 0.1


@case(fails=STANDINGS, published=False)
def ranks_are_exchanged(forged: Forgery) -> None:
    """The first two change places."""
    rows = forged.standings["standings"]
    rows[0], rows[1] = rows[1], rows[0]


@case(fails=STANDINGS, published=False)
def wins_are_nearly_right(forged: Forgery) -> None:
    """A count is a number with a fraction."""
    forged.standings["standings"][0]["wins"] += 1e-7


@case(fails=STANDINGS, published=False)
def a_rating_is_beyond_all_numbers(forged: Forgery) -> None:
    """A published figure is an integer of 300 digits."""
    forged.standings["standings"][0]["mu"] = 10**300


@case(fails=STANDINGS, published=False)
def the_standings_are_of_another_log(forged: Forgery) -> None:
    """Their root is not that of the log."""
    forged.standings["root"] = new_key("another log")


IN_LOG = [case for case in CASES if case.published]


def names(case: Case) -> str:
    """What a forgery is called."""
    return case.forge.__name__


def forge(honest: Ladder, case: Case) -> Forgery:
    """An honest ladder, forged."""
    forged = honest.forgery()
    case.forge(forged)
    if case.published:
        forged.publish()
    return forged


@pytest.mark.parametrize("case", CASES, ids=names)
def test_what_verification_says_of_a_forgery(tmp_path: Path, honest: Ladder, case: Case) -> None:
    """The claims that it breaks fail, or are not shown with what it would need; none holds."""
    found = verified(forge(honest, case).write(tmp_path))
    said = states(found)
    failing = {key for key, state in said.items() if state == FAILS}
    assert failing == case.fails, found.claims
    assert case.fails | case.not_shown
    for key in case.not_shown:
        assert said[key] == NOT_SHOWN, detail(found, key)
        assert "would need" in detail(found, key)


@pytest.mark.parametrize("case", IN_LOG, ids=names)
def test_a_kept_head_finds_every_forgery(tmp_path: Path, honest: Ladder, case: Case) -> None:
    """Who has the head of the true log is shown that this is another, whatever was rewritten."""
    found = verified(forge(honest, case).write(tmp_path), head=honest.head)
    assert not found.holds
    said = states(found)
    assert FAILS in (said[WHOLE], said[FORM], said[RULES])
    if said[FORM] != FAILS and found.games:
        assert said[WHOLE] == FAILS


def test_an_earlier_head_says_how_far_it_goes(tmp_path: Path, honest: Ladder) -> None:
    """A head of the first entries shows nothing of those after them, and says so."""
    forged = honest.forgery()
    part = head_of(honest.lines[:9])
    forged.blocks[-1]["games"][0]["notes"] = [[0, "forged"]]
    forged.publish()
    found = verified(forged.write(tmp_path), head=part)
    assert found.holds
    assert detail(found, WHOLE) == "up to entry 8; those after it would need a later head"
    forged = honest.forgery()
    forged.blocks[0]["games"][0]["notes"] = [[0, "forged"]]
    forged.publish()
    assert states(verified(forged.write(tmp_path), head=part))[WHOLE] == FAILS


def test_a_figure_may_differ_by_one_in_its_last_digit(tmp_path: Path, honest: Ladder) -> None:
    """Linear algebra differs from machine to machine, and the claim says no more than that."""
    forged = honest.forgery()
    forged.standings["standings"][-1]["skill"] += 1e-6
    found = verified(forged.write(tmp_path))
    assert found.holds
    claim = next(claim for claim in found.claims if claim.key == STANDINGS)
    assert "give or take one in the last digit" in claim.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"contestants":', b'{"contestants":[0,1,2],"contestants":'),
        (b',"entry":"block"', b', "entry":"block"'),
        (b'"entry":"block"', b'"attempt":0,"entry":"block"'),
        (b'"entry":"block"', b'"\\u0065ntry":"block"'),
        (b'"number":', b'"lucky":1,"number":'),
        (b'"places":[', b'"places":[1.0,'),
        (b'"places":[', b'"places":[' + b"[" * 100_000),
        (b'"places":[', b'"places":[' + b"9" * 1_000_000 + b","),
        (b'"actions":[[', b'"actions":[[' + b"9" * 1_000_000 + b","),
        (b'"entry":"block"', b'"entry":"party"'),
        (b'"entry":"block"', b'"entry":"blo\xffck"'),
    ],
    ids=[
        "duplicate-key",
        "white-space",
        "default-written-out",
        "escaped",
        "unknown-key",
        "float",
        "deep",
        "long-number",
        "long-number-in-an-action",
        "unknown-entry",
        "not-text",
    ],
)
def test_an_entry_has_one_form_only(tmp_path: Path, honest: Ladder, old: bytes, new: bytes) -> None:
    """Whatever means the same, or nothing, in other bytes is named with its entry: exit code 1."""
    at = 5
    assert old in honest.lines[at]
    lines = [*honest.lines[:at], honest.lines[at].replace(old, new, 1), *honest.lines[at + 1 :]]
    write(tmp_path, lines)
    done = arena("ladder", "verify", "x.jsonl", "--json", cwd=tmp_path)
    assert done.code == 1, done
    assert done.err == ""
    claim = done.json["claims"][0]
    assert claim["key"] == FORM
    assert claim["state"] == FAILS
    assert claim["detail"].startswith(f"at entry {at}: ")
    assert "expected" in claim["detail"]
    assert len(claim["detail"].splitlines()) == 1
    assert len(claim["detail"]) < 400


def test_a_truncated_log(tmp_path: Path, honest: Ladder) -> None:
    """A last line without its end is said to be none: exit code 1."""
    write(tmp_path, honest.lines)
    path = tmp_path / "x.jsonl"
    path.write_bytes(path.read_bytes()[:-7])
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert done.code == 1, done
    assert "fails      The entries are whole" in done.out
    last = len(honest.lines) - 1
    assert re.search(rf"at entry {last}: line: .* without an end of line; expected", done.out)


OPENING = '{"commitment":"%s"' % ("0" * 64)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"hello\n",
        bytes(range(256)) * 20,
        OPENING.encode(),
        OPENING.encode() + b"\n",
        b'{"commitment":' + b"[" * 100_000 + b"\n",
        b'{"commitment":' + b"9" * 1_000_000 + b"\n",
        b'{"commitment":"\xff\xfe',
    ],
    ids=["empty", "blank", "map", "text", "binary", "cut", "short", "deep", "number", "not-text"],
)
def test_a_file_that_is_no_ladder_is_refused(tmp_path: Path, data: bytes) -> None:
    """It is said in a line what was expected; exit code 2, not 1."""
    (tmp_path / "x").write_bytes(data)
    done = arena("ladder", "verify", "x", cwd=tmp_path)
    assert_refused(done, "x", "expected a store, or a log as `arena ladder export` writes it")


def test_a_later_format_is_refused(tmp_path: Path, honest: Ladder) -> None:
    """A log of a later arena is not called forged."""
    first = honest.lines[0].replace(b'"format":2', b'"format":3')
    write(tmp_path, [first, *honest.lines[1:]])
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert_refused(done, "x.jsonl, line 1", "in format 2", "format: the record says 3")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A directory, a pipe, and nothing at all: one line, exit code 2, and no waiting."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, said in (
        ("pipe", "no regular file"),
        ("folder", "no regular file"),
        ("/dev/zero", "no regular file"),
        ("nothing", "No such file or directory"),
    ):
        assert_refused(arena("ladder", "verify", name, cwd=tmp_path), said)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("skill", "high", "standings[1].skill: the record says str; expected float"),
        (
            "faults",
            {"asleep": 1},
            "standings[1].faults: the record says the key 'asleep'; expected",
        ),
        ("medals", 3, "standings[1].medals: the record says this key; expected no such key"),
    ],
)
def test_a_row_of_another_form_is_named(
    tmp_path: Path, honest: Ladder, key: str, value: object, says: str
) -> None:
    """Of standings that somebody else's program has written, it says which figure is malformed."""
    forged = honest.forgery()
    forged.standings["standings"][1][key] = value
    assert detail(verified(forged.write(tmp_path)), STANDINGS).startswith(says)


def test_a_standings_file_that_is_none(tmp_path: Path, honest: Ladder) -> None:
    """Rubbish beside a log is standings that are not the log's; what cannot be read is refused."""
    path = write(tmp_path, honest.lines)
    beside = tmp_path / "x.standings.json"
    assert states(verified(path))[STANDINGS] == NOT_SHOWN
    for data in (b"", b"{}\n", b"\xff\xfe\n", honest.standings, honest.standings * 2 + b"\n{}\n"):
        beside.write_bytes(data)
        found = verified(path)
        assert states(found)[STANDINGS] == FAILS, data[:20]
        assert "expected" in detail(found, STANDINGS)
    beside.unlink()
    beside.mkdir()
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert_refused(done, "x.standings.json: cannot be read: Is a directory")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "7",
        f"0:{'0' * 64}",
        f"-1:{'0' * 64}",
        "7:xyz",
        f"{'9' * 5000}:{'0' * 64}",
        "٧:" + "0" * 64,
    ],
)
def test_a_head_that_is_none_is_refused(honest: Ladder, head: str) -> None:
    """A head has a size above 0 and a root."""
    done = arena("ladder", "verify", "x.jsonl", "--head", head, cwd=honest.folder)
    assert_refused(done, "--head: expected SIZE:ROOT")


def test_matches_and_ladders_are_told_apart(tmp_path: Path, honest: Ladder) -> None:
    """Each command names the other one, in one line with exit code 2."""
    done = arena("play", "castors", "random", "random", "--record", "m.jsonl", cwd=tmp_path)
    assert done.code == 0, done.err
    refused = arena("ladder", "verify", "m.jsonl", cwd=tmp_path)
    assert_refused(refused, "m.jsonl", "that of a match", "`arena replay verify m.jsonl`")
    refused = arena("replay", "verify", "x.jsonl", cwd=honest.folder)
    assert_refused(refused, "x.jsonl", "ladder", "`arena ladder verify x.jsonl`")
    assert arena("replay", "verify", "m.jsonl", cwd=tmp_path).code == 0


def test_while_it_runs_deals_and_end_are_not_shown(tmp_path: Path) -> None:
    """The host can check all keys from the first block on; others once the secret is revealed."""
    run(definition(tmp_path, games=12, seed=None, tables=(3,)))
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    public = verified(tmp_path / "x.jsonl")
    assert public.holds
    assert states(public)[KEYS] == NOT_SHOWN
    assert "the secret, which the entry `close` reveals" in detail(public, KEYS)
    assert states(public)[END] == NOT_SHOWN
    assert "still running" in detail(public, END)
    host = arena("ladder", "verify", "test.ladder", "--json", cwd=tmp_path).json
    assert {claim["key"]: claim["state"] for claim in host["claims"]}[KEYS] == HOLDS


def test_the_deals_of_a_public_seed_are_shown_while_it_runs(tmp_path: Path) -> None:
    """The seed is the secret, and stands in the log."""
    run(definition(tmp_path, games=12, seed="practice", tables=(3,)))
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    found = verified(tmp_path / "x.jsonl")
    assert states(found)[KEYS] == HOLDS
    lines = (tmp_path / "x.jsonl").read_bytes().splitlines()
    at = next(at for at, line in enumerate(lines) if b'"entry":"block"' in line)
    entry = json.loads(lines[at])
    entry["key"] = new_key("another")
    lines[at] = canonical_bytes(entry)
    assert states(verified(write(tmp_path, lines)))[KEYS] == FAILS


def test_a_certain_order_ends_a_ladder_at_a_look_only(tmp_path: Path) -> None:
    """Where a run ended as its order was certain holds; a point where no look is due does not."""
    weak = {"bot": "python3 weak.py", "name": "weak"}
    (tmp_path / "weak.py").write_text(CRASHING)
    path = definition(tmp_path, tables=(2,), bots=("ada",), games=400, seed="certain")
    text = path.read_text().replace("games = 400", "games = 400\ncertain = 0.9")
    path.write_text(text.replace('name = "ada" }', f'name = "ada" }}, {toml(weak)}'))
    run(path)
    closed = arena("ladder", "close", "--yes", cwd=tmp_path)
    assert "(certain)" in closed.out, closed.out
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    assert states(verified(tmp_path / "x.jsonl"))[END] == HOLDS
    lines = (tmp_path / "x.jsonl").read_bytes().splitlines()
    standings = (tmp_path / "x.standings.json").read_bytes()
    early = Forgery(lines, standings)
    early.cut(len(early.blocks) - 1)
    early.close("certain")
    assert states(verified(write(tmp_path, early.lines())))[END] == FAILS
    late = Forgery(lines, standings)
    block = {**late.blocks[-1], "number": len(late.blocks)}
    block["contestants"] = block["contestants"][::-1]
    late.insert(-1, block)
    late.deal_again(block)
    found = verified(write(tmp_path, late.lines()))
    assert states(found)[END] == NOT_SHOWN
    assert "and it went on" in detail(found, END)


# Interrupted


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that is not verified in the twinkling of an eye."""
    folder = tmp_path_factory.mktemp("long")
    run(definition(folder, tables=(3,), games=1200))
    return folder


CHECKERS = 3
"""Two that play games again, after the second rater."""


def verifying(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A verification that is under way, and the processes that check for it, stopped."""
    while True:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", "ladder", "verify", "test.ladder", "--workers", "2"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        checkers: list[int] = []
        while len(checkers) < CHECKERS and process.poll() is None:
            checkers = sorted(children(process.pid))
        for pid in checkers:
            os.kill(pid, signal.SIGSTOP)
        if len(checkers) == CHECKERS and process.poll() is None:
            return process, checkers
        process.communicate()  # it was faster than this


def test_an_interrupted_verification_has_decided_nothing(long: Path) -> None:
    """Ctrl-C, which all of its processes get, ends it with 130 and one line."""
    process, checkers = verifying(long)
    os.killpg(process.pid, signal.SIGINT)
    for pid in checkers:
        os.kill(pid, signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err == "arena: interrupted\n"


@pytest.mark.parametrize("killed", range(CHECKERS))
def test_a_verification_whose_process_is_killed_has_decided_nothing(
    long: Path, killed: int
) -> None:
    """The host has failed, not the ladder: exit code 3, and what may help."""
    process, checkers = verifying(long)
    os.kill(checkers[killed], signal.SIGKILL)
    for pid in checkers:
        os.kill(pid, signal.SIGCONT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert out == ""
    assert err == (
        "arena ladder verify: a process that checks was ended (memory?); nothing was decided, "
        "try fewer --workers\n"
    )
