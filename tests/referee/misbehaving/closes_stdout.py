"""Closes its stdout over its third decision, and goes on running."""

import os
import time

from honest import Honest

Honest().until(3)
os.close(1)
time.sleep(60)
