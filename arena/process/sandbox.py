"""Sandboxes: what stands between a bot and the host. Plugins can bring more of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from arena.process.host import HostError
from arena.process.launch import Launch, environment, stay_on
from arena.process.limits import Limits
from arena.process.spec import BotSpec

AUTO = "auto"
NONE = "none"


class SandboxError(HostError):
    """A sandbox that cannot be used on this host: why, and what to do, in one line."""


class Sandbox(ABC):
    """A way to start programs. `name` is what options and definitions call it."""

    name: str

    @property
    @abstractmethod
    def version(self) -> str:
        """The version of what it is made of; `SandboxError` if that is not there."""

    @property
    def label(self) -> str:
        """What stands in records: the same whenever the same walls are used on this host."""
        return f"{self.name} {self.version}".strip()

    @abstractmethod
    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        """How this bot is started, on this core if one is given; `StartError`.

        With `scratch` it finds an empty folder that it may write to in place of its own.
        """

    @abstractmethod
    def test(self) -> str:
        """Run attacks that must fail; what came of it, in words. `SandboxError` if one did not."""


class Unconfined(Sandbox):
    """No sandbox: for programs that one trusts. Limits do not hold."""

    name = NONE

    @property
    def version(self) -> str:
        return ""

    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        if scratch:
            raise SandboxError(f"{NONE}: has no folders of its own; choose another sandbox")
        return Launch(spec.run, environment(spec), spec.folder, lambda: stay_on(core))

    def test(self) -> str:
        return "nothing stands between bots and the host"


UNCONFINED = Unconfined()


def choose(
    name: str,
    sandboxes: Mapping[str, Sandbox],
    tell: Callable[[str], object] = lambda _: None,
) -> Sandbox:
    """The sandbox of this name, tested; with `auto` the first that holds. `SandboxError`.

    `tell` is told which it is and why. `auto` never chooses `none`: programs run without walls
    only where somebody says so.
    """
    if name != AUTO:
        if name not in sandboxes:
            known = ", ".join((*sandboxes, AUTO))
            raise SandboxError(f"unknown sandbox {name!r}; the sandboxes are: {known}")
        sandbox = sandboxes[name]
        tell(f"{sandbox.label}: {sandbox.test()}")
        return sandbox
    reasons = []
    for sandbox in sandboxes.values():
        if sandbox.name == NONE:
            continue
        try:
            said = sandbox.test()
        except SandboxError as error:
            reasons.append(str(error))
        else:
            tell(f"{sandbox.label}: {said}")
            return sandbox
    raise SandboxError(
        f"no sandbox holds on this host: {'; '.join(reasons) or 'none is installed'}; "
        f"programs that you trust can run without one, if you ask for {NONE}"
    )
