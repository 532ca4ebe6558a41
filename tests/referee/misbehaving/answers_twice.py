"""Answers its third decision twice, in one write or in two."""

import sys

import msgpack
from honest import Honest, write

bot = Honest()
question = bot.until(3)
body: bytes = msgpack.packb({"t": "action", "id": question["id"], "i": 0})
frame = len(body).to_bytes(4, "big") + body
if "--at-once" in sys.argv:
    write(frame + frame)
else:
    write(frame)
    write(frame)
bot.on()
