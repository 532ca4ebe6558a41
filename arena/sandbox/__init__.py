"""Sandboxes: they isolate a program from the host, with its limits and its control group."""

__all__ = [
    "bubblewrap",
    "control_groups",
    "cpu_file",
    "isolation",
    "launch",
    "left_folders",
    "limits",
    "owner",
    "sandbox",
    "toolchains",
]
"""The modules that other packages import."""
