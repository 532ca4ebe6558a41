"""Rust: crates vendored by cargo, which then builds without its registry."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from arena.packing._draft import VENDOR, Draft
from arena.packing._registries import hosts
from arena.starters.sdk import SDK

MANIFEST = "Cargo.toml"
LOCK = "Cargo.lock"
CONFIG = ".cargo/config.toml"
NET = "[net]"
OFFLINE = f"\n{NET}\noffline = true\n"
CHECKSUMS = ".cargo-checksum.json"


def applies(draft: Draft) -> bool:
    """Whether this is a Rust package."""
    return draft.has(MANIFEST)


def gather(draft: Draft) -> None:
    """Take the author's lock file, which chooses versions, if `files` do not name it."""
    lock = draft.spec.folder / LOCK
    if lock.is_file() and not draft.has(LOCK):
        draft.take(lock, LOCK)


def vendor(draft: Draft) -> None:
    """Vendor all crates; without the lock file, which says where they came from.

    Cargo makes another one when it builds: of each crate, it finds only what is vendored.
    """
    manifest = draft.folder / MANIFEST
    text = manifest.read_text(encoding="utf-8")
    if (draft.folder / SDK / MANIFEST).is_file() and "exclude" not in text:
        # Else the SDK is a member of the bot's workspace, and its tests' crates are needed, too.
        workspace = f'[workspace]\nexclude = ["{SDK}"]'
        text, found = re.subn(r"^\[workspace\]$", workspace, text, flags=re.MULTILINE)
        manifest.write_text(text if found else f"{text}\n{workspace}\n", encoding="utf-8")
    # What cargo prints is what its settings have to say, with paths relative to the folder.
    settings = draft.run("cargo", "vendor", "--versioned-dirs", VENDOR)
    lock = draft.folder / LOCK
    sources = set(re.findall(r'"(?:sparse|registry)\+\w+://([^"]+)"', lock.read_text("utf-8")))
    draft.registries |= sources | configured()
    lock.unlink()
    own = (draft.folder / CONFIG).read_text(encoding="utf-8") if draft.has(CONFIG) else ""
    draft.write(CONFIG, own + settings + ("" if NET in own else OFFLINE))
    crates = list((draft.folder / VENDOR).glob("*/"))
    for crate in crates:
        # Of each crate no file is checked: addresses of registries are going to be replaced.
        sums = crate / CHECKSUMS
        kept = {**json.loads(sums.read_text(encoding="utf-8")), "files": {}}
        sums.write_text(json.dumps(kept), encoding="utf-8")
        (crate / LOCK).unlink(missing_ok=True)  # that of its own tests
    if crates:
        draft.patterns.append(f"{VENDOR}/**/*")
    draft.tell(f"cargo vendor: {len(crates)} crates")
    if draft.build[:1] == ("cargo",):
        draft.build = (*draft.build[:2], "--offline", *draft.build[2:])


def configured() -> set[str]:
    """Return the hosts from which the author's cargo has downloaded indexes and crates."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = set()
    for index in (home / "registry" / "index").glob("*/"):
        found.add(index.name.rpartition("-")[0])
        if (index / "config.json").is_file():
            told = json.loads((index / "config.json").read_text(encoding="utf-8"))
            found |= hosts(str(told.get("dl", "")))
    return {host for host in found if "." in host}
