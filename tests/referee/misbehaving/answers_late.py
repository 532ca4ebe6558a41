"""Answers its third decision correctly, only long after the time is up."""

import sys
import time

from honest import Honest

bot = Honest()
question = bot.until(3)
time.sleep(float(sys.argv[1]))
bot.answer(question)
bot.on()
