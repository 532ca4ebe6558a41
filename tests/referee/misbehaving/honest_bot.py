"""Does nothing wrong at all: the first legal action, at once."""

from honest import Honest

Honest().on()
