"""Says that it cannot go on when it is asked for its third decision."""

from honest import Honest

bot = Honest()
bot.until(3)
bot.line.send({"t": "error", "text": "the net is not trained for this"})
bot.on()
