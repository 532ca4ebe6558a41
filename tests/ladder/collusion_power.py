"""How often the audits flag whom: `PYTHONPATH=tests python tests/ladder/collusion_power.py`.

It plays ladders with two who collude among eight, and honest ones of the bundled bots and of bots
that see all. It prints how many logs had a flag, by results and by moves, on the pair and on
others, how large the pair's effects are beside the margin, and how large those of honest bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from arena.ladder.rating import collusion, partiality
from ladder import bundled_tables, colluders
from ladder.colluders import GIVES, TAKES, Block, Mode, game

LENGTHS = (100, 200, 400, 800)
MODES: tuple[Mode, ...] = ("strong", "mild", "half")
POWER = (
    ("castors", False, 12, 800),
    ("gargon", False, 12, 800),
    ("castors", True, 12, 800),
    ("gargon", True, 4, 400),
)
"""The game, whether the colluders are bundled bots (or see all), logs, blocks of a log."""
HONEST = (
    ("castors", bundled_tables.BUNDLED["castors"], (3, 4, 5), 205, 20),
    ("gargon", bundled_tables.BUNDLED["gargon"], (3, 4, 5), 101, 20),
    ("castors", bundled_tables.FIELDS["castors"], (4,), 400, 20),
    ("gargon", bundled_tables.FIELDS["gargon"], (4,), 400, 5),
    ("castors", (), (4,), 400, 20),
    ("gargon", (), (4,), 400, 20),
)
"""The game, who plays (nobody: eight who see all), table sizes, blocks of a log, logs."""
UNREACHED = 1e6
"""A margin, or factor, beyond which there is nothing."""
PAIR = {GIVES, TAKES}

Log = Sequence[Block]


def results(log: Log, margin: float | None = None) -> collusion.Audit:
    """The audit of results, by default with the game's margin."""
    shares = [block.shares for block in log]
    known = game(log[0].game).interaction
    return collusion.audit(shares, _contestants(log), known if margin is None else margin)


def moves(log: Log, factor: float | None = None) -> partiality.Audit:
    """The audit of moves, by default with the game's factor."""
    aims = [block.aims for block in log]
    known = game(log[0].game).partiality
    return partiality.audit(aims, _contestants(log), known if factor is None else factor)


def _contestants(log: Log) -> int:
    return 1 + max(max(block.entry.contestants) for block in log)


def power(name: str, mode: Mode, logs: int, longest: int, *, bundled: bool) -> None:
    """Print how often two who collude are flagged, and others, and the pair's mean effects."""
    blocks = bundled_tables.blocks if bundled else colluders.blocks
    played = [list(blocks(name, longest, mode, seed)) for seed in range(logs)]
    kind = "bundled" if bundled else "all-seeing"
    for length in (each for each in LENGTHS if each <= longest):
        parts = [log[:length] for log in played]
        print(
            f"{name}, {kind}, {mode}, {length} blocks, {logs} logs: "
            f"by results {_flagged([results(each) for each in parts])}; "
            f"by moves {_flagged([moves(each) for each in parts])}",
            flush=True,
        )
    whole = [block for log in played for block in log]
    effects = results(whole, UNREACHED).others
    effect = next(each for each in effects if {each.source, each.target} == PAIR)
    ratios = moves(whole, UNREACHED).others
    ratio = next(each for each in ratios if {each.source, each.target} == PAIR)
    print(
        f"{name}, {kind}, {mode}, all logs together: the pair's surest effect is "
        f"{effect.value:+.3f} ± {effect.error:.3f}{' (the sum)' if effect.both else ''}, its "
        f"surest ratio {ratio.ratio:.2f}{' (of both)' if ratio.both else ''}",
        flush=True,
    )


def _flagged(found: Sequence[collusion.Audit | partiality.Audit]) -> str:
    pairs = [[{each.source, each.target} for each in one.flags] for one in found]
    right = sum(PAIR in flagged for flagged in pairs)
    wrong = sum(any(pair != PAIR for pair in flagged) for flagged in pairs)
    return f"the pair in {right}, others in {wrong}"


def honest(name: str, kinds: Sequence[str], sizes: Sequence[int], length: int, logs: int) -> None:
    """Print how often somebody is flagged among honest bots, and their largest effects."""
    if kinds:
        played = list(bundled_tables.blocks(name, length * logs, "honest", 1, kinds, sizes))
    else:
        played = list(colluders.blocks(name, length * logs, "honest", 1))
    ends = range(0, len(played) + 1, length)
    parts = [played[start:end] for start, end in pairwise(ends)]
    print(
        f"{name}, {', '.join(kinds) or 'eight all-seeing'}, honest at tables of {sizes}, {length} "
        f"blocks, {logs} logs: somebody in {sum(bool(results(each).flags) for each in parts)} by "
        f"results, in {sum(bool(moves(each).flags) for each in parts)} by moves; in all together "
        f"{len(results(played).flags)} and {len(moves(played).flags)} flags",
        flush=True,
    )
    kinds = kinds or [str(number) for number in range(8)]
    for effect in sorted(results(played, UNREACHED).others, key=lambda e: -abs(e.value))[:2]:
        print(
            f"  {effect.value:+.3f} ± {effect.error:.3f} of {kinds[effect.source]} on "
            f"{kinds[effect.target]}{' and back' if effect.both else ''}"
        )
    ratios = sorted(moves(played, UNREACHED).others, key=lambda each: each.ratio)
    for ratio in (*ratios[:2], *ratios[-2:]):
        print(
            f"  {ratio.acts} acts of {ratio.expected:.1f} expected, {ratio.ratio:.2f}, of "
            f"{kinds[ratio.source]} on {kinds[ratio.target]}{' and back' if ratio.both else ''}"
        )


if __name__ == "__main__":
    for who, seen, count, longest in POWER[:3]:
        for what in MODES:
            power(who, what, count, longest, bundled=seen)
    for ladder in HONEST:
        honest(*ladder)
    for who, seen, count, longest in POWER[3:]:
        for what in MODES:
            power(who, what, count, longest, bundled=seen)
