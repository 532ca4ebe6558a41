"""Sandboxes: what locks a program up, its limits, and its control group."""

__all__ = ["bubblewrap", "control_groups", "isolation", "launch", "limits", "sandbox"]
"""The modules that other rooms use."""
