"""Plays well, but does not go when it is told to: neither by bye nor by a polite signal."""

import signal
import time

from honest import Honest

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
Honest().on()
time.sleep(60)
