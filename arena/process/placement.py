"""Placement: a referee and the bots of its game share one core, with few garbage collections.

A message to a process on another core costs several times as much as one on the same core.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from arena.machine.calls import pin, usable_cores

GARBAGE_THRESHOLD = 50_000
"""Allocations between two garbage collections; they can be rare, as a referee makes no cycles."""


@contextmanager
def on_one_core(core: int | None = None) -> Iterator[int]:
    """Pin this process to one core, by default the last it may use, and collect garbage rarely."""
    before = usable_cores()
    thresholds = gc.get_threshold()
    core = max(before) if core is None else core
    pin({core})
    gc.set_threshold(GARBAGE_THRESHOLD, *thresholds[1:])
    try:
        yield core
    finally:
        gc.set_threshold(*thresholds)
        pin(before)
