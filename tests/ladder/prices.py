"""What newcomers cost, by simulation of schedules and results: `python tests/ladder/prices.py`.

It prints a newcomer's price and how wide his interval is, a month of a competition, and the CPU
time of schedules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import mean, pstdev
from time import process_time

import numpy as np

from arena.bench.calibration import Field, spread
from arena.ladder.rating import Tally
from arena.ladder.rating.skill import fit
from arena.ladder.schedule import Schedule

SIZES = ((3, 4, 5), (2, 3, 4, 5, 6))
AUTHORS, NEW_EACH_DAY, DAYS = 40, 5, 30
POINTS = 8.0
"""How far the first is above the last, where results are simulated."""


def standing(contestants: int, sizes: Sequence[int], each: int) -> Schedule:
    """A schedule up to where a field that stands still has so many games each."""
    schedule = Schedule("prices", sizes)
    schedule.enter(range(contestants))
    pairing = schedule.next()
    while not (pairing.balanced and schedule.meetings.least() >= each):
        pairing = schedule.next()
    return schedule


def until(schedule: Schedule, each: int) -> int:
    """Go on until everybody has so many games; return how many that took."""
    schedule.settle()
    before = schedule.games
    while schedule.meetings.least() < each:
        schedule.next()
    return schedule.games - before


def price(contestants: int, sizes: Sequence[int], each: int) -> None:
    """Print what one newcomer adds, and how much more the others play."""
    schedule = standing(contestants, sizes, each)
    games = [schedule.meetings.games(number) for number in range(contestants)]
    schedule.enter(range(contestants + 1))
    added = until(schedule, each)
    more = [schedule.meetings.games(number) - before for number, before in enumerate(games)]
    print(
        f"{contestants} contestants at {sizes}, {each} games each: a newcomer adds {added}, "
        f"{added / each:.3f} of his own; the others play {min(more)} to {max(more)} more"
    )


def width(contestants: int, sizes: Sequence[int], each: int, ladders: int) -> None:
    """Print how wide a newcomer's interval is, beside those of the two next to his strength.

    All are taken at the same number of games, as widths fall with the root of the games.
    """
    between = (contestants // 2 - 1, contestants // 2)
    field = Field("", (*spread(contestants, POINTS), POINTS / 2))
    ratios: list[float] = []
    reaches: list[float] = []
    for ladder in range(ladders):
        random = np.random.default_rng(ladder)
        schedule, tally = Schedule(f"width {ladder}", sizes), Tally()
        for there in (contestants, contestants + 1):
            schedule.enter(range(there))
            schedule.settle()
            balanced = False
            while not (balanced and schedule.meetings.least() >= each):
                pairing = schedule.next()
                balanced = pairing.balanced
                tally.add(*field.block(pairing.contestants, random))
        found = fit(tally)
        games = [schedule.meetings.games(bot) for bot in range(contestants + 1)]
        same = (np.array(found.high) - found.low) / 2 * np.sqrt(np.array(games) / each)
        ratios.append(same[contestants] / mean(same[bot] for bot in between))
        reaches.append(same[contestants])
    print(
        f"{contestants} contestants at {sizes}, {each} games each: a newcomer's interval is "
        f"± {mean(reaches):.2f} points, {mean(ratios):.2f} times an incumbent's (standard error "
        f"{pstdev(ratios) / ladders**0.5:.3f}, {ladders} ladders)",
        flush=True,
    )


def month(sizes: Sequence[int], each: int) -> None:
    """Print what authors' new versions add in a month, and how evenly they meet the others."""
    random = Random(1)
    schedule = standing(AUTHORS, sizes, each)
    playing = list(range(AUTHORS))
    entered = AUTHORS
    added: list[int] = []
    uneven: list[float] = []
    chance = np.random.default_rng(1)
    strengths = chance.uniform(0, POINTS, AUTHORS + DAYS * NEW_EACH_DAY)
    field, tally = Field("", tuple(strengths.tolist())), Tally()
    first = Schedule("prices", sizes)
    first.enter(range(AUTHORS))
    while first.blocks < schedule.blocks:
        tally.add(*field.block(first.next().contestants, chance))
    reaches: dict[str, list[float]] = {"new": [], "old": []}
    for _ in range(DAYS):
        new = range(entered, entered + NEW_EACH_DAY)
        entered += NEW_EACH_DAY
        for author, number in zip(random.sample(range(AUTHORS), NEW_EACH_DAY), new, strict=True):
            playing[author] = number
        schedule.enter(sorted(playing))
        schedule.settle()
        met = {number: [0] * entered for number in new}
        before = schedule.games
        while schedule.meetings.least() < each:
            pairing = schedule.next()
            tally.add(*field.block(pairing.contestants, chance))
            for number in met.keys() & set(pairing.contestants):
                for other in pairing.contestants:
                    met[number][other] += pairing.games
        added.append(schedule.games - before)
        for counts in met.values():
            others = [counts[other] for other in playing if other not in met]
            uneven.append(pstdev(others) / mean(others))
        found = fit(tally)
        for number in playing:
            reach = (found.high[number] - found.low[number]) / 2
            reaches["new" if number in met else "old"].append(reach)
    games = [schedule.meetings.games(number) for number in playing]
    versions = DAYS * NEW_EACH_DAY
    print(
        f"a month at {sizes}, {each} games each: {sum(added)} games, {sum(added) / versions:.0f} "
        f"a version; a newcomer's games with each of the others differ by {mean(uneven):.0%} "
        f"(deviation over mean); those who play have {min(games)} to {max(games)} games; "
        f"intervals on the day are ± {mean(reaches['new']):.2f} points for a newcomer, "
        f"± {mean(reaches['old']):.2f} for the others",
        flush=True,
    )


def seconds(games: int) -> None:
    """Print the CPU time of so many games of sixty, while the field stands and when it changed."""
    for changed in (False, True):
        began = process_time()
        schedule = Schedule("prices", (3, 4, 5))
        schedule.enter(range(60))
        schedule.next()
        schedule.enter(range(changed, 60 + changed))
        while schedule.games < games:
            schedule.next()
        kind = "has changed" if changed else "stands"
        print(f"{games} games, 60 contestants, a field that {kind}: {process_time() - began:.2f} s")


if __name__ == "__main__":
    for contestants, sizes in product((6, 10, 60, 300), SIZES):
        each = 1000 if contestants < 300 else 500
        price(contestants, sizes, each)
        width(contestants, sizes, each, 3000 // contestants if contestants < 300 else 4)
    for each, sizes in product((300, 1000), SIZES):
        month(sizes, each)
    seconds(100_000)
