"""Searches: works for so many milliseconds by the clock, and notes how often it got round."""

import sys
import time

from arena_sdk import Question, run

seconds = int(sys.argv[1]) / 1000


def choose(question: Question) -> int:
    """Get done as much as possible."""
    end = time.perf_counter() + seconds
    iterations = 0
    while time.perf_counter() < end:
        sum(range(300))
        iterations += 1
    question.note = str(iterations)
    return 0


run(choose, name="searches")
