"""What the builds of these tests share, so that nothing is compiled twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

FRUGAL_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For Maven itself, which ends before more optimisation pays; bots and tests have their own JVM."""


@pytest.fixture(scope="package", autouse=True)
def shared_builds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Crates are compiled once for all bots; each bot is still linked in its own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARGO_BUILD_BUILD_DIR", str(tmp_path_factory.mktemp("cargo")))
        patch.setenv("MAVEN_OPTS", FRUGAL_JVM)
        yield
