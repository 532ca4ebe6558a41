"""Stops the process that watches over it, which is its parent, and plays on."""

import os
import signal

from honest import Honest

bot = Honest()
question = bot.until(3)
os.kill(os.getppid(), signal.SIGSTOP)
bot.answer(question, i=-1)
bot.on()
