"""Processes for work that takes long, started and ended so that Ctrl-C leaves none behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import Any


@contextmanager
def worker_processes(
    workers: int, prepare: Callable[..., object], *arguments: Any
) -> Iterator[ProcessPoolExecutor]:
    """Start processes, each of which is prepared with these arguments, and end them on exit.

    They ignore Ctrl-C; this process handles it and ends them. Here it is blocked while they are
    started and ended, since an interrupt half-way ends in a traceback.
    """
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        context = get_context("fork")
        pool = ProcessPoolExecutor(workers, context, initializer=prepare, initargs=arguments)
        try:
            pool.submit(int)  # starts all of them, and they inherit the blocked signal
            pthread_sigmask(SIG_SETMASK, before)
            yield pool
        finally:
            pthread_sigmask(SIG_BLOCK, {SIGINT})
            pool.shutdown(cancel_futures=True)
    finally:
        pthread_sigmask(SIG_SETMASK, before)
