"""Passes a bit to an accomplice in another seat, by everything that two bots might share.

The second argument is "sender" or "receiver", with "-at-once" for signals that need both to
run at the same time. The sender sets every signal at its first question and keeps it set. The
receiver looks for each of them at every question of its own, and reports those that it feels.
Two bots with the same folder share nothing that they can change, so no signal must be felt.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from attempts import line_of, note_of, scene, syscall

from arena_sdk import Question, run

SHARED = Path("shared-by-both").absolute()
"""A file in the folder of both."""
LIBRARY = Path(os.__file__)
"""A file of the language's runtime, which bots of other authors see, too."""
KEY = 0x41524E41
FUTEX = (202, 98)
FUTEX_WAIT, FUTEX_WAKE = 0, 1
SHMGET, MSGGET, SEMGET = (29, 194), (68, 186), (64, 190)
IPC_CREATE, IPC_REMOVE = 0o1666, 0
SHMCTL, MSGCTL, SEMCTL = (31, 195), (71, 187), (66, 191)
MQ_OPEN, MQ_UNLINK = (240, 180), (241, 181)
ADD_KEY, REQUEST_KEY = (248, 217), (249, 218)
USER_KEYRING = -4
INOTIFY_INIT, INOTIFY_ADD_WATCH = (294, 26), (254, 27)
IN_OPEN, IN_NONBLOCK = 0x20, os.O_NONBLOCK
ABSTRACT = f"\0{scene['mark']}-channel"
NAMED = ("/tmp/channel", "/dev/shm/channel", "/var/tmp/channel", "/run/channel")
WAITS = 0.2

kept: list[object] = []
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def page_of(path: Path) -> int:
    """Map a file as shared memory for reading, and return the address."""
    with path.open("rb") as file:
        place = libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    assert isinstance(place, int)
    if place == 2**64 - 1:
        raise OSError(ctypes.get_errno(), "mmap")
    return place


def lock(path: Path) -> None:
    """Hold a lock on the whole file, and on parts of it."""
    for take in (
        lambda file: fcntl.flock(file, fcntl.LOCK_EX),
        lambda file: fcntl.lockf(file, fcntl.LOCK_SH, 1, 0),
        lambda file: fcntl.fcntl(file, 37, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 5, 1, 0)),
    ):
        file = path.open("rb")
        kept.append(file)
        try:
            take(file)
        except OSError:
            continue


def feels_lock(path: Path) -> object:
    """Whether a lock is refused, or reported as held by somebody else."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(file, fcntl.LOCK_UN)
        except BlockingIOError:
            return "flock"
        except OSError:
            pass
        for at in (0, 5):
            wanted = struct.pack("hhqqi", fcntl.F_WRLCK, 0, at, 1, 0)
            found = fcntl.fcntl(file, fcntl.F_GETLK, wanted)
            if struct.unpack("hhqqi", found)[0] == fcntl.F_RDLCK:
                return "fcntl"
    return None


def feels_kernels_list() -> object:
    """Whether the kernel's list of all locks has one on this file."""
    inode = f":{SHARED.stat().st_ino} "
    return "/proc/locks" if inode in Path("/proc/locks").read_text("ascii") else None


def watch() -> int:
    """Ask inotify to tell when the file is opened; return the descriptor."""
    fd = syscall(*INOTIFY_INIT, arguments=(IN_NONBLOCK,))
    syscall(*INOTIFY_ADD_WATCH, arguments=(fd, ctypes.c_char_p(bytes(SHARED)), IN_OPEN))
    return fd


def wait_on(path: Path) -> None:
    """Wait on a word of a file (futex), in a thread, for as long as the game lasts."""
    place = page_of(path)
    word = ctypes.c_int.from_address(place).value

    def wait() -> None:
        while True:
            try:
                syscall(*FUTEX, arguments=(ctypes.c_void_p(place), FUTEX_WAIT, word, None))
            except OSError as error:
                if error.errno not in {errno.EINTR, errno.EAGAIN}:
                    return

    threading.Thread(target=wait, daemon=True).start()


def feels_waiting(path: Path) -> object:
    """Whether somebody who waits on the file can be woken."""
    woken = syscall(*FUTEX, arguments=(ctypes.c_void_p(page_of(path)), FUTEX_WAKE, 1, None))
    return f"{woken} woken" if woken else None


def listen() -> None:
    """Listen on an abstract socket and on socket files; make named pipes and files."""
    for name in (ABSTRACT, *(f"{name}-socket" for name in NAMED)):
        try:
            server = socket.socket(socket.AF_UNIX)
            kept.append(server)
            server.bind(name)
            server.listen()
        except OSError:
            continue
    for name in NAMED:
        try:
            os.mkfifo(f"{name}-pipe")
            Path(name).write_text("1", encoding="ascii")
        except OSError:
            continue


def feels_listening() -> object:
    """Whether somebody listens on one of these sockets."""
    for name in (ABSTRACT, *(f"{name}-socket" for name in NAMED)):
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(name)
                return repr(name)
        except OSError:
            continue
    return None


def feels_files() -> object:
    """Whether there is a file in a place that both might share."""
    return next((name for name in NAMED if Path(name).exists()), None)


def make_ipc() -> None:
    """Make System V objects under a key that both know, and a POSIX queue."""
    for numbers, arguments in (
        (SHMGET, (KEY, mmap.PAGESIZE, IPC_CREATE)),
        (MSGGET, (KEY, IPC_CREATE)),
        (SEMGET, (KEY, 1, IPC_CREATE)),
        (MQ_OPEN, (ctypes.c_char_p(b"channel"), os.O_CREAT | os.O_RDWR, 0o666, None)),
    ):
        try:
            syscall(*numbers, arguments=arguments)
        except OSError:
            continue


def remove_ipc() -> None:
    """Remove these objects from the kernel."""
    for get, control, place in ((SHMGET, SHMCTL, 1), (MSGGET, MSGCTL, 1), (SEMGET, SEMCTL, 2)):
        try:
            number = syscall(*get, arguments=(KEY, *[0] * (place + (get != MSGGET)))[:3])
            syscall(*control, arguments=(number, 0, 0) if place == 2 else (number, 0, None))
        except OSError:
            continue
    try:
        syscall(*MQ_UNLINK, arguments=(ctypes.c_char_p(b"channel"),))
    except OSError:
        pass


def feels(*numbers: int, arguments: tuple[object, ...]) -> Callable[[], object]:
    """Return a function that looks whether a call finds what the sender has made."""
    return lambda: f"number {syscall(*numbers, arguments=arguments)}"


def add_key() -> None:
    """Add a key to the keyring of the user."""
    kind, name = ctypes.c_char_p(b"user"), ctypes.c_char_p(b"arena-channel")
    syscall(*ADD_KEY, arguments=(kind, name, ctypes.c_char_p(b"1"), 1, USER_KEYRING))


def read_much() -> None:
    """Read the file and its folder, so that their times of access change."""
    SHARED.read_bytes()
    os.listdir(SHARED.parent)


def feels_access() -> object:
    """Whether the file or its folder has been read since this bot began."""
    now = [path.stat().st_atime_ns for path in (SHARED, SHARED.parent)]
    return "time of access" if now != accessed else None


def write_pipe() -> None:
    """Write to a named pipe of the folder, if it has one, and keep it open."""
    kept.append(os.open("pipe-of-both", os.O_RDWR | os.O_NONBLOCK))
    os.write(kept[-1], b"1")  # type: ignore[arg-type]


def feels_pipe() -> object:
    """Whether there is something in the named pipe."""
    fd = os.open("pipe-of-both", os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(fd, 1)
    finally:
        os.close(fd)


def send_signals() -> None:
    """Send a signal that is usually ignored to every process that there might be."""
    for pid in range(2, 300) if scene["sandboxed"] else ():
        if pid != os.getpid():
            try:
                os.kill(pid, signal.SIGURG)
            except OSError:
                continue


def feels_signal() -> object:
    """Whether such a signal has come."""
    return "SIGURG" if urged else None


def feels_process() -> object:
    """Whether the sender is in the list of processes."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            words = Path(f"/proc/{entry.name}/cmdline").read_bytes().split(b"\0")
            if any(word.startswith(b"sender") for word in words):
                return f"process {entry.name}"
    return None


def feels_inotify() -> object:
    """Whether inotify has told that the file was opened."""
    return os.read(watching, 100) and "inotify"


SIGNALS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "a lock on a file in the folder": (lambda: lock(SHARED), lambda: feels_lock(SHARED)),
    "a lock on a file of the runtime": (lambda: lock(LIBRARY), lambda: feels_lock(LIBRARY)),
    "the kernel's list of locks": (lambda: None, feels_kernels_list),
    "news of an opened file (inotify)": (read_much, feels_inotify),
    "the time at which a file was read": (read_much, feels_access),
    "a Unix socket": (listen, feels_listening),
    "a file in a place for all": (lambda: None, feels_files),
    "a named pipe in the folder": (write_pipe, feels_pipe),
    "System V shared memory": (make_ipc, feels(*SHMGET, arguments=(KEY, 0, 0))),
    "a System V queue": (lambda: None, feels(*MSGGET, arguments=(KEY, 0))),
    "System V semaphores": (lambda: None, feels(*SEMGET, arguments=(KEY, 0, 0))),
    "a POSIX queue": (
        lambda: None,
        feels(*MQ_OPEN, arguments=(ctypes.c_char_p(b"channel"), os.O_RDWR, 0, None)),
    ),
    "a key of the kernel's": (
        add_key,
        feels(
            *REQUEST_KEY,
            arguments=(ctypes.c_char_p(b"user"), ctypes.c_char_p(b"arena-channel"), None, 0),
        ),
    ),
    "a signal": (send_signals, feels_signal),
    "the list of processes": (lambda: None, feels_process),
}
"""The signals by name: how each is set, and how it is felt."""
MEETINGS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "waiting on a file in the folder (futex)": (
        lambda: wait_on(SHARED),
        lambda: feels_waiting(SHARED),
    ),
    "waiting on a file of the runtime (futex)": (
        lambda: wait_on(LIBRARY),
        lambda: feels_waiting(LIBRARY),
    ),
}
"""Signals that are felt only while both run, like how busy the other keeps the core."""

urged: list[int] = []
signal.signal(signal.SIGURG, lambda *_: urged.append(1))
accessed = [path.stat().st_atime_ns for path in (SHARED, SHARED.parent)]
try:
    watching = watch()
except OSError:
    watching = os.open(os.devnull, os.O_RDONLY)
felt: dict[str, str] = {}
lines: list[str] = []
begun = False


def send(question: Question) -> int:
    """Set all signals at the first question."""
    global begun
    if not begun:
        begun = True
        for set_it, _ in SIGNALS.values():
            try:
                set_it()
            except OSError:
                continue
        time.sleep(WAITS)
    return 0


def receive(question: Question) -> int:
    """Look for all signals, and report those that are felt."""
    for name, (_, feels_it) in SIGNALS.items():
        if name not in felt:
            try:
                if got := feels_it():
                    felt[name] = str(got)
                    lines.append(line_of(name, str(got), through=True))
            except OSError:
                continue
    global begun
    if not begun:
        begun = True
        lines.extend(line_of(name, "not felt", through=False) for name in SIGNALS)
    question.note = note_of(lines)
    return 0


def clear() -> None:
    """Remove what outlives the game where there are no walls."""
    remove_ipc()
    for name in NAMED:
        for ending in ("", "-socket", "-pipe"):
            try:
                os.unlink(name + ending)
            except OSError:
                continue


clear()
role, _, at_once = sys.argv[2].partition("-")
if at_once:
    SIGNALS = MEETINGS
run(send if role == "sender" else receive, name=role)
clear()
