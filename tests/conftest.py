"""Settings for all tests: hypothesis repeats itself in CI, and nobody's plugins interfere."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

if not (Path(__file__).parents[1] / "README.md").exists():
    # These read the checkout when they are collected; the tests of a wheel have none.
    collect_ignore = ["docs", "bots/test_camel.py"]
