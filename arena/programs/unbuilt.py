"""Whether a bot that has to be built has been built, as far as its folder shows."""

from __future__ import annotations

from arena.programs.digest import OUTPUTS
from arena.programs.spec import BotSpec


def not_built(spec: BotSpec) -> str | None:
    """What running the bot needs and its build has yet to make; None if all is there.

    A script of Node names no file that is built, but a package needs what is installed for it.
    """
    if not spec.build:
        return None
    built = [word for word in spec.run if "/" in word and not word.startswith(("/", "-"))]
    if not built and (spec.folder / "package.json").is_file():
        built = ["node_modules"]
    return next((word for word in built if not (spec.folder / word).exists()), None)


def seems_not_built(spec: BotSpec) -> bool:
    """Whether a bot has a build and there is no folder that builds write to."""
    return bool(spec.build) and not any((spec.folder / name).is_dir() for name in OUTPUTS)
