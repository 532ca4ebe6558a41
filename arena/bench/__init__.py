"""Benchmarks, to be compared only within one run on one machine, and calibration of ratings."""

__all__ = ["calibration", "channels", "ladder", "referee", "rules", "sandbox"]
"""The modules that other rooms use."""
