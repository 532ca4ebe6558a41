"""Never reads after hello, and guesses what it will be asked, until the pipe to it is full."""

import fcntl
import time
from itertools import count

from honest import HELLO, Honest

bot = Honest()
bot.line.receive()
fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 1 << 12)
bot.line.send(HELLO)
for number in count(1):
    bot.answer({"id": number})
    time.sleep(0.002)
