"""A contestant: a bot at a version, told from all others by its digest."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from arena.programs.digest import digest
from arena.programs.spec import BotSpec


@dataclass(frozen=True)
class Contestant:
    """A bot as records name it; with another digest it is another contestant."""

    name: str
    version: str
    digest: str

    @classmethod
    def of(cls, spec: BotSpec) -> Contestant:
        """The contestant that this bot is now; its files are read."""
        return cls(spec.name, spec.version, digest(spec))

    def as_map(self) -> dict[str, str]:
        """As records have it."""
        return asdict(self)
