"""Kills the process that watches over it, which is its parent."""

import os
import signal
import time

from honest import Honest

Honest().until(3)
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(60)
