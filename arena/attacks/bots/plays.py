"""Only plays: a bystander at the table while others attack.

With a number as argument it thinks for this many milliseconds at every question.
"""

import sys
import time

from arena_sdk import Question, run

thinks = int(sys.argv[1]) / 1000 if len(sys.argv) == 2 else 0.0


def choose(question: Question) -> int:
    """Choose the first action, after thinking."""
    end = time.perf_counter() + thinks
    while time.perf_counter() < end:
        pass
    return 0


run(choose, name="plays")
