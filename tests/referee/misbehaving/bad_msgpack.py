"""Sends a frame whose content is no map of the protocol; its argument says what it is."""

import sys

import msgpack
from honest import Honest, write

BODIES = {
    "reserved": b"\xc1",
    "cut": b"\x85\xa1t",
    "empty": b"",
    "array": msgpack.packb([1, 2]),
    "more": msgpack.packb({"t": "action"}) + b"\x00\x01",
    "bytes-key": msgpack.packb({b"t": "action"}),
    "integer-key": msgpack.packb({1: "action"}),
    "binary": msgpack.packb({"t": "action", "a": b"\x00"}),
    "latin-1": b"\x81\xa1t\xa1\xe9",
    "extension": msgpack.packb({"t": msgpack.ExtType(5, b"")}),
    "timestamp": msgpack.packb({"t": msgpack.Timestamp(1)}),
    "wide": b"\x81\xa1t\xdd\xff\xff\xff\xff",
}

bot = Honest()
bot.until(3)
body = BODIES[sys.argv[1]]
write(len(body).to_bytes(4, "big") + body)
bot.on()
