"""Attack programs: bots that try what a stranger's program might, and say how far they got."""

from pathlib import Path

FOLDER = Path(__file__).parent / "attacks"
