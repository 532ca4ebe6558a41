"""A contestant: one version of a bot, identified by its digest."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from arena.programs.digest import digest
from arena.programs.spec import BotSpec


@dataclass(frozen=True)
class Contestant:
    """A bot as records name it. With another digest it is another contestant."""

    name: str
    version: str
    digest: str

    @classmethod
    def of(cls, spec: BotSpec) -> Contestant:
        """Return the contestant for this bot; its files are read for the digest."""
        return cls(spec.name, spec.version, digest(spec))

    def as_map(self) -> dict[str, str]:
        """Return the map that records have."""
        return asdict(self)
