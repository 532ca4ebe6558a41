"""Sandboxes: they isolate a bot from the host. Plugins can bring more of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial

from arena.errors import HostError
from arena.programs.environment import environment
from arena.programs.spec import BotSpec
from arena.sandbox.launch import Launch, stay_on
from arena.sandbox.limits import Limits

AUTO = "auto"
NONE = "none"
NO_CGROUP = "no-cgroup"
"""The word for a sandbox without control groups, in labels and in definitions of ladders."""
NO_LIMIT = 1 << 31
"""More programs than a host can have."""


class SandboxError(HostError):
    """A sandbox that cannot be used on this host; the text says why and what to do, in one line."""


class Sandbox(ABC):
    """A way to start programs. `name` is its name in options and in definitions of ladders."""

    name: str

    @property
    @abstractmethod
    def version(self) -> str:
        """The version of the software that it uses; raises `SandboxError` if that is missing."""

    @property
    def label(self) -> str:
        """The text in records; the same whenever a bot is isolated in the same way on this host."""
        return f"{self.name} {self.version}".strip()

    @property
    def lacks(self) -> tuple[str, ...]:
        """What it needs to hold bots to their limits and cannot have on this host: `NO_CGROUP`."""
        return ()

    @property
    def most_programs(self) -> int:
        """How many programs one referee can have at a time, as far as this is the sandbox's."""
        return NO_LIMIT

    @abstractmethod
    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        """Return how to start this bot, on this core if one is given; raise `StartError`.

        With `scratch`, this is a build: it gets an empty folder that it may write to, in place
        of the bot's own, and sees the toolchains of the host.
        """


class Unconfined(Sandbox):
    """No sandbox, for trusted programs. Limits are not enforced."""

    name = NONE

    @property
    def version(self) -> str:
        return ""

    def launch(
        self, spec: BotSpec, core: int | None, limits: Limits, *, scratch: bool = False
    ) -> Launch:
        if scratch:
            raise SandboxError(f"{NONE}: has no folders of its own; choose another sandbox")
        return Launch(spec.run, environment(spec), spec.folder, partial(stay_on, core))


UNCONFINED = Unconfined()
