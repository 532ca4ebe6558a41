"""Programs on their way to a machine: a tar of the files that count, known by their digest."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

from arena.builds.build import BuildError, build, run_here
from arena.builds.results import BuildStopped, Results
from arena.builds.sandboxed import add_to_tar, inside
from arena.cluster._messages import Program
from arena.errors import HostError
from arena.programs.digest import NEVER_COUNTED, OUTPUTS, counted, digest, read_patterns, sources
from arena.programs.spec import BotSpec
from arena.programs.vault import OUTPUT_LIMITS, Vault, take_outputs
from arena.programs.walk import Folder
from arena.sandbox.left_folders import temporary_folder
from arena.sandbox.sandbox import NONE, Sandbox

PIECE = 1 << 20
"""How many bytes of a parcel are sent at a time."""


def described(spec: BotSpec, identity: str, *, registered: bool, built: bool) -> Program:
    """Return the description of a bot as it travels."""
    return Program(
        digest=identity,
        name=spec.name,
        version=spec.version,
        author=spec.author,
        summary=spec.summary,
        language=spec.language,
        games=spec.games,
        build=spec.build,
        run=spec.run,
        files=spec.files,
        registered=registered,
        built=built,
    )


def write_parcel(spec: BotSpec, path: Path, *, built: bool) -> None:
    """Write the files of a bot that count to a tar; with `built`, what its build has made, too."""
    with tarfile.open(path, mode="w") as tar:
        with Folder(sources(spec)) as folder:
            for entry in counted(spec, folder):
                add_to_tar(tar, folder, entry)
        if built and spec.build:
            patterns = read_patterns(f"{name}/**/*" for name in sorted(OUTPUTS))
            with Folder(spec.folder, OUTPUT_LIMITS) as folder:
                for entry in folder.files(patterns, NEVER_COUNTED, shared=False):
                    add_to_tar(tar, folder, entry)


def seal_parcel(
    program: Program, path: Path, vault: Vault, sandbox: Sandbox, tell: Callable[[str], object]
) -> None:
    """Seal the program in this tar, built here; raise `HostError` if that is not possible.

    What came has to have the digest that was asked for.
    """
    with temporary_folder("parcel") as place:
        place.chmod(0o755)  # a build that runs under another user reads the copy in the vault
        folder = place / "bot"
        folder.mkdir()
        _unpack(path, folder)
        spec = BotSpec(
            name=program.name,
            run=program.run,
            folder=folder,
            games=program.games,
            version=program.version,
            author=program.author,
            summary=program.summary,
            language=program.language,
            build=program.build,
            files=program.files,
        )
        found = digest(spec)
        if found != program.digest:
            raise HostError(
                f"bot {program.name!r}: expected the files with the digest {program.digest[:12]}, "
                f"got {found[:12]}"
            )

        def make(copy: BotSpec, origin: Path) -> None:
            if program.built:
                take_outputs(origin, copy.folder)
                return
            tell(f"bot {program.name!r} is built")
            log = place / "build.log"
            try:
                build(copy, log, run=run_here if sandbox.name == NONE else inside(sandbox))
            except BuildError as error:
                last = error.tail[-1] if error.tail else ""
                raise HostError(
                    f"bot {program.name!r}: {error} ({last or 'no output'}); what the host has "
                    "built is taken with --host-builds"
                ) from None

        vault.seal(spec, make)


def _unpack(path: Path, folder: Path) -> None:
    results = Results(folder, (), OUTPUT_LIMITS.bytes)
    try:
        with tarfile.open(path, mode="r") as tar:
            results.unpack(tar)
        results.make_links()
    except (tarfile.TarError, BuildStopped) as error:
        raise HostError(f"a parcel cannot be unpacked: {error}") from None
    finally:
        results.close()
