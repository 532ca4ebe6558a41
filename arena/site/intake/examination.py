"""Look at one submission, as a program of its own: `python -m arena.site.intake.examination`.

It reads its job as a line from stdin and writes events to stdout, a line each. When stdin ends,
as its server did, so does it.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from arena.attacks.choice import choose_sandbox
from arena.builds.build import BuildError, build
from arena.builds.sandboxed import inside
from arena.builds.sealing import NEED_NETWORK
from arena.check.check import Check
from arena.discovery import Plugins, discover
from arena.errors import ArenaError, HostError
from arena.ladder.contest import terms_of
from arena.packing.pack import is_packed
from arena.programs.digest import digest
from arena.programs.manifest import ManifestError, load_manifest
from arena.programs.spec import BotSpec, UnusableBot
from arena.programs.vault import Vault
from arena.programs.walk import FolderError
from arena.sandbox.sandbox import NONE, Sandbox, SandboxError
from arena.site.intake.archives import ArchiveError, unpack
from arena.site.intake.events import (
    Begun,
    Broken,
    Checked,
    Described,
    Event,
    Failed,
    Job,
    Output,
    Passed,
    Stage,
    event_line,
)
from arena.site.intake.terms import check_command, terms_in_words
from arena.site.queue.programs import end_with_server, take_stdout, write_all
from arena.site.rules.limits import AuthorLimits

MEMORY: Final = 3 << 30
"""The address space for reading an archive; one that needs more is refused."""
MOST_OUTPUT: Final = 512 << 10
"""How many bytes of a build's output are told as they come."""
LAST_OUTPUT: Final = 64 << 10
"""How many of the last are told at the end, if there were more."""
LONGEST_LINE: Final = 4 << 10
"""How many bytes without the end of a line are waited for it."""
FAIL: Final = "fail"


class _Fails(Exception):
    """The submission does not pass."""

    def __init__(self, stage: Stage, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.event = Failed(stage=stage, reason=reason, remedy=remedy)


class Examination:
    """One submission that is looked at."""

    def __init__(self, job: Job, tell: Callable[[Event], None]) -> None:
        self._job = job
        self._tell = tell
        self._limits = AuthorLimits(**job.author_limits)
        self._work = Path(job.work)

    def run(self) -> Event:
        """Look at it; return what came of it."""
        try:
            folder = self._unpack()
            spec = self._describe(folder)
            plugins = discover()
            sandbox = self._sandbox(plugins)
            sealed = self._seal(spec, sandbox)
            self._check(sealed, sandbox, plugins)
            return Passed(
                bot=sealed.name,
                version=sealed.version,
                digest=digest(sealed),
                text=f"{sealed.name} passes",
            )
        except _Fails as fails:
            return fails.event
        except (HostError, OSError) as error:
            return Broken(reason=" ".join(str(error).split()))

    def _unpack(self) -> Path:
        self._tell(Begun(stage="unpack", text="Unpacking the archive"))
        try:
            with _less_memory():
                return unpack(Path(self._job.archive), self._work / "unpacked", self._limits)
        except ArchiveError as error:
            raise _Fails("unpack", str(error)) from None

    def _describe(self, folder: Path) -> BotSpec:
        try:
            spec = load_manifest(folder)
            spec.check_plays(self._job.contest.game)
        except (ManifestError, FolderError, UnusableBot, ValueError) as error:
            # Where it was unpacked is the site's business.
            reason = str(error).replace(f"{folder}/", "").replace(str(folder), "the archive")
            raise _Fails(
                "describe",
                reason,
                "arena bot pack FOLDER makes a folder that has all that a bot needs; hand in that "
                "folder as a zip or tar, or by arena submit, which packs by itself",
            ) from None
        self._tell(
            Described(
                bot=spec.name,
                version=spec.version,
                language=spec.language,
                build=" ".join(spec.build),
                run=" ".join(spec.run),
            )
        )
        return spec

    def _sandbox(self, plugins: Plugins) -> Sandbox:
        if self._job.contest.sandbox == NONE:
            raise _Fails("describe", "this ladder has no sandbox, so it takes no strangers' bots")
        try:
            return choose_sandbox(self._job.contest.sandbox, plugins.sandboxes)
        except SandboxError as error:
            raise HostError(f"the sandbox does not hold: {error}") from None

    def _seal(self, spec: BotSpec, sandbox: Sandbox) -> BotSpec:
        """Return the bot as it lies in the site's vault, or else sealed in one of its own.

        From there the server takes it when it has passed. What does not pass, whatever it is that
        ends its examination, has never been in the site's vault.
        """

        def make(copy: BotSpec, _: Path) -> None:
            self._tell(Begun(stage="build", text=f"Building it: {' '.join(copy.build)}"))
            output = _BuildOutput(self._tell)
            try:
                build(
                    copy,
                    self._work / "build.log",
                    self._limits.build_seconds,
                    output.take,
                    inside(sandbox),
                )
            except BuildError as error:
                output.end()
                raise _Fails("build", str(error), _build_remedy(copy)) from None
            output.end()

        try:
            vault = Vault(Path(self._job.vault))
            if (identity := digest(spec)) in vault.digests():
                return vault.open(identity)
            return Vault(Path(self._job.sealed)).seal(spec, make)
        except _Fails:
            raise
        except HostError:
            raise
        except ArenaError as error:
            reason = str(error).replace(f"{spec.folder}/", "")
            raise _Fails("build" if spec.build else "describe", reason) from None

    def _check(self, spec: BotSpec, sandbox: Sandbox, plugins: Plugins) -> None:
        contest = self._job.contest
        terms = terms_of(contest, plugins.games[contest.game], sandbox)
        same = check_command(terms, contest.tables)
        begun = Begun(
            stage="check",
            text=f"Checking that it can play on {self._job.ladder}",
            detail=f"By the ladder's terms: {'; '.join(terms_in_words(terms, contest.tables))}.",
            same=same,
        )
        self._tell(begun)
        check = Check.for_terms(spec, terms, contest.tables)
        deadline = time.monotonic() + self._limits.check_seconds
        failed = []
        for result in check.run():
            told = {name: _without_place(getattr(result, name), spec) for name in _CHECKED}
            self._tell(Checked(**told))
            if result.status == FAIL:
                failed.append(result.name)
            if time.monotonic() > deadline:
                raise _Fails(
                    "check",
                    f"the check took more than {self._limits.check_seconds} s",
                    f"{same} says which of its steps takes so long",
                )
        if check.frames:
            Path(self._job.frames).write_bytes(check.frames)
        if not check.passed:
            steps = ", ".join(f'"{name}"' for name in failed)
            raise _Fails(
                "check",
                f"{spec.name} does not pass: {steps} failed",
                f"mend it, try it with: {same}; then hand it in again",
            )


class _BuildOutput:
    """Tells of a build's output: all of it, or if it is long the start and the end."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._told = 0
        self._line = b""
        """The beginning of a line whose end has not come."""
        self._left_out = 0
        self._last = b""

    def take(self, data: bytes) -> None:
        """Tell of a part of the output, in whole lines."""
        data = self._line + data
        end = len(data) if len(data) > LONGEST_LINE else data.rfind(b"\n") + 1
        data, self._line = data[:end], data[end:]
        if data:
            self._take_lines(data)

    def _take_lines(self, data: bytes) -> None:
        if self._told < MOST_OUTPUT:
            part, data = data[: MOST_OUTPUT - self._told], data[MOST_OUTPUT - self._told :]
            self._told += len(part)
            self._tell(Output(text=part.decode("utf-8", "replace")))
        self._last += data
        if len(self._last) > LAST_OUTPUT:
            self._left_out += len(self._last) - LAST_OUTPUT
            self._last = self._last[-LAST_OUTPUT:]

    def end(self) -> None:
        """Tell of the end of the output, if it was not told yet."""
        if self._line:
            self._take_lines(self._line)
            self._line = b""
        if self._left_out:
            self._tell(Output(text=f"\n… {self._left_out:,} bytes left out …\n"))
        if self._last:
            self._tell(Output(text=self._last.decode("utf-8", "replace")))


_CHECKED: Final = tuple(name for name in Checked.__struct_fields__)


def _without_place(text: str, spec: BotSpec) -> str:
    """Return a text without where the bot lies in the vault, which is the site's business."""
    return text.replace(f"{spec.folder}/", "./").replace(str(spec.folder), "its folder")


def _build_remedy(spec: BotSpec) -> str:
    if spec.build[0] in NEED_NETWORK and not is_packed(spec.folder):
        return (
            "builds have no network here; arena bot pack FOLDER makes a folder with all that the "
            "build needs, and arena submit does that by itself"
        )
    return "its output says why; try the same build with: arena bot build --sandbox auto FOLDER"


@contextmanager
def _less_memory() -> Iterator[None]:
    """Let this process have no more memory than an archive may need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    """Look at the submission that stdin names."""
    line = sys.stdin.buffer.readline()
    job = msgspec.json.decode(line, type=Job)
    end_with_server()
    events = take_stdout()

    def tell(event: Event) -> None:
        write_all(events, event_line(event))

    tell(Examination(job, tell).run())


if __name__ == "__main__":
    main()
