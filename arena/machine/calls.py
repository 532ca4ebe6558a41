"""The calls of this machine: those of Linux, or what any other Unix has in their place."""

from __future__ import annotations

from arena.machine.system import LINUX

if LINUX:
    from arena.machine._linux import (
        adopt_orphans,
        end_watch,
        end_with_parent,
        keep_one_heap,
        namespace,
        open_descriptors,
        peak_kib,
        pin,
        readable,
        short_of_room,
        started,
        usable_cores,
        write_through,
    )
else:
    from arena.machine._portable import (
        adopt_orphans,
        end_watch,
        end_with_parent,
        keep_one_heap,
        namespace,
        open_descriptors,
        peak_kib,
        pin,
        readable,
        short_of_room,
        started,
        usable_cores,
        write_through,
    )

__all__ = [
    "adopt_orphans",
    "end_watch",
    "end_with_parent",
    "keep_one_heap",
    "namespace",
    "open_descriptors",
    "peak_kib",
    "pin",
    "readable",
    "short_of_room",
    "started",
    "usable_cores",
    "write_through",
]
