"""Sandboxes: what stands between a bot and the host. Plugins can bring more of them."""

from __future__ import annotations

from abc import ABC, abstractmethod

from arena.errors import HostError
from arena.programs.environment import environment
from arena.programs.spec import BotSpec
from arena.sandbox.launch import Launch, stay_on
from arena.sandbox.limits import Limits

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


UNCONFINED = Unconfined()
