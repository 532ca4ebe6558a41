"""A week of a site in small: six authors, some of whom mean harm, and a cup with three stages."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.toolchains import need

from .week import SMALL, trial
from .week_table import table

pytestmark = [pytest.mark.source_only, pytest.mark.wide]


def test_everybody_was_told_what_became_of_what_he_handed_in(tmp_path: Path) -> None:
    """Whatever people do to a site, its logs verify and have what their authors were told."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    outcome = trial(tmp_path / "week", SMALL, seed=1)
    assert outcome.wrong == [], table(outcome)
    assert all(log.games and log.closed for log in outcome.logs.values()), table(outcome)
    assert len(outcome.logs["cup"].stages) == 3
