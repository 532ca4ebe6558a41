"""The system calls that are denied to a sandboxed program: their numbers, why, and how.

Each line gives a call's number on x86_64 and on aarch64, None where a machine has no such
call. The numbers are the kernel's interface and never change.
"""

from __future__ import annotations

import errno
from typing import TypeAlias

Numbers: TypeAlias = tuple[int | None, int | None]

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""For each machine, its column in the tables and the kernel's number of its architecture."""
X32 = 0x40000000
"""Calls from here on belong to x86_64's other interface, x32, which nothing uses."""
LAST = 450
"""Calls after this one are newer than these tables, so nobody has reviewed them."""

OTHERS: dict[str, Numbers] = {  # to inspect or control another process
    "kcmp": (312, 272),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
}
KEYS: dict[str, Numbers] = {  # keyrings outlive their processes
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "request_key": (249, 218),
}
NAMESPACES: dict[str, Numbers] = {  # the sandbox itself is built with these
    "chroot": (161, 51),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "pivot_root": (155, 41),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "setns": (308, 268),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
}
KERNEL: dict[str, Numbers] = {  # for administrators, or with a history of vulnerabilities
    "_sysctl": (156, None),
    "acct": (163, 89),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "create_module": (174, None),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "init_module": (175, 105),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, None),
    "nfsservctl": (180, 42),
    "perf_event_open": (298, 241),
    "reboot": (169, 142),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "settimeofday": (164, 170),
    "sysfs": (139, None),
    "syslog": (103, 116),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "ustat": (136, None),
    "vhangup": (153, 58),
}
SIGNALS: dict[str, Numbers] = {  # two bots that see the same file could signal with these
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_add_watch": (254, 27),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_rm_watch": (255, 28),
}
CORES: dict[str, Numbers] = {  # to leave the core of the table, or to get more of its time
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "setpriority": (141, 140),
}
PROBED: dict[str, Numbers] = {  # runtimes do without these if the kernel does not have them
    "clone3": (435, 435),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "memfd_secret": (447, 447),
    "mincore": (27, 232),
}
PAGES: dict[str, Numbers] = {  # to see which pages of a file are in memory, or where
    "get_mempolicy": (239, 236),
    "io_cancel": (210, 3),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "mbind": (237, 235),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
}
FEIGNED = 0
"""Succeed and do nothing. If locks fail, Java warns on stdout, and SQLite gives up."""
LOCKS: dict[str, Numbers] = {"flock": (73, 32)}
HINTS: dict[str, Numbers] = {  # to drop pages from memory, or to keep the host's disks busy
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "sync": (162, 81),
    "sync_file_range": (277, 84),
    "syncfs": (306, 267),
}
TIMES: dict[str, Numbers] = {  # everybody may set those of /dev/null, and everybody sees them
    "futimesat": (261, None),
    "utime": (132, None),
    "utimensat": (280, 88),
    "utimes": (235, None),
}

DENIED: tuple[tuple[dict[str, Numbers], int], ...] = (
    (OTHERS, errno.EPERM),
    (KEYS, errno.EPERM),
    (NAMESPACES, errno.EPERM),
    (KERNEL, errno.EPERM),
    (SIGNALS, errno.EPERM),
    (CORES, errno.EPERM),
    (PROBED, errno.ENOSYS),
    (PAGES, errno.ENOSYS),
    (LOCKS, FEIGNED),
    (HINTS, FEIGNED),
    (TIMES, FEIGNED),
)
"""The calls that are denied with any arguments, and the error that they return."""

EXAMINED: dict[str, Numbers] = {  # allowed or denied, depending on their arguments
    "clone": (56, 220),
    "fcntl": (72, 25),
    "getsockopt": (55, 209),
    "ioctl": (16, 29),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "personality": (135, 92),
    "prctl": (157, 167),
    "socket": (41, 198),
    "socketpair": (53, 199),
}
NEW_NAMESPACES = 0x7E020000
"""The flags of clone that make namespaces."""
AF_UNIX = 1
LOCKING = (6, 7, 37, 38)
"""fcntl's commands to lock: SETLK, SETLKW, and the same for open files."""
LOCKED = (5, 36)
"""fcntl's commands to ask who holds a lock: GETLK, and the same for open files."""
MARKING = (1024, 1025, 1026, 1035, 1036, 1037, 1038)
"""fcntl's commands for leases, for notices of changes in a directory, and for a file's hints."""
FEIGNED_INPUT = (0x5412, 0x541C)
"""ioctl's commands to type into a terminal: TIOCSTI and TIOCLINUX."""
COMMAND_TYPE = 0xFF00
"""The bits of an ioctl's command that say whose it is."""
OF_FILE_SYSTEMS = 0x6600
"""The type of commands that set or show what a file system notes of a file in memory."""
SOCKET_NUMBERS = (57,)
"""getsockopt's option for the number of a socket, SO_COOKIE: all of the host's are counted."""
LARGER_PIPES = (1031,)
"""fcntl's command for larger pipes, SETPIPE_SZ: a user may have only so many of them."""
ADVICE = (3, 12, 20, 21)
"""madvise's advice to load pages, to merge equal ones of several programs, and to drop them."""
BARRIERS_FOR_ALL = (1, 2, 4)
"""membarrier's commands that reach other programs."""
MERGING = (67,)
"""prctl's option to merge equal pages of several programs."""
PLAIN = (0, 0xFFFFFFFF)
"""personality's arguments that change nothing."""
