"""The tasks of a cgroup that is being frozen: how long they ran, and which have not stopped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

STOPPED_AT = "do_freezer_trap"
"""Where in the kernel a frozen task waits."""
RUNS, WAITS = "R", "D"
"""States of tasks that are not frozen: those that run or wait for a core, and those that wait in
the kernel and cannot be woken."""


def cpu_seconds(cgroup: Path) -> float:
    """Return the CPU time of all that has ever run in the cgroup; 0 if it is gone."""
    try:
        for line in (cgroup / "cpu.stat").read_text("ascii").splitlines():
            if line.startswith("usage_usec "):
                return int(line.split()[1]) / 1e6
    except OSError:
        pass
    return 0.0


def running_tasks(cgroup: Path) -> str:
    """Return in words how many tasks are not frozen, with their states and wait channels."""
    try:
        tasks = (cgroup / "cgroup.threads").read_text("ascii").split()
    except OSError:
        return "it had ended"
    found = Counter(where for task in tasks if (where := _where(Path("/proc", task))))
    states = ", ".join(f"{number} {where}" for where, number in found.most_common())
    return f"{sum(found.values())} of its {len(tasks)} tasks were not frozen ({states})"


def _where(task: Path) -> str:
    """Return the state of a task that is not frozen and where it waits; "" if it is frozen."""
    try:
        state = (task / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
        place = (task / "wchan").read_text("ascii")
    except OSError:
        return ""  # it has just ended
    if state not in {RUNS, WAITS} or place == STOPPED_AT:
        return ""
    return f"in state {state} at {place}" if place.strip("0") else f"in state {state}"
