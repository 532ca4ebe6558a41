"""Groups of commands whose modules are imported when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class Later(click.Group):
    """A group that imports the module of a command only when that command is used."""

    def __init__(self, *words: Any, places: Mapping[str, str], **options: Any) -> None:
        """`places` says where each command is: `module:name`."""
        super().__init__(*words, **options)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._places:
            return None
        module, _, name = self._places[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command
