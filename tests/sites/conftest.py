"""Sites for tests; the extra `site` is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .served import Served

Serve = Callable[..., Served]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site that all tests of a module share."""
    served = Served(tmp_path_factory.mktemp("site") / "own")
    yield served
    served.remove()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a folder; what still runs at the end is killed."""
    started: list[Served] = []

    def begin(folder: Path | None = None, *words: str, settings: str = "") -> Served:
        folder = folder or tmp_path / "own"
        if settings:
            folder.mkdir(mode=0o700)
            (folder / "site.toml").write_text(settings)
        served = Served(folder, *words)
        started.append(served)
        return served

    yield begin
    for served in started:
        served.remove()
