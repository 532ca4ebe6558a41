"""Seal the bots that are to play in a sandbox, and build them there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from arena.builds.build import BuildError, build, log_of
from arena.builds.sandboxed import inside
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.unbuilt import not_built, seems_not_built
from arena.programs.vault import Build, Vault, take_outputs
from arena.sandbox.sandbox import NONE, Sandbox

NEED_NETWORK = frozenset({"cargo", "go", "gradle", "mvn", "npm", "npx", "pnpm", "yarn"})
"""Programs whose builds load what they need from the network."""

Tell = Callable[[str], object]


def seal_strangers(
    bots: Iterable[BotSpec],
    trusted: Collection[BotSpec],
    sandbox: Sandbox,
    vault: Vault,
    tell: Tell,
) -> list[BotSpec]:
    """Return the bots as they play: sealed, but for those that plugins register.

    Without a sandbox all play where they are.
    """
    known = {(spec.run, spec.folder) for spec in trusted}
    if sandbox.name == NONE:
        return list(bots)

    make = builder(sandbox, tell)
    return [spec if (spec.run, spec.folder) in known else vault.seal(spec, make) for spec in bots]


def builder(sandbox: Sandbox, tell: Tell) -> Build:
    """Return what builds a copy of a bot in this sandbox."""

    def make(copy: BotSpec, origin: Path) -> None:
        _build(copy, origin, sandbox, tell)

    return make


def seal_as_built(spec: BotSpec, vault: Vault) -> BotSpec:
    """Return a bot as it plays without a sandbox: sealed with what its author's build has made."""

    def take(copy: BotSpec, origin: Path) -> None:
        take_outputs(origin, copy.folder)

    return vault.seal(spec, take)


def _build(copy: BotSpec, origin: Path, sandbox: Sandbox, tell: Tell) -> None:
    """Build a copy of a bot in the sandbox, which has no network."""
    if _as_its_author_built_it(copy, origin, None, tell):
        return
    log = log_of(replace(copy, folder=origin))
    try:
        tell(f"bot {copy.name!r} is built in the sandbox")
        build(copy, log, run=inside(sandbox))
    except BuildError as error:
        if not _as_its_author_built_it(copy, origin, error, tell):
            raise UnusableBot(
                f"bot {copy.name!r}: {error}, in the sandbox, which has no network; the output is "
                f"in {log}; if it needs more, run first: arena bot build {origin}"
            ) from None


def _as_its_author_built_it(
    copy: BotSpec, origin: Path, failed: BuildError | None, tell: Tell
) -> bool:
    """Take what the build has made in the bot's own folder, if it cannot be built in the sandbox.

    This holds for builds that need the network, and for those that have failed. Nothing shows
    that the program was made of the sources, so it goes as soon as every bot is handed in with
    all that its build needs.
    """
    own = replace(copy, folder=origin)
    built = not_built(own) is None and not seems_not_built(own)
    if not built or (failed is None and copy.build[0] not in NEED_NETWORK):
        return False
    take_outputs(origin, copy.folder)
    tell(f"bot {copy.name!r} is sealed as it was built in its folder, not built again")
    return True
