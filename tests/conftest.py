"""Settings for all tests: hypothesis repeats itself in CI, and nobody's plugins interfere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["pages.browsers"]

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session", autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes logs or sealed bots where the user has his own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.delenv("ARENA_VAULT", raising=False)
        yield


if not (Path(__file__).parents[1] / "README.md").exists():
    # These read the checkout when they are collected; the tests of a wheel have none.
    collect_ignore = ["docs", "bots/test_camel.py", "sdk/test_page.py"]
    # A wheel can be installed without extras; in a checkout a missing one is a failure.
    extras = {"cluster": "distributed", "remote": "starlette", "sites": "starlette"}
    collect_ignore += [folder for folder, package in extras.items() if not find_spec(package)]
