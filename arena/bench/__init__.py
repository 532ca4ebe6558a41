"""Benches: measurements of speed, to be compared within one run on one machine."""

__all__ = ["calibration", "ladder", "referee", "rules", "sandbox"]
"""The modules that other rooms use."""
