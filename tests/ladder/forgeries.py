"""The forgeries that verification is tested with: each with the claims that it breaks.

The forger is the host: he has the log and its secret, plays games anew, and makes all keys, scores,
standings and roots fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.ladder.claims import (
    ATTEMPTS,
    END,
    FORM,
    KEYS,
    LABEL,
    RULES,
    STANDINGS,
    TABLES,
    WHOLE,
)
from arena.referee.deals import Deals
from ladder.forging import Forgery, head_of, new_key

ENTRIES, IDENTITIES, SECRET, MOVES, ONCE, FAULTS, CONDITIONS = (
    "entries",
    "identities",
    "secret",
    "moves",
    "once",
    "faults",
    "conditions",
)
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
