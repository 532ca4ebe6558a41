"""The program of a nursery: it forks keepers as its worker orders.

It imports little: what is imported here, each keeper has. After a fork Python lets modules such as
`threading` and `random` put themselves right, by which a keeper would take twice the memory.
"""

from __future__ import annotations

import errno
import gc
import os
import pickle
import socket
from contextlib import suppress
from functools import partial
from struct import Struct

from arena.machine.calls import end_with_parent
from arena.process._keeper import KeeperPipes, Task, fork_keeper, ignore_signals
from arena.process.forked import close_all_but

ORDER = Struct("=qqq")
"""The keeper that is to be reaped, or 0 and the sizes of the task and launch that follow."""
ANSWER = Struct("=q")
"""A process id; if the order could not be carried out, the errno as a negative number."""
PIPES = 5
"""How many descriptors a keeper is given."""


def tend(line: int, parent: int) -> None:
    """Fork keepers as the other end of the line orders, until that is closed."""
    end_with_parent(parent)
    ignore_signals()
    close_all_but({line})
    gc.disable()
    gc.freeze()
    with suppress(OSError), socket.socket(fileno=line) as orders:
        first = True
        while _obey(orders, first=first):
            first = False


def _obey(orders: socket.socket, *, first: bool) -> bool:
    """Carry out one order; return False when there are no more."""
    head, fds, _, _ = socket.recv_fds(orders, ORDER.size, PIPES)
    if len(head) != ORDER.size:
        return False
    for fd in fds:
        os.set_inheritable(fd, False)  # no program is to get its keeper's ends
    keeper, task, launch = ORDER.unpack(head)
    try:
        if keeper:
            answer, _ = os.waitpid(keeper, 0)
        else:
            data = _receive(orders, task), _receive(orders, launch)
            if first:
                pickle.loads(data[1])  # for what this imports, which is then there for all
            answer = _fork(*data, fds)
    except OSError as error:
        answer = -(error.errno or errno.EIO)
    finally:
        for fd in fds:
            os.close(fd)
    orders.sendall(ANSWER.pack(answer))
    return True


def _receive(orders: socket.socket, size: int) -> bytes:
    return orders.recv(size, socket.MSG_WAITALL)


def _fork(task: bytes, launch: bytes, fds: list[int]) -> int:
    """Fork a keeper. The launch is read by the program's process, which soon forgets it."""
    if len(fds) != PIPES:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    inside_in, inside_out, inside_err, control, report = fds
    pipes = KeeperPipes((inside_in, inside_out, inside_err), control, report)
    how = partial(pickle.loads, launch)
    return fork_keeper(Task(*pickle.loads(task)), how, pipes, ignores_signals=True)
