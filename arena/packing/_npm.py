"""JavaScript: packages as tarballs in the folder, from which npm installs without a registry.

The lock file is made here. It names a tarball of each package, and no address.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from arena.packing._draft import VENDOR, Draft, PackError
from arena.packing._registries import hosts
from arena.starters.sdk import SDK

MANIFEST = "package.json"
LOCK = "package-lock.json"
SETTINGS = ".npmrc"
OFFLINE = "offline=true\naudit=false\nfund=false\nupdate-notifier=false\n"
KEPT_SETTINGS = (
    "engine-strict",
    "ignore-scripts",
    "legacy-peer-deps",
    "omit",
    "strict-peer-deps",
)
"""What is kept of the author's settings; others may name registries or have passwords."""
INSTALL = ("ci", "clean-install", "i", "install")
WITHOUT_DEV = ("--omit=dev", "--production", "--only=production")
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64", "i686": "ia32", "armv7l": "arm"}
"""Names of processors, and what npm calls them."""


def applies(draft: Draft) -> bool:
    """Whether this is a package of npm with something to install."""
    return draft.has(MANIFEST)


def gather(draft: Draft) -> None:
    """Take the author's lock file and settings, if `files` do not name them."""
    for name in (LOCK, SETTINGS):
        path = draft.spec.folder / name
        if path.is_file() and not draft.has(name):
            draft.take(path, name)


def vendor(draft: Draft) -> None:
    """Put a tarball of every package that the build installs into the folder."""
    _leave_out_sdk_tests(draft)
    draft.run("npm", "install", "--package-lock-only", "--package-lock=true", "--ignore-scripts")
    lock_path = draft.folder / LOCK
    if not lock_path.is_file():
        return
    lock = json.loads(lock_path.read_text(encoding="utf-8"))
    draft.registries |= _configured(draft)
    wanted = dict(_wanted(lock["packages"], without_dev=_without_dev(draft)))
    tarballs = _download(draft, sorted(set(wanted.values())))
    for place, entry in lock["packages"].items():
        if place in wanted:
            entry["resolved"] = f"file:{VENDOR}/{tarballs[wanted[place]]}"
        elif not _is_local(entry):
            entry.pop("resolved", None)
    draft.write(LOCK, json.dumps(lock, indent=2) + "\n")
    draft.write(SETTINGS, OFFLINE + _kept_settings(draft))
    if tarballs:
        draft.patterns.append(f"{VENDOR}/*.tgz")
    draft.tell(f"npm pack: {len(tarballs)} packages")
    if draft.build[:1] == ("npm",) and draft.build[1:2] in {(each,) for each in INSTALL}:
        draft.build = ("npm", "ci", "--offline", *draft.build[2:])


def _leave_out_sdk_tests(draft: Draft) -> None:
    """Let the SDK ask for no packages of its own tests; npm would install them with the bot's."""
    path = draft.folder / SDK / MANIFEST
    if path.is_file():
        table = json.loads(path.read_text(encoding="utf-8"))
        if table.pop("devDependencies", None):
            path.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def _wanted(
    packages: Mapping[str, Mapping[str, Any]], *, without_dev: bool
) -> Iterator[tuple[str, str]]:
    """Yield the place and the name with version of every package that is installed here."""
    for place, entry in packages.items():
        name = entry.get("name") or place.rpartition("node_modules/")[2]
        if "node_modules/" not in place or _is_local(entry) or entry.get("inBundle"):
            continue
        if (without_dev and entry.get("dev")) or not _fits(entry):
            continue
        if "integrity" not in entry:
            raise PackError(f"{name}: comes from {entry.get('resolved', 'nowhere')}, no registry")
        yield place, f"{name}@{entry['version']}"


def _is_local(entry: Mapping[str, Any]) -> bool:
    """Whether a package lies in the bot's own folder, as the SDK does."""
    return bool(entry.get("link")) or str(entry.get("resolved", "")).startswith("file:")


def _fits(entry: Mapping[str, Any]) -> bool:
    """Whether a package is made for machines like this one."""
    machine = platform.machine()
    own = {
        "os": sys.platform,
        "cpu": PROCESSORS.get(machine, machine),
        "libc": "glibc" if platform.libc_ver()[0] == "glibc" else "musl",
    }
    for key, value in own.items():
        words = entry.get(key, ())
        if f"!{value}" in words:
            return False
        if any(not word.startswith("!") for word in words) and value not in words:
            return False
    return True


def _download(draft: Draft, names: list[str]) -> dict[str, str]:
    """Download these packages; return the file of each."""
    (draft.folder / VENDOR).mkdir(exist_ok=True)
    if not names:
        return {}
    words = ("--ignore-scripts", "--json", "--pack-destination", VENDOR)
    told = json.loads(draft.run("npm", "pack", *names, *words))
    return {f"{each['name']}@{each['version']}": _file(each) for each in told}


def _file(packed: Mapping[str, Any]) -> str:
    """Return the name of a tarball; older npm prints the package's name with its slash."""
    return str(packed["filename"]).removeprefix("@").replace("/", "-")


def _configured(draft: Draft) -> set[str]:
    """Return the hosts of the registries in the author's settings."""
    told = json.loads(draft.run("npm", "config", "list", "--json"))
    values = (value for key, value in told.items() if key.endswith("registry"))
    return {host for value in values for host in hosts(str(value))}


def _kept_settings(draft: Draft) -> str:
    path = draft.folder / SETTINGS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return "".join(f"{line}\n" for line in lines if line.split("=")[0].strip() in KEPT_SETTINGS)


def _without_dev(draft: Draft) -> bool:
    return any(word in WITHOUT_DEV for word in draft.build)
