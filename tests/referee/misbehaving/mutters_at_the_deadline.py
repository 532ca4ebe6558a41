"""Does not answer its third decision, but writes to stderr just before its time is up."""

import sys
import time

from honest import Honest

Honest().until(3)
time.sleep(float(sys.argv[1]))
print("hm", file=sys.stderr, flush=True)
time.sleep(60)
