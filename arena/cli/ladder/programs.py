"""The programs of contestants: sealed as they enter a ladder, and found again by their digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

from arena.builds import sealing
from arena.cli.arguments import find_bot, find_sandbox, plugins, sealed_vault
from arena.cli.output import say
from arena.errors import HostError
from arena.ladder.definition import Definition
from arena.programs.contestant import contestant_of
from arena.programs.digest import digest
from arena.programs.finding import registered_program
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.vault import VaultError
from arena.records.entries import Contest, Contestant
from arena.sandbox.sandbox import NONE, UNCONFINED, Sandbox


def find_program(contestant: Contestant) -> BotSpec:
    """Return the program of a contestant: one that a plugin registers, or a sealed one."""
    registered = _registered().get(contestant.digest)
    if registered is not None:
        return registered
    renamed = registered_program(contestant, plugins().bots.values())
    if renamed is not None:
        return renamed
    vault = sealed_vault()
    try:
        return vault.open(contestant.digest)
    except VaultError:
        raise UnusableBot(
            f"bot {contestant.name!r}, version {contestant.version!r} "
            f"({contestant.digest[:12]}): is neither registered nor in the vault {vault.path}; "
            "seal it again with `arena ladder enter`, or take it out with `arena ladder withdraw`"
        ) from None


@cache
def _registered() -> Mapping[str, BotSpec]:
    return {digest(spec): spec for spec in plugins().bots.values()}


def sealed(texts: Iterable[str], contest: Contest, name: str | None) -> list[Contestant]:
    """Return these bots as contestants of a ladder; those of strangers are sealed and built."""
    found = []
    for text in texts:
        spec = find_bot(text, to_run=False)
        spec = spec if name is None else replace(spec, name=name)
        spec.check_plays(contest.game)
        found.append(contestant_of(_seal(spec, contest)))
    return found


def _seal(spec: BotSpec, contest: Contest) -> BotSpec:
    """Return a bot as it plays; the sandbox is only looked for if something is to be built."""
    trusted = plugins().bots.values()
    if (spec.run, spec.folder) in {(each.run, each.folder) for each in trusted}:
        return spec
    vault = sealed_vault()
    if contest.sandbox == NONE:
        return sealing.seal_as_built(spec, vault)
    sandbox: Sandbox = UNCONFINED
    if spec.build and spec.sources is None and vault.find(digest(spec)) is None:
        sandbox, _ = find_sandbox(contest.sandbox, ())
    return vault.seal(spec, sealing.builder(sandbox, say))


def seal_definition(
    definition: Definition, sandbox: Sandbox, *, follow: bool
) -> Mapping[str, BotSpec]:
    """Return the bots of a definition as they play, by digest.

    Where a run follows the ladder, strangers' bots are sealed without a sandbox as well, so that
    their authors can work on.
    """
    specs = definition.bots.values()
    trusted = plugins().bots.values()
    vault = sealed_vault()
    if sandbox.name == NONE and follow:
        known = {(each.run, each.folder) for each in trusted}
        played = [
            spec if (spec.run, spec.folder) in known else sealing.seal_as_built(spec, vault)
            for spec in specs
        ]
    else:
        played = sealing.seal_strangers(specs, trusted, sandbox, vault, say)
    found = dict(zip(definition.bots, played, strict=True))
    for identity, spec in found.items():
        if spec.sources is not None and digest(spec) != identity:
            raise HostError(
                f"the files of bot {spec.name!r} have changed since the definition was read; run "
                "again to let the changed bot enter"
            )
    return found
