"""Tell from a bot's folder whether it still has to be built."""

from __future__ import annotations

from arena.programs.digest import OUTPUTS
from arena.programs.spec import BotSpec


def not_built(spec: BotSpec) -> str | None:
    """Return a file that running the bot needs and its build has yet to make; None if all exist.

    A Node script names no file that is built, but a package needs its `node_modules`.
    """
    if not spec.build:
        return None
    built = [word for word in spec.run if "/" in word and not word.startswith(("/", "-"))]
    if not built and (spec.folder / "package.json").is_file():
        built = ["node_modules"]
    return next((word for word in built if not (spec.folder / word).exists()), None)


def seems_not_built(spec: BotSpec) -> bool:
    """Whether a bot has a build, but none of the folders that builds write to."""
    return bool(spec.build) and not any((spec.folder / name).is_dir() for name in OUTPUTS)
