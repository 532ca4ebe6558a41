"""Compile the modules that run for every decision when a wheel is built.

These modules are typed Python and run as they are. mypyc compiles them to C, and the wheel
contains both forms. Without a C compiler and Python's headers the wheel contains only the Python
form, and `arena --version` says so. An editable install is never compiled, as its sources change.

The environment variable ARENA_COMPILE overrides this: with `no` nothing is compiled, with `yes`
it is an error if compiling fails.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MSGSPEC = "msgspec>=0.19"
"""mypyc has to know the types that records derive from."""


class CompileHook(BuildHookInterface[Any]):
    """Puts the compiled modules into a wheel that is not editable."""

    def dependencies(self) -> list[str]:
        """Return the packages that are needed to compile."""
        return ["mypy[mypyc]>=2.4,<3", MSGSPEC] if self._wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add the results to the wheel; without them the wheel is for any machine."""
        if version == "editable" or not self._wanted:
            return
        self._scratch = TemporaryDirectory(prefix="arena-compile-")
        try:
            built = compile_modules(self.config["compile"], Path(self._scratch.name))
        except (Exception, SystemExit) as error:
            if os.environ.get("ARENA_COMPILE") == "yes":
                raise
            self.app.display_warning(f"not compiled, and therefore slower: {error}")
            return
        build_data["force_include"].update(built)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    @property
    def _wanted(self) -> bool:
        wish = os.environ.get("ARENA_COMPILE")
        compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
        return wish == "yes" or (wish != "no" and shutil.which(compiler) is not None)


def compile_modules(modules: list[str], scratch: Path) -> dict[str, str]:
    """Compile in a scratch folder; return the files that were made, with their paths in a wheel."""
    from mypyc.build import mypycify  # noqa: PLC0415 - not installed if nothing is compiled
    from setuptools import Distribution  # noqa: PLC0415

    extensions = mypycify(
        [
            "--ignore-missing-imports",  # the arena's dependencies are not installed now
            f"--cache-dir={scratch / 'cache'}",
            *modules,
        ],
        opt_level="1",  # level 3 takes half as long again, and the result is not faster
        debug_level="0",
        group_name="arena",
        target_dir=str(scratch / "c"),
    )
    distribution = Distribution({"name": "arena", "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = str(scratch / "lib")
    command.build_temp = str(scratch / "o")
    command.ensure_finalized()
    command.run()
    library = scratch / "lib"
    return {str(path): str(path.relative_to(library)) for path in library.rglob("*.so")}
