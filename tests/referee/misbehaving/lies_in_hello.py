"""Says a hello that cannot be accepted, or something else; its argument says what."""

import sys
import time
from typing import Any

from honest import HELLO, Honest

ANSWERS: dict[str, dict[str, Any]] = {
    "future": HELLO | {"protocol": [2, 0]},
    "version-text": HELLO | {"protocol": "1.0"},
    "no-version": {"t": "hello", "name": "liar"},
    "number-as-name": HELLO | {"name": 7},
    "number-as-flag": HELLO | {"actions": 1},
    "action": {"t": "action", "id": 0, "i": 0},
    "error": {"t": "error", "text": "this machine has no graphics card"},
}

bot = Honest()
bot.line.receive()
if sys.argv[1] != "nothing":
    bot.line.send(ANSWERS[sys.argv[1]])
time.sleep(60)
