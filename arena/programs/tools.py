"""Find programs and headers that builds need and that are missing, and what provides them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

PROVIDERS = {
    "c++": ("C++", "g++"),
    "cargo": ("Rust", "cargo"),
    "clang++": ("C++", "clang"),
    "cmake": ("C++", "cmake"),
    "g++": ("C++", "g++"),
    "gcc": ("C", "gcc"),
    "go": ("Go", "golang-go"),
    "java": ("Java", "default-jre-headless"),
    "javac": ("Java", "default-jdk-headless"),
    "jar": ("Java", "default-jdk-headless"),
    "make": ("make", "make"),
    "mvn": ("Java", "maven"),
    "node": ("JavaScript", "nodejs"),
    "npm": ("JavaScript", "npm"),
    "npx": ("JavaScript", "npm"),
    "perl": ("Perl", "perl-base"),
    "python3": ("Python", "python3"),
    "ruby": ("Ruby", "ruby"),
    "rustc": ("Rust", "rustc"),
}
"""For each program: its language, and the Debian package that has it."""
INCLUDE = (Path("/usr/local/include"), Path("/usr/include"))
"""Where compilers look for headers."""


def missing(programs: Iterable[str], path: str | None = None) -> list[str]:
    """Return the programs that are not on PATH, each with its Debian package."""
    return [described(name) for name in programs if shutil.which(name, path=path) is None]


def missing_headers(packages: Mapping[str, str]) -> list[str]:
    """Return the headers that are not installed; `packages` has the Debian package of each."""
    return [
        f"{header} (Debian's package is {package})"
        for header, package in packages.items()
        if not any((folder / header).is_file() for folder in INCLUDE)
    ]


def described(program: str) -> str:
    """Return a missing program with its language and Debian package, if they are known."""
    if program not in PROVIDERS:
        return program
    language, package = PROVIDERS[program]
    return f"{program} (for {language}; Debian's package is {package})"


VERSIONS = {
    "cargo": "--version",
    "g++": "--version",
    "gcc": "--version",
    "go": "version",
    "javac": "-version",
    "mvn": "--version",
    "node": "--version",
    "perl": "-e print qq(perl $^V)",
    "python3": "--version",
    "rustc": "--version",
}
"""How each tells its version."""
VERSION_SECONDS = 10
_CONTROL = re.compile(r"\x1b\[[0-9;]*m")
"""Colours, which some show to everybody."""


def versions(path: str | None = None) -> dict[str, str]:
    """Return the versions of the tools that are on PATH, as they say it themselves."""
    found = {}
    for name, words in VERSIONS.items():
        program = shutil.which(name, path=path)
        if program is None:
            continue
        try:
            done = subprocess.run(
                [program, *words.split(" ", 1)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=VERSION_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        said = (done.stdout or done.stderr).strip().splitlines()
        if said and done.returncode == 0:
            found[name] = _CONTROL.sub("", said[0])
    return found
