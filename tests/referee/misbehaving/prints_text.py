"""Leaves a debugging print in: to the stdout that belongs to the protocol."""

import sys

from honest import Honest

bot = Honest()
question = bot.until(3)
print(sys.argv[1], flush=True)
bot.answer(question)
bot.on()
