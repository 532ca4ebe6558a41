"""numpy on one core, which is all that a bot has; more threads would only start slowly."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # it is read when numpy is imported

import numpy as np

__all__ = ["np"]
