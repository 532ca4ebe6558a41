"""Does what makes the kernel kill it when it is asked for its third decision."""

import os
import signal

from honest import Honest

Honest().until(3)
signal.signal(signal.SIGSEGV, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGSEGV)
