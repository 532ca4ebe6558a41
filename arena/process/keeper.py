"""The keeper of a bot: a small process of its own that leaves nothing running behind.

The referee forks a keeper for every bot, and the keeper starts the bot. As a subreaper it
becomes the parent of everything that the bot's children leave behind, however they detach
themselves, so it can end them all. It does so when the bot has ended, when it is told to,
and when the referee is gone in any way, SIGKILL included: then its control pipe closes.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import select
import signal
from struct import Struct

from arena.process.descriptors import close_all_but
from arena.process.launch import Launch
from arena.process.tree import children

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
REPORT = Struct(">BiqqI")
"""Kind, number, peak memory in KiB, CPU time in microseconds, pid."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
STARTED, NOT_STARTED, ENDED = 1, 2, 3

_prctl = ctypes.CDLL(None, use_errno=True).prctl


def fork_keeper(launch: Launch, pipes: tuple[int, int, int], control: int, report: int) -> int:
    """Start a keeper that starts the program; the keeper's process id.

    `pipes` are the program's stdin, stdout and stderr; the keeper ends the program when
    `control` closes, and writes reports to `report`.
    """
    pid = os.fork()
    if pid:
        return pid
    try:
        # From here on only system calls: this is a copy of a process with any state.
        gc.disable()
        os.setsid()
        close_all_but({*pipes, control, report})
        _keep(launch, pipes, control, report)
    finally:
        os._exit(0)


def _keep(launch: Launch, pipes: tuple[int, int, int], control: int, report: int) -> None:
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for ignored in SIGNALS:
        signal.signal(ignored, signal.SIG_IGN)
    checked, broken = os.pipe()
    bot = os.fork()
    if bot == 0:
        _become(launch, pipes, broken)
    os.close(broken)
    for fd in pipes:
        os.close(fd)
    failure = os.read(checked, 4)
    if failure:
        os.waitpid(bot, 0)
        launch.clear()
        os.write(report, REPORT.pack(NOT_STARTED, int.from_bytes(failure, "big"), 0, 0, bot))
        return
    os.write(report, REPORT.pack(STARTED, 0, 0, 0, bot))
    watched = select.poll()
    watched.register(control, select.POLLIN)
    watched.register(os.pidfd_open(bot), select.POLLIN)
    told = any(fd == control for fd, _ in watched.poll())
    if told:
        _kill(-bot)
        _kill(bot)
    _, status, usage = os.wait4(bot, 0)
    cpu = int((usage.ru_utime + usage.ru_stime) * 1e6)
    _end_descendants()
    launch.clear()
    number = os.waitstatus_to_exitcode(status)
    os.write(report, REPORT.pack(ENDED, number, usage.ru_maxrss, cpu, bot))


def _become(launch: Launch, pipes: tuple[int, int, int], broken: int) -> None:
    """Become the program, or write to `broken` why that is not possible."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        for ignored in SIGNALS:
            signal.signal(ignored, signal.SIG_DFL)
        for target, fd in enumerate(pipes):
            os.dup2(fd, target)
        os.chdir(launch.cwd)
        launch.prepare()
        os.execvpe(launch.argv[0], list(launch.argv), dict(launch.env))
    except OSError as error:
        os.write(broken, (error.errno or errno.EIO).to_bytes(4, "big"))
    except ValueError:  # a NUL within a word
        os.write(broken, errno.EINVAL.to_bytes(4, "big"))
    finally:
        os._exit(127)


def _end_descendants() -> None:
    """Kill children until there are none; orphans of those killed become children."""
    try:
        while True:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                for pid in children(os.getpid()):
                    _kill(pid)
                os.waitpid(-1, 0)
    except ChildProcessError:
        return


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
