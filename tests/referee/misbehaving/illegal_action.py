"""Chooses an action that the rules do not know, or an index that the list does not have."""

import sys

from honest import Honest

bot = Honest()
question = bot.until(3)
if "--index" in sys.argv:
    bot.answer(question, i=len(question["actions"]))
else:
    bot.line.send({"t": "action", "id": question["id"], "a": ["cheat", 1]})
bot.on()
