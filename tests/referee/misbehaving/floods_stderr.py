"""Writes megabytes to stderr with every answer; with an argument, and no answer, without end."""

import fcntl
import os
import sys

from honest import Honest

LINE = "x" * 1023 + "\n"

bot = Honest()
for question in bot.questions():
    if sys.argv[1] == "--without-end" and question["id"] == 3:
        fcntl.fcntl(2, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.fork()
        os.fork()
        while True:
            os.write(2, LINE.encode() * 256)
    sys.stderr.write(LINE * 2048)
    print("that was", question["id"], file=sys.stderr, flush=True)
    bot.answer(question)
