"""Makes system calls that a bot does not need, with harmless arguments.

A call is refused if its error says that it is not permitted or does not exist, so that the
kernel did not even look at it. Any other answer, even an error, comes from behind the wall.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import struct
from collections.abc import Callable
from pathlib import Path

from attempts import add, attempt, syscall, tell

REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOLCK, errno.EAFNOSUPPORT}
NOWHERE = -1
BAD = 0xFFFF
"""Not a valid pointer, descriptor or command: a call that gets through fails differently."""

CALLS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "acct": (163, 89, (BAD,)),
    "add_key": (248, 217, (BAD, BAD, BAD, 1, BAD)),
    "bpf": (321, 280, (BAD, 0, 0)),
    "cachestat": (451, 451, (NOWHERE, 0, 0, 0)),
    "chroot": (161, 51, (BAD,)),
    "clock_settime": (227, 112, (0, 0)),
    "delete_module": (176, 106, (BAD, 0)),
    "fanotify_init": (300, 262, (BAD << 8, 0)),
    "finit_module": (313, 273, (NOWHERE, 0, 0)),
    "fsopen": (430, 430, (BAD, 0)),
    "get_mempolicy": (239, 236, (0, 0, 0, 0, BAD)),
    "init_module": (175, 105, (BAD, 0, 0)),
    "inotify_init1": (294, 26, (0,)),
    "io_setup": (206, 0, (0, 0)),
    "io_uring_setup": (425, 425, (0, 0)),
    "kcmp": (312, 272, (0, 0, BAD, 0, 0)),
    "kexec_load": (246, 104, (0, 0, 0, BAD)),
    "keyctl": (250, 219, (0, -3, 0)),
    "lsm_list_modules": (461, 461, (0, BAD, 0)),
    "mbind": (237, 235, (1, 0, BAD, 0, 0, 0)),
    "memfd_secret": (447, 447, (BAD << 8,)),
    "mount": (165, 40, (0, 0, 0, 0, 0)),
    "mount_setattr": (442, 442, (NOWHERE, BAD, 0, 0, 0)),
    "move_mount": (429, 429, (NOWHERE, BAD, NOWHERE, BAD, BAD << 16)),
    "move_pages": (279, 239, (0, 0, 0, 0, 0, BAD << 8)),
    "name_to_handle_at": (303, 264, (NOWHERE, BAD, BAD, BAD, BAD << 20)),
    "open_tree": (428, 428, (NOWHERE, BAD, 0)),
    "perf_event_open": (298, 241, (0, 0, NOWHERE, NOWHERE, 0)),
    "pidfd_getfd": (438, 438, (NOWHERE, 0, 0)),
    "pivot_root": (155, 41, (BAD, BAD)),
    "preadv2": (327, 286, (NOWHERE, 0, 0, 0, 0, 8)),
    "process_madvise": (440, 440, (NOWHERE, 0, 0, 0, 0)),
    "process_vm_writev": (311, 271, (0, 0, 0, 0, 0, BAD)),
    "ptrace": (101, 117, (0x4206, 0, 0, 0)),
    "quotactl": (179, 60, (0, 0, 0, 0)),
    "reboot": (169, 142, (0, 0, 0, 0)),
    "request_key": (249, 218, (BAD, BAD, 0, 0)),
    "sched_setparam": (142, 118, (0, 0)),
    "sched_setscheduler": (144, 119, (0, BAD, 0)),
    "set_mempolicy": (238, 237, (BAD, 0, 0)),
    "sethostname": (170, 161, (BAD, 1)),
    "setns": (308, 268, (NOWHERE, 0)),
    "setpriority": (141, 140, (BAD, 0, 0)),
    "settimeofday": (164, 170, (BAD, 0)),
    "statmount": (457, 457, (0, 0, 0, BAD)),
    "swapon": (167, 224, (BAD, 0)),
    "syslog": (103, 116, (10, 0, 0)),
    "umount2": (166, 39, (BAD, BAD)),
    "userfaultfd": (323, 282, (0,)),
}
"""By name: the number on x86-64 and on aarch64, and the arguments."""
CLONE, CLONE3 = (56, 220), (435, 435)
UNSHARE = (272, 97)
NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x20000,
    "process": 0x20000000,
    "network": 0x40000000,
    "control group": 0x2000000,
    "IPC": 0x8000000,
    "host name": 0x4000000,
    "time": 0x80,
}
SIGCHLD = 17
OFD_GETLK, OFD_SETLK = 36, 37
PERSONALITY = (135, 92)
NO_RANDOM_ADDRESSES = 0x40000
FOREIGN = {
    "by the interface for 32 bits": bytes.fromhex("b814000000cd80c3"),
    "of the x32 interface": bytes.fromhex("b8270000400f05c3"),
}
"""Machine code that puts the number of getpid into eax and makes the call."""


def make(*numbers: int, arguments: tuple[int, ...]) -> Callable[[], object]:
    """Return an attempt to get an answer to a call from behind the wall."""

    def call() -> str | None:
        try:
            return f"answered {syscall(*numbers, arguments=arguments)}"
        except OSError as error:
            if error.errno in REFUSALS:
                raise
            return f"answered {errno.errorcode.get(error.errno or 0)}"

    return call


def clone(flags: int) -> Callable[[], object]:
    """Return an attempt to start a child in a namespace of its own."""

    def call() -> str:
        child = syscall(*CLONE, arguments=(flags | SIGCHLD, 0, 0, 0, 0))
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return f"child {child}"

    return call


def clone_by_structure(flags: int) -> Callable[[], object]:
    """Return the same attempt by the newer call, whose flags no filter can see."""

    def call() -> str:
        arguments = ctypes.create_string_buffer(
            struct.pack("11Q", flags, 0, 0, 0, SIGCHLD, *[0] * 6)
        )
        child = syscall(*CLONE3, arguments=(arguments, 88))
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return f"child {child}"

    return call


def foreign(code: bytes) -> Callable[[], object]:
    """Return an attempt to make a call whose number the filter may not know."""

    def call() -> str | None:
        area = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        area.write(code)
        place = ctypes.addressof(ctypes.c_char.from_buffer(area))
        answer = ctypes.CFUNCTYPE(ctypes.c_int)(place)()
        return f"answered {answer}" if answer > 0 else None

    return call


@attempt("lock a file")
def lock() -> str | None:
    """If two bots can lock files that both see, they can share bits."""
    with Path(__file__).open("rb") as one, Path(__file__).open("rb") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "flock"
    return None


@attempt("lock a part of a file")
def lock_part() -> str | None:
    """The same by the other interface for locks."""
    with Path(__file__).open("rb") as one, Path(__file__).open("rb") as other:
        fcntl.fcntl(one, OFD_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 1, 0))
        wanted = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 1, 0)
        found = fcntl.fcntl(other, OFD_GETLK, wanted)
    return "fcntl" if struct.unpack("hhqqi", found)[0] == fcntl.F_RDLCK else None


@attempt("lease a file")
def lease() -> str:
    """A lease notices when somebody opens the file."""
    with Path(__file__).open("rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "F_SETLEASE"


@attempt("be told of changes in a directory")
def notify() -> str:
    """This is the oldest interface for it (dnotify)."""
    fd = os.open(".", os.O_RDONLY)
    fcntl.fcntl(fd, fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    return "F_NOTIFY"


@attempt("set a hint that a file keeps")
def hint() -> str:
    """The hint stays for as long as the file is in memory."""
    with Path(__file__).open("rb") as file:
        fcntl.fcntl(file, 1036, struct.pack("Q", 2))
    return "F_SET_RW_HINT"


@attempt("switch off the shuffling of addresses")
def personality() -> str:
    """It would hold for the programs that it starts, too."""
    syscall(*PERSONALITY, arguments=(NO_RANDOM_ADDRESSES,))
    return "personality"


for name, (one, other, arguments) in CALLS.items():
    add(f"call {name}", make(one, other, arguments=arguments))
for name, flags in NAMESPACES.items():
    add(f"a {name} namespace", make(*UNSHARE, arguments=(flags,)))
    if name != "time":
        add(f"a child in a {name} namespace", clone(flags))
        add(f"a child in a {name} namespace, by clone3", clone_by_structure(flags))
if platform.machine() == "x86_64":
    for name, code in FOREIGN.items():
        add(f"a call {name}", foreign(code))
tell("calls")
