"""Work on many entries, shared out to the processors of the machine.

Each share but the first is worked on by a fork of the process: it has all that was read, and only what it
makes is sent back. Where a process cannot be forked, or a fork comes to harm, this process does the work
itself.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

#: A share of fewer entries is not worth a process.
_SMALLEST = 1_000
#: More processes than that only wait for the one that reads.
_MOST = 8

#: Does the tasks from the first index up to the second; what it makes, as texts.
Work = Callable[[int, int], list[bytearray]]


def shared_out(work: Work, tasks: int, entries: int) -> Iterator[list[bytearray]]:
    """What ``work`` makes of each share of the tasks, in their order.

    Args:
        work: Does some of the tasks. A fork that it runs in shares nothing out again.
        tasks: How many there are; each is about as long as the others.
        entries: How many entries all tasks have together.
    """
    bounds = _bounds(tasks, min(_processors(), entries // _SMALLEST))
    forks = [_Fork(work, start, end) for start, end in bounds[1:]]
    try:
        yield work(*bounds[0])
        for fork in forks:
            yield fork.result()
    finally:
        for fork in forks:
            fork.end()


def _bounds(tasks: int, processes: int) -> list[tuple[int, int]]:
    count = max(1, min(processes, tasks, _MOST))
    marks = [tasks * number // count for number in range(count + 1)]
    return list(pairwise(marks))


def _processors() -> int:
    """How many processes may work at once; one where this process cannot be forked safely."""
    threading = sys.modules.get("threading")
    if not hasattr(os, "fork") or (threading is not None and threading.active_count() > 1):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Fork:
    """A process that works on one share."""

    def __init__(self, work: Work, start: int, end: int) -> None:
        self._work, self._start, self._end = work, start, end
        self._reader, writer = os.pipe()
        self._pid = 0
        try:
            self._pid = os.fork()
        except OSError:  # no process, no memory: the work is done here
            os.close(writer)
            return
        if self._pid == 0:
            os.close(self._reader)
            self._work_and_exit(writer)
        os.close(writer)

    def _work_and_exit(self, writer: int) -> None:
        """Work, send each text behind its length, and leave without a trace: no buffer is flushed twice."""
        status = 1
        try:
            with open(writer, "wb") as pipe:
                for text in self._work(self._start, self._end):
                    pipe.write(len(text).to_bytes(8, "big"))
                    pipe.write(text)
            status = 0
        finally:
            os._exit(status)

    def result(self) -> list[bytearray]:
        """What the process made; made here if it came to harm, so that an error is raised here too."""
        texts = []
        if self._pid:
            with open(self._reader, "rb", closefd=False) as pipe:
                while head := pipe.read(8):
                    texts.append(bytearray(pipe.read(int.from_bytes(head, "big"))))
        return texts if self._ended_well() else self._work(self._start, self._end)

    def _ended_well(self) -> bool:
        pid, self._pid = self._pid, 0
        return bool(pid) and os.waitpid(pid, 0)[1] == 0

    def end(self) -> None:
        """Leave nothing behind, whatever happened."""
        os.close(self._reader)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0
