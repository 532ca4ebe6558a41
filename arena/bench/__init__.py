"""Measurements of speed; figures of one run on one machine, to be compared within it."""
