"""Writes to stdout without end: frames that are none, frames of nothing, or good answers."""

import sys

import msgpack
from honest import Honest, write

bot = Honest()
question = bot.until(3)
if sys.argv[1] == "one-frame":
    write((1 << 20).to_bytes(4, "big"))
    chunk = b"\x81\xa1t" + bytes(1 << 16)
elif sys.argv[1] == "zeros":
    chunk = bytes(1 << 16)
else:
    body: bytes = msgpack.packb({"t": "action", "id": question["id"], "i": 0})
    chunk = (len(body).to_bytes(4, "big") + body) * 4096
while True:
    write(chunk)
