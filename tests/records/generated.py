"""Entries made by chance: all kinds, of all forms that their types allow."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from arena.names import LONGEST, NAME
from arena.records.entries import (
    DAY,
    FORMAT,
    Annulled,
    Beacon,
    BlockPlayed,
    Budget,
    Changed,
    Closed,
    Contest,
    Contestant,
    Entered,
    Entry,
    Game,
    Leaving,
    Opened,
    SeatFault,
    SetAside,
    Stage,
    StageEnded,
    TimeControl,
)
from arena.records.verdicts import MEANINGS

COUNTS = st.integers(0, (1 << 53) - 1)
SCORES = st.integers(1 - (1 << 53), (1 << 53) - 1)
NAMES = st.from_regex(NAME, fullmatch=True).filter(lambda name: len(name) <= LONGEST)
TEXTS = st.text(max_size=12)
REASONS = st.text(max_size=30)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
MILLISECONDS = st.integers(0, DAY)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 62), 1 << 62) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def several(inner: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    """A few of these."""
    return st.lists(inner, min_size=least, max_size=4).map(tuple)


CONTESTANTS = st.builds(Contestant, name=NAMES, version=TEXTS, digest=HASHES)
BUDGETS = st.builds(
    Budget,
    games=st.none() | st.integers(1, 1 << 53),
    minutes=st.none() | st.floats(0, 1e9, exclude_min=True),
    certain=st.none() | st.floats(0.5, 1, exclude_min=True, exclude_max=True),
)
STAGES = st.builds(
    Stage,
    name=NAMES,
    best=st.none() | st.integers(2, 40),
    allowed=st.booleans(),
    tables=several(st.integers(1, 256)),
    budget=BUDGETS,
    order=st.permutations(["rating", "skill", "margins", "share"]).map(tuple),
    counts=st.sampled_from(["all", "stage"]),
    prizes=st.none() | st.integers(1, 9),
)
CONTESTS = st.builds(
    Contest,
    kind=st.sampled_from(["ladder", "match"]),
    name=NAMES,
    game=NAMES,
    version=TEXTS,
    rules=st.dictionaries(TEXTS, JSON, max_size=3),
    tables=several(st.integers(1, 256), 1),
    time=st.builds(TimeControl, decision=MILLISECONDS, bank=MILLISECONDS, start=MILLISECONDS),
    limits=st.dictionaries(TEXTS, COUNTS, max_size=3),
    sandbox=TEXTS,
    suspend=st.booleans(),
    fresh=st.booleans(),
    seed=st.none() | TEXTS,
    anchor=st.none() | NAMES,
)
GAMES = st.builds(
    Game,
    actions=several(st.lists(JSON, min_size=1, max_size=3)),
    notes=several(st.tuples(COUNTS, st.text(min_size=1, max_size=9))),
    faults=several(
        st.builds(
            SeatFault,
            seat=COUNTS,
            decision=COUNTS,
            verdict=st.sampled_from([verdict for verdict in MEANINGS if verdict != "finished"]),
            text=TEXTS,
        )
    ),
    scores=several(SCORES),
    places=several(st.integers(1, 256)),
)
KINDS: dict[str, st.SearchStrategy[Entry]] = {
    "open": st.builds(
        Opened, format=st.just(FORMAT), contest=CONTESTS, commitment=HASHES, first_game=COUNTS
    ),
    "enter": st.builds(
        Entered,
        contestants=several(CONTESTANTS),
        leave=several(
            st.builds(
                Leaving,
                contestant=COUNTS,
                kind=st.sampled_from([None, "withdrawn", "removed", "set-aside", "disqualified"]),
                reason=REASONS,
            )
        ),
    ),
    "change": st.builds(
        Changed,
        arena=st.none() | TEXTS,
        sandbox=st.none() | TEXTS,
        budget=st.none() | BUDGETS,
        stages=st.none() | several(STAGES),
        set_aside=st.none()
        | st.builds(SetAside, faults=st.integers(0, 1000), games=st.integers(0, 1000)),
        deadline=st.sampled_from([None, "", "2026-12-01T18:00:00Z"]),
        entries=st.sampled_from([None, "open", "closed"]),
        paused=st.none() | st.booleans(),
        publish=st.sampled_from([None, "at-once", "after-close"]),
        reason=REASONS,
    ),
    "beacon": st.builds(
        Beacon,
        source=TEXTS,
        round=COUNTS,
        value=st.binary(min_size=1, max_size=40).map(bytes.hex),
    ),
    "block": st.builds(
        BlockPlayed,
        number=COUNTS,
        attempt=COUNTS,
        key=HASHES,
        contestants=several(COUNTS, 1),
        games=several(GAMES, 1),
    ),
    "annul": st.builds(
        Annulled, blocks=several(COUNTS, 1), reason=st.text(min_size=1, max_size=30)
    ),
    "stage": st.builds(
        StageEnded,
        stage=COUNTS,
        reason=st.sampled_from(["budget", "width", "certain"]),
        places=several(several(COUNTS, 1), 1),
        qualified=several(COUNTS),
    ),
    "close": st.builds(
        Closed,
        reason=st.sampled_from(["budget", "certain", "time", "host"]),
        secret=st.binary(min_size=1, max_size=40).map(bytes.hex),
    ),
}
ENTRIES = st.one_of(*KINDS.values())
