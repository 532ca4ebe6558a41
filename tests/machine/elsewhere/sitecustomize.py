"""Takes from Python what Linux alone has, before anything of the arena is imported.

With the folder of this file on PYTHONPATH a process finds itself on macOS, as far as that can be
had on Linux: the calls are gone, and of /proc, /sys and /dev/shm nothing can be opened, listed or
looked at. What it cannot show is that macOS itself does all that is left as Linux does it.
"""

import ctypes
import os
import select
import signal
import sys
import sysconfig
import time

sysconfig.get_config_vars()  # read while the platform has the name that this Python was built for
sys.platform = "darwin"

LINUX_ONLY = {
    os: (
        *(name for name in dir(os) if name.startswith(("sched_", "CLONE_", "PIDFD_", "EFD_"))),
        *("copy_file_range", "eventfd", "eventfd_read", "eventfd_write", "fdatasync"),
        *("getrandom", "getresuid", "getresgid", "setresuid", "setresgid", "getxattr", "listxattr"),
        *("setxattr", "removexattr", "memfd_create", "pidfd_open", "pipe2", "posix_fadvise"),
        *("posix_fallocate", "setns", "splice", "unshare", "waitid", "O_PATH", "O_TMPFILE"),
        *("P_PIDFD", "timerfd_create"),
    ),
    select: ("epoll", *(name for name in dir(select) if name.startswith("EPOLL"))),
    signal: ("pidfd_send_signal", "sigtimedwait", "sigwaitinfo", "SIGRTMIN", "SIGRTMAX"),
    time: ("CLOCK_BOOTTIME", "CLOCK_TAI", "pthread_getcpuclockid"),
}
for module, names in LINUX_ONLY.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

FOLDERS = ("/proc", "/sys", "/dev/shm")
CALLS = ("prctl", "openat2", "unshare", "setns", "signalfd", "memfd_create", "syscall")


def is_linux_only(path):
    """Whether this is a path that another system does not have."""
    if isinstance(path, int):
        return False
    path = os.path.normpath(os.fsdecode(path))
    return any(path == folder or path.startswith(f"{folder}/") for folder in FOLDERS)


def deny(event, arguments):
    """Let nothing be opened or listed there, and none of these calls be found."""
    if event in {"open", "os.listdir", "os.scandir"} and arguments[0] is not None:
        if is_linux_only(arguments[0]):
            raise FileNotFoundError(2, "No such file or directory", arguments[0])
    elif event == "ctypes.dlsym" and arguments[1] in CALLS:
        raise AttributeError(f"symbol not found: {arguments[1]}")


def without(call):
    """Return the call, but for what is asked about these paths."""

    def asked(path, *others, **options):
        if is_linux_only(path):
            raise FileNotFoundError(2, "No such file or directory", path)
        return call(path, *others, **options)

    return asked


for name in ("stat", "lstat", "readlink", "access", "statvfs"):
    setattr(os, name, without(getattr(os, name)))
ctypes.CDLL(None)  # it can still be loaded
sys.addaudithook(deny)
