"""Draw the standings of a ladder as an SVG picture.

    arena ladder show friday.ladder --json | python3 docs/pictures/standings.py > standings.svg

The input is the JSON of `arena ladder show` or `arena ladder run`: a file, or standard input. The
picture is that of `standings.svg` in a published ladder.
"""

import sys
from pathlib import Path

from msgspec import json

from arena.ladder.overview import Overview
from arena.pages.standings_picture import standings_picture


def main() -> None:
    """Read JSON from the file that is named, or from standard input; print the picture."""
    source = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else sys.stdin.buffer.read()
    sys.stdout.buffer.write(standings_picture(json.decode(source, type=Overview)).encode())


if __name__ == "__main__":
    main()
