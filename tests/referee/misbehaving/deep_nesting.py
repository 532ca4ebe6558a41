"""Sends an answer with arrays within arrays, as many as its argument says."""

import sys

from honest import Honest, write

bot = Honest()
bot.until(3)
body = b"\x82\xa1t\xa6action\xa1a" + b"\x91" * int(sys.argv[1]) + b"\x00"
write(len(body).to_bytes(4, "big") + body)
bot.on()
