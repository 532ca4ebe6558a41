"""Choosing a sandbox that holds on this host: each is attacked from inside before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.attacks._self_test import withstands
from arena.sandbox.sandbox import AUTO, NONE, Sandbox, SandboxError


def choose_sandbox(
    name: str,
    sandboxes: Mapping[str, Sandbox],
    tell: Callable[[str], object] = lambda _: None,
) -> Sandbox:
    """Return the sandbox of this name, tested, or for `auto` the first one that holds.

    Raise `SandboxError` if it does not hold, or none does. `tell` is called with the sandbox and
    its test. `auto` never chooses `none`: programs run without walls only if somebody says so.
    """
    if name != AUTO:
        if name not in sandboxes:
            known = ", ".join((*sandboxes, AUTO))
            raise SandboxError(f"unknown sandbox {name!r}; the sandboxes are: {known}")
        sandbox = sandboxes[name]
        if name != NONE:
            tell(f"{sandbox.label}: {withstands(sandbox)}")
        return sandbox
    reasons = []
    for sandbox in sandboxes.values():
        if sandbox.name == NONE:
            continue
        try:
            said = withstands(sandbox)
        except SandboxError as error:
            reasons.append(str(error))
        else:
            tell(f"{sandbox.label}: {said}")
            return sandbox
    raise SandboxError(
        f"no sandbox holds on this host: {'; '.join(reasons) or 'none is installed'}; "
        f"programs that you trust can run without one, if you ask for {NONE}"
    )
