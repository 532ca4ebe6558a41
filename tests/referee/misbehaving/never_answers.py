"""Falls asleep over its third decision."""

import time

from honest import Honest

Honest().until(3)
time.sleep(60)
