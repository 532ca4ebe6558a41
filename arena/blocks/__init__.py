"""Blocks: one deal played once per rotation of its seats, the unit that workers are given."""
