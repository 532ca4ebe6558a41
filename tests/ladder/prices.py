"""What newcomers cost, by simulation of schedules alone: `python tests/ladder/prices.py`.

It prints a newcomer's price, a month of a competition, and the CPU time of schedules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import mean, pstdev
from time import process_time

from arena.ladder.schedule import Schedule

SIZES = ((3, 4, 5), (2, 3, 4, 5, 6))
AUTHORS, NEW_EACH_DAY, DAYS = 40, 5, 30


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


def month(sizes: Sequence[int], each: int) -> None:
    """Print what authors' new versions add in a month, and how evenly they meet the others."""
    random = Random(1)
    schedule = standing(AUTHORS, sizes, each)
    playing = list(range(AUTHORS))
    entered = AUTHORS
    added: list[int] = []
    uneven: list[float] = []
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
            for number in met.keys() & set(pairing.contestants):
                for other in pairing.contestants:
                    met[number][other] += pairing.games
        added.append(schedule.games - before)
        for counts in met.values():
            others = [counts[other] for other in playing if other not in met]
            uneven.append(pstdev(others) / mean(others))
    games = [schedule.meetings.games(number) for number in playing]
    versions = DAYS * NEW_EACH_DAY
    print(
        f"a month at {sizes}, {each} games each: {sum(added)} games, {sum(added) / versions:.0f} "
        f"a version; a newcomer's games with each of the others differ by {mean(uneven):.0%} "
        f"(deviation over mean); those who play have {min(games)} to {max(games)} games"
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
        price(contestants, sizes, 1000 if contestants < 300 else 500)
    for each, sizes in product((300, 1000), SIZES):
        month(sizes, each)
    seconds(100_000)
