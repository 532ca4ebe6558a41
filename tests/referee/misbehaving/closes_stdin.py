"""Closes its stdin over its third decision, and goes on running."""

import os
import time

from honest import Honest

bot = Honest()
question = bot.until(3)
os.close(0)
bot.answer(question)
time.sleep(60)
