"""Answers its third decision with the number of the second."""

from honest import Honest

bot = Honest()
question = bot.until(3)
bot.answer(question, id=question["id"] - 1)
bot.on()
