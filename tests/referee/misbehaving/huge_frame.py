"""Announces a frame one byte above the limit, and sends it."""

from honest import Honest, write

LENGTH = (1 << 20) + 1

bot = Honest()
bot.until(3)
write(LENGTH.to_bytes(4, "big") + bytes(LENGTH))
bot.on()
