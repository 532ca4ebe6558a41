"""What is copied: the files that count, and the SDK, so that the folder stands alone."""

from __future__ import annotations

import re
from pathlib import Path

from arena.packing._draft import Draft, PackError
from arena.programs.digest import counted, sources
from arena.programs.manifest import MANIFEST
from arena.programs.walk import Entry, Folder
from arena.starters.sdk import TEMPLATES, Sdk, load_sdk

BUILD_FILES = ("CMakeLists.txt", "Cargo.toml", "Makefile", "go.mod", "package.json", "pom.xml")
"""Files in which a build names folders; those of the bot only, not those below it."""
PYTHON = "python"
"""The language whose programs take the SDK from the arena, if it does not lie beside them."""
OUTSIDE = re.compile(r"(?:\.\./)+[\w./-]*")
"""A relative path that leads out of the folder."""


def copy_sources(draft: Draft) -> None:
    """Copy the files that count, and nothing else of the author's folder."""
    count = 0
    with Folder(sources(draft.spec)) as folder:
        for entry in counted(draft.spec, folder):
            if entry.name == MANIFEST:
                continue
            _copy(folder, entry, draft.folder / entry.name)
            count += 1
    draft.tell(f"copied {count} files that bot.toml names")


def _copy(folder: Folder, entry: Entry, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if entry.target is not None:
        target.symlink_to(entry.target)
        return
    with target.open("wb") as file:
        file.writelines(folder.read(entry))
    target.chmod(0o755 if entry.state.st_mode & 0o100 else 0o644)


def copy_sdk(draft: Draft) -> None:
    """Copy the SDK, if the bot takes it from elsewhere, and let its files say so.

    Raise `PackError` if they refer to anything else outside of the folder.
    """
    if draft.spec.language == PYTHON:
        sdk = load_sdk(PYTHON)
        if not (draft.folder / sdk.place).exists():
            _add_sdk(draft, sdk)
    for name in BUILD_FILES:
        if draft.has(name):
            _bring_inside(draft, name)


def _add_sdk(draft: Draft, sdk: Sdk) -> None:
    """Copy the SDK, whose files then count."""
    sdk.copy_into(draft.folder)
    draft.patterns.append(f"{sdk.place}/**/*")
    draft.tell(f"copied the SDK to {sdk.place}")


def _bring_inside(draft: Draft, name: str) -> None:
    """Replace the paths in a file that lead to the SDK by paths to a copy of it."""
    path = draft.folder / name
    origin = draft.origins.get(name, draft.spec.folder)
    text = path.read_text(encoding="utf-8")
    kept = OUTSIDE.sub(lambda match: _inside(draft, origin, name, match[0]), text)
    if kept != text:
        path.write_text(kept, encoding="utf-8")


def _inside(draft: Draft, origin: Path, name: str, word: str) -> str:
    """Return the path in the packed bot for one that leads out of the author's folder."""
    target = (origin / word).resolve()
    language = draft.spec.language
    sdk = load_sdk(language) if (TEMPLATES / language / "sdk.toml").is_file() else None
    if sdk is None or sdk.folder is None or not target.is_relative_to(sdk.folder.resolve()):
        raise PackError(
            f"{draft.spec.folder / name}: refers to {word}, which is outside of the bot's folder; "
            "expected all that the build needs to be in it"
        )
    if f"{sdk.place}/**/*" not in draft.patterns:
        _add_sdk(draft, sdk)
    rest = target.relative_to(sdk.folder.resolve())
    return "./" + (Path(sdk.place) / rest).as_posix()
