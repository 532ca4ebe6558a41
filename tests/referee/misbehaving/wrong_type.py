"""Sends an answer, a field of which has the wrong type; its argument says which field."""

import sys

from honest import Honest

WRONG = {"id": "three", "i": "first", "note": 5, "t": ["action"]}

bot = Honest()
question = bot.until(3)
bot.answer(question, **{sys.argv[1]: WRONG[sys.argv[1]]})
bot.on()
