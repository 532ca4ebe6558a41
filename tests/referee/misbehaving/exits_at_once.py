"""Ends before it has said hello."""

import sys

sys.exit()
