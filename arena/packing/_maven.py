"""Java: a local repository of Maven in the folder, filled by a real build.

A build asks for more than the project names: plugins, what they need, and what they choose when
they run. So the author's own Maven builds the packed bot once, and takes what it asks for from
the author's local repository.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import quote
from xml.sax.saxutils import escape

from arena.packing._draft import VENDOR, Draft, PackError, ToolFailed
from arena.packing._registries import hosts

MANIFEST = "pom.xml"
MIRROR = """<settings><mirrors><mirror>
<id>authors-own</id><mirrorOf>*</mirrorOf><url>{url}</url>
</mirror></mirrors></settings>
"""
OWN_REPOSITORY = re.compile(r"Using local repository at (.*)$", re.MULTILINE)
REPOSITORIES = re.compile(r"Repositories \(.*$", re.MULTILINE)
NOTES = ("_remote.repositories", "*.lastUpdated", "*.sha1", "*.md5", "resolver-status.properties")
"""What Maven notes of the places that files came from; it builds without."""


def applies(draft: Draft) -> bool:
    """Whether this is a project of Maven."""
    return draft.has(MANIFEST)


def gather(draft: Draft) -> None:
    """Refuse a build that Maven is only a part of: it could not be told to stay offline."""
    if draft.build[:1] != ("mvn",):
        build = " ".join(draft.build) or "nothing"
        raise PackError(f"build: expected mvn, since there is a {MANIFEST}, got {build}")


def vendor(draft: Draft) -> None:
    """Build the bot once with an empty repository in its folder, and keep what is in it then."""
    told = draft.run("mvn", "-X", "-B", "validate")
    own = OWN_REPOSITORY.search(told)
    if own is None:
        raise PackError("mvn -X does not say where its local repository is")
    for line in REPOSITORIES.findall(told):
        draft.registries |= hosts(line)
    if _fill(draft, Path(own[1].strip())).returncode:
        draft.tell("mvn: downloads what the build needs")
        draft.run(*draft.build)
        if (done := _fill(draft, Path(own[1].strip()))).returncode:
            reason = "its build needs more than the local repository has"
            raise ToolFailed(reason, done.stdout + done.stderr)
    kept = draft.folder / VENDOR
    for pattern in NOTES:
        for path in kept.rglob(pattern):
            path.unlink()
    draft.patterns.append(f"{VENDOR}/**/*")
    draft.tell(f"mvn: {sum(1 for _ in kept.rglob('*.jar'))} libraries and plugins")
    draft.build = (draft.build[0], "-o", f"-Dmaven.repo.local={VENDOR}", *draft.build[1:])


def _fill(draft: Draft, own: Path) -> CompletedProcess[str]:
    """Build with nothing but the author's own repository to download from."""
    # Maven notes what it did not find, and does not look for it again.
    shutil.rmtree(draft.folder / VENDOR, ignore_errors=True)
    with tempfile.NamedTemporaryFile("w", suffix=".xml", encoding="utf-8") as settings:
        settings.write(MIRROR.format(url=escape(f"file://{quote(str(own))}")))
        settings.flush()
        words = ("-s", settings.name, f"-Dmaven.repo.local={VENDOR}")
        return draft.attempt(draft.folder, draft.build[0], *words, *draft.build[1:])
