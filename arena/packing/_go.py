"""Go: modules vendored by the go command, which then builds without a proxy."""

from __future__ import annotations

import re
from pathlib import Path

from arena.packing._draft import VENDOR, Draft

MODULE = "go.mod"
SUMS = "go.sum"
WITH_PACKAGES = ("build", "install", "test", "vet")


def applies(draft: Draft) -> bool:
    """Whether this is a Go package."""
    return draft.spec.language == "go" or draft.has(MODULE)


def gather(draft: Draft) -> None:
    """Take the module's files, which may lie in a folder above the bot's."""
    if draft.has(MODULE):
        return
    module = Path(draft.run_in(draft.spec.folder, "go", "env", "GOMOD").strip())
    if module.name == MODULE:
        draft.take(module, MODULE)
        if (sums := module.with_name(SUMS)).is_file():
            draft.take(sums, SUMS)


def vendor(draft: Draft) -> None:
    """Vendor all modules."""
    draft.run("go", "mod", "vendor")
    for word in re.split(r"[,|\s]+", draft.run("go", "env", "GOPROXY", "GOSUMDB")):
        host = re.sub(r"^\w+://", "", word).split("/")[0]
        if "." in host:
            draft.registries.add(host)
    if not (draft.folder / VENDOR).is_dir():
        return
    draft.patterns.append(f"{VENDOR}/**/*")
    listed = (draft.folder / VENDOR / "modules.txt").read_text(encoding="utf-8")
    modules = set(re.findall(r"^# (\S+) v", listed, re.MULTILINE))
    draft.tell(f"go mod vendor: {len(modules)} modules")
    if draft.build[:1] == ("go",) and draft.build[1:2] in {(each,) for each in WITH_PACKAGES}:
        draft.build = (*draft.build[:2], "-mod=vendor", *draft.build[2:])
