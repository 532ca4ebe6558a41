"""Writes every answer byte by byte, which it may."""

import time

import msgpack
from honest import Honest, write

bot = Honest()
for question in bot.questions():
    body: bytes = msgpack.packb({"t": "action", "id": question["id"], "i": 0})
    frame = len(body).to_bytes(4, "big") + body
    for at in range(len(frame)):
        write(frame[at : at + 1])
        if question["id"] < 5:
            time.sleep(0.001)
