"""Pack a bot: a folder with all that its build needs, which needs no network any more.

Packing runs the tools of the bot's language with the rights of whoever packs it. It is for
one's own bots; strangers' bots are built, never packed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.packing import _cargo, _go, _maven, _npm
from arena.packing._draft import VENDOR, Draft, PackError, ToolFailed
from arena.packing._registries import clean
from arena.packing._sources import copy_sdk, copy_sources
from arena.programs.digest import OUTPUTS, digest
from arena.programs.manifest import MANIFEST, load_manifest
from arena.programs.spec import BotSpec

__all__ = ["PackError", "Packed", "ToolFailed", "is_packed", "pack"]

LANGUAGES = (_cargo, _go, _maven, _npm)
HEADING = "# Packed: this bot builds without a network. `arena bot pack` made this folder."


@dataclass(frozen=True)
class Packed:
    """A packed bot: its folder, its build, and its digest."""

    folder: Path
    build: tuple[str, ...]
    digest: str


def pack(
    spec: BotSpec, output: Path, tell: Callable[[str], object], *, force: bool = False
) -> Packed:
    """Pack a bot into a new folder; raise `PackError`. With `force`, replace what is there.

    The folder appears when it is complete.
    """
    output = output.absolute()
    _check_place(spec, output, force=force)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".packing-", dir=output.parent) as place:
            made = Path(place) / "bot"
            made.mkdir()
            _fill(Draft(spec, made, tell, spec.build))
            if output.exists():
                shutil.rmtree(output)
            made.rename(output)
    except OSError as error:
        raise PackError(f"{error.filename or output}: {error.strerror}") from None
    packed = load_manifest(output)
    return Packed(output, packed.build, digest(packed))


def _check_place(spec: BotSpec, output: Path, *, force: bool) -> None:
    """Raise `PackError` if the output cannot go there."""
    own = spec.folder.resolve()
    if is_packed(own):
        raise PackError(f"{spec.folder}: is packed already; pack the folder that it was made of")
    place = output.resolve()
    if place.is_relative_to(own) or own.is_relative_to(place):
        raise PackError(f"{output}: expected a place outside of the bot's folder")
    if not output.exists():
        return
    if not force:
        raise PackError(f"{output}: exists; --force replaces it")
    if not is_packed(output):
        raise PackError(f"{output}: is no packed bot, so even --force does not replace it")


def is_packed(folder: Path) -> bool:
    """Whether a folder is what `pack` makes."""
    manifest = folder / MANIFEST
    return manifest.is_file() and HEADING in manifest.read_text("utf-8", "replace")


def _fill(draft: Draft) -> None:
    """Fill the folder of the draft."""
    copy_sources(draft)
    if (draft.folder / VENDOR).exists() and not _go.applies(draft):
        raise PackError(f"{draft.spec.folder / VENDOR}: packing puts libraries there; rename it")
    languages = [language for language in LANGUAGES if language.applies(draft)]
    for language in languages:
        language.gather(draft)
    copy_sdk(draft)
    for language in languages:
        language.vendor(draft)
    for name in OUTPUTS if draft.build else ():
        shutil.rmtree(draft.folder / name, ignore_errors=True)
    clean(draft)
    (draft.folder / MANIFEST).write_text(_manifest(draft), encoding="utf-8")


def _manifest(draft: Draft) -> str:
    """Return the `bot.toml` of the packed bot: the author's, with its offline build."""
    spec = draft.spec
    patterns = dict.fromkeys([*spec.files, *draft.patterns, MANIFEST])
    folder = draft.folder
    (folder / MANIFEST).touch()
    found = [each for each in patterns if any(path.is_file() for path in folder.glob(each))]
    values: dict[str, str | list[str]] = {
        "name": spec.name,
        "version": spec.version,
        "author": spec.author,
        "summary": spec.summary,
        "language": spec.language,
        "games": list(spec.games),
        "build": list(draft.build),
        "run": list(spec.run),
        "files": found,
    }
    lines = (f"{key} = {_toml(value)}" for key, value in values.items())
    return "\n".join([HEADING, *lines, ""])


def _toml(value: str | list[str]) -> str:
    """Return a value as TOML writes it: as JSON does, except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
