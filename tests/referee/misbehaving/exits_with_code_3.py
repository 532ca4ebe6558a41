"""Ends with an exit code, after a traceback, when it is asked for its third decision."""

import sys

from honest import Honest

Honest().until(3)
print("Traceback: a queen too many", file=sys.stderr)
sys.exit(3)
