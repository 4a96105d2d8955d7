"""The pace at which a service is asked: one request at a time, with a pause between two, over all processes.

The state of a lane is a file with the time before which nobody asks, under a lock that is held while a
request runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import FileLock

#: How often somebody who waits looks whether the run has been stopped, in seconds.
_POLL = 0.1
#: A time further ahead than this was noted by a clock that was wrong, in seconds.
_FURTHEST = 86400.0


class BusyError(Exception):
    """The lane will not be free within the time that the caller has; says for how long."""

    def __init__(self, seconds: float) -> None:
        """Not free for so long."""
        super().__init__(f"not free for another {seconds:.0f} s")
        self.seconds = seconds


class StoppedError(Exception):
    """The run has been stopped."""


class Lane:
    """The queue in front of one service.

    Args:
        folder: where the state is kept; shared by all processes that ask the service.
        name: the service's name, a plain file name.
        interval: seconds between the end of a request and the beginning of the next.
        stop: set when the run is to end.
    """

    def __init__(self, folder: Path, name: str, interval: float, stop: threading.Event) -> None:
        """A lane that nobody holds."""
        self.interval = interval
        self._stop = stop
        self._file = folder / f"{name}.next"
        self._threads = threading.Lock()
        self._processes = _file_lock(folder / f"{name}.lock")

    @contextmanager
    def turn(self, patience: float) -> Iterator[None]:
        """Waits for its turn, then holds the lane while the request runs.

        Raises:
            BusyError: the turn would not come within ``patience`` seconds.
            StoppedError: the run was stopped while waiting.
        """
        until = time.monotonic() + patience
        with self._held(until):
            self._wait(until)
            # Noted before the request too: a process that is killed while it asks has asked.
            self.hold(self.interval)
            try:
                yield
            finally:
                self.hold(self.interval)

    def hold(self, seconds: float) -> None:
        """Nobody asks before this many seconds have passed (or a longer time that was noted before)."""
        until = max(time.time() + seconds, self._next())
        with suppress(OSError):
            self._file.write_text(f"{until:.3f}\n", encoding="ascii")

    @contextmanager
    def _held(self, until: float) -> Iterator[None]:
        from filelock import Timeout

        while not self._threads.acquire(timeout=_POLL):
            self._check(until)
        try:
            while True:
                try:
                    self._processes.acquire(timeout=_POLL, poll_interval=0.02)
                except Timeout:
                    self._check(until)
                else:
                    break
            try:
                yield
            finally:
                self._processes.release()
        finally:
            self._threads.release()

    def _wait(self, until: float) -> None:
        while (seconds := self._next() - time.time()) > 0:
            if time.monotonic() + seconds > until:
                raise BusyError(seconds)
            if self._stop.wait(min(seconds, 1.0)):
                raise StoppedError

    def _check(self, until: float) -> None:
        if self._stop.is_set():
            raise StoppedError
        if time.monotonic() > until:
            raise BusyError(0)

    def _next(self) -> float:
        try:
            until = float(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0.0
        return until if until - time.time() < _FURTHEST else 0.0


def _file_lock(path: Path) -> FileLock:
    from filelock import FileLock

    return FileLock(path, thread_local=False)
