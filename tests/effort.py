"""How much work a call does, told without a clock: lines executed, and a limit that only a hang reaches."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any


def lines(call: Callable[[], object]) -> int:
    """How many lines of Python ``call`` executes: the same number on every machine, however loaded."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@contextmanager
def ends(seconds: float = 60) -> Generator[None]:
    """Fail what has not ended after so many seconds of processor time, which is far beyond what it needs."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"no end after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
