"""A line on the terminal that says what is being asked, how far it is and how long it will take."""

from __future__ import annotations

import shutil
import threading
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from refkit.enrich.lookup import Wanted
    from refkit.enrich.records import Answer

_WIDTH = 24


class Progress:
    """Writes to a terminal only; elsewhere it is silent.

    Args:
        stream: standard error.
        quiet: write nothing.
    """

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        """A line that is not drawn yet."""
        self._stream = stream
        self._on = not quiet and stream.isatty()
        self._guard = threading.Lock()
        self._total = self._done = 0
        self._began = time.monotonic()
        self._note = ""

    def start(self, wanted: Wanted) -> None:
        """What will be asked for."""
        self._total, self._done, self._began = len(wanted), 0, time.monotonic()
        parts = []
        if wanted.arxiv:
            parts.append(f"arXiv for {_counted(len(wanted.arxiv), 'paper')}")
        if wanted.dois:
            parts.append(f"the DOI services for {_counted(len(wanted.dois), 'work')}")
        self._note = "asking " + " and ".join(parts) if parts else ""
        self._draw()

    def tell(self, answer: Answer) -> None:
        """One more answer is there."""
        self._done += 1
        self._note = f"{'arXiv' if answer.scheme == 'arxiv' else 'DOI'} {answer.id}: {answer.state}"
        self._draw()

    def say(self, note: str) -> None:
        """Something is being waited for."""
        self._note = note
        self._draw()

    def clear(self) -> None:
        """Take the line away."""
        if self._on:
            with self._guard:
                self._stream.write("\r\x1b[K")
                self._stream.flush()

    def _draw(self) -> None:
        if not self._on or not self._total:
            return
        filled = _WIDTH * self._done // self._total
        bar = "#" * filled + "." * (_WIDTH - filled)
        text = f"[{bar}] {self._done}/{self._total}{self._left()}  {self._note}"
        columns = shutil.get_terminal_size().columns
        with self._guard:
            self._stream.write(f"\r\x1b[K{printable(text)[: columns - 1]}")
            self._stream.flush()

    def _left(self) -> str:
        """About how long the rest will take, going by what was answered so far."""
        if not self._done:
            return ""
        seconds = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        return f", about {seconds:.0f} s left" if seconds >= 1 else ""


def printable(text: str) -> str:
    """A text without what would act on a terminal: parts of it come from services."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
