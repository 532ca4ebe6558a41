"""Print the table of `docs/compare.md`: false calls and power, beside other tests.

    python tests/workbench/figures.py

Streams of deals are drawn from the pools of real deals in `pools.json`. All tests look at the same
streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
from numpy.typing import NDArray

from arena.workbench.designs import DESIGNS, Design, information
from arena.workbench.evidence import LEAST, MOST, Evidence

POOLS: dict[str, list[float]] = json.loads((Path(__file__).parent / "pools.json").read_text())
TABLE = {"backs-reference": 4.0}
"""Games of a deal at one table, on average over the sizes of tables."""
TABLE_OTHERWISE = 3.5
STREAMS = 200
SAME = 2000
"""Deals in a stream of two that are the same."""
PILOT = 40
PILOTS = 1000
FIXED = (200, 1000)
"""The deals after which somebody tests who has chosen the number before."""
EVERY = 10
NORMAL = 1.96
BOUND = np.log(19.0)
"""Of the sequential tests: both errors are to be 5 %."""
NARROW, WIDE = 0.02, 0.04


@dataclass
class Row:
    """What became of the streams of a pool: how often each test called one of the two better."""

    streams: int = 0
    called: dict[str, int] = field(default_factory=dict)
    """Calls for the first by test, for two that are the same of either."""
    wrong: int = 0
    """Calls of our own for the second."""
    none: int = 0
    """Streams that ended without a difference that matters."""
    deals: list[int] = field(default_factory=list)

    def count(self, test: str, called: bool) -> None:
        """Count what a test has said."""
        self.called[test] = self.called.get(test, 0) + called

    def share(self, test: str) -> str:
        """Return how often a test has called one better."""
        return f"{100 * self.called[test] / self.streams:.1f} %"


def main() -> None:
    """Print both parts of the table."""
    titles = ("this test", *(f"t, {deals} deals" for deals in FIXED))
    titles += (f"t, every {EVERY} deals", f"GSPRT ±{NARROW}", f"GSPRT 0 or {WIDE}")
    print(f"| two that are the same | {' | '.join(titles)} |")
    print("|---" * (len(titles) + 1) + "|")
    for name in POOLS:
        if name.startswith("same-"):
            row = row_of(flipped(name), SAME, either=True)
            print(f"| {name.removeprefix('same-')} | {' | '.join(cells(row))} |", flush=True)
    print()
    columns = ("design", "chosen by pilots", "difference", "median deals", "games", "no difference")
    print(f"| bots | {' | '.join((*columns, *titles))} |")
    print("|---" * (len(columns) + len(titles) + 1) + "|")
    pairs = dict.fromkeys(name.rpartition("-")[0] for name in POOLS if not name.startswith("same-"))
    for pair in pairs:
        chosen = chosen_by_pilots(pair)
        design = max(chosen, key=lambda each: chosen[each])
        pool = POOLS[f"{pair}-{design}"]
        row = row_of(drawn(pool, MOST), MOST, either=False)
        deals = median(row.deals)
        before = (
            design,
            f"{100 * chosen[design]:.0f} %",
            f"{100 * sum(pool) / len(pool):+.1f} %",
            f"{deals:.0f}",
            f"{deals * games_of(pair, design):.0f}",
            f"{100 * row.none / row.streams:.1f} %",
        )
        bots = pair.replace("-", " and ")
        print(f"| {bots} | {' | '.join((*before, *cells(row)))} |", flush=True)
        assert row.wrong == 0


def games_of(pair: str, design: Design) -> float:
    """Return how many games a deal has."""
    return 2.0 if design == "swap" else TABLE.get(pair, TABLE_OTHERWISE)


def chosen_by_pilots(pair: str) -> dict[Design, float]:
    """Return how often pilots choose each design."""
    random = Random(pair)
    found = dict.fromkeys(DESIGNS, 0.0)
    for _ in range(PILOTS):
        said = {
            design: information(
                random.choices(POOLS[f"{pair}-{design}"], k=PILOT),
                round(PILOT * games_of(pair, design)),
            )
            for design in DESIGNS
        }
        found[max(DESIGNS, key=lambda each: said[each])] += 1 / PILOTS
    return found


def drawn(pool: Sequence[float], length: int) -> Iterator[list[float]]:
    """Yield streams from a pool."""
    random = Random(1)
    for _ in range(STREAMS):
        yield random.choices(pool, k=length)


def flipped(name: str) -> Iterator[list[float]]:
    """Yield streams of two that are the same; which is called new is drawn for every deal."""
    random = Random(name)
    for stream in drawn(POOLS[name], SAME):
        yield [each * random.choice((1, -1)) for each in stream]


def row_of(streams: Iterator[list[float]], length: int, *, either: bool) -> Row:
    """Return what all tests say of these streams."""
    row = Row()
    for stream in streams:
        row.streams += 1
        found = Evidence()
        for each in stream:
            found.add(each)
            if found.ended and not either:
                break
        decided = found.p <= 1 / 20
        row.count("ours", decided and (either or found.mean > 0))
        row.wrong += decided and not either and found.mean < 0
        row.none += found.verdict == "no difference"
        row.deals.append(found.deals)
        for test, sign in others(np.array(stream)).items():
            row.count(test, sign > 0 or (either and sign < 0))
    return row


def cells(row: Row) -> list[str]:
    """Return how often each test has called one better."""
    return [row.share(test) for test in row.called]


def others(stream: NDArray[np.float64]) -> dict[str, int]:
    """Return what other tests say: 1 or -1 for who is better, 0 for nobody."""
    t = np.arange(1, len(stream) + 1)
    total = np.cumsum(stream)
    variance = np.maximum(np.cumsum(stream**2) / t - (total / t) ** 2, 1e-9)
    z = total / np.sqrt(variance * t)
    looks = z[LEAST - 1 :: EVERY]
    narrow = 2 * NARROW * total / variance
    wide = WIDE * (total - t * WIDE / 2) / variance
    found = {f"t{deals}": first_beyond(z[deals - 1 : deals], NORMAL) for deals in FIXED}
    found["looks"] = first_beyond(looks, NORMAL)
    found["narrow"] = first_beyond(narrow[LEAST - 1 :], BOUND)
    found["wide"] = max(0, first_beyond(wide[LEAST - 1 :], BOUND))  # below: not better
    return found


def first_beyond(values: NDArray[np.float64], bound: float) -> int:
    """Return the sign of the first value beyond the bound; 0 if there is none."""
    at = np.flatnonzero(abs(values) > bound)
    return int(np.sign(values[at[0]])) if len(at) else 0


if __name__ == "__main__":
    main()
