"""The plugin that brings the runner `dask`; Dask itself is loaded when it is used."""

from __future__ import annotations

from arena.cluster._dask_runner import DaskRunner
from arena.plugin import hookimpl


@hookimpl
def arena_runners() -> list[DaskRunner]:
    """Return the runner that uses the machines of a Dask cluster."""
    return [DaskRunner()]
